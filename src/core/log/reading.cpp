#include "reading.hpp"

#include <limits>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/output/text_buffer.hpp"

namespace rangerctl::log::reading {
namespace {

constexpr std::uint32_t kSecond = 1'000'000'000;
constexpr int kMostDecimals = 9;
constexpr std::uint64_t kMostSeconds = std::numeric_limits<std::int64_t>::max();

/// Takes the digits of a decimal number one by one, the point being where it is told.
class Digits {
 public:
  /// `decimal`: 0 for the first place behind the point, negative before it.
  bool take(std::uint32_t digit, int decimal) {
    if (decimal < 0) return take_whole(digit);
    if (decimal < kMostDecimals) nanoseconds_ = nanoseconds_ * 10 + digit;
    if (decimal == kMostDecimals) rounds_up_ = digit >= 5;
    return true;
  }
  /// `decimals`: how many places behind the point there were.
  bool finish(bool negative, int decimals, Timestamp& time) {
    for (int i = decimals; i < kMostDecimals; ++i) nanoseconds_ *= 10;
    nanoseconds_ += rounds_up_ ? 1 : 0;
    seconds_ += nanoseconds_ / kSecond;
    nanoseconds_ %= kSecond;
    if (seconds_ > kMostSeconds) return false;
    time.seconds = static_cast<std::int64_t>(seconds_);
    time.nanoseconds = nanoseconds_;
    time.digits = static_cast<std::uint8_t>(std::clamp(decimals, 1, kMostDecimals));
    if (negative) negate(time);
    return true;
  }

 private:
  bool take_whole(std::uint32_t digit) {
    if (seconds_ > (kMostSeconds - digit) / 10) return false;
    seconds_ = seconds_ * 10 + digit;
    return true;
  }
  static void negate(Timestamp& time) {
    const bool has_decimals = time.nanoseconds != 0;
    time.seconds = -time.seconds - (has_decimals ? 1 : 0);
    time.nanoseconds = has_decimals ? kSecond - time.nanoseconds : 0;
  }

  std::uint64_t seconds_ = 0;
  std::uint32_t nanoseconds_ = 0;
  bool rounds_up_ = false;
};

bool all_decimal(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_decimal);
}

}  // namespace

bool has_binary(std::string_view line) {
  return std::any_of(line.begin(), line.end(),
                     [](char c) { return (c >= '\0' && c < ' ' && c != '\t') || c == '\x7F'; });
}

LineKind read_bytes(Words& words, std::size_t count, std::uint8_t* data) {
  for (std::size_t i = 0; i < count; ++i) {
    if (words.done()) return LineKind::length_mismatch;
    const std::string_view word = words.next();
    if (!is_hex_byte(word)) return LineKind::bad_data;
    data[i] = static_cast<std::uint8_t>(hex_value(word[0]) << 4 | hex_value(word[1]));
  }
  return LineKind::frame;
}

LineKind set_plain_id(std::uint32_t id, bool extended, Frame& frame) {
  frame.id = id;
  frame.extended = extended;
  return id <= (extended ? kMostExtendedId : kMostStandardId) ? LineKind::frame : LineKind::bad_id;
}

Frame unknown_error() {
  Frame frame;
  frame.id = kErrorBusError;
  frame.kind = FrameKind::error;
  frame.length = kMostClassicBytes;
  return frame;
}

bool read_time_number(std::string_view word, int places, Timestamp& time) {
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  const std::string_view whole = word.substr(0, word.find('.'));
  const std::string_view decimals = word.substr(std::min(whole.size() + 1, word.size()));
  if (!all_decimal(whole) || (whole.size() != word.size() && !all_decimal(decimals))) return false;
  Digits digits;
  int place = places - static_cast<int>(whole.size());
  for (const std::string_view part : {whole, decimals}) {
    for (const char c : part) {
      if (!digits.take(static_cast<std::uint32_t>(c - '0'), place++)) return false;
    }
  }
  return digits.finish(negative, place, time);
}

bool add_time(const Timestamp& offset, Timestamp& time) {
  const std::uint32_t nanoseconds = time.nanoseconds + offset.nanoseconds;
  std::int64_t seconds = 0;
  if (__builtin_add_overflow(time.seconds, offset.seconds, &seconds)) return false;
  if (__builtin_add_overflow(seconds, static_cast<std::int64_t>(nanoseconds / kSecond), &seconds))
    return false;
  time = {seconds, nanoseconds % kSecond, std::max(time.digits, offset.digits)};
  return true;
}

std::string_view BusName::of(std::uint32_t number) {
  char* const begin = text_.data();
  const char* const end = output::put_unsigned(output::put(begin, "can"), number);
  return {begin, static_cast<std::size_t>(end - begin)};
}

LineKind PlainLineParser::parse(std::string_view line, LineEnd end, LogFrame& out) {
  if (line.size() > kLongestLine) return LineKind::too_long;
  line = without_decoration(line);
  clear(out);
  if (line.find_first_not_of(" \t") == std::string_view::npos) return LineKind::blank;
  const LineKind kind = read(line, end, out);
  if (is_understood(kind)) return kind;
  if (has_binary(line)) return LineKind::binary;
  return end == LineEnd::eof ? LineKind::cut : kind;
}

}  // namespace rangerctl::log::reading
