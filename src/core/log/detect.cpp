#include <algorithm>

#include "rangerctl/log/format.hpp"

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
    Signature{"// version", Format::asc},
    Signature{"internal events logged", Format::asc},
    Signature{"no internal events logged", Format::asc},
    Signature{"Begin Triggerblock", Format::asc},
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

std::string_view first_line(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

}  // namespace

std::optional<Format> detect(std::string_view beginning, bool at_end) {
  at_end = at_end || beginning.size() >= kDetectionBytes;
  const auto by_magic = look_up(kMagics, beginning, at_end);
  if (by_magic != Format::candump) return by_magic;
  return look_up(kFirstLines, first_line(beginning), at_end);
}

}  // namespace rangerctl::log
