#include <gtest/gtest.h>

#include "rangerctl/teleop/age_fence.hpp"

namespace rangerctl::teleop {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

SteadyTime at(milliseconds time) { return SteadyTime(1h + time); }

/// `count` queries from `from` on, one each 50 ms, each answered after `round_trip`, which is shorter.
void answer_all(AgeFence& fence, int count, milliseconds from, milliseconds round_trip) {
  for (int i = 0; i < count; ++i) {
    ASSERT_TRUE(fence.ask(at(from + 50ms * i)));
    fence.answer(at(from + 50ms * i + round_trip));
  }
}

/// One query that is answered at once: the bound before the answer is the time since the last such query.
void answer_at(AgeFence& fence, milliseconds time) {
  ASSERT_TRUE(fence.ask(at(time)));
  fence.answer(at(time));
}

TEST(AgeFence, NothingIsKnownWithoutAnAnswer) {
  AgeFence fence;
  EXPECT_EQ(fence.silence(at(9s)), 0ms);
  ASSERT_TRUE(fence.ask(at(0ms)));
  EXPECT_EQ(fence.bound(at(10ms)), std::nullopt);
  EXPECT_EQ(fence.worst_bound(at(10ms)), std::nullopt);
  EXPECT_EQ(fence.fence(), std::nullopt);
  EXPECT_EQ(fence.last_round_trip(), std::nullopt);
  EXPECT_EQ(fence.answers_in_a_row(at(10ms)), 0U);
  EXPECT_FALSE(fence.proven(at(10ms)));
  EXPECT_EQ(fence.silence(at(10ms)), 10ms);
  EXPECT_EQ(fence.unanswered(), 1U);
}

TEST(AgeFence, AKeyIsYoungerThanTheYoungestAnsweredQuery) {
  AgeFence fence;
  ASSERT_TRUE(fence.ask(at(0ms)));
  ASSERT_TRUE(fence.ask(at(50ms)));
  ASSERT_TRUE(fence.ask(at(100ms)));
  fence.answer(at(120ms));
  EXPECT_EQ(fence.fence(), at(0ms));
  EXPECT_EQ(fence.bound(at(130ms)), 130ms);
  EXPECT_EQ(fence.last_round_trip(), 120ms);
  EXPECT_EQ(fence.silence(at(130ms)), 80ms);
  EXPECT_EQ(fence.unanswered(), 2U);
  fence.answer(at(140ms));
  EXPECT_EQ(fence.fence(), at(50ms));
  EXPECT_EQ(fence.bound(at(140ms)), 90ms);
  EXPECT_EQ(fence.last_round_trip(), 90ms);
  EXPECT_EQ(fence.silence(at(140ms)), 40ms);
  fence.answer(at(150ms));
  EXPECT_EQ(fence.bound(at(150ms)), 50ms);
  EXPECT_EQ(fence.silence(at(500ms)), 0ms);
  EXPECT_EQ(fence.bound(at(500ms)), 400ms);
}

TEST(AgeFence, AnAnswerWithoutAQueryIsCountedAndMovesNothing) {
  AgeFence fence;
  fence.answer(at(0ms));
  EXPECT_EQ(fence.unasked(), 1U);
  EXPECT_EQ(fence.fence(), std::nullopt);
  answer_all(fence, 1, 100ms, 20ms);
  fence.answer(at(130ms));
  EXPECT_EQ(fence.unasked(), 2U);
  EXPECT_EQ(fence.fence(), at(100ms));
  EXPECT_EQ(fence.answers_in_a_row(at(130ms)), 1U);
}

TEST(AgeFence, NoQueryIsForgottenWhenTooManyWait) {
  AgeFence fence;
  for (int i = 0; i < 128; ++i) EXPECT_TRUE(fence.ask(at(50ms * i))) << i;
  EXPECT_FALSE(fence.ask(at(6400ms)));
  EXPECT_EQ(fence.unanswered(), 128U);
  EXPECT_EQ(fence.silence(at(6400ms)), 6400ms);
  fence.answer(at(6410ms));
  EXPECT_EQ(fence.fence(), at(0ms));
  EXPECT_TRUE(fence.ask(at(6450ms)));
}

TEST(AgeFence, ABoundBeyond300BeginsTheRowAnew) {
  struct Row {
    milliseconds gap;  ///< between the last two of four queries, answered at once
    std::size_t in_a_row;
  };
  for (const Row& row : {Row{50ms, 4}, Row{300ms, 4}, Row{301ms, 0}, Row{500ms, 0}, Row{601ms, 0}}) {
    AgeFence fence;
    for (const milliseconds time : {0ms, 50ms, 100ms, 100ms + row.gap}) answer_at(fence, time);
    EXPECT_EQ(fence.answers_in_a_row(at(100ms + row.gap)), row.in_a_row) << row.gap.count();
  }
}

TEST(AgeFence, TheRowCountsWhileTheBoundIsWithin300) {
  AgeFence fence;
  answer_all(fence, 25, 0ms, 20ms);  // the last at 1200 ms
  EXPECT_EQ(fence.answers_in_a_row(at(1220ms)), 20U);
  EXPECT_EQ(fence.answers_in_a_row(at(1500ms)), 20U);
  EXPECT_EQ(fence.answers_in_a_row(at(1501ms)), 0U);
  EXPECT_FALSE(fence.proven(at(1501ms)));
}

TEST(AgeFence, TwentyAnswersInARowProveTheLink) {
  struct Row {
    int answers;
    bool proven;
  };
  for (const Row& row : {Row{1, false}, Row{19, false}, Row{20, true}, Row{40, true}}) {
    AgeFence fence;
    answer_all(fence, row.answers, 0ms, 20ms);
    EXPECT_EQ(fence.proven(at(50ms * row.answers)), row.proven) << row.answers;
  }
}

/// Of 20 bounds the 19th by size counts: one may be larger, two may not.
TEST(AgeFence, TheBoundsOfAProvenLinkAreWithin250) {
  struct Row {
    milliseconds gap;  ///< between the last queries
    int count;         ///< of such gaps
    milliseconds percentile;
    bool proven;
  };
  for (const Row& row : {Row{251ms, 1, 50ms, true}, Row{250ms, 2, 250ms, true}, Row{251ms, 2, 251ms, false},
                         Row{300ms, 20, 300ms, false}}) {
    AgeFence fence;
    milliseconds time = 0ms;
    for (int i = 0; i < 25; ++i, time += 50ms) answer_at(fence, time);
    time -= 50ms;
    for (int i = 0; i < row.count; ++i) answer_at(fence, time += row.gap);
    EXPECT_EQ(fence.answers_in_a_row(at(time)), 20U);
    EXPECT_EQ(fence.percentile95(), row.percentile) << row.gap.count() << ' ' << row.count;
    EXPECT_EQ(fence.proven(at(time)), row.proven) << row.gap.count() << ' ' << row.count;
  }
}

TEST(AgeFence, TheMedianIsOfTheLast20RoundTrips) {
  AgeFence fence;
  answer_all(fence, 20, 0ms, 10ms);
  answer_all(fence, 10, 1000ms, 30ms);
  EXPECT_EQ(fence.median_round_trip(), 10ms);
  answer_all(fence, 1, 1500ms, 30ms);
  EXPECT_EQ(fence.median_round_trip(), 30ms);
}

/// Queries at 0, 50 and 450 ms, then each 50 ms: the answer at 450 ms ends a bound of 400 ms.
TEST(AgeFence, TheWorstBoundIsRememberedForTwoSeconds) {
  struct Row {
    milliseconds until;  ///< the last answer
    milliseconds worst;
  };
  for (const Row& row : {Row{450ms, 400ms}, Row{500ms, 400ms}, Row{2350ms, 400ms}, Row{2500ms, 50ms}}) {
    AgeFence fence;
    for (const milliseconds time : {0ms, 50ms}) answer_at(fence, time);
    for (milliseconds time = 450ms; time <= row.until; time += 50ms) answer_at(fence, time);
    EXPECT_EQ(fence.worst_bound(at(row.until)), row.worst) << row.until.count();
  }
}

TEST(AgeFence, TheWorstBoundIsAtLeastThatOfNow) {
  AgeFence fence;
  answer_all(fence, 5, 0ms, 20ms);  // the last query at 200 ms
  EXPECT_EQ(fence.worst_bound(at(220ms)), 70ms);
  EXPECT_EQ(fence.worst_bound(at(271ms)), 71ms);
  EXPECT_EQ(fence.worst_bound(at(900ms)), 700ms);
}

TEST(AgeFence, AfterALongSilenceTheOldPeaksAreGone) {
  AgeFence fence;
  for (const milliseconds time : {0ms, 400ms, 10'000ms}) answer_at(fence, time);
  EXPECT_EQ(fence.worst_bound(at(10'000ms)), 9600ms);
  for (milliseconds time = 10'050ms; time <= 12'100ms; time += 50ms) answer_at(fence, time);
  EXPECT_EQ(fence.worst_bound(at(12'100ms)), 50ms);
}

}  // namespace
}  // namespace rangerctl::teleop
