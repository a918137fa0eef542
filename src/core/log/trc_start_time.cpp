#include <chrono>

#include "trc_line.hpp"

namespace rangerctl::log::trc {

using namespace reading;

namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::microseconds;

/// So many decimals of a day are less than a nanosecond, and a day of them in seconds has 64 bits.
constexpr std::size_t kMostDecimals = 14;

/// Decimals of a day, to the nearest microsecond: most writers have ten, which are 9 of them.
bool read_part_of_day(std::string_view decimals, microseconds& part) {
  constexpr std::uint64_t kUnits = 100'000'000'000'000;
  constexpr std::uint64_t kUnitsPerMicrosecond = kUnits / 1'000'000;
  std::uint64_t units = 0;
  for (std::size_t i = 0; i < std::max(decimals.size(), kMostDecimals); ++i) {
    const char digit = i < decimals.size() ? decimals[i] : '0';
    if (!is_decimal(digit)) return false;
    if (i < kMostDecimals) units = units * 10 + static_cast<std::uint64_t>(digit - '0');
  }
  const std::uint64_t of_second = units * static_cast<std::uint64_t>(86'400);
  part = std::chrono::seconds(of_second / kUnits) +
         microseconds((of_second % kUnits + kUnitsPerMicrosecond / 2) / kUnitsPerMicrosecond);
  return true;
}

}  // namespace

bool read_start_time(std::string_view text, LocalToUtc to_utc, Timestamp& time) {
  constexpr std::chrono::sys_days kFirstDay = std::chrono::year(1899) / 12 / 30;
  constexpr std::uint32_t kMostDays = 2'900'000;  // in the year 9839
  std::uint32_t day = 0;
  microseconds part{0};
  const std::size_t point = text.find('.');
  if (!read_number(text.substr(0, point), 10, kMostDays, day)) return false;
  if (point != std::string_view::npos && !read_part_of_day(text.substr(point + 1), part)) return false;
  const auto moment = kFirstDay + days(day) + part;
  const auto date = std::chrono::floor<days>(moment);
  const std::chrono::year_month_day calendar(date);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(moment - date));
  time.seconds =
      to_utc(static_cast<int>(calendar.year()), static_cast<int>(static_cast<unsigned>(calendar.month())),
             static_cast<int>(static_cast<unsigned>(calendar.day())), static_cast<int>(clock.hours().count()),
             static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  time.nanoseconds = static_cast<std::uint32_t>(part.count() % 1'000'000) * 1000;
  time.digits = 6;
  return true;
}

}  // namespace rangerctl::log::trc
