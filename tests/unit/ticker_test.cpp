#include "io/ticker.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include "count_allocations.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

TEST(Schedule, HowLateATickIs) {
  struct Row {
    std::uint64_t expirations;
    milliseconds now, boot;  // since the start
    milliseconds late, held_up;
  };
  Schedule schedule(SteadyTime(1h), 10h, 20ms);
  for (const Row& row : {
           Row{1, 20ms, 20ms, 0ms, 0ms}, Row{1, 47ms, 47ms, 7ms, 7ms}, Row{0, 48ms, 48ms, 0ms, 0ms},
           Row{3, 101ms, 101ms, 41ms, 41ms},
           Row{1, 120ms, 3'600'120ms, 0ms, 3'600'000ms},  // suspended for an hour
           Row{1, 141ms, 3'600'141ms, 1ms, 1ms},          // which is not told twice
           Row{50, 1'145ms, 3'601'145ms, 985ms, 985ms},   // the process was stopped
           Row{1, 1'160ms, 3'601'159ms, 0ms, 0ms},        // both clocks are not read at once
       }) {
    const Tick tick = schedule.take(row.expirations, SteadyTime(1h + row.now), 10h + row.boot);
    EXPECT_EQ(tick.expirations, row.expirations) << row.now.count();
    EXPECT_EQ(tick.late, row.late) << row.now.count();
    EXPECT_EQ(tick.held_up, row.held_up) << row.now.count();
  }
}

TEST(Ticker, CountsEveryPeriodOnceAndKeepsItsSchedule) {
  const auto before = steady_clock::now();
  auto ticker = Ticker::start(2ms);
  const auto after = steady_clock::now();
  ASSERT_TRUE(ticker);
  std::int64_t all = 0;  // signed, for a wait may end before the time that `after` makes of it
  for (int i = 0; i < 20; ++i) {
    pollfd due{ticker->descriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&due, 1, 20'000), 1);
    const auto asked = steady_clock::now();
    const Tick tick = ticker->take();
    const auto answered = steady_clock::now();
    const auto first_due = (all + 1) * 2ms;
    all += static_cast<std::int64_t>(tick.expirations);
    EXPECT_GE(tick.expirations, 1U);
    EXPECT_GE(all * 2ms, asked - after - 2ms) << "none is forgotten";
    EXPECT_LE(all * 2ms, answered - before) << "none comes early";
    EXPECT_GE(tick.late, asked - after - first_due);
    EXPECT_LE(tick.late, answered - before - first_due);
    EXPECT_GE(tick.held_up, tick.late);
  }
}

TEST(Ticker, NotDueYet) {
  auto ticker = Ticker::start(1h);
  ASSERT_TRUE(ticker);
  EXPECT_EQ(ticker->take().expirations, 0U);
}

TEST(Ticker, AllocatesNothing) {
  auto ticker = Ticker::start(1ms);
  ASSERT_TRUE(ticker);
  const std::uint64_t before = testing::allocations();
  for (int i = 0; i < 1000; ++i) static_cast<void>(ticker->take());
  EXPECT_EQ(testing::allocations(), before);
}

}  // namespace
}  // namespace rangerctl::io
