// Teleop as a whole, against the simulated chassis: arming, driving, stopping, leaving.
#include <gmock/gmock.h>

#include "teleop_bench.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Ms = TeleopBench::Ms;

constexpr auto kZero = "111#0000000000000000";
constexpr Ms kPeriods = 40ms;  // two of them
constexpr Ms kOneWay = 10ms;   // of a key

std::int64_t speed(const TeleopBench& bench) {
  return TeleopBench::raw(bench.sent.back().frame, "linear_velocity");
}

TEST(TeleopArming, SendsNothingBeforeTheCodeAndAsksForControlOnce) {
  TeleopBench bench;
  bench.run(1500ms);
  const auto code = bench.ask_for_code();
  ASSERT_TRUE(code);
  EXPECT_EQ(bench.state(), State::arming);
  EXPECT_THAT(bench.sent, IsEmpty());
  bench.type_code(*code);
  bench.run(700ms);
  EXPECT_EQ(bench.state(), State::armed);
  const auto frames = bench.written();
  ASSERT_GT(frames.size(), 10U);
  EXPECT_EQ(frames.front(), "421#01");
  EXPECT_THAT(std::vector<std::string>(frames.begin() + 1, frames.end()), Each(std::string(kZero)));
}

TEST(TeleopArming, TakesNoControlThatIsThereAlready) {
  TeleopBench bench(TeleopBench::kitty(), "normal", sim::ControlMode::can);
  ASSERT_TRUE(bench.arm());
  EXPECT_THAT(bench.written(), Each(std::string(kZero)));
}

TEST(TeleopArming, WantsANewCodeEachTime) {
  TeleopBench bench;
  bench.run(1500ms);
  const auto first = bench.ask_for_code();
  bench.key(U' ');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::disarmed) << "any other key ends it";
  const auto second = bench.ask_for_code();
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  bench.type_code(*first);
  bench.run(500ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(TeleopArming, EndsAfterFiveSeconds) {
  TeleopBench bench;
  bench.run(1500ms);
  const auto code = bench.ask_for_code();
  ASSERT_TRUE(code);
  bench.run(5100ms);
  bench.type_code(*code);
  bench.run(500ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(TeleopArming, TakesNoCodeThatWasTypedBeforeItWasShown) {
  TeleopBench bench;
  bench.round_trip = 150ms;
  bench.run(3000ms);
  bench.key(U'A');
  bench.run(100ms);  // it arrives after 75 ms; whatever is on the way then was pressed before
  const auto code = bench.status().code;
  ASSERT_TRUE(code);
  bench.type({.kind = terminal::EventKind::key, .key = U'0' + static_cast<char32_t>(*code / 10)});
  bench.run(60ms);
  EXPECT_EQ(bench.state(), State::arming);
  bench.run(60ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.events, Contains(HasSubstr("before it can have been read")));
}

TEST(TeleopArming, GivesBackTheControlThatIsNotConfirmed) {
  TeleopBench bench;
  bench.run(1500ms);
  bench.chassis_obeys = false;
  const auto code = bench.ask_for_code();
  ASSERT_TRUE(code);
  bench.type_code(*code);
  bench.run(1500ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.written(), ElementsAre("421#01", "421#00"));
}

TEST(TeleopArming, NeedsAChassisThatIsHeard) {
  TeleopBench bench(TeleopBench::kitty(), "silent");
  bench.run(3000ms);
  EXPECT_EQ(bench.state(), State::disarmed) << "never seen is not lost";
  bench.key(U'A');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.events, Contains(HasSubstr("not armed: no 0x211")));
}

TEST(TeleopArming, NeedsALinkThatHasProvenItself) {
  TeleopBench slow;
  slow.round_trip = 260ms;  // a bound of 260 to 310 ms
  slow.run(5000ms);
  EXPECT_FALSE(slow.ask_for_code());
  TeleopBench early;
  early.run(600ms);
  EXPECT_FALSE(early.ask_for_code()) << "20 answers take a second";
}

TEST(TeleopDriving, FollowsTheKeyUpAndDown) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(kOneWay + 200ms);
  EXPECT_EQ(bench.state(), State::moving);
  EXPECT_NEAR(static_cast<double>(speed(bench)), 100, 15) << "0.5 m/s2";
  bench.run(1000ms);
  EXPECT_EQ(speed(bench), 300);
  const Ms released = bench.now();
  bench.release(U'w');
  bench.run(1500ms);
  EXPECT_LE(*bench.last_motion() - released, kOneWay + kPeriods + 300ms);
  EXPECT_EQ(bench.state(), State::armed);
  EXPECT_THAT(bench.refused, IsEmpty());
}

TEST(TeleopDriving, ReleasesFromAnySpeedWithin300Ms) {
  Options options = TeleopBench::kitty();
  options.max_mmps = 2000;
  options.max_was_given = true;
  TeleopBench bench(options);
  bench.round_trip = 2ms;
  ASSERT_TRUE(bench.arm());
  bench.key(U'0');
  bench.key(U'w');
  bench.run(3500ms);
  EXPECT_GT(speed(bench), 1500) << "the link allows it: it is asked every 20 ms";
  const Ms released = bench.now();
  bench.release(U'w');
  bench.run(400ms);
  EXPECT_LE(*bench.last_motion() - released, 1ms + kPeriods + 300ms);
}

TEST(TeleopDriving, StopsInTheTickOfTheStopKeyAndWaitsUntilAllIsReleased) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  const Ms pressed = bench.now();
  bench.key(U' ');
  bench.run(300ms);
  EXPECT_LE(*bench.last_motion() - pressed, kOneWay + 20ms);
  bench.key(U'w', terminal::KeyAction::repeat);
  bench.key(U'a');
  bench.run(1000ms);
  EXPECT_EQ(bench.state(), State::armed) << "w is still down, so nothing counts";
  EXPECT_LE(*bench.last_motion() - pressed, kOneWay + 20ms);
  bench.release(U'w');
  bench.release(U'a');
  bench.run(100ms);
  bench.key(U'w');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::moving);
}

