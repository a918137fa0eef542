// Teleop as a whole, against the simulated chassis: what stops it, when, and what is on the bus afterwards.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "count_allocations.hpp"
#include "teleop_bench.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using terminal::EventKind;
using terminal::KeyAction;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Ms = TeleopBench::Ms;

constexpr int kNoRule = 0;

int cause_of(const TeleopBench& bench) {
  const std::size_t rule = bench.status().cause_rule;
  return rule < kRuleCount ? rules()[rule].number : kNoRule;
}

int reason_of(const TeleopBench& bench) {
  return bench.reason() == nullptr ? kNoRule : bench.reason()->number;
}

void script(TeleopBench& bench, const std::string& line) { bench.chassis(line, 1ms); }

void error_frame(TeleopBench& bench, std::uint32_t id, std::uint8_t controller = 0) {
  Frame frame;
  frame.kind = FrameKind::error;
  frame.id = id;
  frame.length = 8;
  frame.data[1] = controller;
  bench.machine().take(Received{frame, {}, FrameDirection::rx, false}, bench.clock());
}

// Armed, with w held and 0.3 m/s.
TeleopBench driving() {
  TeleopBench bench;
  EXPECT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1500ms);
  EXPECT_EQ(bench.state(), State::moving);
  EXPECT_EQ(bench.fastest(), 300);
  return bench;
}

std::vector<std::int64_t> speeds(const TeleopBench& bench, Ms from) {
  std::vector<std::int64_t> all;
  for (const auto& row : bench.sent) {
    if (row.frame.id == 0x111 && row.at >= from)
      all.push_back(TeleopBench::raw(row.frame, "linear_velocity"));
  }
  return all;
}

// ---- What stops it ------------------------------------------------------------------------------------

struct Stop {
  const char* what;
  std::function<void(TeleopBench&)> happens;
  Ms least, most;  // from there to the last frame that moves
  State after;     // three seconds later
  int rule;        // that is shown as the cause
};
void PrintTo(const Stop& row, std::ostream* out) { *out << row.what; }

class TeleopStops : public ::testing::TestWithParam<Stop> {};

TEST_P(TeleopStops, AndNothingMovesItWhileTheKeyIsStillDown) {
  const Stop& row = GetParam();
  TeleopBench bench = driving();
  const Ms at = bench.now();
  row.happens(bench);
  bench.run(3000ms);
  ASSERT_TRUE(bench.last_motion());
  EXPECT_GE(*bench.last_motion() - at, row.least);
  EXPECT_LE(*bench.last_motion() - at, row.most);
  EXPECT_EQ(bench.state(), row.after);
  if (row.rule != kNoRule) {
    EXPECT_EQ(cause_of(bench), row.rule);
  }
  EXPECT_THAT(bench.refused, IsEmpty());
}

// The operator's way takes 10 ms, a tick and a period of the chassis 20 ms each.
constexpr Ms kAtOnce = 0ms;
constexpr Ms kOneTick = 20ms;
INSTANTIATE_TEST_SUITE_P(
    Chassis, TeleopStops,
    ::testing::Values(
        Stop{"e-stop", [](auto& b) { script(b, "set emergency_stop"); }, -20ms, 40ms, State::fault, 1},
        Stop{"e-stop, one frame", [](auto& b) { b.feedback("211#0001000000000080"); }, -20ms, kOneTick,
             State::fault, 1},
        Stop{"an unknown error bit, one frame", [](auto& b) { b.feedback("211#0001000080000000"); }, -20ms,
             kOneTick, State::fault, 2},
        Stop{"a vehicle state, one frame", [](auto& b) { b.feedback("211#0201000000000000"); }, -20ms,
             kOneTick, State::fault, 2},
        Stop{"a driver's fault in three frames",
             [](auto& b) {
               for (int i = 0; i < 3; ++i) b.feedback("265#0000000000200000");
             },
             -20ms, kOneTick, State::fault, 2},
        Stop{"no 0x211", [](auto& b) { script(b, "silence 211"); }, 80ms, 140ms, State::fault, 3},
        Stop{"no 0x221", [](auto& b) { script(b, "silence 221"); }, 80ms, 140ms, State::fault, 3},
        Stop{"no 0x291", [](auto& b) { script(b, "silence 291"); }, 160ms, 240ms, State::disarmed, 4},
        Stop{"remote control, one frame", [](auto& b) { b.feedback("211#0003000000000000"); }, -20ms,
             kOneTick, State::disarmed, 5},
        Stop{"standby, one frame", [](auto& b) { b.feedback("211#0000000000000000"); }, -20ms, kOneTick,
             State::disarmed, 5},
        Stop{"switching", [](auto& b) { b.feedback("291#000100"); }, -20ms, kOneTick, State::armed, kNoRule},
        Stop{"another motion mode, one frame", [](auto& b) { b.feedback("291#020000"); }, -20ms, kOneTick,
             State::disarmed, 27},
        Stop{"an unknown motion mode, one frame", [](auto& b) { b.feedback("291#280000"); }, -20ms, kOneTick,
             State::disarmed, 27},
        Stop{"charge 10 %", [](auto& b) { script(b, "soc 10"); }, kAtOnce, 520ms, State::disarmed, 17},
        Stop{"battery alarm, one frame", [](auto& b) { b.feedback("362#02000000"); }, -20ms, kOneTick,
             State::disarmed, 18}));

INSTANTIATE_TEST_SUITE_P(
    Bus, TeleopStops,
    ::testing::Values(
        Stop{"no echo", [](auto& b) { b.echoes = false; }, 20ms, 80ms, State::fault, 20},
        Stop{"queue full", [](auto& b) { b.queue_is_full = true; }, -20ms, kOneTick, State::fault, 19},
        Stop{"interface down",
             [](auto& b) {
               b.link.state = LinkState::down;
               ++b.link.outages;
             },
             -20ms, kOneTick, State::fault, 21},
        Stop{"interface down and up between two ticks", [](auto& b) { ++b.link.outages; }, -20ms, kOneTick,
             State::fault, 21},
        Stop{"bus-off", [](auto& b) { error_frame(b, 0x040); }, -20ms, kOneTick, State::fault, 21},
        Stop{"restarted", [](auto& b) { error_frame(b, 0x100); }, -20ms, kOneTick, State::fault, 21},
        Stop{"error-passive, transmitting", [](auto& b) { error_frame(b, 0x004, 0x20); }, -20ms, kOneTick,
             State::disarmed, 22},
        Stop{"error-passive, receiving", [](auto& b) { error_frame(b, 0x004, 0x10); }, -20ms, kOneTick,
             State::disarmed, 22},
        Stop{"another host's command", [](auto& b) { b.foreign("111#0000000000000000"); }, -20ms, kOneTick,
             State::fault, 23},
        Stop{"another host's 0x421", [](auto& b) { b.foreign("421#01"); }, -20ms, kOneTick, State::fault, 23},
        Stop{"another program's command",
             [](auto& b) { b.foreign("111#0001000000000000", FrameDirection::tx); }, -20ms, kOneTick,
             State::fault, 23},
        Stop{"another program's zero that is not the guard's",
             [](auto& b) { b.foreign("111#0000000000000000", FrameDirection::tx); }, -20ms, kOneTick,
             State::fault, 23},
        Stop{"another program's 0x421", [](auto& b) { b.foreign("421#00", FrameDirection::tx); }, -20ms,
             kOneTick, State::fault, 23}));

