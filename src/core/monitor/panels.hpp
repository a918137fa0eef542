#pragma once

#include "lists.hpp"
#include "view.hpp"

/// The parts of the pages. Each draws into the area it gets, whatever its size.
namespace rangerctl::monitor {

using DrawPanel = void (*)(const PageView& view, const Area& area);

void draw_motion(const PageView& view, const Area& area);   ///< 4 rows
void draw_battery(const PageView& view, const Area& area);  ///< 4 rows
void draw_wheels(const PageView& view, const Area& area);   ///< 4 rows
void draw_motors(const PageView& view, const Area& area);   ///< 9 rows, or 5 with less about each motor
void draw_errors(const PageView& view, const Area& area);   ///< 4 rows or more
void draw_remote(const PageView& view, const Area& area);   ///< 4 rows
void draw_bus(const PageView& view, const Area& area);      ///< 4 rows

void draw_recent_events(const PageView& view, const Area& area);
void draw_speed_plot(const PageView& view, const Area& area);
void draw_current_plot(const PageView& view, const Area& area);

/// Every id, without a cursor.
void draw_frame_list(const PageView& view, const Area& area);
/// Everything about one id.
void draw_opened(const PageView& view, const Area& area, const ListedId& id);
/// The newest events in `area`, the newest last; `from`: how many newer ones are left out.
void draw_events(const PageView& view, const Area& area, std::size_t from);

}  // namespace rangerctl::monitor
