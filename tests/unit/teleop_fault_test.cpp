// What goes wrong while teleop drives: how long it moves on, where it ends, and that nothing re-arms it.
#include <gmock/gmock.h>

#include <functional>
#include <ostream>

#include "count_allocations.hpp"
#include "teleop_bench.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Ms = TeleopBench::Ms;
using terminal::EventKind;

constexpr Ms kPeriods = 40ms;
constexpr auto kZero = "111#0000000000000000";

struct Fault {
  const char* name;
  std::function<void(TeleopBench&)> happens;
  Ms threshold;  // of its rule, and of its way
  State ends_in;
  int rule;
  bool silent_after = false;  // not even zeros
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class TeleopFault : public ::testing::TestWithParam<Fault> {};

std::int64_t moving_frames(const TeleopBench& bench, Ms from) {
  return std::count_if(bench.sent.begin(), bench.sent.end(), [from](const TeleopBench::SentFrame& row) {
    return row.at > from && TeleopBench::moves(row.frame);
  });
}

TEST_P(TeleopFault, StopsInTimeAndNothingMovesAgainByItself) {
  const Fault& fault = GetParam();
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  ASSERT_EQ(bench.state(), State::moving);
  const Ms before = bench.now();
  bench.events.clear();
  fault.happens(bench);
  // The operator holds on, presses, and everything recovers.
  for (int i = 0; i < 120; ++i) {
    if (i % 8 == 0) bench.key(U'w', i % 16 == 0 ? terminal::KeyAction::press : terminal::KeyAction::release);
    bench.run(25ms);
  }
  const Ms last = *bench.last_motion();
  EXPECT_LE(last - before, fault.threshold + kPeriods);
  EXPECT_EQ(bench.state(), fault.ends_in);
  const auto words = "no reason of rule " + std::to_string(fault.rule);
  const auto reason = std::find_if(bench.rules_seen.begin(), bench.rules_seen.end(),
                                   [&](int rule) { return rule == fault.rule; });
  EXPECT_NE(reason, bench.rules_seen.end()) << words;
  if (fault.silent_after) {
    EXPECT_THAT(bench.written(before + fault.threshold + kPeriods), IsEmpty());
  }
  bench.key(U'c');
  bench.key(U'w');
  bench.run(1000ms);
  EXPECT_EQ(moving_frames(bench, last), 0) << "without a fresh arm";
  EXPECT_THAT(bench.refused, IsEmpty());
}

constexpr Ms kFeedback = 20ms;  // until the chassis says it
constexpr Ms kKey = 10ms;

INSTANTIATE_TEST_SUITE_P(
    Losses, TeleopFault,
    ::testing::Values(
        Fault{"emergency stop", [](TeleopBench& b) { b.chassis("set emergency_stop"); }, kFeedback,
              State::fault, 1},
        Fault{"emergency stop in one frame",
              [](TeleopBench& b) { b.feedback("211#000101F100000080"); }, 0ms,
              State::fault, 1},
        Fault{"an unknown error bit", [](TeleopBench& b) { b.chassis("set bit29"); }, kFeedback, State::fault,
              2},
        Fault{"motor communication", [](TeleopBench& b) { b.chassis("set motor3_communication"); }, kFeedback,
              State::fault, 2},
        Fault{"a driver's over-current", [](TeleopBench& b) { b.chassis("set motor3.over_current"); }, 300ms,
              State::fault, 2},
        Fault{"an unknown vehicle state",
              [](TeleopBench& b) { b.feedback("211#4D010140000000"  "00"); }, 0ms, State::fault, 2},
        Fault{"chassis silent", [](TeleopBench& b) { b.chassis("silence all"); }, kFeedback + 100ms,
              State::fault, 3},
        Fault{"0x221 silent", [](TeleopBench& b) { b.chassis("silence 221"); }, kFeedback + 100ms,
              State::fault, 3},
        Fault{"0x291 silent", [](TeleopBench& b) { b.chassis("silence 291"); }, kFeedback + 200ms,
              State::disarmed, 4},
        Fault{"remote takes over", [](TeleopBench& b) { b.chassis("remote on"); }, kFeedback, State::disarmed,
              5, true},
        Fault{"chassis restarted", [](TeleopBench& b) { b.chassis("reset"); }, kFeedback, State::disarmed, 5,
              true},
        Fault{"charge", [](TeleopBench& b) { b.chassis("soc 10"); }, 500ms, State::disarmed, 17},
        Fault{"battery alarm", [](TeleopBench& b) { b.chassis("set alarm_1.high_temperature"); }, 500ms,
              State::disarmed, 18},
        Fault{"queue full", [](TeleopBench& b) { b.queue_is_full = true; }, 20ms, State::fault, 19},
        Fault{"no acknowledge", [](TeleopBench& b) { b.echoes = false; }, 60ms, State::fault, 20},
        Fault{"interface down", [](TeleopBench& b) { b.link = {.state = LinkState::down, .outages = 1}; },
              0ms, State::fault, 21},
        Fault{"interface down and up again", [](TeleopBench& b) { b.link = {.outages = 1}; }, 0ms,
              State::fault, 21},
        Fault{"bus-off", [](TeleopBench& b) { b.error_frame(0x040); }, 0ms, State::fault, 21},
        Fault{"restarted controller", [](TeleopBench& b) { b.error_frame(0x100); }, 0ms, State::fault, 21},
        Fault{"error-passive", [](TeleopBench& b) { b.error_frame(0x004, 0x20); }, 0ms, State::disarmed, 22},
        Fault{"another controller", [](TeleopBench& b) { b.foreign("111#0064000000000000"); }, 0ms,
              State::fault, 23},
        Fault{"zeros of another controller", [](TeleopBench& b) { b.foreign(kZero); }, 0ms, State::fault, 23},
        Fault{"somebody else's 0x421", [](TeleopBench& b) { b.foreign("421#01"); }, 0ms, State::fault, 23},
        Fault{"somebody else's 0x141", [](TeleopBench& b) { b.foreign("141#02"); }, 0ms, State::fault, 23},
        Fault{"somebody changes the motion mode", [](TeleopBench& b) { b.feedback("291#030000"); }, kFeedback,
              State::disarmed, 27},
        Fault{"program held up", [](TeleopBench& b) { b.tick_template.held_up = 100ms; b.run(20ms); b.tick_template.held_up = 0ms; },
              0ms, State::disarmed, 24},
        Fault{"guard gone", [](TeleopBench& b) { b.tick_template.guard_alive = false; }, 0ms, State::disarmed,
              29},
        Fault{"guard had to act", [](TeleopBench& b) { b.tick_template.guard_intervened = true; b.run(20ms); b.tick_template.guard_intervened = false; },
              0ms, State::disarmed, 29},
        Fault{"link stalled for 1 s", [](TeleopBench& b) { b.stalled_until = b.now() + 1000ms; }, 300ms,
              State::disarmed, 8},
        Fault{"link stalled for 5 s", [](TeleopBench& b) { b.stalled_until = b.now() + 5000ms; }, 300ms,
              State::disarmed, 8},
        Fault{"terminal mute", [](TeleopBench& b) { b.terminal_answers = false; }, 300ms, State::disarmed, 8},
        Fault{"an answer nobody asked for",
              [](TeleopBench& b) { for (int i = 0; i < 3; ++i) b.event(EventKind::status_report); }, kKey + 20ms,
              State::disarmed, 8},
        Fault{"focus lost", [](TeleopBench& b) { b.event(EventKind::focus_out); }, kKey, State::disarmed, 15},
        Fault{"a paste without an end", [](TeleopBench& b) { b.event(EventKind::paste_too_long); }, kKey,
              State::disarmed, 15},
        Fault{"window too small", [](TeleopBench& b) { b.tick_template.window_fits = false; }, 0ms,
              State::disarmed, 15},
        Fault{"disarm key", [](TeleopBench& b) { b.key(U'x'); }, kKey, State::disarmed, 0}),
    [](const auto& row) {
      std::string name;
      for (const char c : std::string_view(row.param.name)) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
      return name;
    });

// What one event stops, and what the operator may go on from at once.
TEST(TeleopFaults, AFocusThatIsLostAndBackStopsAtOnce) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  const Ms lost = bench.now();
  bench.event(EventKind::focus_out);
  bench.event(EventKind::focus_in);
  bench.run(1500ms);
  EXPECT_LE(*bench.last_motion() - lost, 10ms + 20ms);
  EXPECT_EQ(bench.state(), State::armed);
}

