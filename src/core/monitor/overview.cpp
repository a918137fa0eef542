#include <algorithm>
#include <array>
#include <span>

#include "bands.hpp"
#include "pages.hpp"
#include "panels.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

constexpr std::array kNarrow{
    Band{draw_motion, nullptr, 4, 4, 0, 0},     Band{draw_battery, nullptr, 4, 4, 1, 0},
    Band{draw_wheels, nullptr, 4, 4, 3, 0},     Band{draw_motors, nullptr, 9, 9, 4, 0},
    Band{draw_errors, nullptr, 4, 9, 2, 0},     Band{draw_remote, nullptr, 4, 4, 5, 0},
    Band{draw_bus, nullptr, 4, 4, 6, 0},        Band{draw_recent_events, nullptr, 4, 8, 7, 1},
    Band{draw_speed_plot, nullptr, 4, 8, 8, 2},
};
constexpr std::array kWide{
    Band{draw_motion, draw_battery, 4, 4, 0, 0},
    Band{draw_wheels, nullptr, 4, 4, 2, 0},
    Band{draw_motors, nullptr, 5, 9, 3, 0},
    Band{draw_errors, draw_remote, 3, 4, 1, 1},
};
/// With enough rows errors get the whole width, for what to do about them.
constexpr std::array kWideAndTall{
    Band{draw_motion, draw_battery, 4, 4, 0, 0},    Band{draw_wheels, nullptr, 4, 4, 2, 0},
    Band{draw_motors, nullptr, 5, 9, 3, 1},         Band{draw_errors, nullptr, 4, 7, 1, 2},
    Band{draw_remote, draw_bus, 4, 4, 4, 0},        Band{draw_speed_plot, draw_current_plot, 4, 8, 6, 4},
    Band{draw_recent_events, nullptr, 4, 12, 5, 3},
};

/// Wide enough for four motors beside the other four.
constexpr std::array kMedium{
    Band{draw_motion, nullptr, 4, 4, 0, 0}, Band{draw_battery, nullptr, 4, 4, 1, 0},
    Band{draw_wheels, nullptr, 4, 4, 4, 0}, Band{draw_motors, nullptr, 5, 9, 3, 1},
    Band{draw_errors, nullptr, 3, 9, 2, 2}, Band{draw_remote, nullptr, 4, 4, 5, 0},
    Band{draw_bus, nullptr, 4, 4, 6, 0},
};

std::span<const Band> bands_for(Size size) {
  if (size.columns < 60) return kNarrow;
  if (size.columns < 80) return kMedium;
  if (size.rows < 26) return kWide;
  constexpr int kManyRows = 36;
  constexpr std::size_t kForMany = 2;  // bands at the end that only then leave the others what they can use
  const std::span<const Band> all(kWideAndTall);
  return size.rows < kManyRows ? all.first(all.size() - kForMany) : all;
}

}  // namespace

bool needs_compact(Size size) { return size.columns < 40 || size.rows < 12; }

void draw_overview(const PageView& view, const Area& area) {
  const Area body = area.lower(flow_items(area.part(0, 1, area.size()), state_items(view)));
  constexpr int kBothPages = 160;
  if (body.columns() >= kBothPages) {
    const int half = body.columns() / 2;
    const Area left = body.part(0, 0, {body.rows(), half});
    draw_bands(view, left, bands_for(left.size()));
    draw_frame_list(view, body.part(0, half, body.size()));
    return;
  }
  // What the panels leave over shows the bus, if that is enough to be of use.
  constexpr int kUsefulRows = 8;
  const Area rest = body.lower(draw_bands(view, body, bands_for(body.size())));
  if (rest.columns() >= 80 && rest.rows() >= kUsefulRows) draw_frame_list(view, rest);
}

}  // namespace rangerctl::monitor
