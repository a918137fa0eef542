// How teleop ends, and what it leaves: a robot that is told to stand, and a terminal that a shell can use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "bus/teleop_bench.hpp"

namespace rangerctl::support {
namespace {

using ::testing::IsEmpty;

// The process that watches over teleop: its only child.
pid_t guard_of(pid_t program) {
  const std::string task = std::to_string(program);
  std::ifstream children("/proc/" + task + "/task/" + task + "/children");
  pid_t guard = -1;
  children >> guard;
  return guard;
}

struct EndCase {
  std::string what;
  std::function<Moment(TeleopBench&)> happens;
  JobEnd end;
  StopBound bound;
  // What is looked at: after a crash nobody waits for what is still on its way from the keyboard.
  std::string (FakeTerminal::*left)(Milliseconds) = &FakeTerminal::left_behind;
};

std::function<Moment(TeleopBench&)> signalled(int number) {
  return [number](TeleopBench& bench) { return bench.terminal.signal(number); };
}

// At full speed.
void expect_end(const EndCase& at) {
  SCOPED_TRACE(at.what);
  TeleopBench& bench = BusTeleop::new_teleop();
  const Moment begin = now();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  const Moment happened = at.happens(bench);
  const auto end = bench.terminal.wait();
  ASSERT_TRUE(end) << bench.screen();
  EXPECT_EQ(*end, at.end) << bench.screen();
  if (at.left != nullptr) {
    EXPECT_THAT((bench.terminal.*at.left)(Milliseconds{3'000}), IsEmpty());
  }
  pass(Milliseconds{800});
  const SeenFrames frames = bench.witness.since(begin);
  expect_stop(at.what, at.bound, happened, frames);
  EXPECT_GE(zeros_after(frames, happened), 5) << "the robot is told to stand";
}

TEST_F(BusTeleop, EndsAtFullSpeedByEverythingThatCanBeHandled) {
  for (const EndCase& at : {
           EndCase{"q", [](TeleopBench& b) { return b.terminal.tap("q"); }, {0, 0}, {}},
           EndCase{"Ctrl-C", [](TeleopBench& b) { return b.terminal.tap("C-c"); }, {130, 0}, {}},
           EndCase{"SIGTERM", signalled(SIGTERM), {143, 0}, {}},
           EndCase{"SIGHUP", signalled(SIGHUP), {129, 0}, {}},
       })
    expect_end(at);
}

TEST_F(BusTeleop, EndsAtFullSpeedWhenTheTerminalIsClosed) {
  expect_end({"terminal closed", [](TeleopBench& b) { return b.terminal.hang_up(); }, {129, 0}, {}, nullptr});
}

// The guard's zeros follow, and it puts the terminal back.
TEST_F(BusTeleop, EndsAtFullSpeedByWhatNobodyCanHandle) {
  expect_end({"kill -KILL", signalled(SIGKILL), {-1, SIGKILL}, {}, &FakeTerminal::left_on});
  expect_end({"kill -SEGV", signalled(SIGSEGV), {-1, SIGSEGV}, {}, &FakeTerminal::left_on});
}

TEST_F(BusTeleop, TheGuardSendsZerosWhileItIsFrozen) {
  TeleopBench& bench = teleop();
  Moment frozen;
  expect_stop_on(bench, {"kill -STOP, then -CONT", {}, "DISARMED FAULT", [&](TeleopBench& on) {
                           frozen = on.terminal.signal(SIGSTOP);
                           EXPECT_TRUE(on.terminal.waits_stopped());
                           pass(Milliseconds{1500});
                           EXPECT_GE(zeros_after(on.witness.frames(), frozen), 5);
                           on.terminal.resume();
                           return frozen;
                         }});
  bench.terminal.tap("q");
  EXPECT_TRUE(bench.terminal.wait()) << bench.screen();
  EXPECT_THAT(bench.terminal.left_behind(), IsEmpty());
}

TEST_F(BusTeleop, AFrozenOneMayStillBeKilled) {
  TeleopBench& bench = teleop();
  const Moment begin = now();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  const Moment frozen = bench.terminal.signal(SIGSTOP);
  EXPECT_TRUE(bench.terminal.waits_stopped());
  pass(Milliseconds{300});
  bench.terminal.signal(SIGKILL);
  EXPECT_EQ(bench.terminal.wait(), (JobEnd{-1, SIGKILL}));
  EXPECT_THAT(bench.terminal.left_on(), IsEmpty());
  pass(Milliseconds{600});
  expect_stop("kill -STOP, then -KILL", {}, frozen, bench.witness.since(begin));
}

TEST_F(BusTeleop, ASuspendedOneComesBackDisarmed) {
  TeleopBench& bench = teleop();
  for (const auto& [what, happens] :
       {std::pair{"Ctrl-Z, then fg",
                  std::function<Moment(TeleopBench&)>([](TeleopBench& b) { return b.terminal.tap("C-z"); })},
        {"SIGTSTP, then SIGCONT", signalled(SIGTSTP)}}) {
    expect_stop_on(bench, {what, {}, "DISARMED", [happens = happens](TeleopBench& on) {
                             const Moment asked = happens(on);
                             EXPECT_TRUE(on.terminal.waits_stopped()) << on.screen();
                             EXPECT_THAT(on.terminal.left_behind(), IsEmpty());
                             EXPECT_GE(zeros_after(on.witness.frames(), asked), 5);
                             on.terminal.resume();
                             return asked;
                           }});
  }
  bench.expect_orderly_quit();
}

TEST_F(BusTeleop, DoesNotDriveWithoutItsGuard) {
  TeleopBench& bench = teleop();
  expect_stop_on(bench, {"guard killed", {}, "DISARMED", [](TeleopBench& on) {
                           const pid_t guard = guard_of(on.terminal.pid());
                           EXPECT_GT(guard, 0);
                           const Moment killed = now();
                           kill(guard, SIGKILL);
                           return killed;
                         }});
  EXPECT_FALSE(bench.driver.ask_for_code(Milliseconds{1000}));
  bench.terminal.tap("q");
  EXPECT_TRUE(bench.terminal.wait()) << bench.screen();
  EXPECT_THAT(bench.terminal.left_behind(), IsEmpty());
}

TEST_F(BusTeleop, TheGuardOfAProgramThatNeverArmedSendsNothing) {
  TeleopBench& bench = new_teleop();
  ASSERT_TRUE(bench.driver.reaches("DISARMED")) << bench.screen();
  const Moment killed = bench.terminal.signal(SIGKILL);
  ASSERT_TRUE(bench.terminal.wait());
  pass(Milliseconds{600});
  EXPECT_THAT(bench.terminal.left_on(), IsEmpty()) << "the guard has put the terminal back";
  EXPECT_THAT(texts(bench.witness.since(killed)), IsEmpty());
}

}  // namespace
}  // namespace rangerctl::support
