// Teleop and the chassis, the bus and others on it: what must stop the robot, and in time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/teleop_bench.hpp"

namespace rangerctl::support {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kForeign = "111#0010000000000000";

// A line for the simulated chassis; it happened when 0x211 first shows it.
std::function<Moment(TeleopBench&)> line(const std::string& text) {
  return [text](TeleopBench& bench) {
    const Moment before = now();
    bench.chassis.line(text);
    pass(Milliseconds{100});
    return first_new_status(bench.witness.status(), before);
  };
}

// It happened when 0x211 was there for the last time.
Moment fall_silent(TeleopBench& bench) {
  bench.chassis.line("silence all");
  pass(Milliseconds{100});
  return bench.witness.status().back().time;
}

TEST_F(BusTeleop, StopsOnWhatTheChassisSays) {
  TeleopBench& bench = teleop();
  struct {
    StopCase stop;
    std::vector<std::string> recovery;
  } const cases[]{
      {{"error bit (battery_undervoltage)", {}, "FAULT", line("set battery_undervoltage"), "undervoltage"},
       {"release battery_undervoltage", "reset"}},
      {{"remote takes over", {}, "DISARMED", line("remote on"), "remote control"}, {"remote off", "reset"}},
      {{"chassis silent", {Milliseconds{100}}, "FAULT", fall_silent, "from the chassis"}, speak_again()},
  };
  for (const auto& [stop, recovery] : cases) {
    expect_stop_on(bench, stop);
    expect_recovers(bench, recovery);
  }
}

TEST_F(BusTeleop, StopsOnTheBattery) {
  TeleopBench& bench = teleop();
  // 0x361 comes every 500 ms.
  expect_stop_on(bench, {"charge 10 %", {Milliseconds{500}}, "DISARMED", line("soc 10"), "charge"});
  EXPECT_FALSE(bench.driver.ask_for_code(Milliseconds{500})) << "no arming at 10 %";
  bench.chassis.line("soc 87");
  pass(Milliseconds{600});
  EXPECT_TRUE(bench.driver.arm()) << bench.screen();
}

TEST_F(BusTeleop, NeverFightsTheRemoteControl) {
  TeleopBench& bench = teleop();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  const Moment taken = line("remote on")(bench);
  ASSERT_TRUE(bench.driver.reaches("DISARMED")) << bench.screen();
  bench.terminal.release("w");
  EXPECT_FALSE(bench.driver.ask_for_code(Milliseconds{1000}));
  EXPECT_THAT(texts(bench.witness.since(taken + kTwoPeriods + kSchedulerRoom)), IsEmpty());
  expect_recovers(bench, {"remote off"});
}

TEST_F(BusTeleop, StopsOnAnEmergencyStop) {
  TeleopBench& bench = teleop();
  expect_stop_on(bench, {"emergency stop", {}, "FAULT", line("set emergency_stop"), "emergency stop"});
  bench.terminal.tap("c");
  pass(Milliseconds{200});
  EXPECT_EQ(bench.driver.state(), "FAULT") << "the cause is still there";
  bench.chassis.line("release emergency_stop");
  bench.terminal.tap("c");
  pass(Milliseconds{200});
  EXPECT_EQ(bench.driver.state(), "FAULT") << "the error has to be cleared, by an explicit command";
  expect_recovers(bench, {"reset"});
}

TEST_F(BusTeleop, StopsBesideAnotherController) {
  TeleopBench& bench = teleop();
  const Moment begin = now();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  const Moment before = now();
  send_frame("vcan0", 0x111, 0x0010'0000'0000'0000);
  ASSERT_TRUE(bench.driver.reaches("FAULT")) << bench.screen();
  pass(Milliseconds{400});
  bench.terminal.release("w");
  bench.terminal.hold("w", Milliseconds{400});
  const SeenFrames frames = bench.witness.since(begin);
  expect_stop("another controller", {}, first_of(frames, kForeign, before), without(frames, kForeign));
  EXPECT_THAT(bench.screen(), HasSubstr("another controller"));
  expect_recovers(bench, {});
}

TEST_F(BusTeleop, TakesNoSecondInstance) {
  TeleopBench& bench = teleop();
  FakeTerminal second(rangerctl({"teleop", "vcan0"}));
  EXPECT_EQ(second.wait(), (JobEnd{5, 0})) << second.screen();
  EXPECT_THAT(second.screen(), HasSubstr("another rangerctl teleop"));
  EXPECT_THAT(second.left_behind(), IsEmpty());
  EXPECT_TRUE(bench.drives()) << "it disturbs nothing: " << bench.screen();
  bench.terminal.release("w");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  bench.expect_orderly_quit();
  EXPECT_TRUE(new_teleop().driver.reaches("DISARMED")) << "free again";
}

// A queue of vcan0 that holds every frame from hold() on, until it is gone.
class Queue {
 public:
  ~Queue() { run(shell("tc qdisc del dev vcan0 root")); }
  Moment hold() { return tc_.line("qdisc replace dev vcan0 root plug"); }
  void let_go() { tc_.line("qdisc change dev vcan0 root plug release_indefinite"); }

 private:
  Prepared tc_{"tc -batch -"};
};

TEST_F(BusTeleop, LeavesAtMostThreeFramesBehindWhenNobodyAcknowledges) {
  TeleopBench& bench = teleop();
  Queue queue;
  ASSERT_TRUE(bench.drives()) << bench.screen();
  queue.hold();
  EXPECT_TRUE(bench.driver.reaches("FAULT")) << bench.screen();
  pass(Milliseconds{300});
  const Moment released = now();
  queue.let_go();
  pass(Milliseconds{500});
  bench.terminal.release("w");
  SeenFrames late = bench.witness.since(released);
  std::erase_if(late, [](const SeenFrame& frame) { return !frame.moves(); });
  EXPECT_LE(late.size(), 3U);
  EXPECT_GT(late.size(), 0U) << "frames were held";
  EXPECT_EQ(bench.driver.state(), "FAULT") << bench.screen();
}

TEST_F(BusTeleop, StopsWhenTheInterfaceGoesDown) {
  const SpareInterface spare;
  TeleopBench& bench = teleop({.bus = {.interface = "vcan1"}});
  Prepared link("ip -batch -");
  // It happened when the bus was last alive.
  expect_stop_on(bench, {"interface down and up", {}, "FAULT", [&](TeleopBench& on) {
                           link.line("link set vcan1 down");
                           pass(Milliseconds{500});
                           const Moment down = on.witness.frames().back().time;
                           link.line("link set vcan1 up");
                           return down;
                         }});
  bench.terminal.tap("q");
  EXPECT_TRUE(bench.terminal.wait()) << bench.screen();
  EXPECT_THAT(bench.terminal.left_behind(), IsEmpty());
  TearDownTestSuite();
}

// Teleop's end of a bus, with a queue of its own.
class Cable {
 public:
  Cable() {
    ip("link add teleop0 type vxcan peer name chassis0");
    ip("link set teleop0 up");
    ip("link set chassis0 up");
  }
  ~Cable() { ip("link del teleop0"); }
  Cable(const Cable&) = delete;
  Cable& operator=(const Cable&) = delete;
};

TEST_F(BusTeleop, StopsWhenTheQueueIsFull) {
  const Cable cable;
  TeleopBench& bench = teleop({.bus = {.interface = "chassis0"}, .interface = "teleop0"});
  Prepared queue("tc -batch -");
  // One frame is held for 200 ms, all others meet a full queue.
  expect_stop_on(bench, {"ENOBUFS (one frame held 200 ms)",
                         {Milliseconds{200}},
                         "FAULT",
                         [&](TeleopBench& on) {
                           const Moment before =
                               queue.line("qdisc replace dev teleop0 root netem delay 200ms limit 1");
                           pass(Milliseconds{800});
                           return before_gap(on.witness.since(before - kTwoPeriods), Milliseconds{100});
                         },
                         "ENOBUFS"});
  TearDownTestSuite();
}

}  // namespace
}  // namespace rangerctl::support
