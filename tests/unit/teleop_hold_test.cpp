#include <gtest/gtest.h>

#include <vector>

#include "rangerctl/teleop/hold.hpp"

namespace rangerctl::teleop {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr Direction kForward{1, 0}, kBack{-1, 0}, kLeft{0, 1}, kRight{0, -1};
constexpr Wish kNothing{};

SteadyTime at(milliseconds time) { return SteadyTime(1h + time); }
Wish runs(Direction direction) { return {direction, false}; }
Wish nudges(Direction direction) { return {direction, true}; }

/// Without releases: one more token of a key that drives.
void token(Hold& hold, milliseconds time, Direction direction = kForward) {
  hold.press(U'w', direction, true, at(time));
}
void steering_token(Hold& hold, milliseconds time) { hold.press(U'a', kLeft, false, at(time)); }

// ---- With key releases ----

TEST(TeleopHold, AKeyIsHeldFromItsPressToItsRelease) {
  Hold hold(true);
  EXPECT_EQ(hold.wish(at(0ms)), kNothing);
  hold.press(U'w', kForward, true, at(0ms));
  hold.release(U's');
  EXPECT_EQ(hold.wish(at(1h)), runs(kForward));
  EXPECT_TRUE(hold.any_down(at(1h)));
  hold.release(U'w');
  EXPECT_EQ(hold.wish(at(1h)), kNothing);
  EXPECT_FALSE(hold.any_down(at(1h)));
}

TEST(TeleopHold, KeysAddUp) {
  struct Key {
    char32_t key;
    Direction direction;
  };
  struct Row {
    std::vector<Key> down;
    Direction wish;
  };
  const Key w{U'w', kForward}, s{U's', kBack}, a{U'a', kLeft}, d{U'd', kRight}, up{1, kForward};
  for (const Row& row :
       {Row{{w, a}, {1, 1}}, Row{{s, d}, {-1, -1}}, Row{{w, s}, {0, 0}}, Row{{a, d}, {0, 0}},
        Row{{w, up}, {1, 0}}, Row{{w, up, s}, {1, 0}}, Row{{w, a, d}, {1, 0}}, Row{{w, w}, {1, 0}}}) {
    Hold hold(true);
    for (const Key& key : row.down) hold.press(key.key, key.direction, true, at(0ms));
    EXPECT_EQ(hold.wish(at(0ms)), runs(row.wish)) << row.down.size();
    for (const Key& key : row.down) hold.release(key.key);
    EXPECT_FALSE(hold.any_down(at(0ms)));
  }
}

TEST(TeleopHold, TwoKeysOfOneDirectionAreNoMoreThanOne) {
  for (const Direction direction : {kForward, kBack, kLeft, kRight}) {
    Hold hold(true);
    hold.press(U'1', direction, true, at(0ms));
    hold.press(U'2', direction, true, at(0ms));
    EXPECT_EQ(hold.wish(at(0ms)), runs(direction));
    hold.release(U'1');
    EXPECT_EQ(hold.wish(at(0ms)), runs(direction));
  }
}

/// More than a layout has.
TEST(TeleopHold, ANinthKeyCountsForNothing) {
  for (const bool locked : {false, true}) {
    Hold hold(true);
    for (char32_t key = U'1'; key <= U'8'; ++key) hold.press(key, kForward, true, at(0ms));
    if (locked) hold.lock(at(0ms));
    hold.press(U'9', kBack, true, at(0ms));
    for (char32_t key = U'1'; key <= U'8'; ++key) hold.release(key);
    EXPECT_FALSE(hold.any_down(at(0ms)));
    EXPECT_EQ(hold.wish(at(0ms)), kNothing);
  }
}

TEST(TeleopHold, NothingCountsAfterALockUntilAllKeysAreUp) {
  Hold hold(true);
  hold.press(U'w', kForward, true, at(0ms));
  hold.lock(at(100ms));
  EXPECT_TRUE(hold.locked(at(1h)));
  hold.press(U'd', kRight, true, at(200ms));
  hold.press(U'w', kForward, true, at(300ms));  // its release was lost
  EXPECT_EQ(hold.wish(at(300ms)), kNothing);
  hold.release(U'w');
  EXPECT_TRUE(hold.locked(at(400ms)));
  EXPECT_EQ(hold.wish(at(400ms)), kNothing);
  hold.release(U'd');
  EXPECT_FALSE(hold.locked(at(400ms)));
}

TEST(TeleopHold, AReleaseIsLostWhenTheRepeatsStayAway) {
  struct Row {
    bool repeats, released;
    milliseconds time;  ///< after the last token
    bool lost;
  };
  for (const Row& row :
       {Row{true, false, 1000ms, false}, Row{true, false, 1001ms, true}, Row{false, false, 4000ms, false},
        Row{false, false, 4001ms, true}, Row{true, true, 9000ms, false}, Row{false, true, 9000ms, false}}) {
    Hold hold(true);
    hold.press(U'w', kForward, true, at(row.repeats ? -500ms : 0ms));
    if (row.repeats) hold.repeat(kForward, true, at(0ms));
    if (row.released) hold.release(U'w');
    EXPECT_EQ(hold.release_lost(at(row.time)), row.lost) << row.repeats << ' ' << row.time.count();
  }
}

// ---- Without ----

TEST(TeleopHold, TheFirstPressIsANudge) {
  Hold hold(false);
  token(hold, 0ms);
  EXPECT_EQ(hold.wish(at(200ms)), nudges(kForward));
  EXPECT_TRUE(hold.any_down(at(200ms)));
  EXPECT_EQ(hold.wish(at(201ms)), kNothing);
  EXPECT_FALSE(hold.any_down(at(201ms)));
  EXPECT_FALSE(hold.release_lost(at(1h)));
}

TEST(TeleopHold, TurningInSpinIsHeldAsDrivingIs) {
  for (const Direction direction : {kForward, kBack, kLeft, kRight}) {
    Hold hold(false);
    for (const milliseconds time : {0ms, 500ms, 533ms}) token(hold, time, direction);
    EXPECT_EQ(hold.wish(at(633ms)), runs(direction));
  }
}

/// Times of the tokens of one key, and what is wished with the last.
TEST(TeleopHold, TheSecondRepeatKeepsMoving) {
  struct Row {
    std::vector<milliseconds> tokens;
    bool repeating;
  };
  for (const Row& row :
       {Row{{0ms, 500ms}, false}, Row{{0ms, 500ms, 530ms}, true}, Row{{0ms, 1000ms, 1030ms}, true},
        Row{{0ms, 1001ms, 1031ms}, false}, Row{{0ms, 500ms, 650ms}, true}, Row{{0ms, 500ms, 651ms}, false},
        Row{{0ms, 500ms, 530ms, 680ms}, true}, Row{{0ms, 500ms, 530ms, 681ms}, false},
        Row{{0ms, 500ms, 530ms, 1030ms}, false}}) {
    Hold hold(false);
    for (const milliseconds time : row.tokens) token(hold, time);
    const Wish wish = hold.wish(at(row.tokens.back()));
    EXPECT_EQ(hold.repeating(), row.repeating) << row.tokens.back().count();
    EXPECT_EQ(wish, row.repeating ? runs(kForward) : nudges(kForward)) << row.tokens.back().count();
  }
}

/// Gaps between the repeats behind a delay of 500 ms.
TEST(TeleopHold, PatienceIsThreeTimesTheUsualGap) {
  struct Row {
    std::vector<milliseconds> gaps;
    milliseconds patience;
  };
  for (const Row& row :
       {Row{{}, 100ms}, Row{{30ms}, 100ms}, Row{{33ms}, 100ms}, Row{{34ms}, 102ms}, Row{{50ms}, 150ms},
        Row{{100ms}, 300ms}, Row{{140ms}, 300ms}, Row{{40ms, 140ms, 40ms}, 120ms},
        Row{{90ms, 90ms, 90ms, 40ms, 40ms, 40ms, 40ms, 40ms, 40ms, 40ms, 40ms}, 120ms}}) {
    Hold hold(false);
    milliseconds time = 500ms;
    token(hold, 0ms);
    token(hold, time);
    for (const milliseconds gap : row.gaps) token(hold, time += gap);
    EXPECT_EQ(hold.patience(), row.patience) << time.count();
    if (row.gaps.empty()) continue;
    EXPECT_EQ(hold.wish(at(time + row.patience)), runs(kForward)) << time.count();
    EXPECT_EQ(hold.wish(at(time + row.patience + 1ms)), kNothing) << time.count();
  }
}

TEST(TeleopHold, AnotherDirectionBeginsAnew) {
  struct Row {
    Direction next;
    Wish wish;
  };
  for (const Row& row : {Row{kBack, nudges(kBack)}, Row{kLeft, nudges(kLeft)}, Row{kForward, runs(kForward)},
                         Row{{1, 1}, runs({1, 1})}, Row{{-1, 1}, nudges({-1, 1})}}) {
    Hold hold(false);
    for (const milliseconds time : {0ms, 40ms, 80ms}) token(hold, time);
    token(hold, 120ms, row.next);
    EXPECT_EQ(hold.wish(at(120ms)), row.wish);
  }
}

TEST(TeleopHold, AKeyThatSteersKeepsAliveAndStartsNothing) {
  Hold hold(false);
  for (const milliseconds time : {0ms, 30ms, 60ms}) steering_token(hold, time);
  EXPECT_EQ(hold.wish(at(60ms)), kNothing);
  for (const milliseconds time : {1000ms, 1030ms, 1060ms}) token(hold, time);
  steering_token(hold, 1160ms);
  EXPECT_EQ(hold.wish(at(1260ms)), runs(kForward));
  EXPECT_EQ(hold.wish(at(1261ms)), kNothing);
  steering_token(hold, 1261ms);  // too late
  EXPECT_EQ(hold.wish(at(1261ms)), kNothing);
}

TEST(TeleopHold, ALockEndsWithHalfASecondWithoutAKey) {
  Hold hold(false);
  for (const milliseconds time : {0ms, 30ms, 60ms}) token(hold, time);
  hold.lock(at(70ms));
  EXPECT_EQ(hold.wish(at(70ms)), kNothing);
  EXPECT_FALSE(hold.any_down(at(70ms)));
  EXPECT_TRUE(hold.locked(at(569ms)));
  EXPECT_FALSE(hold.locked(at(570ms)));
  token(hold, 569ms);  // held on: half a second from here
  EXPECT_TRUE(hold.locked(at(1068ms)));
  steering_token(hold, 1068ms);
  EXPECT_TRUE(hold.locked(at(1567ms)));
  EXPECT_FALSE(hold.locked(at(1568ms)));
  token(hold, 1568ms);
  EXPECT_EQ(hold.wish(at(1568ms)), nudges(kForward));
}

TEST(TeleopHold, TokensBeforeAReleaseOfAllCountNoMore) {
  Hold hold(false);
  for (const milliseconds time : {0ms, 30ms, 60ms}) token(hold, time);
  hold.release_all();
  EXPECT_EQ(hold.wish(at(60ms)), kNothing);
  token(hold, 90ms);
  EXPECT_EQ(hold.wish(at(90ms)), nudges(kForward));
}

}  // namespace
}  // namespace rangerctl::teleop
