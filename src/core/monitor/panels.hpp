#pragma once

#include "view.hpp"

/// The parts of the pages. Each draws into the area it gets, whatever its size.
namespace rangerctl::monitor {

using DrawPanel = void (*)(const View& view, const Area& area);

void draw_motion(const View& view, const Area& area);   ///< 4 rows
void draw_battery(const View& view, const Area& area);  ///< 4 rows
void draw_wheels(const View& view, const Area& area);   ///< 4 rows
void draw_motors(const View& view, const Area& area);   ///< 9 rows, or 5 with less about each motor
void draw_errors(const View& view, const Area& area);   ///< 4 rows or more
void draw_remote(const View& view, const Area& area);   ///< 4 rows
void draw_bus(const View& view, const Area& area);      ///< 4 rows
void draw_frames(const View& view, const Area& area);   ///< as many rows as there are
void draw_help(const View& view, const Area& area);

}  // namespace rangerctl::monitor