INSTANTIATE_TEST_SUITE_P(
    LinkAndProgram, TeleopStops,
    ::testing::Values(
        Stop{"terminal silent", [](auto& b) { b.terminal_answers = false; }, 200ms, 320ms, State::disarmed,
             8},
        Stop{"an answer that nobody asked for",
             [](auto& b) {
               for (int i = 0; i < 3; ++i) b.event(EventKind::status_report);
             },
             -20ms, 40ms, State::disarmed, 8},
        Stop{"focus lost", [](auto& b) { b.event(EventKind::focus_out); }, -20ms, 40ms, State::disarmed, 15},
        Stop{"focus lost and back at once",
             [](auto& b) {
               b.event(EventKind::focus_out);
               b.event(EventKind::focus_in);
             },
             -20ms, 40ms, State::armed, kNoRule},
        Stop{"paste",
             [](auto& b) {
               b.event(EventKind::paste_start);
               b.event(EventKind::paste_end);
             },
             -20ms, 40ms, State::armed, kNoRule},
        Stop{"endless paste",
             [](auto& b) {
               b.event(EventKind::paste_start);
               b.event(EventKind::paste_too_long);
             },
             -20ms, 40ms, State::disarmed, 15},
        Stop{"small window", [](auto& b) { b.tick_template.window_fits = false; }, -20ms, kOneTick,
             State::disarmed, 15},
        Stop{"no guard", [](auto& b) { b.tick_template.guard_alive = false; }, -20ms, kOneTick,
             State::disarmed, 29},
        Stop{"the guard had to act", [](auto& b) { b.tick_template.guard_intervened = true; }, -20ms,
             kOneTick, State::disarmed, 29},
        Stop{"held up for 100 ms",
             [](auto& b) {
               b.tick_template.held_up = 100ms;
               b.run(20ms);
               b.tick_template.held_up = 0ms;
             },
             -20ms, kOneTick, State::disarmed, 24},
        Stop{"four keys at once after a pause",
             [](auto& b) {
               for (const char32_t key : {U'a', U's', U'd', U'w'}) b.key(key);
             },
             -20ms, 40ms, State::disarmed, 10},
        Stop{"65 keys at once",
             [](auto& b) {
               for (int i = 0; i < 65; ++i) b.key(U'1');
             },
             -20ms, 40ms, State::disarmed, 10},
        Stop{"SPACE", [](auto& b) { b.key(U' '); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"ESC", [](auto& b) { b.key(terminal::kEscape); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"an unknown key", [](auto& b) { b.key(U'Z'); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"a motion key with Ctrl", [](auto& b) { b.key(U'w', KeyAction::press, terminal::kControl); },
             -20ms, 40ms, State::armed, kNoRule},
        Stop{"a repeat of an unknown key", [](auto& b) { b.key(U'W', KeyAction::repeat); }, -20ms, 40ms,
             State::armed, kNoRule},
        Stop{"A", [](auto& b) { b.key(U'A'); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"M", [](auto& b) { b.key(U'M'); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"Enter", [](auto& b) { b.key(terminal::kEnter); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"help", [](auto& b) { b.key(U'?'); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"0 without --max-speed", [](auto& b) { b.key(U'0'); }, -20ms, 40ms, State::armed, kNoRule},
        Stop{"x", [](auto& b) { b.key(U'x'); }, -20ms, 40ms, State::disarmed, kNoRule}));

struct Goes {
  const char* what;
  std::function<void(TeleopBench&)> happens;
};
void PrintTo(const Goes& row, std::ostream* out) { *out << row.what; }
class TeleopGoesOn : public ::testing::TestWithParam<Goes> {};

TEST_P(TeleopGoesOn, AtFullSpeed) {
  TeleopBench bench = driving();
  const Ms at = bench.now();
  GetParam().happens(bench);
  bench.run(800ms);
  EXPECT_EQ(bench.state(), State::moving);
  EXPECT_THAT(speeds(bench, at), Each(300));
}

INSTANTIATE_TEST_SUITE_P(
    Over, TeleopGoesOn,
    ::testing::Values(
        Goes{"remote control lost", [](auto& b) { script(b, "set remote_control_lost"); }},
        Goes{"a driver's fault in two frames",
             [](auto& b) {
               for (int i = 0; i < 2; ++i) b.feedback("265#0000000000200000");
             }},
        Goes{"the enable bit of a driver",
             [](auto& b) {
               for (int i = 0; i < 3; ++i) b.feedback("265#0000000000400000");
             }},
        Goes{"a short 0x211", [](auto& b) { b.feedback("211#0203"); }},
        Goes{"another program's lights", [](auto& b) { b.foreign("121#0101", FrameDirection::tx); }},
        Goes{"one full queue",
             [](auto& b) {
               b.queue_is_full = true;
               b.run(20ms);
               b.queue_is_full = false;
             }},
        Goes{"a stalled terminal of 200 ms", [](auto& b) { b.stalled_until = b.now() + 200ms; }},
        Goes{"a late tick", [](auto& b) { b.tick_template.late = 11ms; }},
        Goes{"lights", [](auto& b) { b.key(U'L'); }},
        Goes{"the release of a key without a meaning", [](auto& b) { b.release(U'Z'); }},
        Goes{"three keys at once", [](auto& b) {
               for (int i = 0; i < 3; ++i) b.key(U'w', KeyAction::repeat);
             }}));

TEST(TeleopWhole, AMissedTickIsZeroAndTheRampBeginsAnew) {
  TeleopBench bench = driving();
  const Ms at = bench.now();
  bench.tick_template.expirations = 2;
  bench.run(20ms);
  bench.tick_template.expirations = 1;
  bench.run(60ms);
  EXPECT_THAT(speeds(bench, at), ElementsAre(0, 10, 20, 30));
}

TEST(TeleopWhole, AStopSendsZerosWithTheSteeringUntilItIsAtRest) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.key(U'a');
  bench.run(2500ms);
  const Ms at = bench.now();
  bench.key(U' ');
  bench.run(60ms);
  EXPECT_THAT(bench.written(at + 20ms), Each("111#00000000000002BA"));
  bench.run(3000ms);
  EXPECT_EQ(bench.state(), State::armed);
  EXPECT_EQ(bench.written().back(), "111#0000000000000000");
}

TEST(TeleopWhole, RemoteControlIsAnsweredWithSilence) {
  TeleopBench bench = driving();
  script(bench, "remote on");
  bench.run(40ms);
  const Ms at = bench.now();
  bench.run(3000ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.written(at), IsEmpty());
}

TEST(TeleopWhole, AFaultSendsZerosForASecond) {
  TeleopBench bench = driving();
  script(bench, "set over_current");
  bench.run(40ms);
  const Ms at = bench.now();
  bench.run(3000ms);
  EXPECT_THAT(speeds(bench, at), Each(0));
  EXPECT_GE(bench.sent.back().at - at, 940ms);
  EXPECT_LE(bench.sent.back().at - at, 1000ms);
}

TEST(TeleopWhole, BehindAFrameWithoutEchoAtMostTwoAreQueued) {
  TeleopBench bench = driving();
  bench.echoes = false;
  const Ms at = bench.now();
  bench.run(3000ms);
  EXPECT_LE(bench.written(at).size(), 3U);
}

// ---- Motion -------------------------------------------------------------------------------------------

TEST(TeleopWhole, AccelerationIsHalfAMetrePerSecondSquared) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  const Ms at = bench.now();
  bench.run(150ms);
  std::vector<std::int64_t> ramp = speeds(bench, at);
  ramp.erase(ramp.begin(),
             std::find_if(ramp.begin(), ramp.end(), [](std::int64_t mmps) { return mmps > 0; }));
  ramp.resize(5);
  EXPECT_THAT(ramp, ElementsAre(10, 20, 30, 40, 50));
}

TEST(TeleopWhole, AReleaseRampsWithOneMetrePerSecondSquared) {
  TeleopBench bench = driving();
  const Ms at = bench.now();
  bench.release(U'w');
  bench.run(1000ms);
  EXPECT_THAT(std::vector(speeds(bench, at + 11ms)).front(), 300);
  std::vector<std::int64_t> ramp = speeds(bench, at + 31ms);
  ramp.resize(15);
  const std::vector<std::int64_t> expected{280, 260, 240, 220, 200, 180, 160, 140,
                                           120, 100, 80,  60,  40,  20,  0};
  for (std::size_t i = 0; i < ramp.size(); ++i) EXPECT_LE(std::abs(ramp[i] - expected[i]), 1);
}

TEST(TeleopWhole, AReleaseFromAnySpeedTakesAtMost300Ms) {
  TeleopBench bench({.max_mmps = 2000, .max_was_given = true, .terminal = TeleopBench::kitty().terminal});
  bench.round_trip = 4ms;
  ASSERT_TRUE(bench.arm());
  bench.key(U'0');
  bench.key(U'w');
  bench.run(6000ms);
  EXPECT_EQ(bench.fastest(), 2000);
  const Ms at = bench.now();
  bench.release(U'w');
  bench.run(3000ms);
  EXPECT_LE(*bench.last_motion() - at, 320ms);
}

TEST(TeleopWhole, Beyond20DegreesOneMetrePerSecond) {
  TeleopBench bench({.max_mmps = 2000, .max_was_given = true, .terminal = TeleopBench::kitty().terminal});
  bench.round_trip = 4ms;
  ASSERT_TRUE(bench.arm());
  bench.key(U'0');
  bench.key(U'w');
  bench.run(3000ms);
  const Ms at = bench.now() + 30ms;
  bench.key(U'a');
  bench.run(1000ms);
  EXPECT_THAT(speeds(bench, at), Each(1000));
  EXPECT_THAT(bench.refused, IsEmpty());
}

TEST(TeleopWhole, SpinAndItsNudgeAreLimitedAtTheWheels) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.key(U'M');
  bench.run(3000ms);
  bench.key(U'M');
  bench.run(3000ms);
  ASSERT_EQ(bench.status().mode, chassis::MotionMode::spin);
  const auto fastest = [&](Ms from) {
    std::int64_t most = 0;
    for (const auto& row : bench.sent) {
      if (row.frame.id == 0x111 && row.at >= from)
        most = std::max(most, TeleopBench::raw(row.frame, "angular_velocity"));
    }
    return most;
  };
  Ms at = bench.now();
  bench.key(U'a');
  bench.run(1000ms);
  EXPECT_GT(fastest(at), 100);
  EXPECT_LE(fastest(at), 326);  // 0.1 m/s / 0.3068 m
  at = bench.now();
  bench.hold(U'a', 3000ms);
  EXPECT_EQ(fastest(at), 977);  // 0.3 m/s / 0.3068 m
}

TEST(TeleopWhole, AFirstPressWithoutReleasesIsANudge) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  const Ms at = bench.now();
  bench.key(U'w');
  bench.run(1000ms);
  EXPECT_LE(bench.fastest(at), 100);
  EXPECT_GE(*bench.last_motion() - at, 200ms);
  EXPECT_LE(*bench.last_motion() - at, 200ms + 50ms + 100ms);
}

TEST(TeleopWhole, FullMotionComesWithTheSecondRepeat) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  bench.key(U'w');
  bench.run(180ms);
  bench.key(U'w');
  bench.run(140ms);
  EXPECT_LE(bench.fastest(), 100);
  for (int i = 0; i < 8; ++i) {
    bench.key(U'w');
    bench.run(100ms);
  }
  EXPECT_EQ(bench.fastest(), 300);
}

struct Repeat {
  Ms period;
  Ms patience;  // three periods, from 100 to 300 ms
};
class TeleopRepeats : public ::testing::TestWithParam<Repeat> {};
TEST_P(TeleopRepeats, EndWhenTheyStayAwayForThreeOfThem) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  bench.hold(U'w', 2600ms, 500ms, GetParam().period);
  ASSERT_EQ(bench.state(), State::moving);
  const Ms last = bench.now() - GetParam().period;  // of a key, or just before
  bench.run(2000ms);
  EXPECT_GE(*bench.last_motion() - last, GetParam().patience + 240ms);
  EXPECT_LE(*bench.last_motion() - last, GetParam().patience + GetParam().period + 340ms);
}
INSTANTIATE_TEST_SUITE_P(Gaps, TeleopRepeats,
                         ::testing::Values(Repeat{20ms, 100ms}, Repeat{40ms, 120ms}, Repeat{90ms, 270ms},
                                           Repeat{130ms, 300ms}));

// ---- After a stop -------------------------------------------------------------------------------------

TEST(TeleopWhole, AfterAStopEveryKeyMustGoUp) {
  TeleopBench bench = driving();
  bench.key(U' ');
  bench.run(2000ms);
  const Ms at = bench.now();
  bench.key(U's');
  bench.run(500ms);
  bench.release(U's');
  bench.run(500ms);
  bench.key(U'w', KeyAction::repeat);
  bench.run(500ms);
  EXPECT_EQ(bench.fastest(at), 0);
  bench.release(U'w');
  bench.run(100ms);
  bench.key(U'w');
  bench.run(100ms);
  EXPECT_GT(bench.fastest(at), 0);
}

TEST(TeleopWhole, AfterAStopWithoutReleasesHalfASecondWithoutMotionKeys) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  bench.hold(U'w', 1500ms);
  bench.key(U' ');
  const Ms at = bench.now() + 40ms;
  bench.hold(U'w', 3000ms, 33ms);
  EXPECT_EQ(bench.fastest(at), 0);
  bench.run(490ms - 33ms);
  bench.key(U'w');
  bench.run(300ms);
  EXPECT_EQ(bench.fastest(at), 0);
  bench.run(220ms);
  bench.key(U'w');
  bench.run(100ms);
  EXPECT_GT(bench.fastest(at), 0);
}

