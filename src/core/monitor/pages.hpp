#pragma once

#include "view.hpp"

/// What stands between the header and the keys. Every page fits into any area.
namespace rangerctl::monitor {

/// Whether a terminal of this size is too small for panels.
[[nodiscard]] bool needs_compact(Size size);

void draw_overview(const PageView& view, const Area& area);
void draw_frames(const PageView& view, const Area& area);
void draw_faults(const PageView& view, const Area& area);
void draw_plots(const PageView& view, const Area& area);
void draw_help(const PageView& view, const Area& area);

}  // namespace rangerctl::monitor