TEST(TeleopDriving, StopsAtAnyKeyWithoutAMeaning) {
  for (const char32_t key : {U'z', U'W', U'\t', terminal::kUnknownKey, U'i', U'0'}) {
    TeleopBench bench;
    ASSERT_TRUE(bench.arm());
    bench.key(U'w');
    bench.run(500ms);
    const Ms pressed = bench.now();
    bench.key(key);
    bench.run(500ms);
    EXPECT_LE(*bench.last_motion() - pressed, kOneWay + 20ms) << static_cast<int>(key);
  }
}

TEST(TeleopDriving, HasChordsWhereKeysAreReleased) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.key(U'a');
  bench.run(1500ms);
  EXPECT_EQ(speed(bench), 300);
  EXPECT_EQ(TeleopBench::raw(bench.sent.back().frame, "steering_angle"), 698) << "left is positive";
  bench.release(U'a');
  bench.run(1000ms);
  EXPECT_EQ(TeleopBench::raw(bench.sent.back().frame, "steering_angle"), 0);
  EXPECT_EQ(speed(bench), 300);
}

TEST(TeleopDriving, SteersLeftPositiveBackwardsToo) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U's');
  bench.key(U'a');
  bench.run(1000ms);
  EXPECT_EQ(speed(bench), -300);
  EXPECT_GT(TeleopBench::raw(bench.sent.back().frame, "steering_angle"), 600);
}

TEST(TeleopDriving, KeepsTheSteeringUntilTheChassisIsAtRest) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.key(U'd');
  bench.run(1500ms);
  bench.key(U' ');
  bench.run(60ms);
  EXPECT_EQ(speed(bench), 0);
  EXPECT_EQ(TeleopBench::raw(bench.sent.back().frame, "steering_angle"), -698);
  EXPECT_EQ(bench.machine().standstill(), (Standstill{-698, 0})) << "for the guard";
  bench.run(1500ms);
  EXPECT_EQ(bench.state(), State::armed);
  EXPECT_EQ(bench.written().back(), kZero);
  EXPECT_EQ(bench.machine().standstill(), (Standstill{0, 0}));
}

TEST(TeleopDriving, HoldsNoSteeringInAMotionModeThatIsNotKnown) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.key(U'd');
  bench.run(1500ms);
  bench.chassis("silence 0x291");
  bench.run(1500ms);
  EXPECT_EQ(bench.written().back(), kZero);
  EXPECT_EQ(bench.machine().standstill(), Standstill());
  EXPECT_THAT(bench.refused, IsEmpty());
}