TEST(TeleopWhole, AKeyThatWasDownWhileArmingMovesNothing) {
  TeleopBench bench;
  bench.key(U'w');
  ASSERT_TRUE(bench.arm());
  bench.run(500ms);
  EXPECT_EQ(bench.fastest(), 0);
}

TEST(TeleopWhole, OfOneBatchTheStopCounts) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  const Ms at = bench.now();
  bench.key(U' ');
  bench.key(U'w');
  bench.run(500ms);
  EXPECT_EQ(bench.fastest(at), 0);
}

TEST(TeleopWhole, KeysOfBeforeAStallMoveNothing) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.run(1000ms);
  const Ms at = bench.now();
  bench.stalled_until = at + 400ms;
  bench.run(50ms);
  bench.key(U'w');
  bench.run(1000ms);
  EXPECT_EQ(bench.fastest(at), 0);
  EXPECT_EQ(bench.status().counters.stale_keys, 1U);
}

TEST(TeleopWhole, ALostReleaseStopsASecondAfterTheLastRepeat) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(500ms);
  bench.key(U'w', KeyAction::repeat);
  const Ms at = bench.now();
  bench.run(4000ms);
  EXPECT_GE(*bench.last_motion() - at, 980ms);
  EXPECT_LE(*bench.last_motion() - at, 1050ms);
}

