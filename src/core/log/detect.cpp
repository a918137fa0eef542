#include <algorithm>

#include "rangerctl/log/format.hpp"
#include "reading.hpp"

namespace rangerctl::log {
namespace {

struct Signature {
  std::string_view beginning;
  Format format;
};

/// Of the whole file.
constexpr std::array kMagics{
    Signature{"LOGG", Format::blf},
    Signature{"\x0A\x0D\x0D\x0A", Format::pcapng},
    Signature{"\xD4\xC3\xB2\xA1", Format::pcap},
    Signature{"\xA1\xB2\xC3\xD4", Format::pcap},
    Signature{"\x4D\x3C\xB2\xA1", Format::pcap},  // times in nanoseconds
    Signature{"\xA1\xB2\x3C\x4D", Format::pcap},
};

/// Of the first line that is not blank.
constexpr std::array kFirstLines{
    Signature{"date ", Format::asc},
    Signature{"base ", Format::asc},
    Signature{"//", Format::asc},
    Signature{"internal events logged", Format::asc},
    Signature{"no internal events logged", Format::asc},
    Signature{"Begin Trigger", Format::asc},
    Signature{";", Format::trc},
    Signature{"timestamp,arbitration_id,", Format::python_can_csv},
    Signature{"Time Stamp,ID,Extended,", Format::gvret_csv},
};

/// Whether `text` begins with `beginning`, or might once there is more of it.
bool may_begin_with(std::string_view text, std::string_view beginning) {
  const std::size_t known = std::min(text.size(), beginning.size());
  return text.substr(0, known) == beginning.substr(0, known);
}

template <class Table>
std::optional<Format> look_up(const Table& table, std::string_view text, bool at_end) {
  for (const Signature& row : table) {
    if (text.starts_with(row.beginning)) return row.format;
  }
  const bool undecided = !at_end && std::any_of(table.begin(), table.end(), [&](const Signature& row) {
    return may_begin_with(text, row.beginning);
  });
  return undecided ? std::nullopt : std::optional(Format::candump);
}

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// From the first line that is not blank on.
std::string_view without_beginning(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// What a line may be that stands in no header, in a log that lost it: "0.020000 1  221  Rx  d 8 00 .." of
/// Vector ASC or "1)  17535.4  Rx  0221  8  00 .." of PEAK TRC 1. No line of candump's begins so.
Format by_frame(std::string_view line) {
  reading::Words words(line.substr(0, line.find_first_of("\r\n")));
  const std::string_view first = words.next();
  Timestamp time;
  if (!reading::read_time_number(first.substr(0, first.find(')')), 0, time)) return Format::candump;
  if (first.ends_with(')'))
    return reading::read_time_number(words.next(), 3, time) ? Format::trc : Format::candump;
  std::uint32_t channel = 0;
  if (first.find('.') == std::string_view::npos) return Format::candump;
  if (words.peek() == "CANFD" || words.peek() == "CANXL") return Format::asc;
  if (!reading::read_number(words.next(), 10, 255, channel)) return Format::candump;
  const bool is_error = words.next() == "ErrorFrame";
  const std::string_view way = words.next();
  return is_error || way.starts_with("Rx") || way.starts_with("Tx") ? Format::asc : Format::candump;
}

}  // namespace

std::optional<Format> detect(std::string_view beginning, bool at_end) {
  at_end = at_end || beginning.size() >= kDetectionBytes;
  const auto by_magic = look_up(kMagics, beginning, at_end);
  if (by_magic != Format::candump) return by_magic;
  if (!at_end && may_begin_with(beginning, kByteOrderMark) && beginning.size() < kByteOrderMark.size())
    return std::nullopt;
  const std::string_view text = without_beginning(beginning);
  const auto by_header = look_up(kFirstLines, text, at_end);
  if (by_header != Format::candump || text.empty() || !(reading::is_decimal(text[0]) || text[0] == '-'))
    return by_header;
  if (!at_end && text.find('\n') == std::string_view::npos) return std::nullopt;
  return by_frame(text);
}

}  // namespace rangerctl::log
