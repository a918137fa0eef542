#include "rangerctl/monitor/trace.hpp"

#include <algorithm>

namespace rangerctl::monitor {

void Trace::add(std::chrono::nanoseconds time, std::int32_t value) {
  for (std::size_t width = 0; width < kWidths.size(); ++width) {
    const std::int64_t index = time / kWidths[width];
    std::int64_t& newest = newest_[width];
    if (index <= newest - kSpans) continue;
    for (std::int64_t skipped = std::max(newest, index - kSpans) + 1; skipped <= index; ++skipped)
      place(width, skipped) = {};
    newest = std::max(newest, index);
    Span& span = place(width, index);
    span.least = std::min(span.least, value);
    span.most = std::max(span.most, value);
  }
}

Trace::Span Trace::span(std::size_t width, std::int64_t index) const {
  if (index < 0 || index > newest_[width] || index <= newest_[width] - kSpans) return {};
  return spans_[width * static_cast<std::size_t>(kSpans) + static_cast<std::size_t>(index % kSpans)];
}

}  // namespace rangerctl::monitor
