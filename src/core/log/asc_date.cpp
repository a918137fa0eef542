#include <chrono>

#include "asc_line.hpp"

namespace rangerctl::log::asc {

using namespace reading;

namespace {

struct Month {
  std::string_view beginning;
  unsigned number;
};
/// How the names of the months begin, in lower case: English, and where they differ German, whose 'a' with
/// dots is UTF-8 or Latin-1.
constexpr std::array kMonths{
    Month{"jan", 1},  Month{"feb", 2},  Month{"mar", 3},  Month{"m\xC3\xA4r", 3}, Month{"m\xE4r", 3},
    Month{"mrz", 3},  Month{"apr", 4},  Month{"may", 5},  Month{"mai", 5},        Month{"jun", 6},
    Month{"jul", 7},  Month{"aug", 8},  Month{"sep", 9},  Month{"oct", 10},       Month{"okt", 10},
    Month{"nov", 11}, Month{"dec", 12}, Month{"dez", 12},
};

bool begins_with(std::string_view word, std::string_view lower_case) {
  return word.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), word.begin(),
                    [](char lower, char c) { return lower == (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
}

/// 0: no month.
unsigned month_of(std::string_view word) {
  for (const Month& month : kMonths) {
    if (begins_with(word, month.beginning)) return month.number;
  }
  return 0;
}

struct Clock {
  std::uint32_t hour = 0;
  std::uint32_t minute = 0;
  Timestamp second;
};

/// "15:06:13.191" or "15:06:13"
bool read_clock(std::string_view word, Clock& clock) {
  const std::size_t first = word.find(':');
  const std::size_t second = word.find(':', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) return false;
  return read_number(word.substr(0, first), 10, 23, clock.hour) &&
         read_number(word.substr(first + 1, second - first - 1), 10, 59, clock.minute) &&
         read_time_number(word.substr(second + 1), 0, clock.second) && clock.second.seconds >= 0 &&
         clock.second.seconds <= 59;
}

/// Takes "am" or "pm" where it is there.
bool read_half_of_day(Words& words, std::uint32_t& hour) {
  const bool is_am = begins_with(words.peek(), "am");
  if (!is_am && !begins_with(words.peek(), "pm")) return true;
  words.next();
  if (hour < 1 || hour > 12) return false;
  hour = hour % 12 + (is_am ? 0 : 12);
  return true;
}

}  // namespace

bool read_date(Words words, LocalToUtc to_utc, Timestamp& time) {
  constexpr std::uint32_t kFirstYear = 1970;
  const unsigned month = month_of(words.next());
  std::uint32_t day = 0;
  std::uint32_t year = 0;
  Clock clock;
  if (!read_number(words.next(), 10, 31, day) || !read_clock(words.next(), clock)) return false;
  if (!read_half_of_day(words, clock.hour) || !read_number(words.next(), 10, 9999, year)) return false;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok() || year < kFirstYear) return false;
  time = clock.second;
  time.seconds = to_utc(static_cast<int>(year), static_cast<int>(month), static_cast<int>(day),
                        static_cast<int>(clock.hour), static_cast<int>(clock.minute),
                        static_cast<int>(clock.second.seconds));
  return true;
}

}  // namespace rangerctl::log::asc
