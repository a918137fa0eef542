#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "rangerctl/log/candump_line.hpp"
#include "reading.hpp"

/// What the parts of the candump line parser share.
///
/// Every parse function returns LineKind::frame where it succeeded, and otherwise what the line is.
/// LineKind::cut stands for "the text ended before it said enough"; the caller turns that into something else
/// where the line has its newline.
namespace rangerctl::log::candump {

using namespace reading;

/// What the parts need of the parser besides the line.
struct Context {
  LineEnd end;
  const protocol::Catalogue& catalogue;
  LocalToUtc to_utc;
  std::array<char, 16>& cached_minute;
  std::int64_t& cached_seconds;
  SecondCache& cached_second;

  [[nodiscard]] bool at_eof() const { return end == LineEnd::eof; }
};

/// Sets id, kind and extended from an id of 3 or 8 digits; anything else is bad_id. SocketCAN's error frames
/// have kErrorIdBit; the bits above are flags that no candump prints.
LineKind set_id(std::uint32_t value, std::size_t digits, Frame& frame);

/// "(1712345678.123456)" or "(2024-04-05 19:34:38.123456)", from the parenthesis on.
LineKind read_time(Cursor& in, const Context& context, Timestamp& time);

/// "(1712345678.123456)", the time that nearly every log has; false says nothing about the text.
bool read_common_time(std::string_view text, SecondCache& cache, Timestamp& time);

/// The line that whole logs consist of, "(1712345678.123456) can0 211#0001019000000001", a direction behind
/// it or not, and an LF. Returns its length with the LF; 0, and nothing said about the line, where `text`
/// does not begin with exactly that, or ends soon. For speed alone; parse() reads the same from it.
std::size_t read_common_line(std::string_view text, SecondCache& cache, LogFrame& out);

/// "211#0001", from the id on, with an optional direction behind it. `digits` is where its first '#' is.
LineKind parse_log_frame(Cursor in, std::size_t digits, const Context& context, LogFrame& out);

/// "RX - -  211   [8]  00 01 ...", from behind the interface name on.
LineKind parse_long_frame(Cursor in, const Context& context, LogFrame& out);

/// "<0x211> [8] 00 01 ...": canutils 4.0.6, which the Angstrom distribution had.
LineKind parse_canutils_frame(Cursor in, const Context& context, LogFrame& out);

/// The three numbers "81:00:12345678" of a CAN XL header.
bool read_xl_header(Cursor& in, XlFrame& xl);

/// A line that is no frame: blank, comment, header, drop count, candump's messages; otherwise unrecognised.
LineKind classify_other(std::string_view line, LogFrame& out);

/// `line` without its colours, written to `plain`.
std::string_view without_colours(std::string_view line, LineEnd end, std::array<char, kLongestLine>& plain);
/// The `length` characters of `line` that are at `offset` where colours do not count.
std::string_view view_of_plain(std::string_view line, LineEnd end, std::size_t offset, std::size_t length);

}  // namespace rangerctl::log::candump