TEST(TeleopFaults, WhoNeverHadControlIsNotToldThatTheChassisDoesNotStop) {
  TeleopBench bench(TeleopBench::kitty(), "drive", sim::ControlMode::can);
  bench.run(4000ms);
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_THAT(bench.events, Contains(HasSubstr("another controller")));
  EXPECT_FALSE(is_something(bench.status().findings[24])) << "rule 25";
}

TEST(TeleopFaults, AFaultSendsZerosForOneSecondAndIsAcknowledgedOnlyWhenItsCauseIsGone) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  const Ms pressed = bench.now();
  bench.chassis("set emergency_stop");
  bench.run(3000ms);
  EXPECT_EQ(bench.state(), State::fault);
  const auto zeros = bench.written(pressed + 40ms);
  EXPECT_GE(zeros.size(), 45U);
  EXPECT_LE(zeros.size(), 52U);
  bench.key(U'c');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_THAT(bench.events, Contains(HasSubstr("still FAULT: emergency stop")));
  bench.chassis("release emergency_stop");
  bench.foreign("441#00");
  bench.run(200ms);
  EXPECT_EQ(bench.state(), State::fault) << "nothing but the operator ends it";
  bench.key(U'c');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

TEST(TeleopFaults, TheEnableBitOfADriverAndALostRemoteAreNoReason) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.chassis("set motor3.drive_enable_bit");
  bench.chassis("remote lost");
  bench.run(1500ms);
  EXPECT_EQ(bench.state(), State::moving);
}

