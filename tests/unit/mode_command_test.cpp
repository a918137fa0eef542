#include <gmock/gmock.h>

#include "command_bench.hpp"
#include "rangerctl/command/mode.hpp"

namespace rangerctl {
namespace {

using command::ChangeProcedure;
using command::Report;
using protocol::kDefaultCatalogue;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Ms = Bench::Ms;

Report change_mode(Bench& bench, std::string_view mode, command::ModeOptions options = {}) {
  ChangeProcedure procedure(std::move(*command::mode_change(kDefaultCatalogue, mode, options)));
  return bench.run(procedure);
}

TEST(ModeCommand, TakesControlAndGivesItBack) {
  Bench standby("standby");
  const Report can = change_mode(standby, "can");
  EXPECT_EQ(can.status, ExitStatus::ok) << can.text;
  EXPECT_EQ(can.result, "confirmed");
  EXPECT_THAT(can.text, HasSubstr("mode can: confirmed after 0.0"));
  EXPECT_THAT(standby.frames(), ElementsAre("421#01"));

  Bench in_can;
  const Report back = change_mode(in_can, "standby");
  EXPECT_EQ(back.status, ExitStatus::ok) << back.text;
  EXPECT_THAT(in_can.frames(), ElementsAre("421#00"));
}

TEST(ModeCommand, SendsNothingWhereItIsAlreadySo) {
  for (const std::string_view mode : {"can", "ackermann"}) {
    Bench bench;
    const Report report = change_mode(bench, mode);
    EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
    EXPECT_EQ(report.result, "already");
    EXPECT_THAT(bench.sent, IsEmpty());
  }
}

TEST(ModeCommand, SendsTheBytesOfTheManual) {
  struct Row {
    std::string_view mode;
    std::string_view frame;
  };
  for (const Row& row : {Row{"oblique", "141#01"}, Row{"spin", "141#02"}, Row{"park", "141#03"}}) {
    Bench bench;
    const Report report = change_mode(bench, row.mode);
    EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
    EXPECT_THAT(bench.frames(), ElementsAre(std::string(row.frame)));
  }
}

TEST(ModeCommand, AMotionModeIsConfirmedByTheWheelsNotByItsNumber) {
  Bench bench;
  const Report report = change_mode(bench, "spin");
  ASSERT_EQ(report.status, ExitStatus::ok) << report.text;
  // The number changes at once, the wheels need 0.6 s and must then stand still for a while.
  EXPECT_GE(report.after, Ms(800));
  EXPECT_LE(report.after, Ms(1200));
  EXPECT_THAT(report.text, HasSubstr("wheels settled"));
}

TEST(ModeCommand, WheelsThatNeverArriveAreNoConfirmation) {
  Bench bench;
  // After the number has changed the wheels are not heard of any more.
  bench.script("0.8 silence 0x271");
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("steering_angle_feedback does not arrive"));
}

TEST(ModeCommand, ShortAndGarbageFramesConfirmNothing) {
  Bench bench;
  bench.script("0.45 silence 0x291");
  bench.foreign("291#0200", Ms(400), Ms(9000));      // short
  bench.foreign("291##4020000", Ms(400), Ms(9000));  // FD
  bench.foreign("291#R3", Ms(400), Ms(9000));
  bench.foreign("00000291#020000", Ms(400), Ms(9000));
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::no_answer) << report.text;
}

TEST(ModeCommand, DriveModeOnlyInPark) {
  Bench driving;
  const Report refused = change_mode(driving, "voltage");
  EXPECT_EQ(refused.status, ExitStatus::refused);
  EXPECT_THAT(refused.text, HasSubstr("rangerctl mode park"));
  EXPECT_THAT(driving.sent, IsEmpty());

  Bench parked;
  parked.foreign("141#03", Ms(0), Ms(0));
  const Report voltage = change_mode(parked, "voltage");
  EXPECT_EQ(voltage.status, ExitStatus::ok) << voltage.text;
  EXPECT_THAT(parked.frames(), ElementsAre("423#01"));
}

