#pragma once

#include <span>
#include <string>
#include <vector>

#include "../monitor/area.hpp"
#include "rangerctl/teleop/draw.hpp"

/// The parts of the screen. Each draws into the area it gets, whatever its size.
namespace rangerctl::teleop {

using monitor::Area;
using monitor::Item;
using monitor::Style;

struct View {
  const Status& status;
  std::span<const EventLine> events;
  const DrawOptions& options;
  const protocol::Catalogue& catalogue;
};

// draw_frame.cpp: what stands around the values.
void draw_header(const View& view, const Area& area);     ///< 1 row: state, marks, most useful keys
void draw_last_line(const View& view, const Area& area);  ///< 1 row
void draw_hints(const View& view, const Area& area);      ///< 1 row: the most useful keys
void draw_events(const View& view, const Area& area);     ///< a heading and as many as fit
void put_event(const Area& area, int row, const EventLine& event);
/// A heading and one behind the other, as many as fit.
void draw_keys(const View& view, const Area& area);
[[nodiscard]] int rows_of_keys(Layout layout, int columns);  ///< that draw_keys() can use
void draw_help(const View& view, const Area& area);          ///< one a row where there is room

/// Whether the robot drives forward and back in this motion mode: in spin it turns, in park it stands.
[[nodiscard]] constexpr bool rolls(chassis::MotionMode mode) {
  return mode == chassis::MotionMode::ackermann || mode == chassis::MotionMode::oblique;
}

// draw_values.cpp: numbers.
void draw_link(const View& view, const Area& area);     ///< 1 row
void draw_command(const View& view, const Area& area);  ///< 5 rows; in FAULT what to do about it
void draw_chassis(const View& view, const Area& area);  ///< 5 rows
/// 4 rows: speed, steering, link and last key, battery and emergency stop; in FAULT what to do about it.
void draw_compact_values(const View& view, const Area& area);

// draw_why.cpp: reasons.
inline constexpr int kSlotRows = 5;                   ///< of draw_slots() with two columns
void draw_slots(const View& view, const Area& area);  ///< one place for each topic
/// In full length: why the state is what it is, then what every rule finds, the severest first.
void draw_reasons(const View& view, const Area& area);
void draw_marks(const Area& area);  ///< what the signs in front of reasons mean
[[nodiscard]] int rows_of_marks();
/// 1 row: the main reason or what to do now; where there is neither, the last event.
void draw_main_reason(const View& view, const Area& area);
/// The words of what made the state what it is; empty: the operator did.
[[nodiscard]] std::string cause_words(const View& view);
/// In FAULT.
[[nodiscard]] bool cause_is_gone(const Status& status);
[[nodiscard]] std::string_view acknowledge_text(const Status& status);
/// "type 47 and Enter to arm"; empty: nothing is to be typed.
[[nodiscard]] std::string prompt(const Status& status);

}  // namespace rangerctl::teleop
