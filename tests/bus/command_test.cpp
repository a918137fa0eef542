// The commands against `rangerctl sim`, both as the real binary on real SocketCAN, with candump between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>

#include "bus/bus.hpp"
#include "bus/simulated_chassis.hpp"

namespace rangerctl::support {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Frames = std::vector<std::string>;

const Frames kFiveZeros(5, "111#0000000000000000");

class BusCommand : public BusTest {
 protected:
  // A motion runs, then something happens: it is refused from there on, and stopped.
  static void expect_motion_ends(const std::function<void(SimulatedChassis&)>& happens,
                                 const std::string& reason) {
    SimulatedChassis chassis;
    ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
    CommandRecorder recorder;
    Process motion(
        rangerctl({"-i", "vcan0", "send", "motion_command", "linear_velocity=0.15", "--for", "60s"}));
    EXPECT_THAT(recorder.frames(3), Each("111#0096000000000000"));
    happens(chassis);
    const Outcome outcome = motion.wait();
    EXPECT_EQ(outcome.exit_status, 5) << outcome;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr(reason), HasSubstr("stopped with 5 zero frames")));
    EXPECT_EQ(last(recorder.frames(8), 5), kFiveZeros);
  }

  static Frames last(const Frames& frames, std::size_t count) {
    return {frames.end() - static_cast<std::ptrdiff_t>(std::min(count, frames.size())), frames.end()};
  }
};

TEST_F(BusCommand, ASessionByteByByte) {
  SimulatedChassis chassis;
  CommandRecorder recorder;
  const Outcome standby = on_bus({"clear-error", "0x09"});
  EXPECT_EQ(standby.exit_status, 5) << standby;
  EXPECT_THAT(standby.err, HasSubstr("rangerctl mode can"));

  const Outcome can = on_bus({"mode", "can"});
  EXPECT_EQ(can.exit_status, 0) << can;
  EXPECT_THAT(can.out, StartsWith("mode can: confirmed after "));
  const Outcome again = on_bus({"mode", "can"});
  EXPECT_EQ(again.exit_status, 0) << again;
  EXPECT_EQ(again.out, "mode can: already so, nothing was sent\n");

  const Outcome spin = on_bus({"mode", "spin"});
  EXPECT_EQ(spin.exit_status, 0) << spin;
  EXPECT_THAT(spin.out, HasSubstr("wheels settled"));
  EXPECT_EQ(on_bus({"mode", "voltage"}).exit_status, 5);
  EXPECT_EQ(on_bus({"mode", "park"}).exit_status, 0);
  EXPECT_EQ(on_bus({"mode", "voltage"}).exit_status, 0);
  EXPECT_EQ(on_bus({"mode", "standby"}).exit_status, 0);
  EXPECT_THAT(recorder.frames(5), ElementsAre("421#01", "141#02", "141#03", "423#01", "421#00"));
}

TEST_F(BusCommand, ClearsAnErrorOnceItsCauseIsGone) {
  SimulatedChassis chassis;
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  chassis.line("set battery_undervoltage");
  const Outcome stays = on_bus({"clear-error", "0x09", "--json"});
  EXPECT_EQ(stays.exit_status, 4) << stays;
  const json report = json::parse(stays.out);
  EXPECT_EQ(report["result"], "not_confirmed");
  EXPECT_EQ(report["still_set"], json::array({"battery_undervoltage"}));

  chassis.line("release battery_undervoltage");
  CommandRecorder recorder;
  const Outcome cleared = on_bus({"clear-error", "0x09"});
  EXPECT_EQ(cleared.exit_status, 0) << cleared;
  EXPECT_THAT(cleared.out, StartsWith("clear-error 0x09: battery_undervoltage cleared after "));
  EXPECT_THAT(recorder.frames(1), Each("441#09"));
}

