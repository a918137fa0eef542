// Plots in characters, on scales that a person can read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/monitor/graph.hpp"

namespace rangerctl::monitor {
namespace {

using ::testing::ElementsAre;
using Spans = std::vector<Trace::Span>;

Trace::Span at(std::int32_t value) { return {value, value}; }

TEST(MonitorGraph, ScalesAreRoundAndEnclosing) {
  struct Row {
    Spans spans;
    std::int64_t least_span;
    bool with_zero;
    Scale scale;
  };
  const Row rows[] = {
      {{}, 200, true, {0, 200}},
      {{Trace::Span{}}, 200, false, {0, 200}},
      {{at(463)}, 200, true, {0, 600}},
      {{{-100, 500}}, 200, true, {-200, 600}},
      {{at(3)}, 200, true, {0, 200}},
      {{at(-3)}, 200, true, {-200, 0}},
      {{{-3, 3}}, 200, true, {-100, 100}},
      {{at(4970)}, 200, false, {4850, 5100}},
      {{{4970, 4971}}, 1, false, {4970, 4971}},
      {{{-2147483647, 2147483647}}, 1, true, {-4000000000, 4000000000}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(fitting_scale(row.spans, row.least_span, row.with_zero), row.scale) << row.least_span;
}

TEST(MonitorGraph, BrailleHasTwoSpansAColumnAndFourLevelsARow) {
  EXPECT_THAT(graph_rows(Spans{at(0), at(3)}, {0, 4}, 1, Graph::braille), ElementsAre("⡸"))
      << "joined by a line";
  EXPECT_THAT(graph_rows(Spans{at(0), {}, at(3), {}}, {0, 4}, 1, Graph::braille), ElementsAre("⡀⠁"))
      << "nothing joins what a silence parts";
  EXPECT_THAT(graph_rows(Spans{{0, 7}, at(7)}, {0, 8}, 2, Graph::braille), ElementsAre("⡏", "⡇"));
  EXPECT_THAT(graph_rows(Spans{at(-9), at(99)}, {0, 4}, 1, Graph::braille), ElementsAre("⡸"))
      << "what is beyond the scale is at its edge";
}

TEST(MonitorGraph, BlocksFillFromBelowByEighths) {
  EXPECT_THAT(
      graph_rows(Spans{at(0), {}, at(7), {}, at(8), at(3), at(15), {}, {}, {}}, {0, 16}, 2, Graph::block),
      ElementsAre("  ▁█ ", "▁███ "));
}

TEST(MonitorGraph, LettersHaveThreeLevelsARow) {
  EXPECT_THAT(graph_rows(Spans{at(0), {}, at(1), {}, at(2), {}, {0, 2}, {}, {}, {}}, {0, 3}, 1, Graph::ascii),
              ElementsAre("_-'| "));
  EXPECT_THAT(graph_rows(Spans{{1, 4}, {}}, {0, 6}, 2, Graph::ascii), ElementsAre("-", "'"));
}

}  // namespace
}  // namespace rangerctl::monitor
