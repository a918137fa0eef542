#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rangerctl/log/candump_line.hpp"

/// What the parts of the candump line parser share.
///
/// Every parse function returns LineKind::frame where it succeeded, and otherwise what the line is.
/// LineKind::cut stands for "the text ended before it said enough"; the caller turns that into something else
/// where the line has its newline.
namespace rangerctl::log::candump {

inline constexpr std::uint8_t kMostClassicBytes = 8;
inline constexpr std::uint8_t kMostFdBytes = 64;
inline constexpr std::size_t kMostXlBytes = 2048;

inline constexpr std::uint8_t kNoDigit = 0xFF;

inline constexpr std::array<std::uint8_t, 256> kHexValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::uint8_t digit = 0; digit < 10; ++digit) values[static_cast<std::size_t>('0' + digit)] = digit;
  for (std::uint8_t digit = 10; digit < 16; ++digit) {
    values[static_cast<std::size_t>('A' + digit - 10)] = digit;
    values[static_cast<std::size_t>('a' + digit - 10)] = digit;
  }
  return values;
}();

/// The value of a hexadecimal digit of either case, or kNoDigit.
inline std::uint8_t hex_value(char c) { return kHexValues[static_cast<unsigned char>(c)]; }
inline bool is_hex(char c) { return hex_value(c) != kNoDigit; }
inline bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// A place in a line. Never reads beyond its end: there every character is NUL.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  [[nodiscard]] bool done() const { return at_ == end_; }
  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  [[nodiscard]] std::string_view rest() const { return {at_, left()}; }
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return ahead < left() ? at_[ahead] : '\0'; }
  void advance(std::size_t count = 1) { at_ += std::min(count, left()); }
  char take() {
    const char c = peek();
    advance();
    return c;
  }
  bool skip(char expected) {
    if (done() || *at_ != expected) return false;
    ++at_;
    return true;
  }
  bool skip(std::string_view expected) {
    if (!rest().starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }
  /// Returns whether there was any.
  bool skip_blanks() {
    const char* const begin = at_;
    while (at_ != end_ && *at_ == ' ') ++at_;
    return at_ != begin;
  }
  /// Everything up to the next blank.
  std::string_view take_word() {
    const char* const begin = at_;
    while (at_ != end_ && *at_ != ' ') ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

 private:
  const char* at_;
  const char* end_;
};

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

/// Two hexadecimal digits. False, without a move, where there are none.
inline bool read_hex_byte(Cursor& in, std::uint8_t& byte) {
  const std::string_view text = in.rest();
  if (text.size() < 2) return false;
  const std::uint8_t high = hex_value(text[0]);
  const std::uint8_t low = hex_value(text[1]);
  if ((high | low) > 0x0F) return false;
  byte = static_cast<std::uint8_t>(high << 4 | low);
  in.advance(2);
  return true;
}

/// Exactly `digits` (at most 8) hexadecimal digits; more may follow.
inline bool read_hex(Cursor& in, std::size_t digits, std::uint32_t& value) {
  value = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint8_t digit = hex_value(in.peek(i));
    if (digit == kNoDigit) return false;
    value = value << 4 | digit;
  }
  in.advance(digits);
  return true;
}

/// Sets id, kind and extended from an id of 3 or 8 digits; anything else is bad_id. SocketCAN's error frames
/// have kErrorIdBit; the bits above are flags that no candump prints.
LineKind set_id(std::uint32_t value, std::size_t digits, Frame& frame);

/// "(1712345678.123456)" or "(2024-04-05 19:34:38.123456)", from the parenthesis on.
LineKind read_time(Cursor& in, const Context& context, Timestamp& time);

/// "(1712345678.123456)", the time that nearly every log has; false says nothing about the text.
bool read_common_time(std::string_view text, SecondCache& cache, Timestamp& time);

/// The line that whole logs consist of, "(1712345678.123456) can0 211#0001019000000001", a direction behind it
/// or not, and an LF. Returns its length with the LF; 0, and nothing said about the line, where
/// `text` does not begin with exactly that, or ends soon. For speed alone; parse() reads the same from it.
std::size_t read_common_line(std::string_view text, SecondCache& cache, LogFrame& out);

/// Nothing known yet: no time, no bus, no direction, an empty frame.
inline void clear(LogFrame& out) {
  out.time = {};
  out.bus = {};
  out.direction = FrameDirection::unknown;
  out.frame = {};
}

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

/// Whether the line has characters that no text log has.
bool has_binary(std::string_view line);

/// `line` without its colours, written to `plain`.
std::string_view without_colours(std::string_view line, LineEnd end, std::array<char, kLongestLine>& plain);
/// The `length` characters of `line` that are at `offset` where colours do not count.
std::string_view view_of_plain(std::string_view line, LineEnd end, std::size_t offset, std::size_t length);

}  // namespace rangerctl::log::candump
