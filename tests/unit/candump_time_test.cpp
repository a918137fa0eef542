#include <cstdlib>

#include "candump_support.hpp"

namespace rangerctl::log {
namespace {

TEST(CandumpTime, TimesKeepTheirDigits) {
  constexpr Row kRows[] = {
      {"(1712345678.1) can0 123#", "1712345678.1 can0 - data 123 0"},
      {"(1712345678.12) can0 123#", "1712345678.12 can0 - data 123 0"},
      {"(1712345678.0001) can0 123#", "1712345678.0001 can0 - data 123 0"},
      {"(1712345678.123000000) can0 123#", "1712345678.123000000 can0 - data 123 0"},
      {"(9999999999.999999) can0 123#", "9999999999.999999 can0 - data 123 0"},
      {"(12345678901.999999) can0 123#", "12345678901.999999 can0 - data 123 0"},
      {"(9223372036854775807.5) can0 123#", "9223372036854775807.5 can0 - data 123 0"},
      {"(0000000000009223372036854775807.5) can0 123#", "9223372036854775807.5 can0 - data 123 0"},
      {"(9223372036854775808.5) can0 123#", "bad time stamp"},
      {"(99999999999999999999999.5) can0 123#", "bad time stamp"},
      {"(1712345678.1234567890) can0 123#", "bad time stamp"},
      {"(1712345678.) can0 123#", "bad time stamp"},
      {"(1712345678) can0 123#", "bad time stamp"},
      {"(.5) can0 123#", "bad time stamp"},
      {"(-1.5) can0 123#", "bad time stamp"},
      {"(171234567x.123456) can0 123#", "bad time stamp"},
      {"(1712345678.12345x) can0 123#", "bad time stamp"},
      {"(1712345678.123456 can0 123#", "bad time stamp"},
      {"(1712345678,123456) can0 123#", "bad time stamp"},
  };
  expect_rows(kRows);
}

int conversions = 0;

/// Digits in a row instead of seconds, so that each is seen in its place.
std::int64_t fake_to_utc(int year, int month, int day, int hour, int minute, int second) {
  ++conversions;
  return ((((year * 100LL + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second;
}

TEST(CandumpTime, DatesAreConvertedOncePerMinute) {
  constexpr Row kRows[] = {
      {" (2024-04-05 19:34:38.123456)  can0  123   [0] ", "20240405193438.123456 can0 - data 123 0"},
      {" (2024-04-05 19:34:59.1)  can0  123   [0] ", "20240405193459.1 can0 - data 123 0"},
      {"(2024-04-05 19:34:00.123456789) can0 123#", "20240405193400.123456789 can0 - data 123 0"},
      {" (2024-04-05 19:35:00.123456)  can0  123   [0] ", "20240405193500.123456 can0 - data 123 0"},
      {" (2024-02-29 00:00:00.000000)  can0  123   [0] ", "20240229000000.000000 can0 - data 123 0"},
  };
  CandumpParser parser(protocol::kDefaultCatalogue, fake_to_utc);
  conversions = 0;
  LogFrame out;
  for (const Row& row : kRows) {
    const LineKind kind = parser.parse(row.line, LineEnd::newline, out);
    EXPECT_EQ(line_text(kind, out), row.expected);
  }
  EXPECT_EQ(conversions, 3);
}

TEST(CandumpTime, DatesThatDoNotExist) {
  constexpr std::string_view kDates[] = {
      "2024-00-05 19:34:38.1", "2024-13-05 19:34:38.1",
      "2024-04-00 19:34:38.1", "2024-04-31 19:34:38.1",
      "2023-02-29 19:34:38.1", "1900-02-29 19:34:38.1",
      "2024-04-05 24:34:38.1", "2024-04-05 19:60:38.1",
      "2024-04-05 19:34:60.1", "2024-04-05 19:34:38",
      "2024-04-05 19:34.1",    "2024-04-05T19:34:38.1",
      "2024/04/05 19:34:38.1", "24-04-05 19:34:38.1",
      "2024-04-05 19:3x:38.1", "2024-04-05 19:34:38.1234567890",
  };
  for (const std::string_view date : kDates) {
    const std::string line = fmt::format(" ({})  can0  123   [0] ", date);
    EXPECT_EQ(OneLine(line, LineEnd::newline, fake_to_utc).kind, LineKind::bad_time) << line;
  }
  EXPECT_EQ(OneLine(" (2000-02-29 19:34:38.1)  can0  123   [0] ").kind, LineKind::frame);
}

class TimeZone {
 public:
  explicit TimeZone(const char* zone) {
    if (const char* before = std::getenv("TZ"); before != nullptr) before_ = before;
    setenv("TZ", zone, 1);
  }
  ~TimeZone() { before_.empty() ? unsetenv("TZ") : setenv("TZ", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST(CandumpTime, LocalTimeIsReadInTheProcessZone) {
  {
    const TimeZone utc("UTC0");
    EXPECT_EQ(local_to_utc(2024, 4, 5, 19, 34, 38), 1712345678);
    EXPECT_EQ(local_to_utc(1970, 1, 1, 0, 0, 0), 0);
  }
  const TimeZone berlin("CET-1CEST,M3.5.0,M10.5.0/3");
  EXPECT_EQ(local_to_utc(2024, 4, 5, 21, 34, 38), 1712345678) << "summer";
  EXPECT_EQ(local_to_utc(2024, 1, 1, 1, 0, 0), 1704067200) << "winter";
}

}  // namespace
}  // namespace rangerctl::log
