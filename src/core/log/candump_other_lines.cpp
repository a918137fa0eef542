#include <charconv>

#include "candump_internal.hpp"

namespace rangerctl::log::candump {
namespace {

/// A line that is known by how it begins and ends.
struct Known {
  std::string_view begin;
  std::string_view end = {};
};

/// What loggers write above and between their frames. The first four are Kayak's, the last is canutils'.
constexpr std::array kHeaders{
    Known{"DEVICE_ALIAS "}, Known{"PLATFORM "},    Known{"DESCRIPTION "},
    Known{"EVENT ("},       Known{"interface = "},
};

/// candump's own messages (can-utils 2018 to 2026), those of perror without the system's part.
constexpr std::array kNotices{
    Known{"Disabled standard output while logging."},
    Known{"Enabling Logfile '"},
    Known{"Warning: Console output active while logging!"},
    Known{"Log file format selected: "},
    Known{"More than ", " CAN devices given on commandline!"},
    Known{"Interface index cache only supports "},
    Known{"The socket receive buffer size was "},
    Known{"Failed to create filter space!"},
    Known{"Error in filter option parsing: '"},
    Known{"Error class 0x", " is invalid"},
    Known{"name of CAN device '", "' is too long!"},
    Known{"candump: unknown timestamp mode '"},
    Known{"failed to add socket to epoll: "},
    Known{"nbytes = "},
    Known{"read: "},
    Known{"select: "},
    Known{"socket: "},
    Known{"bind: "},
    Known{"time: "},
    Known{"logfile: "},
    Known{"epoll_create: "},
    Known{"SIOCGIFINDEX: "},
    Known{"SIOCGIFNAME: "},
    Known{"setsockopt "},
    Known{"getsockopt "},
    Known{"", ": interface down"},
};

template <std::size_t Count>
bool is_one_of(const std::array<Known, Count>& known, std::string_view line) {
  return std::any_of(known.begin(), known.end(), [line](const Known& row) {
    return line.size() >= row.begin.size() + row.end.size() && line.starts_with(row.begin) &&
           line.ends_with(row.end);
  });
}

/// "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)", or "1 CAN frame".
bool read_drop_count(std::string_view line, std::uint64_t& drops, std::string_view& bus) {
  Cursor in(line);
  if (!in.skip("DROPCOUNT: dropped ")) return false;
  const std::string_view rest = in.rest();
  const auto [behind, error] = std::from_chars(rest.data(), rest.data() + rest.size(), drops);
  if (error != std::errc{}) return false;
  in.advance(static_cast<std::size_t>(behind - rest.data()));
  if (!in.skip(" CAN frame") || !(in.skip("s on '") || in.skip(" on '")) || !line.ends_with(')'))
    return false;
  bus = in.rest().substr(0, in.rest().find('\''));
  return true;
}

}  // namespace

LineKind classify_other(std::string_view line, LogFrame& out) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return LineKind::blank;
  if (line[first] == '#') return LineKind::comment;
  std::uint64_t drops = 0;
  std::string_view bus;
  if (read_drop_count(line, drops, bus)) {
    out.drops = drops;
    out.bus = bus;
    return LineKind::drop_count;
  }
  if (is_one_of(kHeaders, line)) return LineKind::header;
  return is_one_of(kNotices, line) ? LineKind::candump_notice : LineKind::unrecognised;
}

}  // namespace rangerctl::log::candump
