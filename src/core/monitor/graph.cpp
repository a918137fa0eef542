#include "graph.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace rangerctl::monitor {
namespace {

/// Dots of a braille character: [column][row from the top], the bits of U+2800.
constexpr std::array<std::array<unsigned, 4>, 2> kDots{{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
constexpr int kDotRows = 4;
constexpr int kEighths = 8;
/// What a third of a row is in ASCII, from below.
constexpr std::array<char, 3> kThirds{'_', '-', '\''};

/// Levels from 0 (the lower edge) to levels - 1.
struct Levels {
  int low;
  int high;
};

std::optional<Levels> levels_of(const Trace::Span& span, const Scale& scale, int levels) {
  if (span.empty()) return std::nullopt;
  const auto level = [&](std::int64_t value) {
    const std::int64_t at = (value - scale.low) * levels / (scale.high - scale.low);
    return static_cast<int>(std::clamp<std::int64_t>(at, 0, levels - 1));
  };
  return Levels{level(span.least), level(span.most)};
}

Trace::Span merged(const Trace::Span& a, const Trace::Span& b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

void append_character(std::string& out, char32_t character) {
  if (character < 0x80) {
    out += static_cast<char>(character);
    return;
  }
  out += static_cast<char>(0xE0U | (character >> 12U));
  out += static_cast<char>(0x80U | ((character >> 6U) & 0x3FU));
  out += static_cast<char>(0x80U | (character & 0x3FU));
}

using Grid = std::vector<std::vector<char32_t>>;  ///< [row from the top][column]

void put_dots(Grid& grid, std::size_t column, std::size_t half, const Levels& levels) {
  const int rows = static_cast<int>(grid.size());
  for (int level = levels.low; level <= levels.high; ++level) {
    const int from_top = rows * kDotRows - 1 - level;
    char32_t& cell = grid[static_cast<std::size_t>(from_top / kDotRows)][column];
    if (cell == U' ') cell = 0x2800;
    cell |= kDots[half][static_cast<std::size_t>(from_top % kDotRows)];
  }
}

void draw_braille(Grid& grid, std::span<const Trace::Span> spans, const Scale& scale) {
  const int levels = static_cast<int>(grid.size()) * kDotRows;
  std::optional<Levels> before;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto now = levels_of(spans[i], scale, levels);
    // A line from one span to the next, so that a step is seen as one.
    if (now)
      put_dots(grid, i / 2, i % 2,
               {before && before->high < now->low ? before->high + 1 : now->low,
                before && before->low > now->high ? before->low - 1 : now->high});
    before = now;
  }
}

void draw_blocks(Grid& grid, std::size_t column, const Levels& levels) {
  const int rows = static_cast<int>(grid.size());
  for (int row = 0; row < rows; ++row) {
    const int eighths = std::clamp(levels.high + 1 - (rows - 1 - row) * kEighths, 0, kEighths);
    if (eighths > 0) grid[static_cast<std::size_t>(row)][column] = 0x2580U + static_cast<char32_t>(eighths);
  }
}

void draw_letters(Grid& grid, std::size_t column, const Levels& levels) {
  const int rows = static_cast<int>(grid.size());
  const int thirds = static_cast<int>(kThirds.size());
  for (int row = 0; row < rows; ++row) {
    const int bottom = (rows - 1 - row) * thirds;
    const int low = std::max(levels.low, bottom);
    const int high = std::min(levels.high, bottom + thirds - 1);
    if (low > high) continue;
    const bool through = high - low == thirds - 1;
    grid[static_cast<std::size_t>(row)][column] =
        through ? U'|' : static_cast<char32_t>(kThirds.at(static_cast<std::size_t>(high - bottom)));
  }
}

std::int64_t round_step(std::int64_t at_least) {
  std::int64_t step = 1;
  while (true) {
    for (const std::int64_t factor : {1, 2, 5}) {
      if (step * factor >= at_least) return step * factor;
    }
    step *= 10;
  }
}

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  return (value >= 0 ? value / step : -((-value + step - 1) / step)) * step;
}

}  // namespace

Scale fitting_scale(std::span<const Trace::Span> spans, std::int64_t least_span, bool with_zero) {
  Trace::Span all;
  for (const Trace::Span& span : spans) all = merged(all, span);
  if (all.empty()) return {0, least_span};
  std::int64_t low = with_zero ? std::min(all.least, 0) : all.least;
  std::int64_t high = with_zero ? std::max(all.most, 0) : all.most;
  if (high - low < least_span) {
    const std::int64_t more = least_span - (high - low);
    const bool up = with_zero && low == 0, down = with_zero && high == 0 && low < 0;
    low -= up ? 0 : down ? more : more / 2;
    high += up ? more : down ? 0 : more - more / 2;
  }
  const std::int64_t step = round_step((high - low + 3) / 4);
  low = floor_to(low, step);
  high = -floor_to(-high, step);
  return {low, std::max(high, low + 1)};
}

std::vector<std::string> graph_rows(std::span<const Trace::Span> spans, const Scale& scale, int rows,
                                    Graph graph) {
  const auto count = static_cast<std::size_t>(std::max(rows, 1));
  const std::size_t columns = (spans.size() + 1) / 2;
  Grid grid(count, std::vector<char32_t>(columns, U' '));
  if (graph == Graph::braille) draw_braille(grid, spans, scale);
  for (std::size_t column = 0; graph != Graph::braille && column < columns; ++column) {
    const bool pair = 2 * column + 1 < spans.size();
    const Trace::Span span = pair ? merged(spans[2 * column], spans[2 * column + 1]) : spans[2 * column];
    const int per_row = graph == Graph::block ? kEighths : static_cast<int>(kThirds.size());
    const auto levels = levels_of(span, scale, rows * per_row);
    if (levels)
      graph == Graph::block ? draw_blocks(grid, column, *levels) : draw_letters(grid, column, *levels);
  }
  std::vector<std::string> text(count);
  for (std::size_t row = 0; row < count; ++row) {
    for (const char32_t character : grid[row]) append_character(text[row], character);
  }
  return text;
}

std::vector<Trace::Span> spans_of(const PageView& view, std::size_t trace, const TraceWindow& window) {
  const auto span_width = Trace::kWidths.at(window.width);
  const std::int64_t newest = (view.now - view.state.start) / span_width;
  const auto step = static_cast<std::int64_t>(window.step);
  const std::int64_t end = (newest / step + 1) * step;
  const protocol::Message* const message = view.state.catalogue->find(kTraces.at(trace).message);
  const auto held =
      message == nullptr ? std::size_t{0} : static_cast<std::size_t>(stale_after(*message) / span_width);
  std::vector<Trace::Span> spans(window.count + held);  // with what may still be true at the left edge
  std::size_t last = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::int64_t index = end - static_cast<std::int64_t>(spans.size() - i);
    if (index > newest) break;
    spans[i] = view.history.traces.at(trace).span(window.width, index);
    if (!spans[i].empty()) {
      last = i;
    } else if (i - last <= held) {
      spans[i] = spans[last];
    }
  }
  spans.erase(spans.begin(), spans.begin() + static_cast<std::ptrdiff_t>(held));
  return spans;
}

Graph graph_of(const PageView& view) { return view.options.ascii ? Graph::ascii : view.options.graph; }

}  // namespace rangerctl::monitor