TEST(ModeCommand, RefusesWithTheReason) {
  struct Row {
    std::string_view scenario;
    std::string_view mode;
    std::string_view reason;
  };
  const std::vector<Row> rows{
      {"remote", "can", "switch SWB up"},
      {"remote", "standby", "switch SWB up"},
      {"remote", "spin", "switch SWB up"},
      {"remote", "voltage", "switch SWB up"},
      {"standby", "spin", "rangerctl mode can"},
      {"standby", "voltage", "rangerctl mode can"},
      {"estop", "spin", "emergency_stop"},
      {"motor3-dead", "park", "motor3_communication"},
      {"empty-battery", "can", "charge the battery"},
      {"empty-battery", "spin", "charge the battery"},
  };
  for (const Row& row : rows) {
    Bench bench(row.scenario);
    const Report report = change_mode(bench, row.mode);
    EXPECT_EQ(report.status, ExitStatus::refused) << row.scenario << " " << row.mode << ": " << report.text;
    EXPECT_THAT(report.text, AllOf(HasSubstr(std::string(row.reason)), HasSubstr("nothing was sent")));
    EXPECT_THAT(bench.sent, IsEmpty()) << row.scenario;
  }
}

TEST(ModeCommand, BelowTenPercentTheChassisIgnoresCommands) {
  Bench ten;
  ten.script("0 soc 10");
  EXPECT_EQ(change_mode(ten, "park").status, ExitStatus::ok);
  Bench nine;
  nine.script("0 soc 9");
  const Report report = change_mode(nine, "park");
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_THAT(report.text, HasSubstr("the charge is 9 %"));
}

TEST(ModeCommand, NoFeedbackNoCommand) {
  Bench silent("silent");
  const Report nothing = change_mode(silent, "can");
  EXPECT_EQ(nothing.status, ExitStatus::no_answer);
  EXPECT_THAT(nothing.text, HasSubstr("check that the chassis is on"));
  EXPECT_THAT(silent.sent, IsEmpty());
  EXPECT_EQ(silent.now(), Ms(1500));

  for (const std::string_view missing : {"0x211", "0x221", "0x271", "0x291"}) {
    Bench bench;
    bench.script("0 silence " + std::string(missing));
    const Report report = change_mode(bench, "spin");
    EXPECT_EQ(report.status, ExitStatus::no_answer) << missing << report.text;
    EXPECT_THAT(report.text, HasSubstr(std::string(missing)));
    EXPECT_THAT(bench.sent, IsEmpty());
  }
}

TEST(ModeCommand, ShortFeedbackIsNoFeedback) {
  Bench bench("silent");
  bench.foreign("211#00000101F1", Ms(0), Ms(9000));
  const Report report = change_mode(bench, "can");
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("too short"));
}

TEST(ModeCommand, NotWhileItMoves) {
  // 0.048 m/s, or 0.048 rad/s; 0.019 counts as rest.
  struct Row {
    std::string_view motion;
    bool allowed;
  };
  for (const Row& row : {Row{"221#0030000000000000", false}, Row{"221#FFD0000000000000", false},
                         Row{"221#0000003000000000", false}, Row{"221#0013001300000000", true}}) {
    Bench bench;
    bench.script("0 silence 0x221");
    bench.foreign(row.motion, Ms(0), Ms(9000));
    const Report report = change_mode(bench, "spin");
    EXPECT_EQ(report.status, row.allowed ? ExitStatus::ok : ExitStatus::refused) << report.text;
    if (!row.allowed) {
      EXPECT_THAT(report.text, HasSubstr("come to rest first"));
      EXPECT_THAT(bench.sent, IsEmpty());
    }
  }
}

