#include <gmock/gmock.h>

#include "command_bench.hpp"
#include "rangerctl/command/clear_error.hpp"

namespace rangerctl {
namespace {

using command::ClearCode;
using command::ClearErrorProcedure;
using command::parse_clear_code;
using command::Report;
using protocol::kDefaultCatalogue;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Ms = Bench::Ms;

Report clear(Bench& bench, std::vector<std::string_view> words, command::ClearErrorOptions options = {}) {
  std::vector<ClearCode> codes;
  for (const std::string_view word : words) codes.push_back(*parse_clear_code(kDefaultCatalogue, word));
  ClearErrorProcedure procedure(kDefaultCatalogue, codes, options);
  return bench.run(procedure);
}

// From the manual's table of 0x441: the code, its name, and the bit of system_status.errors that it clears.
struct CodeRow {
  int code;
  std::string_view name;
  std::string_view error;
};
constexpr CodeRow kRows[] = {
    {0x01, "motor1_communication", "motor1_communication"},
    {0x02, "motor2_communication", "motor2_communication"},
    {0x03, "motor3_communication", "motor3_communication"},
    {0x04, "motor4_communication", "motor4_communication"},
    {0x05, "motor5_communication", "motor5_communication"},
    {0x06, "motor6_communication", "motor6_communication"},
    {0x07, "motor7_communication", "motor7_communication"},
    {0x08, "motor8_communication", "motor8_communication"},
    {0x09, "battery_undervoltage", "battery_undervoltage"},
    {0x0A, "remote_control_lost", "remote_control_lost"},
    {0x0B, "motor5_steering_calibration", "steering_zero_right_front"},
    {0x0C, "motor6_steering_calibration", "steering_zero_right_rear"},
    {0x0D, "motor7_steering_calibration", "steering_zero_left_rear"},
    {0x0E, "motor8_steering_calibration", "steering_zero_left_front"},
    {0x0F, "over_current", "over_current"},
    {0x10, "over_temperature", "over_temperature"},
};

std::string hex(int code) { return code < 16 ? std::string("0") + "0123456789ABCDEF"[code] : "10"; }

TEST(ClearErrorCommand, EveryRowOfTheTable) {
  for (const CodeRow& row : kRows) {
    Bench bench;
    const std::string error(row.error);
    bench.script("0.1 set " + error);
    bench.script("0.2 release " + error);
    const Report report = clear(bench, {"0x" + hex(row.code)});
    EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
    EXPECT_THAT(report.text,
                HasSubstr("clear-error 0x" + hex(row.code) + ": " + error + " cleared after 0.0"));
    EXPECT_THAT(bench.frames(), ElementsAre("441#" + hex(row.code)));
  }
}

TEST(ClearErrorCommand, NotWhileTheCauseLasts) {
  for (const CodeRow& row : kRows) {
    Bench bench;
    bench.script("0.1 set " + std::string(row.error));
    const Report report = clear(bench, {"0x" + hex(row.code)});
    EXPECT_EQ(report.status, ExitStatus::no_answer) << report.text;
    EXPECT_THAT(report.text, AllOf(HasSubstr("not confirmed within 2.00 s"),
                                   HasSubstr("still set: " + std::string(row.error))));
  }
}

TEST(ClearErrorCommand, ACodeClearsNothingElse) {
  Bench bench;
  bench.script("0.1 set battery_undervoltage");
  bench.script("0.1 set over_current");
  bench.script("0.2 release battery_undervoltage");
  bench.script("0.2 release over_current");
  const Report report = clear(bench, {"0x09"});
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_THAT(report.text, HasSubstr("battery_undervoltage cleared"));
  EXPECT_THAT(report.text, HasSubstr("still set: over_current"));
}

TEST(ClearErrorCommand, WordsForCodes) {
  struct Row {
    std::string_view word;
    int code;
  };
  const std::vector<Row> rows{{"0x00", 0},
                              {"0x09", 9},
                              {"0X0a", 10},
                              {"0x10", 16},
                              {"9", 9},
                              {"16", 16},
                              {"0", 0},
                              {"all", 0},
                              {"009", 9},
                              {"0x9", 9},
                              {"over_current", 15},
                              {"all_non_critical", 0},
                              {"motor6_steering_calibration", 12},
                              {"steering_zero_left_front", 14},
                              {"battery_undervoltage", 9}};
  for (const Row& row : rows) {
    const auto code = parse_clear_code(kDefaultCatalogue, row.word);
    ASSERT_TRUE(code) << row.word;
    EXPECT_EQ(code->code, row.code) << row.word;
  }
  for (const std::string_view word :
       {"0x11", "17", "-1", "0x", "", "0x09 ", " 0x09", "0x09 extra", "9x", "0x-1", "0x100000000000000000009",
        "99999999999999999999", "bit9", "ALL", "+9", "1e1"}) {
    const auto code = parse_clear_code(kDefaultCatalogue, word);
    ASSERT_FALSE(code) << word;
    EXPECT_EQ(code.error().status, ExitStatus::usage) << word;
  }
  for (const std::string_view word :
       {"overvoltage", "emergency_stop", "driver_fault", "steering_calibration_timeout"}) {
    const auto code = parse_clear_code(kDefaultCatalogue, word);
    ASSERT_FALSE(code) << word;
    EXPECT_EQ(code.error().status, ExitStatus::refused) << word;
    EXPECT_THAT(code.error().message, HasSubstr("0x00"));
  }
}

TEST(ClearErrorCommand, AllIsDoneWhenNoBitIsLeft) {
  Bench bench;
  for (const std::string_view error : {"overvoltage", "driver_fault", "over_temperature"}) {
    bench.script("0.1 set " + std::string(error));
    bench.script("0.2 release " + std::string(error));
  }
  const Report report = clear(bench, {"all"});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(report.text, HasSubstr("overvoltage, driver_fault, over_temperature cleared"));
  EXPECT_THAT(bench.frames(), ElementsAre("441#00"));

  Bench stays("estop");
  const Report left = clear(stays, {"all"});
  EXPECT_EQ(left.status, ExitStatus::no_answer);
  EXPECT_THAT(left.text, HasSubstr("still set: emergency_stop"));
}

TEST(ClearErrorCommand, AnEmergencyStopIsAnnouncedAndNeverClearedByARepetition) {
  Bench released("estop-released");
  const Report report = clear(released, {"0x00"});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(released.warnings,
              ElementsAre(AllOf(HasSubstr("release its button first"), HasSubstr("0x00"))));

  // The button comes out while the command still waits: nothing may start by itself.
  Bench pressed("estop");
  pressed.script("1.0 release emergency_stop");
  const Report late = clear(pressed, {"0x00"});
  EXPECT_EQ(late.status, ExitStatus::no_answer);
  EXPECT_THAT(pressed.frames(), ElementsAre("441#00"));
}

TEST(ClearErrorCommand, OtherErrorsAreTriedAgainWithinTheTimeout) {
  Bench bench("motor3-dead");
  bench.script("1.0 release motor3_communication");
  const Report report = clear(bench, {"0x03"});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_GE(report.after, Ms(500));
  EXPECT_GT(bench.sent.size(), 1U);
}

TEST(ClearErrorCommand, NothingToClearIsNoFailure) {
  Bench bench;
  const Report report = clear(bench, {"0x09"});
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_THAT(report.text, HasSubstr("battery_undervoltage was not set"));
  EXPECT_THAT(bench.frames(), ElementsAre("441#09"));
}

TEST(ClearErrorCommand, SeveralCodesOneAfterTheOther) {
  Bench bench("motor3-communication");
  bench.script("0 set over_current");
  const Report report = clear(bench, {"0x0F", "0x03", "0x09"}, {.timeout = Ms(600)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, AllOf(HasSubstr("clear-error 0x0F: not confirmed"), HasSubstr("over_current"),
                                 HasSubstr("clear-error 0x03: motor3_communication cleared"),
                                 HasSubstr("clear-error 0x09: sent, but nothing to clear")));
  EXPECT_EQ(bench.frames().back(), "441#09");
  EXPECT_THAT(report.text, Not(HasSubstr("\n")));
}

TEST(ClearErrorCommand, ARefusalEndsTheSeries) {
  Bench bench("motor3-communication");
  bench.script("0.55 remote on");
  const Report report = clear(bench, {"0x0F", "0x03", "0x09"}, {.timeout = Ms(600)});
  EXPECT_EQ(report.status, ExitStatus::refused) << report.text;
}

TEST(ClearErrorCommand, RefusesWithTheReason) {
  struct Row {
    std::string_view scenario;
    std::string_view reason;
  };
  for (const Row& row : {Row{"standby", "rangerctl mode can"}, Row{"remote", "switch SWB up"},
                         Row{"empty-battery", "charge the battery"}}) {
    Bench bench(row.scenario);
    const Report report = clear(bench, {"0x09"});
    EXPECT_EQ(report.status, ExitStatus::refused) << row.scenario;
    EXPECT_THAT(report.text, HasSubstr(std::string(row.reason)));
    EXPECT_THAT(bench.sent, IsEmpty());
  }
}

TEST(ClearErrorCommand, FramesOfBeforeOrTooShortConfirmNothing) {
  Bench bench("motor3-dead");
  bench.script("0.5 silence 0x211");
  bench.foreign("211#000101F1000000", Ms(480), Ms(9000));  // seven bytes without any error
  const Report report = clear(bench, {"0x03"});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("not confirmed"));
}

TEST(ClearErrorCommand, ABitThatBlinksIsNotCleared) {
  Bench bench("silent");
  bench.foreign("211#000101F100000020", Ms(0), Ms(9000), Ms(40));
  bench.foreign("211#000101F100000000", Ms(10), Ms(9000), Ms(40));
  bench.foreign("361#5064019A00000000", Ms(0), Ms(0));
  const Report report = clear(bench, {"0x03"});
  EXPECT_EQ(report.status, ExitStatus::no_answer) << report.text;
}

TEST(ClearErrorCommand, ABusThatDoesNotAcknowledgeEndsTheSeries) {
  Bench bench("motor3-communication");
  bench.echoes = false;
  const Report report = clear(bench, {"0x01", "0x02", "0x03"});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("2 more not tried"));
  EXPECT_THAT(bench.frames(), ElementsAre("441#01"));
}

TEST(ClearErrorCommand, OneFrameWithoutTheBitInABatchIsNotEnough) {
  Bench bench("silent");
  bench.foreign("211#000101F100000020", Ms(0), Ms(700), Ms(20));
  bench.foreign("211#000101F100000000", Ms(720), Ms(720));
  bench.foreign("211#000101F100000020", Ms(740), Ms(9000), Ms(20));
  EXPECT_EQ(clear(bench, {"0x03"}).status, ExitStatus::no_answer);
}

TEST(ClearErrorCommand, DetailsForPrograms) {
  Bench bench("motor3-communication");
  bench.script("0 set over_current");
  const Report report = clear(bench, {"0x03"});
  ASSERT_EQ(report.details.size(), 2U);
  EXPECT_EQ(report.details[0].name, "cleared");
  EXPECT_THAT(report.details[0].words, ElementsAre("motor3_communication"));
  EXPECT_EQ(report.details[1].name, "still_set");
  EXPECT_THAT(report.details[1].words, ElementsAre("over_current"));
}

TEST(ClearErrorCommand, TheListNamesEveryCodeAndEveryErrorWithoutOne) {
  const std::string table = command::clear_code_table(kDefaultCatalogue);
  for (const CodeRow& row : kRows) {
    EXPECT_THAT(table, HasSubstr("0x" + hex(row.code) + "  " + std::string(row.name)));
    EXPECT_THAT(table, HasSubstr(std::string(row.error)));
  }
  EXPECT_THAT(table, HasSubstr("0x00  all_non_critical"));
  EXPECT_THAT(table, HasSubstr("emergency_stop"));
}

}  // namespace
}  // namespace rangerctl