TEST_F(BusCommand, AnEmergencyStopNeedsItsReleaseFirst) {
  SimulatedChassis chassis;
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  chassis.line("set emergency_stop");
  CommandRecorder recorder;
  const Outcome pressed = on_bus({"clear-error", "all"});
  EXPECT_EQ(pressed.exit_status, 4) << pressed;
  EXPECT_THAT(pressed.err,
              AllOf(HasSubstr("release its button first"), HasSubstr("still set: emergency_stop")));
  chassis.line("release emergency_stop");
  const Outcome released = on_bus({"clear-error", "all"});
  EXPECT_EQ(released.exit_status, 0) << released;
  EXPECT_THAT(recorder.frames(2), ElementsAre("441#00", "441#00"));
}

TEST_F(BusCommand, TheRemoteControlHasPriority) {
  SimulatedChassis chassis;
  chassis.line("remote on");
  CommandRecorder recorder;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"mode", "can"},
                                                    {"mode", "spin"},
                                                    {"clear-error", "0x09"},
                                                    {"lights", "on"}}) {
    const Outcome outcome = on_bus(arguments);
    EXPECT_EQ(outcome.exit_status, 5) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr("switch SWB up"));
  }
  EXPECT_THAT(recorder.frames(0), IsEmpty());
}

TEST_F(BusCommand, LightsAreHeldAndGivenBack) {
  SimulatedChassis chassis;
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  CommandRecorder recorder;
  Process lights(rangerctl({"-i", "vcan0", "lights", "on"}));
  ASSERT_TRUE(lights.err_contains("held until Ctrl-C")) << lights.err();
  lights.signal(SIGINT);
  const Outcome outcome = lights.wait();
  EXPECT_EQ(outcome.exit_status, 130) << outcome;
  EXPECT_THAT(outcome.out, HasSubstr("given back"));
  const Frames frames = recorder.frames(2);
  EXPECT_EQ(frames.front(), "121#0101000000000000");
  EXPECT_EQ(frames.back(), "121#0000000000000000");
}

TEST_F(BusCommand, AMotionEndsWithFiveZerosAtItsEnd) {
  SimulatedChassis chassis;
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  CommandRecorder recorder;
  const Outcome outcome = on_bus({"send", "motion_command", "linear_velocity=0.15", "--count", "10"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  const Frames frames = recorder.frames(6);
  EXPECT_EQ(frames.front(), "111#0096000000000000");
  EXPECT_EQ(last(frames, 5), kFiveZeros);
}

TEST_F(BusCommand, AMotionEndsWithFiveZerosOnEverySignal) {
  SimulatedChassis chassis;
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  for (const auto& [signal, status] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    CommandRecorder recorder;
    Process motion(
        rangerctl({"-i", "vcan0", "send", "motion_command", "linear_velocity=0.15", "--for", "60s"}));
    EXPECT_THAT(recorder.frames(3), Each("111#0096000000000000"));
    motion.signal(signal);
    const Outcome outcome = motion.wait();
    EXPECT_EQ(outcome.exit_status, status) << outcome;
    EXPECT_THAT(outcome.out, HasSubstr("stopped with 5 zero frames"));
    EXPECT_EQ(last(recorder.frames(8), 5), kFiveZeros);
  }
}

TEST_F(BusCommand, AMotionEndsWithFiveZerosOnAnEmergencyStop) {
  expect_motion_ends([](SimulatedChassis& chassis) { chassis.line("set emergency_stop"); }, "emergency_stop");
}

TEST_F(BusCommand, AMotionEndsWithFiveZerosWhenAnotherControllerSpeaks) {
  expect_motion_ends([](SimulatedChassis&) { cansend("vcan0", "111#0010000000000000"); },
                     "another controller");
}

TEST_F(BusCommand, NobodyCommandsBesideAnotherController) {
  SimulatedChassis chassis;
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  Process other(program({"cangen", "vcan0", "-g", "20", "-I", "111", "-L", "8", "-D", "0010000000000000"}));
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"mode", "park"},
                                                    {"clear-error", "0x09"},
                                                    {"lights", "on"},
                                                    {"send", "421#00"}}) {
    const Outcome outcome = on_bus(arguments);
    EXPECT_EQ(outcome.exit_status, 5) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr("another controller"));
  }
}