TEST(ModeCommand, AnotherControllerThatMovesTheChassisKeepsEveryoneElseOut) {
  Bench bench;
  bench.foreign("111#0064000000000000", Ms(0), Ms(9000));
  const Report report = change_mode(bench, "park");
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_THAT(report.text, AllOf(HasSubstr("another controller"), HasSubstr("not zero")));
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(ModeCommand, ZerosOfAnotherControllerAreAWarningWithTheirRate) {
  Bench bench;
  bench.foreign("111#0000000000000000", Ms(0), Ms(9000));
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  EXPECT_THAT(bench.warnings,
              ElementsAre(AllOf(HasSubstr("another controller"), HasSubstr("50 per second"))));
}

TEST(ModeCommand, TheRemoteControlTakesOverInTheMiddle) {
  Bench bench;
  bench.script("0.7 remote on");
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_THAT(report.text, AllOf(HasSubstr("it was sent but is not confirmed")));
}

TEST(ModeCommand, AnInterfaceThatGoesDownInTheMiddle) {
  Bench bench;
  bench.at(Ms(700), [](Bench& b) { b.link = {.state = LinkState::down, .outages = 1}; });
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::bus);
  EXPECT_THAT(report.text, AllOf(HasSubstr("went down"), HasSubstr("it was sent but is not confirmed")));

  Bench early;
  early.at(Ms(200), [](Bench& b) { b.link = {.state = LinkState::gone, .outages = 1}; });
  const Report nothing = change_mode(early, "spin");
  EXPECT_EQ(nothing.status, ExitStatus::bus);
  EXPECT_THAT(nothing.text, AllOf(HasSubstr("gone"), HasSubstr("nothing was sent")));
}

TEST(ModeCommand, ABusThatDoesNotAcknowledge) {
  Bench bench("standby");
  bench.echoes = false;
  const Report report = change_mode(bench, "can");
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, HasSubstr("does not acknowledge"));
  EXPECT_EQ(bench.sent.size(), 1U);
}

TEST(ModeCommand, AFullQueueIsOfferedTheFrameAgainUntilTheTimeout) {
  Bench bench("standby");
  bench.queue_is_full = true;
  bench.at(Ms(900), [](Bench& b) { b.queue_is_full = false; });
  EXPECT_EQ(change_mode(bench, "can").status, ExitStatus::ok);

  Bench never("standby");
  never.queue_is_full = true;
  const Report report = change_mode(never, "can");
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, AllOf(HasSubstr("queue"), HasSubstr("nothing was sent")));
}

