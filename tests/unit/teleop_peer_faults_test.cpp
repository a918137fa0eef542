// What was seen to go wrong with other keyboard teleops, each with the bytes that made it go wrong there.
#include <gmock/gmock.h>

#include "teleop_bench.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using Ms = TeleopBench::Ms;

constexpr Ms kOneWay = 10ms;
constexpr Ms kTick = 20ms;

class TeleopPeerFaults : public ::testing::TestWithParam<Layout> {
 protected:
  static Options options() {
    Options made = TeleopBench::legacy();
    made.layout = GetParam();
    return made;
  }
  static std::string forward() { return GetParam() == Layout::wasd ? "w" : "i"; }
};

// A focus report of a window that was left: 'O' and 'I' drive elsewhere.
TEST_P(TeleopPeerFaults, AFocusReportIsNoKey) {
  for (const char* const report : {"\x1b[O", "\x1b[I", "\x1b[O\x1b[I"}) {
    TeleopBench bench(options());
    ASSERT_TRUE(bench.arm());
    bench.bytes(report);
    bench.run(1000ms);
    EXPECT_FALSE(bench.last_motion()) << report;
    EXPECT_EQ(bench.state(), State::armed);
  }
}

// Keypad '*' in application mode is ESC O j: 'j' turns elsewhere.
TEST_P(TeleopPeerFaults, AKeypadSequenceIsNoKey) {
  TeleopBench bench(options());
  ASSERT_TRUE(bench.arm());
  for (const char* const keys : {"\x1bOj", "\x1b[29~", "\x1b[1;5P", "\x1b[<0;10;10M", "\x1bOM"})
    bench.bytes(keys);
  bench.run(1000ms);
  EXPECT_FALSE(bench.last_motion());
}

// Ctrl-C at speed left the last speed standing.
TEST_P(TeleopPeerFaults, CtrlCAtSpeedEndsWithZeros) {
  TeleopBench bench(options());
  ASSERT_TRUE(bench.arm());
  for (int i = 0; i < 60; ++i) {
    bench.bytes(forward());
    bench.run(33ms);
  }
  const Ms pressed = bench.now();
  bench.bytes("\x03");
  bench.run(3000ms);
  ASSERT_TRUE(bench.ended);
  EXPECT_LE(*bench.last_motion() - pressed, kOneWay + kTick);
  EXPECT_EQ(exit_status(*bench.ended), ExitStatus::interrupted);
  EXPECT_GE(bench.ended->zeros_confirmed, 5);
}

// Ten motion keys in one read, then SPACE, SPACE, Ctrl-C: each of these moved on, or faster.
TEST_P(TeleopPeerFaults, TenKeysInOneReadAndThenStops) {
  TeleopBench bench(options());
  ASSERT_TRUE(bench.arm());
  bench.run(600ms);
  std::string keys;
  for (int i = 0; i < 10; ++i) keys += forward();
  bench.bytes(keys);
  bench.run(50ms);
  EXPECT_FALSE(bench.last_motion()) << "a burst after a pause";
  EXPECT_EQ(bench.state(), State::disarmed);
  bench.bytes(" ");
  bench.bytes(" ");
  bench.run(200ms);
  bench.bytes("\x03");
  bench.run(2000ms);
  EXPECT_FALSE(bench.last_motion());
  EXPECT_TRUE(bench.ended);
}

TEST_P(TeleopPeerFaults, AStopInOneReadWithKeysWins) {
  for (const char* const stop : {" ", "\x1b", "x", "q", "\x03"}) {
    TeleopBench bench(options());
    ASSERT_TRUE(bench.arm());
    bench.run(600ms);
    bench.bytes(forward() + stop);
    bench.run(2000ms);
    EXPECT_FALSE(bench.last_motion()) << static_cast<int>(*stop);
    TeleopBench other(options());
    ASSERT_TRUE(other.arm());
    other.run(600ms);
    other.bytes(stop + (*stop == '\x1b' ? " " + forward() : forward()));
    other.run(2000ms);
    EXPECT_FALSE(other.last_motion()) << static_cast<int>(*stop);
  }
}

// One tap latched a speed until the next key.
TEST_P(TeleopPeerFaults, ATapIsANudge) {
  TeleopBench bench(options());
  ASSERT_TRUE(bench.arm());
  const Ms pressed = bench.now();
  bench.bytes(forward());
  bench.run(3000ms);
  EXPECT_LE(*bench.last_motion() - pressed, kOneWay + 200ms + 2 * kTick + 100ms);
  EXPECT_LE(bench.fastest(), 100);
}