TEST_F(BusCommand, NothingOnTheBus) {
  const Outcome silent = on_bus({"mode", "can"});
  EXPECT_EQ(silent.exit_status, 4) << silent;
  EXPECT_THAT(silent.err, HasSubstr("nothing was sent"));
  const Outcome missing = run(rangerctl({"-i", "can7", "mode", "can"}));
  EXPECT_EQ(missing.exit_status, 3) << missing;
  EXPECT_THAT(missing.err, HasSubstr("no such interface"));
}

TEST_F(BusCommand, TheInterfaceGoesDownInTheMiddle) {
  const SpareInterface spare;
  Process waiting(rangerctl({"-i", "vcan1", "lights", "on", "--timeout", "60s"}));
  const auto chassis =
      std::make_unique<Process>(shell("while :; do cansend vcan1 211#000101F100000000; sleep 0.02; done"));
  CommandRecorder recorder;
  const auto candump = start_listening(program({"candump", "-L", "vcan1,121:7FF"}));
  ASSERT_TRUE(candump->out_contains("121#0101000000000000")) << candump->out() << waiting.err();
  ip("link set vcan1 down");
  const Outcome outcome = waiting.wait();
  EXPECT_EQ(outcome.exit_status, 3) << outcome;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("down"), HasSubstr("not confirmed"), HasSubstr("ip link set vcan1 up")));
}

TEST_F(BusCommand, ABusThatDoesNotAcknowledge) {
  ip("link set vcan0 down");
  ip("link set vcan0 up");
  ASSERT_EQ(run(shell("tc qdisc replace dev vcan0 root plug && tc qdisc change dev vcan0 root plug block"))
                .exit_status,
            0);
  const Outcome outcome = on_bus({"send", "421#01"});
  run(shell("tc qdisc del dev vcan0 root"));
  EXPECT_EQ(outcome.exit_status, 4) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("does not acknowledge"));
}

TEST_F(BusCommand, AFullQueueDropsMotionAndNeverQueuesIt) {
  ASSERT_EQ(run(shell("tc qdisc replace dev vcan0 root netem delay 500ms limit 2")).exit_status, 0);
  const Outcome outcome =
      on_bus({"send", "111#0010000000000000", "--unsafe", "--every", "20ms", "--count", "10"});
  run(shell("tc qdisc del dev vcan0 root"));
  EXPECT_EQ(outcome.exit_status, 4) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("does not acknowledge"));
}

TEST_F(BusCommand, UnsafeIsTheOnlyWayRoundTheGate) {
  CommandRecorder recorder;
  const Outcome refused = on_bus({"send", "111#FFFF000000000000"});
  EXPECT_EQ(refused.exit_status, 4) << refused;  // -0.001 m/s is within the limits, but there is no chassis
  const Outcome beyond = on_bus({"send", "111#7FFF000000000000"});
  EXPECT_EQ(beyond.exit_status, 5) << beyond;
  const Outcome through = on_bus({"send", "111#7FFF000000000000", "--unsafe"});
  EXPECT_EQ(through.exit_status, 0) << through;
  EXPECT_THAT(through.err, HasSubstr("--unsafe"));
  EXPECT_THAT(recorder.frames(1), ElementsAre("111#7FFF000000000000"));
}

TEST_F(BusCommand, WaitFollowsTheChassis) {
  SimulatedChassis chassis;
  Process waiting(
      rangerctl({"-i", "vcan0", "wait", "system_status.control_mode", "==", "can", "--timeout", "30s"}));
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  EXPECT_EQ(waiting.wait().exit_status, 0);
  const Outcome never = on_bus({"wait", "system_status.control_mode", "==", "remote", "--timeout", "1s"});
  EXPECT_EQ(never.exit_status, 4) << never;
  EXPECT_THAT(never.err, HasSubstr("it is can"));
}

}  // namespace
}  // namespace rangerctl::support
