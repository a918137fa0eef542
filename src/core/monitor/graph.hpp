#pragma once

#include <span>
#include <string>
#include <vector>

#include "view.hpp"

/// Values over time in characters.
namespace rangerctl::monitor {

/// Lower and upper edge of a plot, in raw values. Precondition of all: low < high.
struct Scale {
  std::int64_t low;
  std::int64_t high;
  bool operator==(const Scale&) const = default;
};

/// Round edges that enclose the spans and zero if `with_zero`, at least `least_span` apart.
[[nodiscard]] Scale fitting_scale(std::span<const Trace::Span> spans, std::int64_t least_span,
                                  bool with_zero);

/// A plot of so many rows, from top to bottom, in UTF-8; every row is one column for two spans (braille, and
/// the others with both in one). Empty spans stay blank.
[[nodiscard]] std::vector<std::string> graph_rows(std::span<const Trace::Span> spans, const Scale& scale,
                                                  int rows, Graph graph);

/// Which part of a trace is shown.
struct TraceWindow {
  std::size_t width;  ///< of Trace::kWidths
  std::size_t count;  ///< of spans
  std::size_t step;   ///< by how many spans the window moves at once
};
/// A value is held until it is stale: a slow message has one only in some of the spans. What is still to come
/// is empty.
[[nodiscard]] std::vector<Trace::Span> spans_of(const PageView& view, std::size_t trace,
                                                const TraceWindow& window);

/// As the options say, with ASCII where nothing else is wanted.
[[nodiscard]] Graph graph_of(const PageView& view);

}  // namespace rangerctl::monitor
