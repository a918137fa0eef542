#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace rangerctl::monitor {

/// How a value went, for a plot: the least and the most in each of many short spans of time, at several
/// widths of span. A fixed amount of memory, taken once.
class Trace {
 public:
  /// Widths of a span, from fine to coarse: a minute, ten minutes and more than an hour and a half are kept.
  static constexpr std::array<std::chrono::milliseconds, 3> kWidths{
      std::chrono::milliseconds(100), std::chrono::milliseconds(1'000), std::chrono::milliseconds(10'000)};
  /// Spans of each width that are kept.
  static constexpr std::int64_t kSpans = 600;

  /// What there was during one span.
  struct Span {
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    std::int32_t most = std::numeric_limits<std::int32_t>::min();
    [[nodiscard]] bool empty() const { return least > most; }
    bool operator==(const Span&) const = default;
  };

  Trace() : spans_(kWidths.size() * static_cast<std::size_t>(kSpans)) { newest_.fill(-1); }

  /// `value` at `time`, counted from any beginning, never negative. What is older than all that is kept is
  /// left out.
  void add(std::chrono::nanoseconds time, std::int32_t value);

  /// The span number `index` of a width: from index * width on. Empty: nothing arrived, or not kept any more.
  [[nodiscard]] Span span(std::size_t width, std::int64_t index) const;

 private:
  Span& place(std::size_t width, std::int64_t index) {
    return spans_[width * static_cast<std::size_t>(kSpans) + static_cast<std::size_t>(index % kSpans)];
  }

  std::vector<Span> spans_;
  std::array<std::int64_t, kWidths.size()> newest_{};
};

}  // namespace rangerctl::monitor
