#include <gtest/gtest.h>

#include <string>

#include "rangerctl/teleop/keyboard.hpp"

namespace rangerctl::teleop {
namespace {

using chassis::MotionMode;
using std::chrono::milliseconds;
using terminal::EventKind;
using terminal::KeyAction;
using namespace std::chrono_literals;

constexpr KeyAction kPress = KeyAction::press, kRepeat = KeyAction::repeat, kRelease = KeyAction::release;
constexpr Wish kNothing{};
constexpr Wish kRuns{{1, 0}, false};

SteadyTime at(milliseconds time) { return SteadyTime(1h + time); }

/// A keyboard, and the ticks that sort what it sent.
struct Bench {
  explicit Bench(bool key_releases = true, bool answers = true)
      : keyboard(Layout::wasd, {.answers = answers, .key_releases = key_releases}) {}

  void key(char32_t key, milliseconds time, std::uint64_t batch, KeyAction action = kPress,
           std::uint8_t modifiers = 0) {
    keyboard.take({.key = key, .action = action, .modifiers = modifiers}, batch, at(time));
  }
  void event(EventKind kind, milliseconds time, std::uint64_t batch = 0) {
    keyboard.take({.kind = kind}, batch, at(time));
  }
  /// A query that is answered at once: a key read by 300 ms later is young enough.
  void answer(milliseconds time) {
    ASSERT_TRUE(keyboard.ask(at(time)));
    event(EventKind::status_report, time);
  }
  /// The keys that do not drive, "-" where it has no meaning.
  std::string sort(milliseconds time, MotionMode mode = MotionMode::ackermann) {
    std::string text;
    for (const Keyboard::Press& press : keyboard.sort(mode, at(time)))
      text += press.binding != nullptr ? static_cast<char>(press.key) : '-';
    return text;
  }
  Facts report(milliseconds time) {
    Facts facts;
    keyboard.report(facts, at(time));
    return facts;
  }