TEST(TeleopFaults, ThreeFramesAtMostAreOnTheWay) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.echoes = false;
  const Ms cut = bench.now();
  bench.run(500ms);
  EXPECT_LE(bench.written(cut + 1ms).size(), 3U);
}

TEST(TeleopFaults, AFrameThatTheQueueRefusedIsNotSentLater) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(200ms);
  const std::size_t before = bench.sent.size();
  bench.queue_is_full = true;
  bench.run(20ms);
  bench.queue_is_full = false;
  bench.run(20ms);
  EXPECT_EQ(bench.sent.size(), before + 1);
  EXPECT_EQ(bench.state(), State::moving);
}

TEST(TeleopFaults, ALateTickSendsZeroInThatTick) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  bench.tick_template.expirations = 2;
  bench.tick_template.late = 20ms;
  bench.run(20ms);
  EXPECT_EQ(log::written_frame(bench.sent.back().frame), kZero);
  bench.tick_template = {};
  bench.run(200ms);
  EXPECT_EQ(bench.state(), State::moving);
  EXPECT_LT(TeleopBench::raw(bench.sent.back().frame, "linear_velocity"), 120) << "it begins from zero";
}

TEST(TeleopFaults, TheGuardsOwnZerosAreNoOtherController) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.tick_template.guard_zeros = 2;
  bench.foreign(kZero, FrameDirection::tx);
  bench.foreign(kZero, FrameDirection::tx);
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::armed);
  bench.foreign(kZero, FrameDirection::tx);
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::fault) << "one more than it has sent";
}

TEST(TeleopFaults, ALostReleaseEndsWithTheRepeats) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  for (int i = 0; i < 40; ++i) {
    bench.run(33ms);
    bench.key(U'w', terminal::KeyAction::repeat);
  }
  const Ms repeated = bench.now();
  bench.run(2000ms);
  EXPECT_LE(*bench.last_motion() - repeated, 10ms + 1000ms + kPeriods);
  EXPECT_GT(*bench.last_motion() - repeated, 950ms);
  bench.key(U'w');
  bench.run(500ms);
  EXPECT_EQ(bench.state(), State::moving) << "pressed again, it counts";
}

TEST(TeleopFaults, AReleaseWithAnotherModifierIsARelease) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(500ms);
  const Ms released = bench.now();
  bench.key(U'W', terminal::KeyAction::release);
  bench.run(1000ms);
  EXPECT_LE(*bench.last_motion() - released, 10ms + kPeriods + 300ms);
}

TEST(TeleopFaults, AMuteTerminalCanBeAllowedAndIsSlow) {
  Options options = TeleopBench::legacy();
  options.terminal.relay = terminal::Relay::tmux;
  options.allow_blind_link = true;
  TeleopBench bench(options);
  ASSERT_TRUE(bench.arm());
  bench.key(U'9');
  bench.hold(U'w', 3000ms);
  EXPECT_EQ(bench.fastest(), 200);
  options.allow_blind_link = false;
  TeleopBench refused(options);
  EXPECT_FALSE(refused.arm());
}

