#include <gtest/gtest.h>

#include <string_view>

#include "rangerctl/teleop/keyboard.hpp"

namespace rangerctl::teleop {
namespace {

using chassis::MotionMode;
using terminal::EventKind;
using terminal::KeyAction;
using namespace std::chrono_literals;

SteadyTime at(milliseconds time) { return SteadyTime(1h + time); }

struct Bench {
  explicit Bench(bool key_releases) : keyboard(Layout::wasd, {.key_releases = key_releases}) {}

  void key(char32_t key, milliseconds time, std::uint64_t batch, KeyAction action = KeyAction::press) {
    keyboard.take({.key = key, .action = action}, batch, at(time));
  }
  void event(EventKind kind, milliseconds time) { keyboard.take({.kind = kind}, 0, at(time)); }
  /// A tick in `mode`.
  Facts tick(milliseconds time, MotionMode mode = MotionMode::ackermann) {
    presses = keyboard.sort(mode, at(time));
    Facts facts;
    keyboard.report(facts, at(time));
    return facts;
  }

  Keyboard keyboard;
  std::span<const Keyboard::Press> presses;
};

TEST(TeleopKeyboardReport, FourMotionKeysInOneReadBehindAPauseAreABurst) {
  struct Row {
    int keys;
    milliseconds pause;  ///< since a single key; none before it if zero
    char32_t key;
    bool burst;
  };
  for (const Row& row : {Row{3, 0ms, U'w', false}, Row{4, 0ms, U'w', true}, Row{3, 200ms, U'w', false},
                         Row{4, 151ms, U'w', true}, Row{4, 150ms, U'w', false}, Row{4, 0ms, U'5', false}}) {
    Bench bench(false);
    if (row.pause > 0ms) bench.key(U'w', 1000ms, 1);
    EXPECT_FALSE(bench.tick(1000ms).burst);
    for (int i = 0; i < row.keys; ++i) bench.key(row.key, 1000ms + row.pause, 2);
    EXPECT_EQ(bench.tick(1000ms + row.pause).burst, row.burst) << row.keys << ' ' << row.pause.count();
    EXPECT_FALSE(bench.tick(1020ms + row.pause).burst);
  }
}

TEST(TeleopKeyboardReport, InAFloodOfKeysOnlyStopsCount) {
  struct Row {
    int keys;  ///< in front of a stop
    bool burst;
    std::size_t presses;
  };
  for (const Row& row : {Row{15, false, 16}, Row{16, true, 1}, Row{63, true, 1}, Row{64, true, 0}}) {
    Bench bench(false);
    for (int i = 0; i < row.keys; ++i) bench.key(U'5', 0ms, 1);
    bench.key(U' ', 0ms, 1);  // the 65th key does not fit
    EXPECT_EQ(bench.tick(0ms).burst, row.burst) << row.keys;
    EXPECT_EQ(bench.presses.size(), row.presses) << row.keys;
    EXPECT_FALSE(bench.tick(20ms).burst) << row.keys;
  }
}

/// One key in each read.
TEST(TeleopKeyboardReport, SixtyOneMotionKeysInASecondAreTooMany) {
  struct Row {
    int keys;
    milliseconds gap, later;
    int per_second;
  };
  for (const Row& row : {Row{60, 10ms, 0ms, 0}, Row{61, 10ms, 0ms, 61}, Row{61, 10ms, 400ms, 61},
                         Row{61, 10ms, 401ms, 0}, Row{61, 17ms, 0ms, 0}, Row{100, 16ms, 0ms, 61}}) {
    Bench bench(false);
    milliseconds time = 0ms;
    for (int i = 0; i < row.keys; ++i) {
      bench.key(U'w', time = row.gap * i, static_cast<std::uint64_t>(i));
      bench.tick(time);
    }
    EXPECT_EQ(bench.tick(time + row.later).keys_per_second, row.per_second)
        << row.keys << ' ' << row.gap.count() << ' ' << row.later.count();
  }
}

TEST(TeleopKeyboardReport, AKeyWithoutEffectInThisModeIsNoMotionKey) {
  struct Row {
    MotionMode mode;
    char32_t key;
    Direction wish;  ///< with the second repeat
    int steps;
    std::size_t presses;
  };
  for (const Row& row :
       {Row{MotionMode::ackermann, U'w', {1, 0}, 0, 0}, Row{MotionMode::ackermann, U'a', {}, 3, 0},
        Row{MotionMode::oblique, U'd', {}, -3, 0}, Row{MotionMode::spin, U'a', {0, 1}, 0, 0},
        Row{MotionMode::spin, U'w', {}, 0, 3}, Row{MotionMode::spin, U's', {}, 0, 3},
        Row{MotionMode::park, U'a', {}, 0, 0}}) {
    Bench bench(false);
    for (const milliseconds time : {0ms, 30ms, 60ms}) bench.key(row.key, time, 1);
    bench.tick(60ms, row.mode);
    EXPECT_EQ(bench.keyboard.wish(at(60ms)), (Wish{row.wish, false})) << static_cast<int>(row.key);
    EXPECT_EQ(bench.keyboard.steering_steps(), row.steps) << static_cast<int>(row.key);
    ASSERT_EQ(bench.presses.size(), row.presses) << static_cast<int>(row.key);
    for (const Keyboard::Press& press : bench.presses) EXPECT_EQ(press.binding, nullptr);
  }
}

TEST(TeleopKeyboardReport, APasteCountsWhileItRuns) {
  Bench bench(true);
  EXPECT_FALSE(bench.tick(0ms).pasted);
  bench.event(EventKind::paste_start, 10ms);
  EXPECT_TRUE(bench.tick(20ms).pasted);
  EXPECT_TRUE(bench.tick(40ms).pasted);
  bench.event(EventKind::paste_end, 50ms);
  EXPECT_FALSE(bench.tick(60ms).pasted);
  bench.event(EventKind::paste_start, 70ms);
  bench.event(EventKind::paste_too_long, 70ms);
  const Facts facts = bench.tick(80ms);
  EXPECT_TRUE(facts.pasted);
  EXPECT_TRUE(facts.paste_too_long);
  const Facts next = bench.tick(100ms);
  EXPECT_FALSE(next.pasted);
  EXPECT_FALSE(next.paste_too_long);
}

TEST(TeleopKeyboardReport, ALostFocusIsSeenEvenIfItIsBack) {
  Bench bench(true);
  bench.event(EventKind::focus_out, 0ms);
  EXPECT_EQ(bench.tick(20ms).unfocused, 20ms);
  EXPECT_FALSE(bench.keyboard.focused());
  bench.event(EventKind::focus_in, 30ms);
  EXPECT_EQ(bench.tick(40ms).unfocused, std::nullopt);
  bench.event(EventKind::focus_out, 50ms);
  bench.event(EventKind::focus_in, 50ms);
  EXPECT_EQ(bench.tick(60ms).unfocused, 0ms);
  EXPECT_EQ(bench.tick(80ms).unfocused, std::nullopt);
}

TEST(TeleopKeyboardReport, ALockForgetsAKeyWhoseReleaseIsLost) {
  struct Row {
    milliseconds time;  ///< of the lock, after the only repeat
    bool lost;
  };
  for (const Row& row : {Row{1000ms, false}, Row{1001ms, true}}) {
    Bench bench(true);
    bench.key(U'w', 0ms, 1);
    bench.key(U'w', 0ms, 2, KeyAction::repeat);
    bench.tick(0ms);
    EXPECT_EQ(bench.tick(row.time).release_lost, row.lost);
    bench.keyboard.lock(at(row.time));
    EXPECT_EQ(bench.keyboard.locked(at(row.time)), !row.lost);
    EXPECT_EQ(bench.keyboard.any_down(at(row.time)), !row.lost);
  }
}

TEST(TeleopKeyboardReport, AnAnswerNobodyAskedForIsReportedOnce) {
  Bench bench(true);
  bench.event(EventKind::status_report, 0ms);
  EXPECT_TRUE(bench.tick(0ms).unasked_answer);
  EXPECT_FALSE(bench.tick(20ms).unasked_answer);
}

}  // namespace
}  // namespace rangerctl::teleop