  Keyboard keyboard;
};

/// w is held since 0 ms.
Bench held() {
  Bench bench;
  bench.answer(0ms);
  bench.key(U'w', 0ms, 1);
  EXPECT_EQ(bench.sort(0ms), "");
  EXPECT_EQ(bench.keyboard.wish(at(0ms)), kRuns);
  return bench;
}

TEST(TeleopKeyboard, AKeyGoesUpWithWhateverModifiers) {
  struct Row {
    char32_t key;
    std::uint8_t modifiers;
    bool is_down;
  };
  for (const Row& row : {Row{U'w', 0, false}, Row{U'W', terminal::kShift, false}, Row{U'W', 0, false},
                         Row{U'w', terminal::kControl, false}, Row{U'w', terminal::kAlt, false},
                         Row{U's', 0, true}, Row{U'V', 0, true}, Row{U'X', 0, true}}) {
    Bench bench = held();
    bench.key(row.key, 20ms, 2, kRelease, row.modifiers);
    EXPECT_EQ(bench.sort(20ms), "");
    EXPECT_EQ(bench.keyboard.any_down(at(20ms)), row.is_down) << static_cast<int>(row.key);
  }
}

TEST(TeleopKeyboard, APressIsWhatWasTyped) {
  struct Row {
    char32_t key;
    std::uint8_t modifiers;
    std::string_view presses;
  };
  for (const Row& row : {Row{U'A', 0, "A"}, Row{U'a', 0, ""}, Row{U'W', 0, "-"}, Row{U'M', 0, "M"},
                         Row{U'w', terminal::kControl, "-"}, Row{U'c', terminal::kControl, "c"}}) {
    Bench bench;
    bench.answer(0ms);
    bench.key(row.key, 0ms, 1, kPress, row.modifiers);
    EXPECT_EQ(bench.sort(0ms), row.presses) << static_cast<int>(row.key);
  }
}

TEST(TeleopKeyboard, WhatEndsAllKeys) {
  for (const EventKind kind : {EventKind::focus_out, EventKind::paste_start}) {
    Bench bench = held();
    bench.event(kind, 10ms);
    EXPECT_EQ(bench.keyboard.wish(at(10ms)), kNothing);
    EXPECT_FALSE(bench.keyboard.any_down(at(10ms)));
  }
}

/// A terminal that answers; the last answer is of 0 ms, or there was none.
TEST(TeleopKeyboard, AnOldKeyOnlyStops) {
  struct Row {
    bool answered;
    milliseconds time;
    char32_t key;
    std::string_view presses;
    bool moves;
  };
  for (const Row& row :
       {Row{true, 300ms, U'w', "", true}, Row{true, 301ms, U'w', "", false},
        Row{false, 10ms, U'w', "", false}, Row{true, 300ms, U'A', "A", false},
        Row{true, 301ms, U'A', "", false}, Row{false, 10ms, U'A', "", false},
        Row{true, 301ms, U' ', " ", false}, Row{false, 10ms, U' ', " ", false},
        Row{true, 9s, U'x', "x", false}, Row{true, 9s, U'q', "q", false}, Row{true, 9s, U'y', "-", false}}) {
    Bench bench;
    if (row.answered) bench.answer(0ms);
    bench.key(row.key, row.time, 1);
    EXPECT_EQ(bench.sort(row.time), row.presses) << static_cast<int>(row.key) << ' ' << row.time.count();
    EXPECT_EQ(bench.keyboard.wish(at(row.time)) == kRuns, row.moves) << row.time.count();
    const bool dropped = row.presses.empty() && !row.moves;
    EXPECT_EQ(bench.keyboard.records()[0].dropped, dropped);
    EXPECT_EQ(bench.report(row.time).stale_keys, dropped && row.key == U'w' ? 1 : 0);
  }
}

TEST(TeleopKeyboard, ATerminalIsMuteAfter3SecondsWithoutAnyAnswer) {
  struct Row {
    bool can_answer, asked, answered;
    milliseconds time;
    bool answers;
  };
  for (const Row& row : {Row{true, true, false, 3000ms, true}, Row{true, true, false, 3001ms, false},
                         Row{true, true, true, 9000ms, true}, Row{true, false, false, 9000ms, true},
                         Row{false, true, true, 0ms, false}}) {
    Bench bench(true, row.can_answer);
    if (row.asked) bench.keyboard.ask(at(0ms));
    if (row.answered) bench.event(EventKind::status_report, 10ms);
    EXPECT_EQ(bench.keyboard.answers(at(row.time)), row.answers) << row.time.count();
    EXPECT_EQ(bench.report(row.time).answers, row.answers);
  }
}

TEST(TeleopKeyboard, ARepeatIsNoCommandButAStop) {
  struct Row {
    char32_t key;
    std::string_view presses;
  };
  for (const Row& row : {Row{U'5', ""}, Row{U'A', ""}, Row{U'M', ""}, Row{U'c', ""}, Row{U' ', " "},
                         Row{U'x', "x"}, Row{U'q', "q"}, Row{U'y', "-"}}) {
    Bench bench;
    bench.answer(0ms);
    bench.key(row.key, 0ms, 1, kRepeat);
    bench.key(row.key, 0ms, 2, kRelease);
    EXPECT_EQ(bench.sort(0ms), row.presses) << static_cast<int>(row.key);
  }
}

TEST(TeleopKeyboard, SaysThatAKeyWhichIsDownDoesNotCount) {
  Bench bench = held();
  bench.key(U'w', 100ms, 2, kRelease);
  bench.key(U's', 100ms, 2);
  bench.sort(100ms);
  EXPECT_EQ(bench.keyboard.wish(at(100ms)), kNothing);
  EXPECT_TRUE(bench.report(1100ms).not_counted);
  EXPECT_FALSE(bench.report(1101ms).not_counted) << "its release may be lost";
  bench.answer(1500ms);
  bench.key(U's', 1500ms, 3, kRepeat);
  bench.sort(1500ms);
  EXPECT_TRUE(bench.report(1500ms).not_counted);
  bench.key(U's', 1600ms, 4, kRelease);
  bench.sort(1600ms);
  EXPECT_FALSE(bench.report(1600ms).not_counted);
  bench.key(U's', 1700ms, 5);
  bench.sort(1700ms);
  EXPECT_FALSE(bench.report(1700ms).not_counted) << "this one counts";
  EXPECT_NE(bench.keyboard.wish(at(1700ms)), kNothing);
}

TEST(TeleopKeyboard, SaysThatAMotionKeyDoesNothingInThisMode) {
  Bench bench;
  bench.answer(0ms);
  bench.key(U'w', 0ms, 1);
  bench.sort(0ms);
  EXPECT_FALSE(bench.report(0ms).no_effect);
  bench.key(U'w', 10ms, 2, kRelease);
  bench.key(U'w', 20ms, 3);
  bench.sort(20ms, MotionMode::spin);
  EXPECT_TRUE(bench.report(1020ms).no_effect);
  EXPECT_FALSE(bench.report(1021ms).no_effect);
}

/// w is pressed in batch 1, beside another event.
TEST(TeleopKeyboard, AMotionKeyBesideAStopCountsForNothing) {
  struct Row {
    EventKind kind;
    char32_t key;
    KeyAction action;
    std::uint64_t batch;
    bool moves;
  };
  for (const Row& row :
       {Row{EventKind::key, U' ', kPress, 1, false}, Row{EventKind::key, U'x', kPress, 1, false},
        Row{EventKind::key, U'q', kPress, 1, false}, Row{EventKind::key, U'y', kPress, 1, false},
        Row{EventKind::key, 0, kPress, 1, false}, Row{EventKind::key, U's', kRelease, 1, false},
        Row{EventKind::incomplete, 0, kPress, 1, false}, Row{EventKind::key, U' ', kPress, 2, true},
        Row{EventKind::key, U's', kRelease, 2, true}, Row{EventKind::incomplete, 0, kPress, 2, true},
        Row{EventKind::key, U'5', kPress, 1, true}, Row{EventKind::key, U'x', kRelease, 1, true},
        Row{EventKind::key, U'y', kRelease, 1, true}}) {
    for (const bool is_first : {true, false}) {
      Bench bench;
      bench.answer(0ms);
      if (!is_first) bench.key(U'w', 0ms, 1);
      bench.keyboard.take({.kind = row.kind, .key = row.key, .action = row.action}, row.batch, at(0ms));
      if (is_first) bench.key(U'w', 0ms, 1);
      bench.sort(0ms);
      EXPECT_EQ(bench.keyboard.wish(at(0ms)) == kRuns, row.moves) << static_cast<int>(row.key) << is_first;
    }
  }
}

}  // namespace
}  // namespace rangerctl::teleop
