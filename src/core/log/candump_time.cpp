#include <ctime>
#include <limits>

#include "candump_internal.hpp"

namespace rangerctl::log {

std::int64_t local_to_utc(int year, int month, int day, int hour, int minute, int second) {
  std::tm local{};
  local.tm_year = year - 1900;
  local.tm_mon = month - 1;
  local.tm_mday = day;
  local.tm_hour = hour;
  local.tm_min = minute;
  local.tm_sec = second;
  local.tm_isdst = -1;
  return std::mktime(&local);
}

namespace candump {
namespace {

constexpr std::size_t kMostDecimals = 9;

/// False without any digit and beyond int64.
bool read_seconds(Cursor& in, std::int64_t& seconds) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::uint64_t value = 0;
  const std::size_t before = in.left();
  for (; is_decimal(in.peek()); in.advance()) {
    const auto digit = static_cast<std::uint64_t>(in.peek() - '0');
    if (value > kMost / 10 || value * 10 + digit > kMost) return false;
    value = value * 10 + digit;
  }
  seconds = static_cast<std::int64_t>(value);
  return in.left() != before;
}

/// ".123456)"
bool read_decimals(Cursor& in, Timestamp& time) {
  constexpr std::array<std::uint32_t, kMostDecimals + 1> kScale{
      1'000'000'000, 100'000'000, 10'000'000, 1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};
  if (!in.skip('.')) return false;
  std::uint32_t value = 0;
  std::uint8_t digits = 0;
  for (; is_decimal(in.peek()); in.advance()) {
    if (++digits > kMostDecimals) return false;
    value = value * 10 + static_cast<std::uint32_t>(in.peek() - '0');
  }
  if (digits == 0 || !in.skip(')')) return false;
  time.nanoseconds = value * kScale[digits];
  time.digits = digits;
  return true;
}

/// The number at `begin` in `text`, or -1. `text` is long enough.
int number_at(std::string_view text, std::size_t begin, std::size_t digits) {
  int value = 0;
  for (std::size_t i = begin; i < begin + digits; ++i) {
    if (!is_decimal(text[i])) return -1;
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

bool between(int value, int least, int most) { return value >= least && value <= most; }

int days_of(int year, int month) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return kDays[static_cast<std::size_t>(month - 1)] + (leap && month == 2 ? 1 : 0);
}

/// "2024-04-05 19:34" -> seconds since 1970 UTC of its begin.
bool convert_minute(std::string_view text, LocalToUtc to_utc, std::int64_t& seconds) {
  if (text[4] != '-' || text[7] != '-' || text[10] != ' ' || text[13] != ':') return false;
  const int year = number_at(text, 0, 4);
  const int month = number_at(text, 5, 2);
  const int day = number_at(text, 8, 2);
  const int hour = number_at(text, 11, 2);
  const int minute = number_at(text, 14, 2);
  if (year < 0 || !between(month, 1, 12) || !between(day, 1, days_of(year, month))) return false;
  if (!between(hour, 0, 23) || !between(minute, 0, 59)) return false;
  seconds = to_utc(year, month, day, hour, minute, 0);
  return true;
}

/// "2024-04-05 19:34:38". Consecutive lines share their minute, and a conversion costs far more than a line.
bool read_date(Cursor& in, const Context& context, std::int64_t& seconds) {
  constexpr std::size_t kDateLength = 19;
  std::array<char, 16>& cached = context.cached_minute;
  if (in.left() < kDateLength) return false;
  const std::string_view text = in.rest().substr(0, kDateLength);
  const std::string_view minute = text.substr(0, cached.size());
  if (minute != std::string_view(cached.data(), cached.size())) {
    if (!convert_minute(minute, context.to_utc, context.cached_seconds)) return false;
    std::copy(minute.begin(), minute.end(), cached.begin());
  }
  const int second = number_at(text, 17, 2);
  if (text[16] != ':' || !between(second, 0, 59)) return false;
  seconds = context.cached_seconds + second;
  in.advance(kDateLength);
  return true;
}

}  // namespace

LineKind read_time(Cursor& in, const Context& context, Timestamp& time) {
  if (read_common_time(in.rest(), context.cached_second, time)) {
    in.advance(in.rest().find(')') + 1);
    return LineKind::frame;
  }
  in.advance();
  const bool is_date = in.peek(4) == '-';
  const bool understood = is_date ? read_date(in, context, time.seconds) : read_seconds(in, time.seconds);
  return understood && read_decimals(in, time) ? LineKind::frame : LineKind::bad_time;
}

}  // namespace candump
}  // namespace rangerctl::log