// ---- Arming -------------------------------------------------------------------------------------------

struct Arming {
  const char* what;
  std::function<void(TeleopBench&)> before;                    // "A" is pressed
  std::function<void(TeleopBench&, char32_t, char32_t)> code;  // with its digits
  bool arms;
};
void PrintTo(const Arming& row, std::ostream* out) { *out << row.what; }
class TeleopArmingNeeds : public ::testing::TestWithParam<Arming> {};

void type(TeleopBench& bench, std::initializer_list<char32_t> keys) {
  for (const char32_t key : keys) bench.key(key);
}
constexpr auto kNothing = [](TeleopBench&) {};
constexpr auto kRight = [](TeleopBench& b, char32_t tens, char32_t ones) {
  type(b, {tens, ones, terminal::kEnter});
};

TEST_P(TeleopArmingNeeds, NeedsTheCodeAndAllElseWell) {
  TeleopBench bench;
  bench.run(1300ms);
  GetParam().before(bench);
  bench.key(U'A');
  bench.run(400ms);
  if (const auto code = bench.status().code)
    GetParam().code(bench, U'0' + static_cast<char32_t>(*code / 10),
                    U'0' + static_cast<char32_t>(*code % 10));
  bench.run(1500ms);
  EXPECT_EQ(bench.state() == State::armed, GetParam().arms);
  EXPECT_EQ(bench.fastest(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Codes, TeleopArmingNeeds,
    ::testing::Values(Arming{"right", kNothing, kRight, true},
                      Arming{"wrong", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               type(b, {tens, ones == U'9' ? U'0' : ones + 1, terminal::kEnter});
                             },
                             false},
                      Arming{"one digit", kNothing,
                             [](auto& b, char32_t tens, char32_t) {
                               type(b, {tens, terminal::kEnter});
                             },
                             false},
                      Arming{"three digits", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               type(b, {U'0', tens, ones, terminal::kEnter});
                             },
                             false},
                      Arming{"no Enter", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               type(b, {tens, ones});
                             },
                             false},
                      Arming{"another key in between", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               type(b, {tens, U'z', ones, terminal::kEnter});
                             },
                             false},
                      Arming{"a motion key in between", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               type(b, {tens, ones});
                               b.run(30ms);
                               type(b, {U'w'});
                               b.run(30ms);
                               type(b, {terminal::kEnter});
                             },
                             false},
                      Arming{"after 4.8 s", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               b.run(4400ms);
                               kRight(b, tens, ones);
                             },
                             true},
                      Arming{"after 5.1 s", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               b.run(4700ms);
                               kRight(b, tens, ones);
                             },
                             false},
                      Arming{"the link stalls meanwhile", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               b.stalled_until = b.now() + 400ms;
                               kRight(b, tens, ones);
                             },
                             false},
                      Arming{"focus lost meanwhile", kNothing,
                             [](auto& b, char32_t tens, char32_t ones) {
                               b.event(EventKind::focus_out);
                               b.event(EventKind::focus_in);
                               b.run(40ms);
                               kRight(b, tens, ones);
                             },
                             false}));

