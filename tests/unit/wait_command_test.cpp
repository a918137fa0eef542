#include <gmock/gmock.h>

#include "command_bench.hpp"
#include "rangerctl/command/wait_for.hpp"

namespace rangerctl {
namespace {

using command::parse_condition;
using command::Report;
using command::WaitProcedure;
using protocol::kDefaultCatalogue;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Ms = Bench::Ms;

Report wait_for(Bench& bench, std::string_view signal, std::string_view comparison, std::string_view value,
                command::WaitOptions options = {}) {
  auto condition = parse_condition(kDefaultCatalogue, signal, comparison, value);
  EXPECT_TRUE(condition);
  WaitProcedure procedure(*condition, options);
  const Report report = bench.run(procedure);
  EXPECT_THAT(bench.sent, IsEmpty());
  return report;
}

TEST(WaitCommand, EndsWhenItIsTrue) {
  Bench bench;
  bench.script("2.0 set emergency_stop");
  const Report report = wait_for(bench, "system_status.errors", "has", "emergency_stop");
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_GE(report.after, Ms(2000));
  EXPECT_LE(report.after, Ms(2025));
}

TEST(WaitCommand, GivesUp) {
  Bench bench;
  const Report report = wait_for(bench, "system_status.control_mode", "==", "remote", {.timeout = Ms(3000)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("not true within 3.00 s; it is can"));
  EXPECT_EQ(bench.now(), Ms(3000));
}

TEST(WaitCommand, MustHoldWithoutABreak) {
  Bench bench("standby");
  bench.foreign("421#01", Ms(1000), Ms(1000));
  bench.foreign("421#00", Ms(1500), Ms(1500));
  bench.foreign("421#01", Ms(2000), Ms(2000));
  const Report report = wait_for(bench, "system_status.control_mode", "eq", "can", {.hold = Ms(1000)});
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_GE(report.after, Ms(3000));
  EXPECT_LE(report.after, Ms(3050));
}

TEST(WaitCommand, SilenceIsNotTrue) {
  Bench bench;
  bench.script("0.5 silence 0x211");
  const Report report =
      wait_for(bench, "system_status.control_mode", "==", "can", {.hold = Ms(2000), .timeout = Ms(4000)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("no system_status (0x211) arrives"));

  Bench silent("silent");
  const Report nothing = wait_for(silent, "system_status.errors", "==", "none", {.timeout = Ms(1000)});
  EXPECT_EQ(nothing.status, ExitStatus::no_answer);
  EXPECT_THAT(nothing.text, HasSubstr("nor anything else"));
}

TEST(WaitCommand, AHoldUpIsABreak) {
  Bench bench;
  bench.asleep_from = Ms(1000);
  bench.awake_again = Ms(3500);
  const Report report = wait_for(bench, "system_status.control_mode", "==", "can", {.hold = Ms(3000)});
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_GE(report.after, Ms(6500));
}

TEST(WaitCommand, AnInterfaceThatGoesDown) {
  Bench bench;
  bench.at(Ms(700), [](Bench& b) { b.link = {.state = LinkState::down, .outages = 1}; });
  const Report report = wait_for(bench, "system_status.control_mode", "==", "remote");
  EXPECT_EQ(report.status, ExitStatus::bus);
  EXPECT_THAT(report.text, HasSubstr("went down"));
}

TEST(WaitCommand, StopSignals) {
  Bench bench;
  bench.stop_at(Ms(100), ExitStatus::terminated);
  EXPECT_EQ(wait_for(bench, "system_status.control_mode", "==", "remote").status, ExitStatus::terminated);
}

TEST(WaitCommand, Comparisons) {
  struct Row {
    std::string_view signal;
    std::string_view comparison;
    std::string_view value;
    std::int64_t raw;
    bool holds;
  };
  const std::vector<Row> rows{
      {"motion_feedback.linear_velocity", "<", "0.15", 149, true},
      {"motion_feedback.linear_velocity", "lt", "0.15", 150, false},
      {"motion_feedback.linear_velocity", "<=", "0.15", 150, true},
      {"motion_feedback.linear_velocity", "le", "0.15", 151, false},
      {"motion_feedback.linear_velocity", ">", "-0.15", -149, true},
      {"motion_feedback.linear_velocity", "gt", "-0.15", -150, false},
      {"motion_feedback.linear_velocity", ">=", "-0.15", -150, true},
      {"motion_feedback.linear_velocity", "ge", "-0.15", -151, false},
      {"motion_feedback.linear_velocity", "==", "0", 0, true},
      {"motion_feedback.linear_velocity", "!=", "0", 0, false},
      {"motion_feedback.linear_velocity", "ne", "0", 1, true},
      {"system_status.errors", "==", "none", 0, true},
      {"system_status.errors", "has", "emergency_stop", 0x180, true},
      {"system_status.errors", "has", "emergency_stop,over_current", 0x180, false},
      {"system_status.errors", "lacks", "emergency_stop,over_current", 0x180, false},
      {"system_status.errors", "lacks", "over_current", 0x180, true},
      // The same 49.2 V in both units that vehicles send.
      {"bms_status.voltage", ">", "49.15", 492, true},
      {"bms_status.voltage", ">", "49.15", 4920, true},
      {"bms_status.voltage", ">", "49.25", 492, false},
      {"bms_status.voltage", ">", "49.25", 4920, false},
  };
  for (const Row& row : rows) {
    const auto condition = parse_condition(kDefaultCatalogue, row.signal, row.comparison, row.value);
    ASSERT_TRUE(condition) << row.signal << row.comparison;
    EXPECT_EQ(condition->holds(row.raw), row.holds) << condition->text << " for " << row.raw;
  }
}

TEST(WaitCommand, WhatIsNoCondition) {
  struct Row {
    std::string_view signal;
    std::string_view comparison;
    std::string_view value;
    std::string_view reason;
  };
  const std::vector<Row> rows{
      {"control_mode", "==", "can", "MESSAGE.SIGNAL"},
      {"system_status", "==", "can", "MESSAGE.SIGNAL"},
      {"system_status.control_mod", "==", "can", "did you mean system_status.control_mode?"},
      {"system_status.control_mode", "=", "can", "no comparison '='"},
      {"system_status.control_mode", "<", "can", "no order"},
      {"system_status.control_mode", "has", "can", "no set of flags"},
      {"system_status.control_mode", "==", "cann", "standby, can, remote"},
      {"motion_feedback.linear_velocity", "==", "nan", "no value"},
      {"system_status.errors", ">", "none", "no order"},
  };
  for (const Row& row : rows) {
    const auto condition = parse_condition(kDefaultCatalogue, row.signal, row.comparison, row.value);
    ASSERT_FALSE(condition) << row.signal;
    EXPECT_EQ(condition.error().status, ExitStatus::usage);
    EXPECT_THAT(condition.error().message, HasSubstr(std::string(row.reason)));
  }
}

}  // namespace
}  // namespace rangerctl
