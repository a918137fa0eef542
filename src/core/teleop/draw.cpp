#include "rangerctl/teleop/draw.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw_parts.hpp"

namespace rangerctl::teleop {
namespace {

using monitor::Screen;
using monitor::Size;

Area rows_of(const Area& area, int from, int count) { return area.part(from, 0, {count, area.columns()}); }

bool shows_help(const Status& status) {
  return status.show_help && (status.state == State::disarmed || status.state == State::armed);
}

bool is_wide(Size size) { return size.columns >= 80 && size.rows >= 20; }

void draw_help_page(const View& view, const Area& area) {
  const int reasons = area.rows() < 16 ? 1 : 2;
  draw_header(view, area);
  draw_reasons(view, rows_of(area, 1, reasons));
  draw_help(view, rows_of(area, 1 + reasons, area.rows() - 2 - reasons));
  draw_last_line(view, area.lower(area.rows() - 1));
}

// ---- Everything side by side --------------------------------------------------------------------------

constexpr int kValueRows = 5;
constexpr int kWhyRows = 1 + kSlotRows;
constexpr int kFixedRows = 2 + kValueRows + kWhyRows + 1;

void draw_values(const View& view, const Area& area) {
  const int left = area.columns() * 38 / 80;
  draw_command(view, area.part(0, 0, {area.rows(), left}));
  draw_chassis(view, area.part(0, left, area.size()));
}

/// What grows with the window: keys and events share what reasons leave over.
void draw_lower(const View& view, const Area& area) {
  const int keys = std::min(area.rows() / 2, rows_of_keys(view.status.layout, area.columns()));
  draw_keys(view, rows_of(area, 0, keys));
  draw_events(view, area.lower(keys));
}

void draw_wide(const View& view, const Area& area) {
  const int free_rows = area.rows() - kFixedRows;
  const int reasons = std::clamp(free_rows / 3, 2, 6);
  draw_header(view, area);
  draw_link(view, area.lower(1));
  draw_values(view, rows_of(area, 2, kValueRows));
  const Area why = area.lower(2 + kValueRows);
  why.heading(0, "Why / why not");
  draw_slots(view, rows_of(why, 1, kSlotRows));
  draw_reasons(view, rows_of(why, kWhyRows, reasons));
  draw_lower(view, rows_of(why, kWhyRows + reasons, free_rows - reasons));
  draw_last_line(view, area.lower(area.rows() - 1));
}

// ---- Little room --------------------------------------------------------------------------------------

constexpr int kCompactValueRows = 4;
constexpr int kCompactKeyRows = 2;

void draw_compact_middle(const View& view, const Area& area) {
  if (area.rows() == 1) {
    draw_main_reason(view, area);
    return;
  }
  const int prompts = view.status.state == State::fault ? 1 : 0;
  if (prompts != 0) draw_main_reason(view, area);
  const int reasons = std::min(area.rows() - prompts, 3);
  draw_reasons(view, rows_of(area, prompts, reasons));
  const int slots = area.columns() < 80 ? static_cast<int>(kTopics) : kSlotRows;
  Area rest = area.lower(prompts + reasons);
  if (rest.rows() >= slots) {
    draw_slots(view, rows_of(rest, 0, slots));
    rest = rest.lower(slots);
  }
  if (rest.rows() >= 2) draw_events(view, rest);
}

void draw_compact(const View& view, const Area& area) {
  const int middle = area.rows() - 1 - kCompactValueRows - kCompactKeyRows;
  draw_header(view, area);
  draw_compact_values(view, rows_of(area, 1, kCompactValueRows));
  draw_compact_middle(view, rows_of(area, 1 + kCompactValueRows, middle));
  draw_hints(view, area.lower(area.rows() - 2));
  draw_last_line(view, area.lower(area.rows() - 1));
}

void draw_too_small(const View& view, const Area& area) {
  const std::string text = fmt::format("{} window too small: {}x{} at least", state_name(view.status.state),
                                       kLeastWindow.columns, kLeastWindow.rows);
  area.put_elided(0, 0, text, Style::caution);
}

void draw_all(const View& view, const Area& area) {
  const Size size = area.size();
  const bool too_small = size.rows < kLeastWindow.rows || size.columns < kLeastWindow.columns;
  const auto page = too_small                 ? draw_too_small
                    : shows_help(view.status) ? draw_help_page
                    : is_wide(size)           ? draw_wide
                                              : draw_compact;
  page(view, area);
}

}  // namespace

monitor::Screen draw(const Status& status, std::span<const EventLine> events, Size size,
                     const DrawOptions& options, const protocol::Catalogue& catalogue) {
  Screen screen(size);
  draw_all({status, events, options, catalogue}, Area(screen));
  if (options.ascii) screen.reduce_to_ascii();
  return screen;
}

}  // namespace rangerctl::teleop
