#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "pages.hpp"
#include "panels.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

/// One or two panels beside each other, with the rows they need and the rows they can use.
struct Band {
  DrawPanel left;
  DrawPanel right;  ///< null: the left one has the whole width
  int least;
  int most;
  int importance;  ///< lower numbers get the rows they need first
  int growth;      ///< lower numbers get the rows they can use first
};

constexpr std::array kNarrow{
    Band{draw_motion, nullptr, 4, 4, 0, 0}, Band{draw_battery, nullptr, 4, 4, 1, 0},
    Band{draw_wheels, nullptr, 4, 4, 3, 0}, Band{draw_motors, nullptr, 9, 9, 4, 0},
    Band{draw_errors, nullptr, 4, 9, 2, 0}, Band{draw_remote, nullptr, 4, 4, 5, 0},
    Band{draw_bus, nullptr, 4, 4, 6, 0},
};
constexpr std::array kWide{
    Band{draw_motion, draw_battery, 4, 4, 0, 0},
    Band{draw_wheels, nullptr, 4, 4, 2, 0},
    Band{draw_motors, nullptr, 5, 9, 3, 0},
    Band{draw_errors, draw_remote, 4, 4, 1, 0},
};
/// With enough rows errors get the whole width, for what to do about them.
constexpr std::array kWideAndTall{
    Band{draw_motion, draw_battery, 4, 4, 0, 0}, Band{draw_wheels, nullptr, 4, 4, 2, 0},
    Band{draw_motors, nullptr, 5, 9, 3, 1},      Band{draw_errors, nullptr, 4, 9, 1, 2},
    Band{draw_remote, draw_bus, 4, 4, 4, 0},
};

std::span<const Band> bands_for(Size size) {
  if (size.columns < 80) return kNarrow;
  return size.rows < 26 ? std::span<const Band>(kWide) : std::span<const Band>(kWideAndTall);
}

std::vector<std::size_t> ordered(std::span<const Band> bands, int Band::*rank) {
  std::vector<std::size_t> order(bands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [=](std::size_t a, std::size_t b) { return bands[a].*rank < bands[b].*rank; });
  return order;
}

/// Rows for each band; 0: no room for it.
std::vector<int> share_rows(std::span<const Band> bands, int rows) {
  std::vector<int> heights(bands.size(), 0);
  for (const std::size_t i : ordered(bands, &Band::importance)) {
    if (bands[i].least > rows) continue;
    heights[i] = bands[i].least;
    rows -= heights[i];
  }
  for (const std::size_t i : ordered(bands, &Band::growth)) {
    if (heights[i] == 0) continue;
    const int more = std::min(rows, bands[i].most - heights[i]);
    heights[i] += more;
    rows -= more;
  }
  return heights;
}

void draw_band(const View& view, const Area& area, const Band& band) {
  if (band.right == nullptr) {
    band.left(view, area);
    return;
  }
  const int half = area.columns() / 2;
  band.left(view, area.part(0, 0, {area.rows(), half}));
  band.right(view, area.part(0, half, {area.rows(), area.columns() - half}));
}

/// Returns the number of rows used.
int draw_panels(const View& view, const Area& area) {
  const auto bands = bands_for(area.size());
  const std::vector<int> heights = share_rows(bands, area.rows());
  int row = 0;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (heights[i] == 0) continue;
    draw_band(view, area.part(row, 0, {heights[i], area.columns()}), bands[i]);
    row += heights[i];
  }
  return row;
}

}  // namespace

bool needs_compact(Size size) { return size.columns < 40 || size.rows < 12; }

void draw_overview(const View& view, const Area& area) {
  const Area body = area.lower(flow_items(area.part(0, 1, area.size()), state_items(view)));
  constexpr int kBothPages = 160;
  if (body.columns() >= kBothPages) {
    const int half = body.columns() / 2;
    draw_panels(view, body.part(0, 0, {body.rows(), half}));
    draw_frames(view, body.part(0, half, body.size()));
    return;
  }
  // What the panels leave over shows the bus, if that is enough to be of use.
  constexpr int kUsefulRows = 8;
  const Area rest = body.lower(draw_panels(view, body));
  if (rest.columns() >= 80 && rest.rows() >= kUsefulRows) draw_frames(view, rest);
}

}  // namespace rangerctl::monitor