INSTANTIATE_TEST_SUITE_P(
    Obstacles, TeleopArmingNeeds,
    ::testing::Values(
        Arming{"remote control", [](auto& b) { b.chassis("remote on"), b.run(50ms); }, kRight, false},
        Arming{"remote control lost", [](auto& b) { b.chassis("set remote_control_lost"), b.run(50ms); },
               kRight, false},
        Arming{"charge 10 %", [](auto& b) { b.chassis("soc 10"), b.run(600ms); }, kRight, false},
        Arming{"charge 11 %", [](auto& b) { b.chassis("soc 11"), b.run(600ms); }, kRight, true},
        Arming{"battery silent", [](auto& b) { b.chassis("silence 361"), b.run(5600ms); }, kRight, false},
        Arming{"no guard", [](auto& b) { b.tick_template.guard_alive = false; }, kRight, false},
        Arming{"small window", [](auto& b) { b.tick_template.window_fits = false; }, kRight, false},
        Arming{"a slow link", [](auto& b) { b.round_trip = 240ms, b.run(3000ms); }, kRight, false},
        Arming{"a link of 150 ms", [](auto& b) { b.round_trip = 150ms, b.run(3000ms); }, kRight, true}));

TEST(TeleopWhole, ControlThatDoesNotComeIsGivenUpAfterASecond) {
  TeleopBench bench;
  bench.run(1300ms);
  bench.key(U'A');
  bench.run(100ms);
  const int code = bench.status().code.value();
  kRight(bench, U'0' + static_cast<char32_t>(code / 10), U'0' + static_cast<char32_t>(code % 10));
  const Ms at = bench.now();
  script(bench, "silence 211");
  for (int i = 0; i < 100; ++i) {
    bench.run(10ms);
    bench.feedback("211#0000000000000000");
  }
  EXPECT_EQ(bench.state(), State::arming);
  for (int i = 0; i < 10; ++i) {
    bench.run(10ms);
    bench.feedback("211#0000000000000000");
  }
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.written(at), ElementsAre("421#01", "421#00"));
}

TEST(TeleopWhole, EveryCodeIsAnother) {
  TeleopBench bench;
  bench.run(1300ms);
  int last = 0;
  for (int i = 0; i < 5; ++i) {
    bench.key(U'A');
    bench.run(60ms);
    ASSERT_TRUE(bench.status().code);
    EXPECT_NE(*bench.status().code, last);
    EXPECT_GE(*bench.status().code, 10);
    EXPECT_LE(*bench.status().code, 99);
    last = *bench.status().code;
    bench.key(U'z');
    bench.run(60ms);
  }
}

TEST(TeleopWhole, NothingArmsAgainByItself) {
  TeleopBench bench = driving();
  bench.terminal_answers = false;
  bench.run(3000ms);
  bench.terminal_answers = true;
  bench.run(5000ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

TEST(TeleopWhole, ArmedWithoutAKeyFor30SecondsDisarms) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.run(29'000ms);
  EXPECT_EQ(bench.state(), State::armed);
  bench.run(1100ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

TEST(TeleopWhole, AFaultIsAcknowledgedOnlyWhenItsCauseIsGone) {
  TeleopBench bench = driving();
  script(bench, "set over_current");
  bench.run(1500ms);
  bench.key(U'c');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::fault);
  script(bench, "release over_current");
  bench.run(10ms);
  bench.foreign("441#0F");
  bench.run(700ms);
  EXPECT_EQ(bench.state(), State::fault);
  bench.key(U'c');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

// ---- Motion modes -------------------------------------------------------------------------------------

TEST(TeleopWhole, AfterAModeKeyNothingMovesUntilTheWheelsHaveSettled) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  const Ms at = bench.now();
  bench.key(U'M');
  bench.run(30ms);
  bench.release(U'M');
  bench.key(U'w');
  bench.run(40ms);
  bench.release(U'w');
  bench.key(U's');
  bench.run(3000ms);
  EXPECT_EQ(bench.fastest(at), 0);
  EXPECT_EQ(bench.status().mode, chassis::MotionMode::oblique);
  bench.release(U's');
  bench.run(40ms);
  bench.key(U'w');
  bench.run(200ms);
  EXPECT_GT(bench.fastest(at), 0);
}

TEST(TeleopWhole, AModeThatDoesNotComeDisarmsAfter5Seconds) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  script(bench, "silence 271");
  bench.run(20ms);
  const Ms at = bench.now();
  bench.key(U'M');
  bench.run(4900ms);
  EXPECT_EQ(bench.state(), State::armed);
  bench.run(300ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_EQ(bench.fastest(at), 0);
}

TEST(TeleopWhole, ParkMovesNothing) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  for (int i = 0; i < 3; ++i) {
    bench.key(U'M');
    bench.run(3000ms);
  }
  ASSERT_EQ(bench.status().mode, chassis::MotionMode::park);
  bench.key(U'w');
  bench.run(500ms);
  EXPECT_EQ(bench.state(), State::armed);
  EXPECT_EQ(reason_of(bench), 33);
}

// ---- Leaving ------------------------------------------------------------------------------------------

TEST(TeleopWhole, LeavingSendsZerosUntilAtRestAndGivesControlBackOnce) {
  TeleopBench bench = driving();
  const Ms at = bench.now() + 20ms;
  bench.key(U'q');
  bench.run(5000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_TRUE(bench.ended->at_rest);
  EXPECT_GE(bench.ended->zeros_confirmed, 5);
  EXPECT_TRUE(bench.ended->control_returned);
  const std::vector<std::string> frames = bench.written(at);
  EXPECT_EQ(frames.front(), "111#0000000000000000");
  EXPECT_EQ(frames.back(), "421#00");
  EXPECT_EQ(std::count(frames.begin(), frames.end(), "421#00"), 1);
}

TEST(TeleopWhole, ControlThatWasNotTakenIsNotGivenBack) {
  TeleopBench bench(TeleopBench::kitty(), "normal", sim::ControlMode::can);
  ASSERT_TRUE(bench.arm());
  bench.key(U'q');
  bench.run(5000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_THAT(bench.written(), Each("111#0000000000000000"));
}

TEST(TeleopWhole, LeavingWithoutAnInterfaceEndsAndSaysSo) {
  TeleopBench bench = driving();
  bench.link.state = LinkState::down;
  ++bench.link.outages;
  bench.key(U'q');
  bench.run(200ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_EQ(exit_status(*bench.ended), ExitStatus::no_answer);
}

TEST(TeleopWhole, ADryRunHasNothingToSend) {
  Options options = TeleopBench::kitty();
  options.dry_run = true;
  TeleopBench bench(options);
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  EXPECT_EQ(bench.state(), State::moving);
  bench.key(U'q');
  bench.run(200ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_THAT(bench.sent, IsEmpty());
}

// ---- More of what must not be lost --------------------------------------------------------------------

// The chassis says what a test says; for so long.
void say(TeleopBench& bench, const char* motion, Ms duration) {
  script(bench, "silence 221");
  for (const Ms end = bench.now() + duration; bench.now() < end; bench.run(10ms)) bench.feedback(motion);
}

TEST(TeleopWhole, WhatMovesOnForASecondOfZerosIsAFault) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.run(500ms);
  say(bench, "221#0065000000000000", 100ms);  // 0.101 m/s, zeros for longer than a second
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_EQ(cause_of(bench), 25);
}

TEST(TeleopWhole, AStopThatTakesTwoSecondsIsAFault) {
  TeleopBench bench = driving();
  bench.key(U' ');
  say(bench, "221#0015000000000000", 1950ms);  // 0.021 m/s
  EXPECT_EQ(bench.state(), State::stopping);
  say(bench, "221#0015000000000000", 150ms);
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_EQ(cause_of(bench), 25);
}

TEST(TeleopWhole, AStopThatGetsSevererKeepsItsTwoSeconds) {
  TeleopBench bench = driving();
  bench.key(U' ');
  say(bench, "221#0015000000000000", 1500ms);
  bench.key(U'x');
  say(bench, "221#0015000000000000", 600ms);
  EXPECT_EQ(bench.state(), State::fault);
}

TEST(TeleopWhole, NothingStartsWhileItMovesTheOtherWay) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  say(bench, "221#FFEC000000000000", 100ms);  // -0.020 m/s
  const Ms at = bench.now();
  bench.key(U'w');
  say(bench, "221#FFEC000000000000", 500ms);
  EXPECT_EQ(bench.fastest(at), 0);
  say(bench, "221#FFED000000000000", 500ms);
  EXPECT_GT(bench.fastest(at), 0);
}

TEST(TeleopWhole, AFrameThatIsRefusedIsAFault) {
  TeleopBench bench = driving();
  bench.machine().sent(Error{ExitStatus::bus, "no"}, bench.clock());
  bench.run(40ms);
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_EQ(cause_of(bench), 21);
}

TEST(TeleopWhole, AnInterfaceThatIsDownBlocksArming) {
  TeleopBench bench;
  bench.link.state = LinkState::down;
  bench.run(1500ms);
  EXPECT_EQ(bench.state(), State::fault);
}

TEST(TeleopWhole, AFrameThatWasNeverConfirmedBlocksArming) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.echoes = false;
  bench.key(U'x');
  bench.run(50ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_EQ(reason_of(bench), 20);
}

TEST(TeleopWhole, RemoteControlInFaultEndsTheZeros) {
  TeleopBench bench = driving();
  script(bench, "set over_current");
  bench.run(100ms);
  script(bench, "remote on");
  bench.run(40ms);
  const Ms at = bench.now();
  bench.run(2000ms);
  EXPECT_THAT(bench.written(at), IsEmpty());
}

TEST(TeleopWhole, AFaultWhileDisarmedSendsNothing) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'x');
  bench.run(300ms);
  const Ms at = bench.now();
  script(bench, "set over_current");
  bench.run(1500ms);
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_THAT(bench.written(at), IsEmpty());
}

TEST(TeleopWhole, ControlThatWasLostIsNotAnsweredOnLeaving) {
  TeleopBench bench = driving();
  script(bench, "remote on");
  bench.run(100ms);
  script(bench, "remote off");
  bench.run(500ms);
  const Ms at = bench.now();
  bench.key(U'q');
  bench.run(3000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_THAT(bench.written(at), IsEmpty());
}

TEST(TeleopWhole, LightsEndWithTheArm) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'L');
  bench.run(300ms);
  EXPECT_THAT(bench.written(), ::testing::Contains("121#0101000000000000"));
  bench.key(U'x');
  bench.run(100ms);
  bench.key(U'L');
  bench.run(100ms);
  const Ms at = bench.now();
  ASSERT_TRUE(bench.arm());
  bench.run(300ms);
  EXPECT_THAT(bench.written(at), ::testing::Not(::testing::Contains("121#0101000000000000")));
}

TEST(TeleopWhole, SpinAcceleratesWithOneRadianPerSecondSquared) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  for (int i = 0; i < 2; ++i) {
    bench.key(U'M');
    bench.run(3000ms);
  }
  ASSERT_EQ(bench.status().mode, chassis::MotionMode::spin);
  bench.key(U'a');
  bench.run(320ms);
  const std::int64_t yaw = TeleopBench::raw(bench.sent.back().frame, "angular_velocity");
  EXPECT_GE(yaw, 259);
  EXPECT_LE(yaw, 320);
}

