#include "rangerctl/duration.hpp"

#include <gtest/gtest.h>

namespace rangerctl {
namespace {

TEST(Duration, ANumberAndAUnit) {
  struct Row {
    std::string_view text;
    std::int64_t ms;
  };
  for (const Row& row : {Row{"20ms", 20}, Row{"1ms", 1}, Row{"2s", 2000}, Row{"1.5s", 1500}, Row{"0.001s", 1},
                         Row{"2min", 120'000}, Row{"0.5min", 30'000}, Row{"24h", 86'400'000}}) {
    const auto duration = parse_duration(row.text);
    ASSERT_TRUE(duration) << row.text;
    EXPECT_EQ(duration->count(), row.ms) << row.text;
  }
}

TEST(Duration, EverythingElseIsUsage) {
  for (const std::string_view text :
       {"", "20", "s", "0s", "-1s", "+1s", "0.5ms", "1.0005s", "25h", "1e3s", "nan", "infs", "1 s", "1S",
        "1s ", "99999999999999h", "1.s", ".5s", "1..5s"}) {
    const auto duration = parse_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_EQ(duration.error().status, ExitStatus::usage);
  }
}

}  // namespace
}  // namespace rangerctl