TEST(TeleopDriving, ReversesOnlyFromRest) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'9');
  bench.key(U'w');
  bench.run(2500ms);
  bench.release(U'w');
  bench.run(50ms);
  bench.key(U's');
  bench.run(3000ms);
  EXPECT_EQ(bench.state(), State::moving) << "no WRONG WAY where the chassis only has to brake";
  EXPECT_LT(speed(bench), -500);
}

TEST(TeleopDriving, BeginsWithTheFirstLimitAfterEachDisarm) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'9');
  bench.run(40ms);
  EXPECT_EQ(bench.status().limit_mmps, 900);
  bench.key(U'x');
  bench.run(1000ms);
  ASSERT_EQ(bench.state(), State::disarmed);
  EXPECT_EQ(bench.status().limit_mmps, 300);
  bench.key(U'5');
  bench.run(40ms);
  EXPECT_EQ(bench.status().limit_mmps, 500) << "chosen anew";
}

TEST(TeleopDriving, SaysWhyItDoesNotChangeTheMode) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'M');
  bench.key(U'M');
  bench.run(100ms);
  EXPECT_THAT(bench.events, Contains(HasSubstr("no change of the motion mode now")));
}

TEST(TeleopDriving, LimitsTheWheelsInSpin) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  for (int i = 0; i < 2; ++i) {  // ackermann, oblique, spin
    bench.key(U'M');
    bench.run(2500ms);
  }
  ASSERT_EQ(bench.status().motion_mode, 2);
  bench.key(U'a');
  bench.run(2500ms);
  const std::int64_t yaw = TeleopBench::raw(bench.sent.back().frame, "angular_velocity");
  EXPECT_GT(yaw, 970) << "counter-clockwise is positive";
  EXPECT_LE(yaw, 978) << "0.3 m/s / 0.3068 m";
  EXPECT_EQ(speed(bench), 0);
  EXPECT_THAT(bench.refused, IsEmpty());
}

TEST(TeleopDriving, ChangesTheModeOnlyAtRestAndWaitsForTheWheels) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(500ms);
  bench.key(U'M');
  bench.run(1500ms);
  EXPECT_THAT(bench.written(), Not(Contains(HasSubstr("141#")))) << "while it moved it was a key that stops";
  bench.release(U'w');
  bench.run(100ms);
  const Ms asked = bench.now();
  bench.key(U'M');
  bench.run(50ms);
  EXPECT_THAT(bench.written(asked), Contains("141#01"));
  bench.key(U'w');  // held from now on
  bench.run(2500ms);
  EXPECT_EQ(bench.last_motion().value_or(0ms) > asked, false)
      << "it was pressed before the wheels had settled";
  EXPECT_EQ(bench.status().motion_mode, 1);
  bench.release(U'w');
  bench.run(100ms);
  bench.key(U'w');
  bench.run(500ms);
  EXPECT_EQ(bench.state(), State::moving);
}

TEST(TeleopDriving, KeepsTheLinkFromRunningOn) {
  TeleopBench bench;
  bench.round_trip = 120ms;  // a bound of 120 to 190 ms
  ASSERT_TRUE(bench.arm());
  bench.key(U'9');
  bench.key(U'w');
  bench.run(4000ms);
  EXPECT_GT(speed(bench), 450);
  EXPECT_LT(speed(bench), 600) << "0.1 m / 0.18 s";
  EXPECT_EQ(bench.reason()->number, 32);
}

TEST(TeleopDriving, IdlesFor30Seconds) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.run(28'000ms);
  EXPECT_EQ(bench.state(), State::armed);
  bench.run(2500ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

TEST(TeleopLegacy, NudgesFirstAndHoldsFromTheSecondRepeat) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  Ms pressed = bench.now();
  bench.key(U'w');
  bench.run(1500ms);
  EXPECT_LE(bench.fastest(), 100);
  EXPECT_GT(bench.fastest(), 50);
  EXPECT_LE(*bench.last_motion() - pressed, kOneWay + 200ms + kPeriods + 100ms);
  bench.hold(U'w', 2000ms);
  EXPECT_EQ(speed(bench), 300);
  pressed = bench.now();
  bench.run(1500ms);
  EXPECT_LE(*bench.last_motion() - pressed, kOneWay + 100ms + kPeriods + 300ms);
  EXPECT_EQ(bench.state(), State::armed);
}

TEST(TeleopLegacy, TapsNeverHold) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  for (int i = 0; i < 20; ++i) {
    bench.key(U'w');
    bench.run(200ms);
  }
  EXPECT_LE(bench.fastest(), 100);
}