TEST(TeleopWhole, SteeringTurnsWithOneRadianPerSecond) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(1000ms);
  bench.key(U'a');
  bench.run(30ms);
  const std::int64_t before = TeleopBench::raw(bench.sent.back().frame, "steering_angle");
  bench.run(200ms);
  const std::int64_t after = TeleopBench::raw(bench.sent.back().frame, "steering_angle");
  EXPECT_GE(after - before, 199);
  EXPECT_LE(after - before, 201);
}

TEST(TeleopWhole, ALateTickDoesNotJump) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'w');
  bench.run(60ms);
  const std::int64_t before = TeleopBench::raw(bench.sent.back().frame, "linear_velocity");
  bench.tick_period = 90ms;
  bench.run(20ms);
  bench.run(90ms);
  EXPECT_LE(TeleopBench::raw(bench.sent.back().frame, "linear_velocity"), before + 10 + 20);
}

TEST(TeleopWhole, AChangeOfDirectionRampsThroughZero) {
  TeleopBench bench = driving();
  const Ms at = bench.now();
  bench.key(U's');
  bench.run(20ms);
  bench.release(U'w');
  bench.run(2500ms);
  std::int64_t last = 300;
  for (const std::int64_t speed : speeds(bench, at)) {
    EXPECT_LE(std::abs(speed - last), 21);
    last = speed;
  }
  EXPECT_EQ(last, -300);
}

TEST(TeleopWhole, ASecondReleaseRampsFromItsOwnSpeed) {
  TeleopBench bench = driving();
  bench.release(U'w');
  bench.run(120ms);
  bench.key(U'w');
  bench.run(1000ms);
  EXPECT_EQ(bench.state(), State::moving);
  const Ms at = bench.now();
  bench.release(U'w');
  bench.run(1000ms);
  const std::vector<std::int64_t> ramp = speeds(bench, at + 31ms);
  EXPECT_EQ(ramp.front(), 280);
}

TEST(TeleopWhole, ADigitAboveMaxSpeedIsMaxSpeed) {
  TeleopBench bench({.max_mmps = 500, .max_was_given = true, .terminal = TeleopBench::kitty().terminal});
  ASSERT_TRUE(bench.arm());
  bench.key(U'9');
  bench.run(40ms);
  EXPECT_EQ(bench.status().limit_mmps, 500);
}

