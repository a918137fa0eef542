#include "rangerctl/teleop/guard_duty.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace rangerctl::teleop {
namespace {

using std::chrono::microseconds;
using namespace std::chrono_literals;

SteadyTime at(microseconds time) { return SteadyTime(1h + time); }

/// The heartbeat is given as its time; `gone` and `armed` are what the main process said last.
GuardAction look(GuardDuty& duty, microseconds now, microseconds heartbeat, bool armed = true,
                 bool gone = false) {
  return duty.look({.now = at(now), .gone = gone, .armed = armed, .heartbeat = at(heartbeat)});
}

/// How many zeros leave from `now` on within `span`, with a look each millisecond.
int zeros(GuardDuty& duty, microseconds now, microseconds span, microseconds heartbeat, bool armed = true,
          bool gone = false) {
  int count = 0;
  for (const microseconds end = now + span; now < end; now += 1ms) {
    count += look(duty, now, heartbeat, armed, gone).send_zero ? 1 : 0;
  }
  return count;
}

TEST(GuardDuty, AHeartbeatIsMissedAfter60Milliseconds) {
  struct Row {
    microseconds age;
    bool armed;
    bool zero;
    microseconds look_again;  ///< from now
  };
  for (const Row& row :
       {Row{0ms, true, false, 10ms}, Row{50ms, true, false, 10ms}, Row{51ms, true, false, 9ms},
        Row{59'999us, true, false, 1us}, Row{60ms, true, true, 10ms}, Row{1h, true, true, 10ms},
        Row{0ms, false, false, 50ms}, Row{60ms, false, false, 50ms}, Row{1h, false, false, 50ms}}) {
    GuardDuty duty;
    const GuardAction action = look(duty, row.age, 0ms, row.armed);
    EXPECT_EQ(action.send_zero, row.zero) << row.age.count();
    EXPECT_EQ(action.begins, row.zero) << row.age.count();
    EXPECT_EQ(action.look_again - at(row.age), row.look_again) << row.age.count();
    EXPECT_FALSE(action.restore_terminal);
    EXPECT_FALSE(action.done);
  }
}

TEST(GuardDuty, ZerosLeaveEvery20Milliseconds) {
  GuardDuty duty;
  std::vector<int> sent;
  for (int ms = 0; ms < 200; ++ms) {
    if (look(duty, 1ms * ms, 0ms).send_zero) sent.push_back(ms);
  }
  EXPECT_EQ(sent, (std::vector{60, 80, 100, 120, 140, 160, 180}));
}

TEST(GuardDuty, LateZerosAreNotMadeUpFor) {
  GuardDuty duty;
  EXPECT_TRUE(look(duty, 60ms, 0ms).send_zero);
  EXPECT_TRUE(look(duty, 300ms, 0ms).send_zero);
  EXPECT_FALSE(look(duty, 319ms, 0ms).send_zero);
  EXPECT_TRUE(look(duty, 320ms, 0ms).send_zero);
}

TEST(GuardDuty, AMissedHeartbeatIsGood25TimesAndNoMore) {
  GuardDuty duty;
  EXPECT_EQ(zeros(duty, 60ms, 10s, 0ms), 25);
  EXPECT_EQ(zeros(duty, 20s, 10s, 0ms), 0);
}

TEST(GuardDuty, ZerosEndWhenTheHeartbeatIsBackOrTheMainProcessDisarms) {
  GuardDuty duty;
  EXPECT_EQ(zeros(duty, 60ms, 100ms, 0ms), 5);
  EXPECT_EQ(zeros(duty, 160ms, 60ms, 160ms), 0);
  EXPECT_EQ(zeros(duty, 1s, 1s, 160ms, false), 0);
}

TEST(GuardDuty, EachMissedHeartbeatBeginsAnew) {
  GuardDuty duty;
  EXPECT_TRUE(look(duty, 60ms, 0ms).begins);
  EXPECT_FALSE(look(duty, 80ms, 0ms).begins);
  EXPECT_EQ(zeros(duty, 100ms, 10s, 0ms), 23);
  // The heartbeat was back between two looks.
  EXPECT_TRUE(look(duty, 20s, 19s).begins);
  EXPECT_EQ(zeros(duty, 20'001ms, 10s, 19s), 24);
}

TEST(GuardDuty, TheEndOfAnArmedMainProcessIsFollowedBy25ZerosAtOnce) {
  GuardDuty duty;
  EXPECT_FALSE(look(duty, 5ms, 0ms).send_zero);
  const GuardAction first = look(duty, 6ms, 0ms, true, true);
  EXPECT_TRUE(first.send_zero);
  EXPECT_TRUE(first.restore_terminal);
  EXPECT_FALSE(first.done);
  EXPECT_EQ(zeros(duty, 7ms, 479ms, 0ms, true, true), 23);
  const GuardAction last = look(duty, 486ms, 0ms, true, true);
  EXPECT_TRUE(last.send_zero);
  EXPECT_FALSE(last.restore_terminal);
  EXPECT_TRUE(last.done);
}

TEST(GuardDuty, TheEndOfADisarmedMainProcessConcernsTheTerminalAlone) {
  GuardDuty duty;
  EXPECT_FALSE(look(duty, 5ms, 0ms, false).send_zero);
  const GuardAction action = look(duty, 6ms, 0ms, false, true);
  EXPECT_FALSE(action.send_zero);
  EXPECT_TRUE(action.restore_terminal);
  EXPECT_TRUE(action.done);
}

TEST(GuardDuty, AMainProcessThatEndsWhileItIsHeldUpGetsAllZerosAgain) {
  GuardDuty duty;
  EXPECT_EQ(zeros(duty, 60ms, 10s, 0ms), 25);
  EXPECT_EQ(zeros(duty, 20s, 10s, 0ms, true, true), 25);
}

TEST(GuardDuty, ItsPatienceCanBeLonger) {
  GuardDuty duty(1h);
  EXPECT_EQ(zeros(duty, 60ms, 10s, 0ms), 0);
}

}  // namespace
}  // namespace rangerctl::teleop
