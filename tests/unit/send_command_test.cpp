#include <gmock/gmock.h>

#include <algorithm>

#include "motion_endings.hpp"
#include "rangerctl/command/send.hpp"

namespace rangerctl {
namespace {

using command::Report;
using command::SendPlan;
using command::SendProcedure;
using protocol::kDefaultCatalogue;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using Ms = Bench::Ms;

Frame frame(std::string_view text) { return *log::parse_written_frame(kDefaultCatalogue, text); }

SendPlan forward(Ms duration) {
  return {.frame = frame(kForward), .every = Ms(20), .count = {}, .duration = duration};
}

Report send(Bench& bench, const SendPlan& plan) {
  EXPECT_TRUE(check_plan(kDefaultCatalogue, plan));
  SendProcedure procedure(kDefaultCatalogue, plan);
  return bench.run(procedure);
}

void expect_stopped_with_zeros(const Bench& bench) {
  const auto all = bench.frames();
  ASSERT_GT(all.size(), 5U);
  EXPECT_THAT(last_five(bench), Each(kZeros));
  EXPECT_EQ(all[all.size() - 6], kForward);
}

TEST(SendCommand, OneFrameOnceWhenNobodyElseMovesTheChassis) {
  Bench bench;
  const Report report = send(bench, {.frame = frame("441#09"), .every = {}, .count = {}, .duration = {}});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_EQ(report.text, "send 441#09: on the bus");
  EXPECT_THAT(bench.sent, ElementsAre(Bench::SentFrame{Ms(500), "441#09"}));
}

TEST(SendCommand, AMotionIsSentOnAnAbsoluteTimerAndEndsWithFiveZeros) {
  Bench bench;
  const Report report = send(bench, forward(Ms(2000)));
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_EQ(report.text, "send 111#0096000000000000: 100 frames; stopped with 5 zero frames");
  ASSERT_THAT(bench.sent, SizeIs(105));
  for (std::size_t i = 0; i < 105; ++i) {
    EXPECT_EQ(bench.sent[i].frame, i < 100 ? kForward : kZeros) << i;
    if (i < 100) {
      EXPECT_EQ(bench.sent[i].at, bench.sent[0].at + Ms(20) * static_cast<int>(i));
    }
  }
  EXPECT_LE(bench.sent[104].at - bench.sent[99].at, Ms(125));
}

TEST(SendCommand, TheChassisDrivesAndStops) {
  Bench bench;
  bool drove = false;
  for (int ms = 500; ms < 3000; ms += 100) {
    bench.at(Ms(ms), [&drove](Bench& b) {
      const auto speed =
          command::value(b.view(), "motion_feedback", "linear_velocity", Bench::kStart + b.now());
      drove = drove || speed == 150;
    });
  }
  EXPECT_EQ(send(bench, forward(Ms(2000))).status, ExitStatus::ok);
  EXPECT_TRUE(drove);
}

TEST(SendCommand, CountAndDurationWhicheverComesFirst) {
  SendPlan plan = forward(Ms(2000));
  plan.count = 7;
  Bench bench;
  EXPECT_THAT(send(bench, plan).text, HasSubstr("7 frames;"));
  plan.count = 1000;
  Bench other;
  EXPECT_THAT(send(other, plan).text, HasSubstr("100 frames;"));
}

TEST(SendCommand, ASingleMotionFrameIsLeftToTheChassis) {
  Bench bench;
  const Report report = send(bench, {.frame = frame(kForward), .every = {}, .count = {}, .duration = {}});
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(report.text, HasSubstr("stops by itself"));
  EXPECT_THAT(bench.frames(), ElementsAre(kForward));
}

TEST(SendCommand, EverythingThatEndsAMotionEndsItWithFiveZeros) {
  for (const MotionEnding& ending : motion_endings()) {
    Bench bench;
    ending.prepare(bench);
    const Report report = send(bench, forward(Ms(5000)));
    EXPECT_EQ(report.status, ending.status) << ending.name << ": " << report.text;
    EXPECT_THAT(report.text,
                AllOf(HasSubstr(std::string(ending.reason)), HasSubstr("stopped with 5 zero frames")))
        << ending.name;
    expect_stopped_with_zeros(bench);
    // From the cause to the first zero: at most the silence of 200 ms, and the tick.
    const auto first_zero = std::find_if(bench.sent.begin(), bench.sent.end(),
                                         [](const auto& row) { return row.frame == kZeros; });
    EXPECT_LE(first_zero->at, Ms(1250)) << ending.name;
  }
}

TEST(SendCommand, AMotionNeedsAChassisThatObeys) {
  struct Row {
    std::string_view scenario;
    ExitStatus status;
    std::string_view reason;
  };
  for (const Row& row : {Row{"standby", ExitStatus::refused, "rangerctl mode can"},
                         Row{"remote", ExitStatus::refused, "switch SWB up"},
                         Row{"estop", ExitStatus::refused, "emergency_stop"},
                         Row{"empty-battery", ExitStatus::refused, "charge the battery"},
                         Row{"over-temperature", ExitStatus::refused, "over_temperature"},
                         Row{"silent", ExitStatus::no_answer, "system_status"}}) {
    Bench bench(row.scenario);
    const Report report = send(bench, forward(Ms(1000)));
    EXPECT_EQ(report.status, row.status) << row.scenario;
    EXPECT_THAT(report.text, AllOf(HasSubstr(std::string(row.reason)), HasSubstr("nothing was sent")));
    EXPECT_THAT(bench.sent, IsEmpty());
  }
  for (const std::string_view missing : {"0x211", "0x221", "0x291"}) {
    Bench bench;
    bench.script("0 silence " + std::string(missing));
    EXPECT_EQ(send(bench, forward(Ms(1000))).status, ExitStatus::no_answer) << missing;
    EXPECT_THAT(bench.sent, IsEmpty());
  }
}

TEST(SendCommand, TheLimitsOfTheModeHold) {
  Bench parked;
  parked.foreign("141#03", Ms(0), Ms(0));
  EXPECT_EQ(send(parked, forward(Ms(1000))).status, ExitStatus::refused);
  EXPECT_THAT(parked.sent, IsEmpty());

  // A speed in spin, where only the yaw rate counts.
  Bench spinning;
  spinning.foreign("141#02", Ms(0), Ms(0));
  const Report report = send(spinning, forward(Ms(1000)));
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_THAT(report.text, HasSubstr("zero in spin"));
  EXPECT_THAT(spinning.sent, IsEmpty());
}

TEST(SendCommand, ZerosAndOtherCommandsNeedNoChassis) {
  for (const std::string_view text : {kZeros, std::string_view("421#01"), std::string_view("4A1#01")}) {
    Bench bench("silent");
    EXPECT_EQ(send(bench, {.frame = frame(text), .every = {}, .count = {}, .duration = {}}).status,
              ExitStatus::ok);
    EXPECT_THAT(bench.frames(), ElementsAre(text));
  }
}

TEST(SendCommand, NothingIsSentWhileAnotherControllerMovesTheChassis) {
  for (const std::string_view text :
       {kZeros, kForward, std::string_view("421#00"), std::string_view("441#00")}) {
    Bench bench;
    bench.foreign("111#0010000000000000", Ms(0), Ms(9000));
    EXPECT_EQ(send(bench, {.frame = frame(text), .every = {}, .count = {}, .duration = {}}).status,
              ExitStatus::refused);
    EXPECT_THAT(bench.sent, IsEmpty());
  }
}

TEST(SendCommand, AMotionFrameThatCannotBeSentIsDroppedNotQueued) {
  Bench bench;
  bench.at(Ms(1000), [](Bench& b) { b.queue_is_full = true; });
  bench.at(Ms(1200), [](Bench& b) { b.queue_is_full = false; });
  const Report report = send(bench, forward(Ms(2000)));
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_THAT(report.text, HasSubstr("90 frames, 10 dropped"));
  // What was missed does not follow in a burst.
  for (std::size_t i = 1; i < bench.sent.size(); ++i)
    EXPECT_GE(bench.sent[i].at - bench.sent[i - 1].at, Ms(19));

  Bench once;
  once.queue_is_full = true;
  const Report single = send(once, {.frame = frame(kForward), .every = {}, .count = {}, .duration = {}});
  EXPECT_EQ(single.status, ExitStatus::no_answer);
  EXPECT_THAT(once.sent, IsEmpty());

  Bench never;
  never.queue_is_full = true;
  const Report none = send(never, forward(Ms(1000)));
  EXPECT_EQ(none.status, ExitStatus::no_answer);
  EXPECT_THAT(none.text, HasSubstr("took none of 50 frames"));
}

TEST(SendCommand, AtMostThreeFramesAreOnTheirWayWithoutAnAcknowledge) {
  Bench bench;
  bench.at(Ms(1000), [](Bench& b) { b.echoes = false; });
  const Report report = send(bench, forward(Ms(5000)));
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, AllOf(HasSubstr("does not acknowledge"), HasSubstr("could not be confirmed")));
  const auto unanswered = std::count_if(bench.sent.begin(), bench.sent.end(), [](const auto& row) {
    return row.at >= Ms(1000) && row.frame == kForward;
  });
  EXPECT_EQ(unanswered, 3);