TEST(TeleopWhole, AFaultIsNotArmed) {
  TeleopBench bench;
  bench.run(1300ms);
  script(bench, "set over_current");
  bench.run(100ms);
  script(bench, "release over_current");
  bench.run(10ms);
  bench.foreign("421#01");
  bench.foreign("441#0F");
  bench.run(700ms);
  bench.key(U'A');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::fault);
}

TEST(TeleopWhole, TheModeChangesOnlyAtRest) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  say(bench, "221#0014000000000000", 60ms);  // 0.020 m/s: not at rest
  bench.key(U'M');
  say(bench, "221#0014000000000000", 100ms);
  EXPECT_THAT(bench.written(), ::testing::Not(::testing::Contains("141#01")));
}

TEST(TeleopWhole, ASecondModeKeyWaitsForTheFirst) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'M');
  bench.run(60ms);
  bench.key(U'M');
  bench.run(200ms);
  const auto frames = bench.written();
  EXPECT_EQ(std::count(frames.begin(), frames.end(), "141#01"), 1);
  EXPECT_EQ(std::count(frames.begin(), frames.end(), "141#02"), 0);
}

TEST(TeleopWhole, ACodeThatIsTypedBeforeItCanBeReadDisarms) {
  TeleopBench bench;
  bench.run(1300ms);
  bench.round_trip = 150ms;
  bench.run(3000ms);
  bench.key(U'A');
  bench.run(125ms);
  const auto code = bench.status().code;
  ASSERT_TRUE(code);
  kRight(bench, U'0' + static_cast<char32_t>(*code / 10), U'0' + static_cast<char32_t>(*code % 10));
  bench.run(1000ms);
  EXPECT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.events, ::testing::Contains("the code was typed before it can have been read"));
}

TEST(TeleopWhole, ABlindLinkIsArmedWithLeaveAndCapped) {
  Options options = TeleopBench::legacy();
  options.terminal.relay = terminal::Relay::tmux;
  TeleopBench refused(options);
  EXPECT_FALSE(refused.arm());
  options.allow_blind_link = true;
  TeleopBench bench(options);
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  bench.hold(U'w', 2500ms);
  EXPECT_EQ(bench.fastest(), 200);
}

// ---- The loop -----------------------------------------------------------------------------------------

TEST(TeleopWhole, ATickAllocatesNothing) {
  TeleopBench bench = driving();
  Machine& machine = bench.machine();
  std::vector<Received> feedback;
  for (const char* const text :
       {"211#000101F000000000", "221#012C000000000000", "291#000000", "271#0000000000000000",
        "281#012C012C012C012C", "241#0A00000000000000", "361#5064133800000118", "362#00000000"})
    feedback.push_back(
        {*log::parse_written_frame(protocol::kDefaultCatalogue, text), {}, FrameDirection::rx, false});
  Received echo{*log::parse_written_frame(protocol::kDefaultCatalogue, "111#012C000000000000"),
                {},
                FrameDirection::tx,
                true};
  const terminal::Event answer{.kind = EventKind::status_report};
  const terminal::Event repeat{.key = U'w', .action = KeyAction::repeat};
  SteadyTime now = bench.clock();
  std::uint64_t batch = 1'000'000;
  std::size_t moving = 0;
  const std::uint64_t before = ::rangerctl::testing::allocations();
  for (int i = 0; i < 500; ++i) {
    now += 20ms;
    for (const Received& received : feedback) machine.take(received, now);
    machine.take_link({}, now);
    machine.take(repeat, ++batch, now);
    const Output output = machine.step({.now = now});
    for (const Frame& frame : output.to_send()) {
      moving +=
          check_situation(protocol::kDefaultCatalogue, frame, command::situation(machine.view(), now)) &&
          TeleopBench::moves(frame);
      machine.sent(Sent::queued, now);
      machine.take(echo, now);
    }
    if (output.ask_terminal) machine.take(answer, ++batch, now);
    static_cast<void>(machine.status());
  }
  EXPECT_EQ(::rangerctl::testing::allocations() - before, 0U);
  EXPECT_EQ(moving, 500U);
}

// ---- What went wrong once ---------------------------------------------------------------------------------

// 0x221 lags behind the command by `lag`; the simulated chassis is quicker than any real one.
void run_lagging(TeleopBench& bench, Ms duration, Ms lag) {
  for (const Ms end = bench.now() + duration; bench.now() < end; bench.run(10ms)) {
    std::int64_t speed = 0;
    for (const auto& row : bench.sent) {
      if (row.frame.id == 0x111 && row.at + lag <= bench.now())
        speed = TeleopBench::raw(row.frame, "linear_velocity");
    }
    bench.feedback(fmt::format("221#{:04X}000000000000", speed));
  }
}

class TeleopLag : public ::testing::TestWithParam<Ms> {};
TEST_P(TeleopLag, TheLastFrameBeforeSilenceIsZero) {
  for (const Ms driven : {30ms, 60ms, 120ms, 180ms}) {
    TeleopBench bench;
    ASSERT_TRUE(bench.arm());
    script(bench, "silence 221");
    run_lagging(bench, 100ms, GetParam());
    bench.key(U'w');
    run_lagging(bench, driven, GetParam());
    bench.key(U'x');
    run_lagging(bench, 1500ms, GetParam());
    ASSERT_EQ(bench.state(), State::disarmed);
    EXPECT_EQ(bench.written().back(), "111#0000000000000000") << driven.count() << " ms";
  }
}
INSTANTIATE_TEST_SUITE_P(Feedback, TeleopLag, ::testing::Values(0ms, 60ms, 120ms, 200ms));

TEST(TeleopOnce, KeysSteerWithoutKeyReleases) {
  TeleopBench bench(TeleopBench::legacy());
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  bench.hold(U'w', 1500ms);
  for (int i = 0; i < 5; ++i) {
    bench.key(U'a');
    bench.run(33ms);
  }
  bench.hold(U'w', 800ms, 33ms);
  EXPECT_EQ(TeleopBench::raw(bench.sent.back().frame, "steering_angle"), 174) << "5 x 2 degrees";
}

TEST(TeleopOnce, ASecondPressIsNoRelease) {
  TeleopBench bench = driving();
  bench.key(U' ');
  bench.run(2000ms);
  const Ms at = bench.now();
  bench.key(U'w');
  bench.run(500ms);
  EXPECT_EQ(bench.fastest(at), 0);
}

