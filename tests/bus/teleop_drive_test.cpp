// Teleop drives, against a simulated chassis on real SocketCAN with candump as the witness.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bus/teleop_bench.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Milliseconds kReleaseRamp{300};

// The largest rise of the speed from one frame to the next, in 0.001 m/s, beyond 0.5 m/s2 in the time
// between.
double largest_jump(const SeenFrames& frames) {
  double jump = 0;
  const SeenFrame* before = nullptr;
  for (const SeenFrame& frame : frames) {
    if (!frame.is_motion_command()) continue;
    if (before != nullptr) {
      const std::chrono::duration<double, std::milli> between = frame.time - before->time;
      jump = std::max(jump, frame.linear() - before->linear() - 0.5 * between.count());
    }
    before = &frame;
  }
  return jump;
}

// The largest steering angle to the left (1) or to the right (-1) between two times, in 0.001 rad.
int largest_steering(const SeenFrames& frames, int side, Moment from, Moment to) {
  int most = 0;
  for (const SeenFrame& frame : frames) {
    if (frame.time >= from && frame.time <= to && frame.is_motion_command())
      most = std::max(most, side * frame.steering());
  }
  return most;
}

TEST_F(BusTeleop, DrivesWhileTheKeyIsHeld) {
  const Moment started = now();
  TeleopBench& bench = new_teleop();
  bench.chassis.line("reset");
  EXPECT_TRUE(bench.driver.reaches("DISARMED")) << bench.screen();
  pass(Milliseconds{300});
  EXPECT_THAT(texts(bench.witness.since(started)), IsEmpty()) << "nothing is sent before arming";
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  EXPECT_EQ(bench.witness.since(started).front().text, "421#01");

  const Moment begin = now();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  EXPECT_EQ(bench.driver.state(), "MOVING");
  const Moment released = bench.terminal.release("w");
  EXPECT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  const SeenFrames frames = bench.witness.since(begin);
  EXPECT_THAT(texts(frames), Contains("111#012C000000000000"));
  EXPECT_EQ(largest_linear(frames), 300);
  EXPECT_LE(largest_jump(frames), 10) << "what one period of 20 ms allows";
  expect_stop("key released (kitty)", {Milliseconds{0}, kReleaseRamp}, released, frames);

  bench.expect_orderly_quit();
  EXPECT_TRUE(bench.witness.sees("421#00", begin)) << "control was taken, so it is given back";
  EXPECT_EQ(bench.witness.frames().back().text, "421#00");
  EXPECT_THAT(bench.driver.report(), AllOf(HasSubstr("zeros confirmed"), HasSubstr("standby")));
}

TEST_F(BusTeleop, DigitsChooseTheLimit) {
  TeleopBench& bench = teleop();
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  bench.terminal.tap("1");
  const Moment begin = now();
  bench.terminal.hold("w", Milliseconds{600});
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  EXPECT_EQ(largest_linear(bench.witness.since(begin)), 100);
  bench.terminal.tap("3");
}

TEST_F(BusTeleop, KeysAndTheirOppositesAreMirrored) {
  TeleopBench& bench = teleop();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  const Moment left = bench.terminal.press("a");
  pass(Milliseconds{900});
  const Moment right = bench.terminal.release("a");
  pass(Milliseconds{100});
  bench.terminal.press("d");
  pass(Milliseconds{1700});
  const Moment straight = bench.terminal.release("d");
  bench.terminal.release("w");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  const SeenFrames frames = bench.witness.since(left);
  EXPECT_EQ(largest_steering(frames, 1, left, right), 698) << "left is positive; ackermann's largest angle";
  EXPECT_EQ(largest_steering(frames, -1, right, straight), 698);

  const Moment back = bench.terminal.press("s");
  EXPECT_TRUE(bench.witness.sees_linear(-300, back)) << bench.screen();
  bench.terminal.release("s");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  EXPECT_TRUE(bench.drives("Up")) << bench.screen();
  bench.terminal.release("Up");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
}

