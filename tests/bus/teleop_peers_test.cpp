// Faults that other keyboard teleops and prototypes had, by name: the same input must do no harm here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/teleop_bench.hpp"

namespace rangerctl::support {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// ---- Faults of two rovers, found before the wheels turned ----------------------------------------------

TEST_F(BusTeleop, RoverFaultAMalformedPacketKeptADeadLinkAlive) {
  TeleopBench& bench = teleop();
  Moment last;
  std::unique_ptr<Process> malformed;
  expect_stop_on(
      bench,
      {"chassis silent, malformed 0x211 and 0x221 go on", {Milliseconds{100}}, "FAULT", [&](TeleopBench& on) {
         on.chassis.line("silence all");
         last = on.witness.status().back().time;
         malformed = std::make_unique<Process>(
             shell("cangen vcan0 -g 20 -I 211 -L 3 & exec cangen vcan0 -g 20 -I 221 -L 4"));
         return last;
       }});
  TearDownTestSuite();  // the simulated chassis has left a bus with another one
}

TEST_F(BusTeleop, RoverFaultARecoveredLinkKeptTheOldArmRequest) {
  TeleopBench& bench = teleop();
  const Moment begin = now();
  const auto code = bench.driver.ask_for_code();
  ASSERT_TRUE(code) << bench.screen();
  bench.chassis.line("silence all");
  ASSERT_TRUE(bench.driver.reaches("FAULT")) << bench.screen();
  for (const std::string& line : speak_again()) bench.chassis.line(line);
  pass(Milliseconds{300});
  bench.terminal.type(*code);
  bench.terminal.tap("Enter");
  bench.terminal.hold("w", Milliseconds{500});
  EXPECT_EQ(bench.driver.state(), "FAULT") << bench.screen();
  bench.terminal.tap("c");
  ASSERT_TRUE(bench.driver.reaches("DISARMED")) << bench.screen();
  bench.terminal.type(*code);
  bench.terminal.tap("Enter");
  EXPECT_TRUE(bench.driver.stays("DISARMED", Milliseconds{500})) << bench.screen();
  EXPECT_THAT(texts(bench.witness.since(begin)), Not(Contains(HasSubstr("421#01"))));
}

TEST_F(BusTeleop, RoverFaultAModeChangeAndAnEmergencyStopInTheSameCycle) {
  TeleopBench& bench = teleop();
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  const Moment begin = now();
  bench.chassis.line("set emergency_stop");
  bench.terminal.tap("M");
  ASSERT_TRUE(bench.driver.reaches("FAULT")) << bench.screen();
  pass(Milliseconds{300});
  const SeenFrames frames = bench.witness.since(begin);
  const Moment pressed = first_new_status(bench.witness.status(), begin);
  EXPECT_EQ(first_of(frames, "141#", pressed + kTwoPeriods), pressed + kTwoPeriods)
      << "no mode change after it";
  expect_recovers(bench, {"release emergency_stop", "reset"});
}

// "Yaw commands gave almost equal wheel speeds", "One side needed the opposite motor sign" and "CAN payload
// decoded wrongly" are in BusTeleop.SpinsWithTheWheelsWithinTheLimit and KeysAndTheirOppositesAreMirrored:
// both signs of both, as bytes.

TEST_F(BusTeleop, RoverFaultALinkTimeoutFiredAtStartUp) {
  TeleopBench& bench = teleop({.bus = {.scenario = "silent"}});
  ASSERT_TRUE(bench.driver.reaches("DISARMED")) << bench.screen();
  EXPECT_TRUE(bench.driver.stays("DISARMED", Milliseconds{1500}))
      << "nothing was lost yet: " << bench.screen();
  EXPECT_FALSE(bench.driver.ask_for_code(Milliseconds{1000})) << "never seen is not well";
  for (const std::string& line : speak_again()) bench.chassis.line(line);
  EXPECT_TRUE(bench.driver.arm()) << bench.screen();
}

// ---- What drove the robot in other teleops ---------------------------------------------------------------

// Nothing moves when these bytes arrive, each in one read, at a robot at rest.
void expect_no_motion(TeleopBench& bench, const std::vector<std::string_view>& reads) {
  for (const std::string_view bytes : reads) {
    ASSERT_TRUE(bench.driver.arm()) << bench.screen();
    const Moment begin = now();
    bench.terminal.send(bytes);
    pass(Milliseconds{600});
    EXPECT_FALSE(first_motion(bench.witness.since(begin))) << bytes << '\n' << bench.screen();
  }
}

TEST_F(BusTeleop, PeerFaultInTheClassicLayout) {
  TeleopBench& bench = teleop({.kind = kPlain, .options = {"--keys", "classic"}});
  // Focus out and in; the keypad's `*` in application mode; motion keys and a stop in one read; ten of them.
  expect_no_motion(bench, {"\x1b[O", "\x1b[I", "\x1bOj", "\x1b[O\x1b[I\x1bOj", "ii ", "iiiiiiiiii"});
}

TEST_F(BusTeleop, PeerFaultMotionKeysInOneReadThenSpaceSpaceControlC) {
  TeleopBench& bench = teleop({.kind = kPlain});
  expect_no_motion(bench, {"\x1b[O", "\x1b[I", "ww ", "wwwwwwwwww", " ", " "});
  const Moment begin = now();
  bench.terminal.tap("C-c");
  EXPECT_EQ(bench.terminal.wait(), (JobEnd{130, 0}));
  EXPECT_FALSE(first_motion(bench.witness.since(begin)));
}

TEST_F(BusTeleop, PeerFaultControlCAtSpeedLeftTheLastSpeed) {
  TeleopBench& bench = teleop({.kind = kPlain});
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  bench.terminal.tap("1");
  const Moment begin = now();
  ASSERT_TRUE(bench.drives("w", 100)) << bench.screen();
  const Moment interrupted = bench.terminal.tap("C-c");
  EXPECT_EQ(bench.terminal.wait(), (JobEnd{130, 0}));
  EXPECT_THAT(bench.terminal.left_behind(), IsEmpty());
  expect_stop("Ctrl-C at speed (no releases)", {}, interrupted, bench.witness.since(begin));
}

// "One key tap" is BusTeleop.OneTapIsANudgeWhereNoReleasesAreTold.

TEST_F(BusTeleop, PeerFaultASpeedKeyKeptTheRobotMoving) {
  TeleopBench& bench = teleop({.kind = kPlain});
  const Moment begin = now();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  bench.terminal.release("w");
  const Moment last_repeat = bench.terminal.last_key();
  for (int i = 0; i < 8; ++i) {
    pass(Milliseconds{i == 0 ? 50 : 300});
    bench.terminal.tap(i % 2 == 0 ? "3" : "2");
  }
  expect_stop("speed key every 0.3 s after the release", {Milliseconds{100}, Milliseconds{300}}, last_repeat,
              bench.witness.since(begin));
}

TEST_F(BusTeleop, PeerFaultSpaceInObliqueOnlyRampedDown) {
  TeleopBench& bench = teleop();
  ASSERT_TRUE(bench.changes_mode("141#01")) << bench.screen();
  expect_stop_on(bench,
                 {"SPACE in oblique", {}, "ARMED", [](TeleopBench& on) { return on.terminal.tap(" "); }});
}

}  // namespace
}  // namespace rangerctl::support
