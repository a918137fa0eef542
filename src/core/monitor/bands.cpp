#include "bands.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace rangerctl::monitor {
namespace {

std::vector<std::size_t> ordered(std::span<const Band> bands, int Band::*rank) {
  std::vector<std::size_t> order(bands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [=](std::size_t a, std::size_t b) { return bands[a].*rank < bands[b].*rank; });
  return order;
}

/// The first band that can still grow, in order of growth; of equal ones the lowest.
const Band* next_to_grow(std::span<const Band> bands, const std::vector<int>& heights) {
  const Band* best = nullptr;
  for (const std::size_t i : ordered(bands, &Band::growth)) {
    if (heights[i] == 0 || heights[i] == bands[i].most) continue;
    if (best != nullptr && bands[i].growth > best->growth) break;
    if (best == nullptr || heights[i] < heights[static_cast<std::size_t>(best - bands.data())])
      best = &bands[i];
  }
  return best;
}

/// Rows for each band; 0: no room for it.
std::vector<int> share_rows(std::span<const Band> bands, int rows) {
  std::vector<int> heights(bands.size(), 0);
  for (const std::size_t i : ordered(bands, &Band::importance)) {
    if (bands[i].least > rows) continue;
    heights[i] = bands[i].least;
    rows -= heights[i];
  }
  for (const Band* band = nullptr; rows > 0 && (band = next_to_grow(bands, heights)) != nullptr; --rows)
    ++heights[static_cast<std::size_t>(band - bands.data())];
  return heights;
}

void draw_band(const PageView& view, const Area& area, const Band& band) {
  if (band.right == nullptr) {
    band.left(view, area);
    return;
  }
  const int half = area.columns() / 2;
  band.left(view, area.part(0, 0, {area.rows(), half}));
  band.right(view, area.part(0, half, {area.rows(), area.columns() - half}));
}

}  // namespace

int draw_bands(const PageView& view, const Area& area, std::span<const Band> bands) {
  const std::vector<int> heights = share_rows(bands, area.rows());
  int row = 0;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (heights[i] == 0) continue;
    draw_band(view, area.part(row, 0, {heights[i], area.columns()}), bands[i]);
    row += heights[i];
  }
  return row;
}

}  // namespace rangerctl::monitor