TEST(ModeCommand, SendsAgainUntilItIsConfirmedOrTheTimeoutIsOver) {
  Bench bench("standby");
  bench.script("0 silence 0x211");
  bench.foreign("211#000001F100000000", Ms(0), Ms(9000));  // says standby whatever is sent
  const Report report = change_mode(bench, "can", {.timeout = Ms(1000)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(report.text, AllOf(HasSubstr("not confirmed within 1.00 s"), HasSubstr("still standby")));
  EXPECT_THAT(bench.frames(), ElementsAre("421#01", "421#01", "421#01", "421#01", "421#00"));
}

TEST(ModeCommand, WithoutWaitingItEndsWhenTheFrameIsOnTheBus) {
  Bench bench;
  const Report report = change_mode(bench, "spin", {.wait = false});
  EXPECT_EQ(report.status, ExitStatus::ok);
  EXPECT_EQ(report.result, "sent");
  EXPECT_LE(bench.now(), Ms(510));
}

TEST(ModeCommand, StopSignalsEndItAtOnce) {
  Bench before;
  before.stop_at(Ms(100));
  const Report nothing = change_mode(before, "spin");
  EXPECT_EQ(nothing.status, ExitStatus::interrupted);
  EXPECT_THAT(nothing.text, HasSubstr("nothing was sent"));
  EXPECT_THAT(before.sent, IsEmpty());

  Bench after;
  after.stop_at(Ms(700), ExitStatus::terminated);
  const Report sent = change_mode(after, "spin");
  EXPECT_EQ(sent.status, ExitStatus::terminated);
  EXPECT_THAT(sent.text, HasSubstr("it was sent but is not confirmed"));
  EXPECT_THAT(after.frames(), ElementsAre("141#02"));
}

TEST(ModeCommand, LooksAnewAfterTheProgramWasHeldUp) {
  Bench bench;
  bench.asleep_from = Ms(200);
  bench.awake_again = Ms(5000);
  EXPECT_EQ(change_mode(bench, "spin").status, ExitStatus::ok);
  ASSERT_THAT(bench.frames(), ElementsAre("141#02"));
  EXPECT_EQ(bench.sent[0].at, Ms(5500));
}

TEST(ModeCommand, WhatWasTakenBeforeAHoldUpIsForgotten) {
  // The chassis fell silent while the program was held up, and a full queue still has frames of before.
  Bench bench;
  bench.script("3.0 silence all");
  bench.asleep_from = Ms(200);
  bench.awake_again = Ms(5000);
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(ModeCommand, AHoldUpWhileItWaitsIsNoReasonToRefuse) {
  for (const int ms : {510, 700, 900, 1300}) {
    Bench bench;
    bench.asleep_from = Ms(ms);
    bench.awake_again = Ms(ms + 150);
    const Report report = change_mode(bench, "spin");
    EXPECT_EQ(report.status, ExitStatus::ok) << report.text;
  }
}

TEST(ModeCommand, WhatIsNotFreshIsNotKnown) {
  Bench bench("standby");
  bench.at(Ms(400), [](Bench& b) {
    b.hold_up();
    for (const auto need : {command::Need::feedback, command::Need::not_remote, command::Need::can_control,
                            command::Need::motion_mode, command::Need::speed, command::Need::wheels,
                            command::Need::no_fault, command::Need::at_rest, command::Need::park}) {
      const auto checked = command::check_need(need, b.view(), Bench::kStart + b.now());
      EXPECT_FALSE(checked) << static_cast<int>(need);
      if (checked) continue;
      EXPECT_EQ(checked.error().status, ExitStatus::no_answer) << static_cast<int>(need);
    }
  });
  EXPECT_EQ(change_mode(bench, "can").status, ExitStatus::ok);
}

TEST(ModeCommand, AnotherHostThatChangesTheModeIsNotFought) {
  Bench bench;
  bench.foreign("141#01", Ms(700), Ms(700));
  EXPECT_EQ(change_mode(bench, "spin").status, ExitStatus::no_answer);
  EXPECT_THAT(bench.frames(), ElementsAre("141#02"));
}

TEST(ModeCommand, AnotherControllerThatCameDuringAHoldUpIsSeen) {
  Bench bench;
  bench.foreign("111#0064000000000000", Ms(1000), Ms(9000));
  bench.asleep_from = Ms(200);
  bench.awake_again = Ms(4000);
  EXPECT_EQ(change_mode(bench, "spin").status, ExitStatus::refused);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(ModeCommand, BusOffEndsItEvenWhenTheControllerIsBackAtOnce) {
  Bench bench;
  bench.foreign("20000040#0000000000000000", Ms(700), Ms(700));
  bench.foreign("20000100#0000000000000000", Ms(700), Ms(700));
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::bus) << report.text;
  EXPECT_THAT(report.text, HasSubstr("bus-off"));
}

TEST(ModeCommand, AnInterfaceThatWasAwayForAMoment) {
  Bench bench;
  bench.at(Ms(700), [](Bench& b) { b.link = {.state = LinkState::up, .outages = 1}; });
  EXPECT_EQ(change_mode(bench, "spin").status, ExitStatus::bus);
}

TEST(ModeCommand, AVehicleStateThatIsNotNormalIsAFault) {
  Bench bench;
  bench.script("0 silence 0x211");
  bench.foreign("211#020101F100000000", Ms(0), Ms(9000));
  const Report report = change_mode(bench, "spin");
  EXPECT_EQ(report.status, ExitStatus::refused);
  EXPECT_THAT(report.text, HasSubstr("vehicle_state is abnormal"));
}

TEST(ModeCommand, ALostRemoteControlIsNoFault) {
  Bench bench("remote-lost");
  EXPECT_EQ(change_mode(bench, "spin").status, ExitStatus::ok);
}

TEST(ModeCommand, WheelsOfAnotherShapeOrStillSwitchingConfirmNothing) {
  struct Row {
    std::string_view mode;    // of 0x291
    std::string_view angles;  // of 0x271
    bool confirmed;
  };
  for (const Row& row : {Row{"291#020000", "271#03A8FC5803A8FC58", true},      // + - + - 0.936
                         Row{"291#020000", "271#0000000000000000", false},     // straight
                         Row{"291#020000", "271#03A8FC5803A80000", false},     // one wheel is missing
                         Row{"291#020100", "271#03A8FC5803A8FC58", false},     // mode_switching
                         Row{"291#030000", "271#03A8FC5803A8FC58", false}}) {  // another mode
    Bench bench;
    bench.script("0.5 silence 0x291");
    bench.script("0.5 silence 0x271");
    bench.foreign(row.mode, Ms(510), Ms(9000));
    bench.foreign(row.angles, Ms(510), Ms(9000));
    const Report report = change_mode(bench, "spin");
    EXPECT_EQ(report.status, row.confirmed ? ExitStatus::ok : ExitStatus::no_answer)
        << row.mode << " " << row.angles << ": " << report.text;
  }
}

TEST(ModeCommand, AFrameThatIsOfferedAgainIsCheckedAgain) {
  Bench bench;
  bench.queue_is_full = true;
  bench.script("0.6 silence 0x221");
  bench.foreign("221#0100000000000000", Ms(610), Ms(9000));  // it moves meanwhile
  bench.at(Ms(1000), [](Bench& b) { b.queue_is_full = false; });
  EXPECT_EQ(change_mode(bench, "spin").status, ExitStatus::refused);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(ModeCommand, ControlIsNotAskedForAgainAfterAGapOfTheFeedback) {
  Bench bench("standby");
  bench.script("0 silence 0x211");
  bench.foreign("211#000001F600000000", Ms(0), Ms(480));
  bench.foreign("211#000001F600000000", Ms(3000), Ms(9000));  // a chassis that was switched on anew
  const Report report = change_mode(bench, "can", {.timeout = Ms(6000)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_THAT(bench.frames(), ElementsAre("421#01", "421#00"));
}

TEST(ModeCommand, ControlThatWasAskedForAndNotConfirmedIsGivenBack) {
  Bench bench("standby");
  bench.script("0 silence 0x211");
  bench.foreign("211#000001F600000000", Ms(0), Ms(9000));
  bench.stop_at(Ms(600));
  const Report report = change_mode(bench, "can");
  EXPECT_EQ(report.status, ExitStatus::interrupted);
  EXPECT_THAT(report.text, HasSubstr("it was taken back"));
  EXPECT_THAT(bench.frames(), ElementsAre("421#01", "421#00"));
}

TEST(ModeCommand, AFrameThatMayStillLeaveIsSaidSo) {
  Bench bench("standby");
  bench.echoes = false;
  const Report report = change_mode(bench, "can", {.timeout = Ms(100)});
  EXPECT_EQ(report.status, ExitStatus::no_answer);
  EXPECT_EQ(report.result, "not_acknowledged");
  EXPECT_THAT(report.text, HasSubstr("may still leave"));
}

TEST(ModeCommand, EveryModeHasAName) {
  EXPECT_THAT(command::mode_names(kDefaultCatalogue),
              ElementsAre("standby", "can", "ackermann", "oblique", "spin", "park", "current", "voltage"));
  const auto unknown = command::mode_change(kDefaultCatalogue, "obliqe", {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().status, ExitStatus::usage);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean oblique?"));
}

}  // namespace
}  // namespace rangerctl
