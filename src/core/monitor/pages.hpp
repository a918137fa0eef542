#pragma once

#include "view.hpp"

/// What stands between the header and the keys.
namespace rangerctl::monitor {

/// Whether a terminal of this size is too small for panels.
[[nodiscard]] bool needs_compact(Size size);

void draw_overview(const View& view, const Area& area);

}  // namespace rangerctl::monitor