TEST_F(BusTeleop, SpinsWithTheWheelsWithinTheLimit) {
  TeleopBench& bench = teleop();
  for (const char* mode : {"141#01", "141#02"}) {
    ASSERT_TRUE(bench.changes_mode(mode)) << bench.screen();
  }
  // 0.3 m/s of the wheels: 0.3 / 0.3068 m = 0.977 rad/s.
  const Moment left = bench.terminal.press("a");
  EXPECT_TRUE(bench.witness.sees_angular(970, left)) << bench.screen();
  const Moment released = bench.terminal.release("a");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  expect_stop("key released (kitty, spin)", {Milliseconds{0}, kReleaseRamp}, released,
              bench.witness.since(left));
  const Moment right = bench.terminal.press("d");
  EXPECT_TRUE(bench.witness.sees_angular(-970, right)) << bench.screen();
  bench.terminal.release("d");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  const SeenFrames frames = bench.witness.since(left);
  EXPECT_LE(largest_angular(frames), 978);
  EXPECT_EQ(largest_linear(frames), 0);
  bench.chassis.line("reset");
  EXPECT_TRUE(bench.driver.reaches("DISARMED")) << "another motion mode, and no control: " << bench.screen();
}

TEST_F(BusTeleop, ADryRunSendsNothingAtAll) {
  TeleopBench& bench = teleop({.options = {"--dry-run"}});
  const Moment begin = now();
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  bench.terminal.press("w");
  EXPECT_TRUE(bench.driver.reaches("MOVING")) << bench.screen();
  pass(Milliseconds{300});
  bench.terminal.release("w");
  bench.terminal.type("LM x");
  bench.terminal.tap("q");
  EXPECT_EQ(bench.terminal.wait(), (JobEnd{0, 0})) << bench.screen();
  EXPECT_THAT(texts(bench.witness.since(begin)), IsEmpty());
  EXPECT_THAT(bench.driver.report(), HasSubstr("dry run"));
}

TEST_F(BusTeleop, DrivesWithTheClassicKeys) {
  TeleopBench& bench = teleop({.options = {"--keys", "classic"}});
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  const Moment begin = now();
  bench.terminal.hold("w", Milliseconds{200});
  EXPECT_FALSE(first_motion(bench.witness.since(begin)));
  ASSERT_TRUE(bench.drives("i")) << bench.screen();
  bench.terminal.release("i");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  const Moment back = bench.terminal.press(",");
  EXPECT_TRUE(bench.witness.sees_linear(-300, back)) << bench.screen();
  bench.terminal.release(",");
}

TEST_F(BusTeleop, DrivesOnRepeatsWhereNoReleasesAreTold) {
  TeleopBench& bench = teleop({.kind = kPlain});
  const Moment begin = now();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  bench.terminal.release("w");
  const Moment last_repeat = bench.terminal.last_key();
  EXPECT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  const SeenFrames frames = bench.witness.since(begin);
  EXPECT_EQ(largest_linear(frames), 300);
  expect_stop("repeats end (no releases)", {Milliseconds{100}, kReleaseRamp}, last_repeat, frames);
}

TEST_F(BusTeleop, OneTapIsANudgeWhereNoReleasesAreTold) {
  TeleopBench& bench = teleop({.kind = kPlain});
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  pass(Milliseconds{600});
  const Moment begin = now();
  const Moment tapped = bench.terminal.tap("w");
  pass(Milliseconds{800});
  const SeenFrames frames = bench.witness.since(begin);
  EXPECT_LE(largest_linear(frames), 100);
  EXPECT_GT(largest_linear(frames), 0);
  ASSERT_TRUE(last_motion(frames));
  EXPECT_LE(*last_motion(frames) - tapped, Milliseconds{200} + kReleaseRamp + kTwoPeriods + kSchedulerRoom);
  bench.expect_orderly_quit();
}

}  // namespace
}  // namespace rangerctl::support