TEST(TeleopOnce, AFaultTellsThatItDoesNotStop) {
  TeleopBench bench = driving();
  script(bench, "silence 221");
  bench.run(10ms);
  script(bench, "set over_current");
  bool told = false;
  for (int i = 0; i < 300; ++i) {
    bench.feedback("221#012C000000000000");
    bench.run(10ms);
    const Status status = bench.status();
    told = told || status.findings[24].action == Action::fault;
  }
  EXPECT_TRUE(told) << "rule 25";
}

TEST(TeleopOnce, WhatDoesNotStopIsNotAcknowledgedWhileItMoves) {
  TeleopBench bench = driving();
  script(bench, "silence 221");
  bench.run(10ms);
  bench.release(U'w');
  for (int i = 0; i < 500; ++i) {
    if (i == 450) bench.key(U'c');
    bench.feedback("221#012C000000000000");
    bench.run(10ms);
  }
  EXPECT_EQ(bench.state(), State::fault);
}

TEST(TeleopOnce, AChassisThatMovesIsNotArmed) {
  TeleopBench bench;
  bench.chassis("silence 221");
  for (int i = 0; i < 200; ++i) {
    if (i == 150) bench.key(U'A');
    bench.feedback("221#012C000000000000");
    bench.run(10ms);
  }
  EXPECT_NE(bench.state(), State::arming);
}

int typed_code(TeleopBench& bench) {
  bench.run(1300ms);
  bench.key(U'A');
  bench.run(100ms);
  const int code = bench.status().code.value();
  kRight(bench, U'0' + static_cast<char32_t>(code / 10), U'0' + static_cast<char32_t>(code % 10));
  return code;
}

TEST(TeleopOnce, AnArmingThatFaultsTakesItsWishForControlBack) {
  TeleopBench bench;
  typed_code(bench);
  bench.run(30ms);
  ASSERT_THAT(bench.written(), ElementsAre("421#01"));
  bench.feedback("211#0000000000000080");
  bench.run(1000ms);
  EXPECT_THAT(bench.written(), ElementsAre("421#01", "421#00"));
}

TEST(TeleopOnce, AWishForControlNeverStaysInTheQueueAlone) {
  TeleopBench bench;
  typed_code(bench);
  bench.echoes = false;
  bench.run(1500ms);
  EXPECT_THAT(bench.written(), ElementsAre("421#01", "421#00"));
}

TEST(TeleopOnce, AQueueThatWasFullIsForgottenInFault) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.queue_is_full = true;
  bench.run(1500ms);
  bench.queue_is_full = false;
  bench.run(1500ms);
  bench.key(U'c');
  bench.run(100ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

TEST(TeleopOnce, LeavingAfterTheRemoteTookControlIsNoFailure) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'x');
  bench.run(500ms);
  script(bench, "remote on");
  bench.run(500ms);
  bench.key(U'q');
  bench.run(3000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_EQ(exit_status(*bench.ended), ExitStatus::ok);
  EXPECT_THAT(farewell_text(*bench.ended, "can1"),
              ::testing::Not(::testing::HasSubstr("rangerctl mode standby")));
}

TEST(TeleopOnce, NothingIsSentOnLeavingWhileAnotherControls) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.key(U'x');
  bench.run(500ms);
  const Ms at = bench.now();
  for (int i = 0; i < 150; ++i) {
    if (i == 20) bench.key(U'q');
    bench.foreign("111#012C000000000000");
    bench.run(20ms);
  }
  EXPECT_TRUE(bench.ended);
  EXPECT_THAT(bench.written(at), IsEmpty());
}

TEST(TeleopOnce, OnlyZerosAreCountedAsZeros) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.round_trip = 0ms;
  bench.run(40ms);
  const Ms at = bench.now() + 1ms;
  bench.key(U'q');
  bench.run(3000ms);
  ASSERT_TRUE(bench.ended);
  const std::vector<std::string> frames = bench.written(at);
  EXPECT_EQ(bench.ended->zeros_confirmed, std::count(frames.begin(), frames.end(), "111#0000000000000000"));
}

TEST(TeleopOnce, AHeldKeyThatCountsForNothingHasAReason) {
  TeleopBench bench = driving();
  bench.key(U' ');
  bench.release(U' ');
  bench.run(2000ms);
  ASSERT_EQ(bench.state(), State::armed);
  EXPECT_NE(reason_of(bench), kNoRule) << "w is down, and the robot does not move";
}

TEST(TeleopOnce, AKeyThatIsHeldBackByARollHasAReason) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  script(bench, "silence 221");
  bench.run(10ms);
  bench.key(U'w');
  for (int i = 0; i < 100; ++i) {
    bench.feedback("221#FFCE000000000000");  // -0.05 m/s: it rolls back
    bench.run(10ms);
  }
  EXPECT_EQ(bench.fastest(), 0);
  EXPECT_NE(reason_of(bench), kNoRule);
}

// One of the faults found before the wheels turned: motors that were mounted mirrored.
TEST(TeleopOnce, AChassisThatGoesTheWrongWayIsAFault) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  script(bench, "silence 221");
  bench.run(10ms);
  bench.key(U'w');
  for (int i = 0; i < 300; ++i) {
    const std::int64_t speed = -TeleopBench::raw(bench.sent.back().frame, "linear_velocity");
    bench.feedback(fmt::format("221#{:04X}000000000000", static_cast<std::uint16_t>(speed)));
    bench.run(10ms);
  }
  EXPECT_EQ(bench.state(), State::fault);
  EXPECT_EQ(cause_of(bench), 25);
}

TEST(TeleopOnce, AnOutageBeforeTheStartIsNone) {
  TeleopBench bench;
  bench.link.outages = 1;
  bench.run(500ms);
  EXPECT_EQ(bench.state(), State::disarmed);
}

TEST(TeleopOnce, AStateIsAlwaysAmongTheEvents) {
  TeleopBench bench;
  ASSERT_TRUE(bench.arm());
  bench.run(500ms);
  bench.events.clear();
  for (int i = 0; i < 14; ++i) bench.key(U'1');
  bench.key(U'x');
  bench.run(60ms);
  ASSERT_EQ(bench.state(), State::disarmed);
  EXPECT_THAT(bench.events, ::testing::Contains("DISARMED"));
}

TEST(TeleopOnce, TheAdviceForAnEmergencyStopIsACommandThatWorks) {
  const std::string words = rules()[0].words({.action = Action::fault}, protocol::kDefaultCatalogue);
  EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("clear-error emergency_stop")))
      << "refused: no code";
}

}  // namespace
}  // namespace rangerctl::teleop
