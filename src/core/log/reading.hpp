#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rangerctl/log/line_parser.hpp"
#include "rangerctl/log/log_frame.hpp"

/// What the readers of text logs share, whatever the format.
///
/// Every function that reads a part of a frame returns LineKind::frame where it succeeded, and otherwise what
/// the line is.
namespace rangerctl::log::reading {

inline constexpr std::uint8_t kMostClassicBytes = 8;
inline constexpr std::uint8_t kMostFdBytes = 64;
inline constexpr std::size_t kMostXlBytes = 2048;

inline constexpr std::uint32_t kMostStandardId = 0x7FF;
inline constexpr std::uint32_t kMostExtendedId = 0x1FFFFFFF;

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

/// The line without a CR at its end and a byte order mark at its beginning.
inline std::string_view without_decoration(std::string_view line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  return line;
}

/// Whether the line has characters that no text log has.
bool has_binary(std::string_view line);

/// The words of a line, between blanks and tabs. Behind the last one every word is empty.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) { skip_blanks(); }

  [[nodiscard]] bool done() const { return rest_.empty(); }
  /// From the next word on, without blanks before it.
  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] std::string_view peek() const { return rest_.substr(0, rest_.find_first_of(kBlanks)); }
  std::string_view next() {
    const std::string_view word = peek();
    rest_.remove_prefix(word.size());
    ended_ = rest_.empty();
    skip_blanks();
    return word;
  }
  /// Whether the last word ended with the line: where that lost its newline the word may be cut.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  static constexpr std::string_view kBlanks = " \t";
  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }

  std::string_view rest_;
  bool ended_ = false;
};

/// The whole word as an unsigned number of that base, at most `most`. False, and the value as it was, where
/// it is none.
inline bool read_number(std::string_view word, int base, std::uint32_t most, std::uint32_t& value) {
  std::uint32_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [behind, error] = std::from_chars(word.data(), end, number, base);
  if (error != std::errc{} || behind != end || number > most) return false;
  value = number;
  return true;
}

/// Two hexadecimal digits and nothing else.
inline bool is_hex_byte(std::string_view word) {
  return word.size() == 2 && is_hex(word[0]) && is_hex(word[1]);
}

/// `count` bytes of two hexadecimal digits, a word each.
LineKind read_bytes(Words& words, std::size_t count, std::uint8_t* data);

/// Words that follow the last byte of a frame as a further byte would, or anything else.
inline LineKind not_expected(const Words& words) {
  return is_hex_byte(words.peek()) ? LineKind::length_mismatch : LineKind::unrecognised;
}

/// Checks the id of a frame of either width; anything else is bad_id.
LineKind set_plain_id(std::uint32_t id, bool extended, Frame& frame);

/// How many bytes a CAN FD frame of that DLC (at most 15) has.
[[nodiscard]] constexpr std::uint8_t fd_length(std::uint32_t dlc) {
  constexpr std::array<std::uint8_t, 16> kLengths{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64};
  return kLengths[dlc];
}

/// A classic DLC: the length, and the DLC itself where it is beyond 8.
inline void set_classic_dlc(std::uint32_t dlc, Frame& frame) {
  frame.length = static_cast<std::uint8_t>(std::min<std::uint32_t>(dlc, kMostClassicBytes));
  frame.raw_dlc = static_cast<std::uint8_t>(dlc > kMostClassicBytes ? dlc : 0);
}

/// Nothing known yet: no time, no bus, no direction, an empty frame.
inline void clear(LogFrame& out) {
  out.time = {};
  out.bus = {};
  out.direction = FrameDirection::unknown;
  out.frame = {};
}

/// An error frame of which nothing else is known: a bus error, as can-utils' asc2log writes it.
[[nodiscard]] Frame unknown_error();

/// "Rx" and "Tx"; unknown: anything else.
inline FrameDirection read_direction(std::string_view word) {
  if (word == "Rx") return FrameDirection::rx;
  return word == "Tx" ? FrameDirection::tx : FrameDirection::unknown;
}

/// A time as a decimal number of any sign, of which `places` more decimals are to the right of the point than
/// it says: 3 for milliseconds. Beyond nanoseconds it is rounded. False where it is no number, or one beyond
/// 64 bits of seconds.
bool read_time_number(std::string_view word, int places, Timestamp& time);

/// A time and what is to be added to it; the digits are those of the finer of both. False beyond 64 bits.
bool add_time(const Timestamp& offset, Timestamp& time);

/// The names of buses of a log that has numbers: "can0", valid until the next number.
class BusName {
 public:
  std::string_view of(std::uint32_t number);

 private:
  std::array<char, 16> text_{};
};

/// A reader of lines that says what holds in every format but candump's: see LineParser.
class PlainLineParser : public LineParser {
 public:
  LineKind parse(std::string_view line, LineEnd end, LogFrame& out) final;

 private:
  /// A line that is not blank, without CR and byte order mark. `out` is empty. What it does not understand of
  /// a line that ends with LineEnd::eof is taken as cut.
  virtual LineKind read(std::string_view line, LineEnd end, LogFrame& out) = 0;
};

}  // namespace rangerctl::log::reading