// A speed key every 0.3 s kept it moving for as long as somebody liked.
TEST_P(TeleopPeerFaults, ASpeedKeyEvery300MsKeepsNothingMoving) {
  TeleopBench bench(options());
  ASSERT_TRUE(bench.arm());
  for (int i = 0; i < 60; ++i) {
    bench.bytes(forward());
    bench.run(33ms);
  }
  const Ms released = bench.now();
  for (int i = 0; i < 10; ++i) {
    bench.bytes(i % 2 == 0 ? "3" : "4");
    bench.run(300ms);
  }
  EXPECT_LE(*bench.last_motion() - released, 100ms + 2 * kTick + 300ms);
}

// SPACE stopped only one of two axes.
TEST_P(TeleopPeerFaults, TheStopKeyStopsEveryAxisInEveryMode) {
  for (int modes = 0; modes < 3; ++modes) {
    TeleopBench bench(options());
    ASSERT_TRUE(bench.arm());
    for (int i = 0; i < modes; ++i) {
      bench.bytes("M");
      bench.run(2500ms);
    }
    const std::string key = modes < 2 ? forward() : GetParam() == Layout::wasd ? "a" : "j";
    for (int i = 0; i < 60; ++i) {
      bench.bytes(key);
      bench.run(33ms);
    }
    ASSERT_EQ(bench.state(), State::moving) << modes;
    const Ms pressed = bench.now();
    bench.bytes(" ");
    bench.run(500ms);
    EXPECT_LE(*bench.last_motion() - pressed, kOneWay + kTick);
  }
}

// A stop while spinning switched the wheels back.
TEST_P(TeleopPeerFaults, AStopNeverChangesTheMode) {
  TeleopBench bench(options());
  ASSERT_TRUE(bench.arm());
  for (int i = 0; i < 2; ++i) {
    bench.bytes("M");
    bench.run(2500ms);
  }
  const Ms from = bench.now();
  for (int i = 0; i < 60; ++i) {
    bench.bytes(GetParam() == Layout::wasd ? "d" : "l");
    bench.run(33ms);
  }
  bench.bytes(" ");
  bench.run(1500ms);
  bench.bytes("q");
  bench.run(3000ms);
  for (const std::string& frame : bench.written(from)) EXPECT_FALSE(frame.starts_with("141")) << frame;
}

INSTANTIATE_TEST_SUITE_P(Layouts, TeleopPeerFaults, ::testing::Values(Layout::wasd, Layout::classic),
                         [](const auto& row) { return row.param == Layout::wasd ? "wasd" : "classic"; });

// The classic keys: which way each of them goes.
struct ClassicKey {
  char32_t key;
  int forward;
  int left;
};
class TeleopClassicKeys : public ::testing::TestWithParam<ClassicKey> {};

TEST_P(TeleopClassicKeys, GoWhereTheyLieOnTheKeyboard) {
  Options options = TeleopBench::kitty();
  options.layout = Layout::classic;
  TeleopBench bench(options);
  ASSERT_TRUE(bench.arm());
  bench.key(GetParam().key);
  bench.run(1000ms);
  const Frame& last = bench.sent.back().frame;
  const auto sign = [](std::int64_t value) { return value > 0 ? 1 : value < 0 ? -1 : 0; };
  EXPECT_EQ(sign(TeleopBench::raw(last, "linear_velocity")), GetParam().forward);
  EXPECT_EQ(sign(TeleopBench::raw(last, "steering_angle")), GetParam().left);
}

INSTANTIATE_TEST_SUITE_P(Keys, TeleopClassicKeys,
                         ::testing::Values(ClassicKey{U'i', 1, 0}, ClassicKey{U',', -1, 0},
                                           ClassicKey{U'u', 1, 1}, ClassicKey{U'o', 1, -1},
                                           ClassicKey{U'm', -1, 1}, ClassicKey{U'.', -1, -1},
                                           ClassicKey{U'j', 0, 1}, ClassicKey{U'l', 0, -1},
                                           ClassicKey{U'k', 0, 0}, ClassicKey{U'w', 0, 0}));

}  // namespace
}  // namespace rangerctl::teleop