TEST(TeleopFaults, ARemoteTerminalThatAnswersAtOnceIsARelay) {
  Options options = TeleopBench::kitty();
  options.link_leaves_host = true;
  TeleopBench bench(options);
  bench.round_trip = 0ms;
  EXPECT_FALSE(bench.arm());
  EXPECT_EQ(bench.reason()->number, 16);
}

// ---- The seven faults that a team found before its wheels turned ------------------------------------------

TEST(TeleopRoverFaults, MalformedFramesKeepNoDeadChassisAlive) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(500ms);
  bench.chassis("silence 211");
  const Ms cut = bench.now();
  for (int i = 0; i < 50; ++i) {
    bench.raw_feedback(0x211, 7);  // one byte short
    bench.run(20ms);
  }
  EXPECT_LE(*bench.last_motion() - cut, 20ms + 100ms + kPeriods);
  EXPECT_EQ(bench.state(), State::fault);
}

TEST(TeleopRoverFaults, ARecoveredLinkKeepsNoOldArmRequest) {
  TeleopBench bench;
  bench.run(1500ms);
  const auto code = bench.ask_for_code();
  ASSERT_TRUE(code);
  bench.stalled_until = bench.now() + 2000ms;
  bench.type_code(*code);  // arrives when the link is back
  bench.run(4000ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.sent, IsEmpty());
}

TEST(TeleopRoverFaults, AModeKeyAndAnEmergencyStopInOneTick) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.run(200ms);
  bench.key(U'M');
  bench.run(9ms);
  bench.feedback("211#000101F100000080");
  bench.run(40ms);
  EXPECT_EQ(bench.state(), State::fault);
  for (const std::string& frame : bench.written()) EXPECT_FALSE(frame.starts_with("141")) << frame;
}

TEST(TeleopRoverFaults, YawUsesTheGeometryOfThisRobot) {
  // 0.3 m/s of the wheels around sqrt(0.494^2 + 0.364^2) / 2 m.
  Drive drive(protocol::kDefaultCatalogue);
  SteadyTime now{};
  for (int i = 0; i < 200; ++i) {
    now += 20ms;
    drive.follow({.wheel_mmps = -300, .most_mmps = 300}, chassis::MotionMode::spin, 20ms, now);
  }
  EXPECT_EQ(drive.motion(chassis::MotionMode::spin), (Motion{.angular_velocity = -977}));
}

TEST(TeleopRoverFaults, EverySignHasOneMeaning) {
  const auto frame = [](Motion motion) {
    return log::written_frame(motion_frame(protocol::kDefaultCatalogue, motion));
  };
  EXPECT_EQ(frame({.linear_velocity = 150}), "111#0096000000000000");  // the manual's 0.15 m/s forward
  EXPECT_EQ(frame({.linear_velocity = -150}), "111#FF6A000000000000");
  EXPECT_EQ(frame({.angular_velocity = 200}), "111#000000C800000000");  // counter-clockwise
  EXPECT_EQ(frame({.angular_velocity = -200}), "111#0000FF3800000000");
  EXPECT_EQ(frame({.steering_angle = 175}), "111#00000000000000AF");  // left, 10 degrees
  EXPECT_EQ(frame({.steering_angle = -175}), "111#000000000000FF51");
}

TEST(TeleopRoverFaults, BytesAreBigEndian) {
  EXPECT_EQ(log::written_frame(motion_frame(
                protocol::kDefaultCatalogue,
                {.linear_velocity = 0x0102, .angular_velocity = 0x0304, .steering_angle = 0x0105})),
            "111#0102030400000105");
}

TEST(TeleopRoverFaults, NoTimeoutFiresBeforeTheFirstFrame) {
  TeleopBench bench(TeleopBench::kitty(), "silent");
  bench.run(5000ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

// ---- The loop -------------------------------------------------------------------------------------------

TEST(TeleopLoop, NeverAllocatesWhileItDrives) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  bench.count_allocations = true;
  bench.run(5000ms);
  bench.key(U' ');
  bench.run(1000ms);
  bench.chassis_is_heard = false;
  bench.run(1000ms);
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_EQ(bench.allocated, 0U);
}

}  // namespace
}  // namespace rangerctl::teleop