  Bench fast;
  fast.at(Ms(1000), [](Bench& b) { b.echoes = false; });
  SendPlan plan = forward(Ms(5000));
  plan.every = Ms(10);
  send(fast, plan);
  EXPECT_EQ(std::count_if(fast.sent.begin(), fast.sent.end(),
                          [](const auto& row) { return row.at >= Ms(1000) && row.frame == kForward; }),
            3);
}

TEST(SendCommand, ASingleMotionFrameWithoutAnAcknowledgeIsFollowedByZeros) {
  Bench bench;
  bench.echoes = false;
  const Report report = send(bench, {.frame = frame(kForward), .every = {}, .count = {}, .duration = {}});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(bench.frames(), ElementsAre(kForward, kZeros, kZeros, kZeros, kZeros, kZeros));
}

TEST(SendCommand, CtrlCAfterASingleMotionFrameSendsZeros) {
  Bench bench;
  bench.echoes = false;
  bench.stop_at(Ms(510));
  bench.at(Ms(550), [](Bench& b) { b.echoes = true; });
  const Report report = send(bench, {.frame = frame(kForward), .every = {}, .count = {}, .duration = {}});
  EXPECT_EQ(report.status, ExitStatus::interrupted);
  EXPECT_THAT(bench.frames(), ElementsAre(kForward, kZeros, kZeros, kZeros, kZeros, kZeros));
}

TEST(SendCommand, ZerosThatTheQueueRefusesAreSentAgain) {
  Bench bench;
  bench.stop_at(Ms(1000));
  bench.at(Ms(1005), [](Bench& b) { b.queue_is_full = true; });
  bench.at(Ms(1065), [](Bench& b) { b.queue_is_full = false; });
  const Report report = send(bench, forward(Ms(5000)));
  EXPECT_EQ(report.status, ExitStatus::interrupted);
  EXPECT_THAT(last_five(bench), Each(kZeros));
  EXPECT_THAT(report.text, HasSubstr("stopped with 5 zero frames"));
}

TEST(SendCommand, UnsafeMotionEndsWhenItWasHeldUpOrTheInterfaceWasAway) {
  SendPlan plan = forward(Ms(5000));
  plan.is_unsafe = true;
  Bench asleep;
  asleep.asleep_from = Ms(500);
  asleep.awake_again = Ms(3000);
  EXPECT_EQ(send(asleep, plan).status, ExitStatus::failed);
  expect_stopped_with_zeros(asleep);
  Bench away;
  away.at(Ms(500), [](Bench& b) { b.link = {.state = LinkState::up, .outages = 1}; });
  EXPECT_EQ(send(away, plan).status, ExitStatus::bus);
  expect_stopped_with_zeros(away);
}

TEST(SendCommand, ALateTickSendsNothingBeyondTheEnd) {
  Bench bench;
  bench.asleep_from = Ms(505);
  bench.awake_again = Ms(595);  // not long enough for a hold-up of the real program
  SendPlan plan = forward(Ms(9000));
  plan.count = 2;
  send(bench, plan);
  EXPECT_THAT(bench.frames(), ElementsAre(kForward, kZeros, kZeros, kZeros, kZeros, kZeros));
}

TEST(SendCommand, WhatIsLateAtTheEndIsCountedAsDropped) {
  Bench bench;
  bench.asleep_from = Ms(910);
  bench.awake_again = Ms(2100);
  const Report report = send(bench, {.frame = frame(kZeros), .every = Ms(20), .count = 50, .duration = {}});
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_THAT(report.text, HasSubstr("21 frames, 29 dropped"));
}

TEST(SendCommand, TheMeasuredSteeringAngleLimitsTheSpeed) {
  Bench bench;
  bench.script("0 silence 0x271");
  bench.foreign("271#015E000000000000", Ms(0), Ms(9000));  // 0.350 rad
  SendPlan plan{.frame = frame("111#03E9000000000000"), .every = {}, .count = {}, .duration = {}};
  plan.max_speed_mmps = 2000;
  const Report report = send(bench, plan);
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_THAT(report.text, HasSubstr("beyond 20 degrees"));
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(SendCommand, AnInterfaceThatGoesDown) {
  Bench bench;
  bench.at(Ms(1000), [](Bench& b) { b.link = {.state = LinkState::down, .outages = 1}; });
  const Report report = send(bench, forward(Ms(5000)));
  EXPECT_EQ(report.status, ExitStatus::bus);
  EXPECT_THAT(report.text, AllOf(HasSubstr("went down"), HasSubstr("could not be confirmed")));
}

TEST(SendCommand, CtrlCBeforeTheFirstFrameSendsNothing) {
  Bench bench;
  bench.stop_at(Ms(300));
  const Report report = send(bench, forward(Ms(5000)));
  EXPECT_EQ(report.status, ExitStatus::interrupted);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(SendCommand, UnsafeLooksAtNothingButStillEndsWithZeros) {
  Bench bench("estop");
  bench.foreign(kForward, Ms(0), Ms(9000));
  SendPlan plan = forward(Ms(200));
  plan.is_unsafe = true;
  const Report report = send(bench, plan);
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_EQ(bench.sent.front().at, Ms(0));
  expect_stopped_with_zeros(bench);

  Bench other;
  SendPlan any{.frame = frame("7FF#DEADBEEF"), .every = {}, .count = {}, .duration = {}};
  any.is_unsafe = true;
  EXPECT_EQ(send(other, any).status, ExitStatus::ok);
  EXPECT_THAT(other.frames(), ElementsAre("7FF#DEADBEEF"));
}

TEST(SendCommand, PlansThatAreRefusedBeforeAnythingIsOpened) {
  struct Row {
    std::string_view frame;
    bool periodic;
    std::int64_t max_speed;
    std::optional<ExitStatus> status;
  };
  const std::vector<Row> rows{
      {"111#012C000000000000", false, 300, {}},                    // 0.300 m/s
      {"111#012D000000000000", false, 300, ExitStatus::refused},   // 0.301 m/s
      {"111#FED3000000000000", false, 300, ExitStatus::refused},   // -0.301 m/s
      {"111#01F4000000000000", false, 500, {}},                    // 0.500 m/s
      {"111#000003D100000000", false, 300, {}},                    // 0.977 rad/s: 0.2998 m/s
      {"111#000003D200000000", false, 300, ExitStatus::refused},   // 0.978 rad/s: 0.3001 m/s
      {"111#07D1000000000000", false, 2000, ExitStatus::refused},  // 2.001 m/s
      {"111#0096000000000000", true, 300, ExitStatus::usage},      // without an end
      {"421#01", true, 300, ExitStatus::usage},                    // for ever
      {"441#00", true, 300, ExitStatus::usage},
      {"121#0101000000000000", true, 300, {}},
      {"111#0000000000000000", true, 300, {}},
      {"211#0000000000000000", false, 300, ExitStatus::refused},
  };
  for (const Row& row : rows) {
    SendPlan plan{.frame = frame(row.frame), .every = {}, .count = {}, .duration = {}};
    plan.max_speed_mmps = row.max_speed;
    if (row.periodic) plan.every = Ms(20);
    const auto checked = check_plan(kDefaultCatalogue, plan);
    EXPECT_EQ(checked ? std::nullopt : std::optional(checked.error().status), row.status) << row.frame;
  }
}

TEST(SendCommand, WordsBecomeFrames) {
  struct Row {
    std::vector<std::string> words;
    std::string_view frame;
  };
  const std::vector<Row> rows{
      {{"111#0096000000000000"}, "111#0096000000000000"},
      {{"111#00.96.00.00.00.00.00.00"}, "111#0096000000000000"},
      {{"motion_command", "linear_velocity=0.15"}, "111#0096000000000000"},
      {{"motion_command", "linear_velocity=-0.15", "steering_angle=0.175"}, "111#FF6A0000000000AF"},
      {{"motion_command", "angular_velocity=0.5"}, "111#000001F400000000"},
      {{"motion_command"}, "111#0000000000000000"},
      {{"light_command", "light_control=enabled", "light_mode=on"}, "121#0101000000000000"},
      {{"motion_mode_command", "motion_mode=park"}, "141#03"},
      {{"control_mode_command", "control_mode=can"}, "421#01"},
      {{"drive_mode_command", "drive_mode=voltage"}, "423#01"},
      {{"clear_error_command", "error=over_temperature"}, "441#10"},
  };
  for (const Row& row : rows) {
    const auto parsed = command::parse_send_words(kDefaultCatalogue, row.words);
    ASSERT_TRUE(parsed) << row.frame << ": " << parsed.error().message;
    EXPECT_EQ(log::written_frame(*parsed), row.frame);
  }
}

TEST(SendCommand, WordsThatAreNoFrame) {
  struct Row {
    std::vector<std::string> words;
    ExitStatus status;
    std::string_view reason;
  };
  const std::vector<Row> rows{
      {{"111#009"}, ExitStatus::usage, "no frame"},
      {{"111#00 "}, ExitStatus::usage, "no frame"},
      {{"#00"}, ExitStatus::usage, "no frame"},
      {{"111#00", "x"}, ExitStatus::usage, "one argument too many"},
      {{"motion_comand"}, ExitStatus::usage, "did you mean motion_command?"},
      {{"motion_command", "linear_velocity"}, ExitStatus::usage, "no signal=value"},
      {{"motion_command", "linear_velocty=1"}, ExitStatus::usage, "did you mean linear_velocity?"},
      {{"motion_command", "linear_velocity=1", "linear_velocity=1"}, ExitStatus::usage, "twice"},
      {{"motion_command", "linear_velocity=nan"}, ExitStatus::usage, "no value"},
      {{"motion_command", "linear_velocity=inf"}, ExitStatus::usage, "no value"},
      {{"motion_command", "linear_velocity=-inf"}, ExitStatus::usage, "no value"},
      {{"motion_command", "linear_velocity="}, ExitStatus::usage, "no value"},
      {{"motion_command", "linear_velocity=0,15"}, ExitStatus::usage, "no value"},
      {{"motion_command", "linear_velocity=1e-1"}, ExitStatus::usage, "no value"},
      {{"motion_command", "linear_velocity=0x10"}, ExitStatus::usage, "no value"},
      {{"motion_command", "linear_velocity=0.1505"}, ExitStatus::usage, "at most 3 decimals"},
      {{"motion_command", "linear_velocity=32.768"}, ExitStatus::refused, "-2.000 to 2.000 m/s"},
      {{"motion_command", "linear_velocity=99999999999"}, ExitStatus::refused, "-2.000 to 2.000 m/s"},
      {{"light_command", "light_mode=on"}, ExitStatus::usage, "light_control"},
      {{"motion_mode_command", "motion_mode=fly"}, ExitStatus::usage, "ackermann"},
      {{"motion_mode_command"}, ExitStatus::usage, "motion_mode"},
  };
  for (const Row& row : rows) {
    const auto parsed = command::parse_send_words(kDefaultCatalogue, row.words);
    ASSERT_FALSE(parsed) << row.words.back();
    EXPECT_EQ(parsed.error().status, row.status) << row.words.back();
    EXPECT_THAT(parsed.error().message, HasSubstr(std::string(row.reason)));
  }
}

}  // namespace
}  // namespace rangerctl