TEST(TeleopLegacy, SteersInSteps) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  for (int i = 0; i < 5; ++i) {
    bench.key(U'a');
    bench.run(100ms);
  }
  EXPECT_EQ(bench.state(), State::armed) << "a key that steers starts nothing";
  bench.hold(U'w', 2000ms);
  EXPECT_EQ(TeleopBench::raw(bench.sent.back().frame, "steering_angle"), 174) << "5 x 2 degrees";
  bench.key(U'c');
  bench.hold(U'w', 1000ms);
  EXPECT_EQ(TeleopBench::raw(bench.sent.back().frame, "steering_angle"), 0);
}

TEST(TeleopLegacy, AfterAStopWaitsForHalfASecondWithoutAKey) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.hold(U'w', 1500ms);
  const Ms stopped = bench.now();
  bench.key(U' ');
  bench.hold(U'w', 3000ms, 33ms);
  EXPECT_LE(*bench.last_motion() - stopped, kOneWay + 20ms) << "the key never paused";
  bench.run(600ms);
  bench.key(U'w');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::moving);
}

TEST(TeleopLegacy, SpeedKeysNeverKeepItMoving) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.hold(U'w', 1500ms);
  const Ms let_go = bench.now();
  for (int i = 0; i < 20; ++i) {
    bench.key(i % 2 == 0 ? U'5' : U'4');
    bench.run(50ms);
  }
  EXPECT_LE(*bench.last_motion() - let_go, kOneWay + 100ms + kPeriods + 300ms);
}

TEST(TeleopLeaving, SendsFiveZerosAndGivesControlBack) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  const Ms quit = bench.now();
  bench.key(U'q');
  bench.run(3000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_LE(*bench.last_motion() - quit, kOneWay + 20ms);
  const auto frames = bench.written(quit + kOneWay + 20ms);
  ASSERT_GE(frames.size(), 6U);
  EXPECT_EQ(frames.back(), "421#00");
  EXPECT_EQ(std::count(frames.begin(), frames.end(), "421#00"), 1);
  EXPECT_TRUE(bench.ended->all_confirmed());
  EXPECT_THAT(farewell_text(*bench.ended, "can1"), HasSubstr("v=0.000 m/s, control given back (standby)"));
  EXPECT_EQ(exit_status(*bench.ended), ExitStatus::ok);
}

TEST(TeleopLeaving, LeavesAControlThatItHasNotTaken) {
  TeleopBench bench(TeleopBench::kitty(), "normal", sim::ControlMode::can);
  ASSERT_TRUE(bench.arm());
  bench.key(U'q');
  bench.run(3000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_THAT(bench.written(), Each(std::string(kZero)));
}

TEST(TeleopLeaving, SendsNothingWhereNothingWasArmed) {
  TeleopBench bench;
  bench.run(1500ms);
  bench.key(U'q');
  bench.run(100ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(TeleopLeaving, SaysWhatWasNotConfirmed) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.echoes = false;
  bench.key(U'q');
  bench.run(4000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_FALSE(bench.ended->all_confirmed());
  EXPECT_EQ(exit_status(*bench.ended), ExitStatus::no_answer);
  EXPECT_THAT(farewell_text(*bench.ended, "can1"),
              HasSubstr("NOT CONFIRMED: rangerctl mode standby -i can1"));
}

TEST(TeleopDryRun, SendsNothingAndShowsWhatItWould) {
  Options options = TeleopBench::kitty();
  options.dry_run = true;
  TeleopBench bench(options);
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  EXPECT_EQ(bench.state(), State::moving);
  EXPECT_EQ(bench.status().sent.linear_velocity, 300);
  bench.key(U'q');
  bench.run(3000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_THAT(bench.sent, IsEmpty());
}

}  // namespace
}  // namespace rangerctl::teleop
