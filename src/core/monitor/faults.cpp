#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "fault_words.hpp"
#include "motors.hpp"
#include "pages.hpp"
#include "panels.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/wrapped_text.hpp"

namespace rangerctl::monitor {
namespace {

struct Mark {
  std::string_view text;
  Style style;
};
/// In the order of BitState.
constexpr std::array kMarks{Mark{".", Style::dim}, Mark{"!", Style::fault}, Mark{"+", Style::caution},
                            Mark{"?", Style::dim}, Mark{"?", Style::caution}};

const Mark& mark(BitState state) { return kMarks.at(static_cast<std::size_t>(state)); }

/// All places, and the one under the cursor.
struct Board {
  const PageView& view;
  Scene scene;
  std::vector<FaultPlace> places;
  std::size_t selected;

  explicit Board(const PageView& page)
      : view(page),
        scene(scene_of(page)),
        places(fault_places(*page.state.catalogue)),
        selected(selected_fault(scene, places, page.choices)) {}

  [[nodiscard]] bool is_selected(const FaultPlace& place) const {
    return place.flag == chosen().flag && place.signal == chosen().signal &&
           place.message == chosen().message;
  }
  [[nodiscard]] const FaultPlace& chosen() const { return places[selected]; }
};

/// When it was set or cleared for the last time.
std::string latest_text(const Board& board, const FaultPlace& place) {
  const BitHistory& history = bit_history(board.scene, place);
  if (history.times == 0) return {};
  if (history.set) return "set     " + moment_text(board.view, history.latest);
  return "cleared " + (history.cleared ? moment_text(board.view, *history.cleared) : std::string(kMissing));
}

void put_place(const Board& board, const Area& area, const FaultPlace& place, std::string_view name) {
  const Mark& sign = mark(bit_state(board.scene, place));
  const bool selected = board.is_selected(place);
  area.put(0, 0, sign.text, sign.style);
  area.put(0, 1, selected ? ">" : " ");
  const bool active = sign.style == Style::fault;
  area.put_elided(0, 2, name, selected ? Style::selected : active ? Style::fault : Style::normal);
  constexpr int kTime = 22;
  if (area.columns() >= 3 + text_width(name) + kTime)
    area.put(0, area.columns() - kTime, latest_text(board, place), Style::dim);
}

/// At the right end of a heading of which `taken` columns are taken.
void put_if_free(const Area& area, int taken, std::string_view text) {
  if (taken + text_width(text) < area.columns()) area.put_right(0, area.columns() - 1, text, Style::dim);
}

// ---- The errors of the chassis ------------------------------------------------------------------------

constexpr int kByte = 8;  // rows below each other: one for each bit

const protocol::Signal* errors_signal(const Board& board) {
  const protocol::Message* const message = board.view.state.catalogue->find("system_status");
  return message == nullptr ? nullptr : protocol::find_signal(*message, "errors");
}

std::vector<FaultPlace> places_of(const Board& board, std::string_view message, std::string_view signal) {
  std::vector<FaultPlace> rows;
  for (const FaultPlace& place : board.places) {
    if (place.message->name == message && place.signal->name == signal) rows.push_back(place);
  }
  return rows;
}

/// Bits without a name have one place together.
void put_unnamed(const Board& board, const Area& area, const protocol::Signal& errors) {
  const Reading value = reading(board.view, "system_status", "errors");
  const auto& message = *board.view.state.catalogue->find("system_status");
  const auto& bits =
      bits_of(board.view.history, *board.view.state.catalogue, index_of(board.view, message), errors);
  std::string active, seen;
  for (unsigned bit = 0; bit < errors.field.bits; ++bit) {
    if (!protocol::flag_name(errors, bit).empty() || bits[bit].times == 0) continue;
    (value.raw && ((*value.raw >> bit) & 1) != 0 ? active : seen) += fmt::format(" bit{}", bit);
  }
  const BitState state = !value.raw        ? seen.empty() ? BitState::not_known : BitState::seen_before
                         : !active.empty() ? BitState::active
                         : !seen.empty()   ? BitState::seen
                                           : BitState::clear;
  const Mark& sign = mark(state);
  area.put(0, 0, sign.text, sign.style);
  area.put_elided(0, 2, active.empty() && seen.empty() ? "bits without a name" : (active + seen).substr(1),
                  state == BitState::active ? Style::fault : Style::dim);
}

void put_errors_map(const Board& board, const Area& area) {
  const protocol::Signal* const errors = errors_signal(board);
  if (errors == nullptr) return;
  const int extra = std::max(0, area.columns() - 80) / 3;
  const std::array widths{23 + extra, 23 + extra, area.columns() - 2 * (23 + extra)};
  const auto column_of = [&](int byte) {
    return byte == 0 ? 0 : byte == 1 ? widths[0] : widths[0] + widths[1];
  };
  for (const FaultPlace& place : places_of(board, "system_status", "errors")) {
    const int byte = place.flag->bit / kByte;
    if (byte >= static_cast<int>(widths.size())) continue;
    put_place(board,
              area.part(place.flag->bit % kByte, column_of(byte) + 1,
                        {1, widths.at(static_cast<std::size_t>(byte)) - 1}),
              place, place.flag->name);
  }
  put_unnamed(board, area.part(kByte - 2, column_of(2) + 1, {1, widths[2] - 2}), *errors);
}

void put_errors_heading(const Board& board, const Area& area) {
  const Reading errors = reading(board.view, "system_status", "errors");
  const std::size_t active = errors.raw ? flag_names(*errors.signal, *errors.raw).size() : 0;
  const std::string remark = !errors.raw   ? std::string(kMissing)
                             : active == 0 ? "none"
                                           : fmt::format("{} active", active);
  area.heading(0, "Errors 0x211:", remark,
               !errors.raw   ? Style::caution
               : active == 0 ? Style::normal
                             : Style::fault);
  put_if_free(area, 26, " ! active  + seen since start  . clear  ? not known ");
}

// ---- Battery and drivers ------------------------------------------------------------------------------

/// An alarm and the warning that comes before it have the same flags.
struct BatteryPair {
  std::string_view alarm;
  std::string_view warning;
};
constexpr std::array kBatteryPairs{BatteryPair{"alarm_1", "warning_1"}, BatteryPair{"alarm_2", "warning_2"}};
constexpr int kBatteryHeight = 7;

void put_sign(const Board& board, const Area& area, int row, int column, std::string_view message,
              std::string_view signal, std::string_view flag) {
  for (const FaultPlace& place : places_of(board, message, signal)) {
    if (place.flag->name != flag) continue;
    const Mark& sign = mark(bit_state(board.scene, place));
    area.put(row, column, sign.text, board.is_selected(place) ? Style::selected : sign.style);
    if (board.is_selected(place)) area.put(row, column - 1, ">");
  }
}

void put_battery(const Board& board, const Area& area) {
  area.heading(0, "Battery 0x362");
  area.put(0, 25, " alarm warn ", Style::title);
  int row = 1;
  for (const BatteryPair& pair : kBatteryPairs) {
    for (const FaultPlace& place : places_of(board, "bms_alarms", pair.alarm)) {
      area.put(row, 1, place.flag->name);
      put_sign(board, area, row, 28, "bms_alarms", pair.alarm, place.flag->name);
      put_sign(board, area, row, 34, "bms_alarms", pair.warning, place.flag->name);
      ++row;
    }
  }
}

void put_driver(const Board& board, const Area& area, const Motor& motor) {
  area.put(0, 0, fmt::format("{} {} {}", motor.number, motor.place, motor.role), Style::dim);
  const std::string message = fmt::format("motor{}_low_speed", motor.number);
  int column = 12;
  for (const FaultPlace& place : places_of(board, message, "driver_status")) {
    const BitState state = bit_state(board.scene, place);
    const std::string_view text =
        state == BitState::active ? kStatusLetters.substr(place.flag->bit, 1) : mark(state).text;
    area.put(0, column, text, board.is_selected(place) ? Style::selected : mark(state).style);
    ++column;
  }
  if (message == board.chosen().message->name) area.put(0, 11, ">");
}

void put_drivers(const Board& board, const Area& area) {
  area.heading(0, "Drivers 0x261-8");
  area.put(0, 19, "UMCDSF ", Style::title);
  for (int i = 0; i < static_cast<int>(kMotors.size()); ++i) {
    const int row = 1 + i % 4;
    put_driver(board, area.part(row, 1 + i / 4 * 20, {1, 19}), kMotors.at(static_cast<std::size_t>(i)));
  }
  area.put_elided(6, 1, "Undervolt Motor Current Driver Sens Fault", Style::dim);
}

// ---- The chosen one -----------------------------------------------------------------------------------

std::vector<std::string> advice_lines(const FaultPlace& place, int columns) {
  return wrapped(advice(place), std::max(10, columns - 2));
}

int chosen_height(const Board& board, int columns) {
  return std::max(4, 2 + static_cast<int>(advice_lines(board.chosen(), columns).size()));
}

/// Where it is, since when, and what to do about it.
void put_chosen(const Board& board, const Area& area) {
  const FaultPlace& place = board.chosen();
  constexpr std::array<std::string_view, 5> kWords{"clear", "ACTIVE", "not active any more", "not known",
                                                   "not known now"};
  const BitState state = bit_state(board.scene, place);
  area.heading(0, place_name(place), kWords.at(static_cast<std::size_t>(state)), mark(state).style);
  put_if_free(area, text_width(place_name(place)) + 26,
              fmt::format(" 0x{:03X} bit {}, {} ", place.message->id, place.flag->bit, code_text(place)));
  area.put_elided(1, 1,
                  state == BitState::not_known ? "not known: its message does not arrive"
                                               : history_text(board.view, place));
  const auto lines = advice_lines(place, area.columns());
  const int room = std::min(static_cast<int>(lines.size()), area.rows() - 2);
  for (int i = 0; i < room; ++i) {
    const bool cut = i == room - 1 && room < static_cast<int>(lines.size());
    area.put_elided(2 + i, 1, lines[static_cast<std::size_t>(i)] + (cut ? " …" : ""));
  }
}

// ---- Pages --------------------------------------------------------------------------------------------

constexpr int kMapColumns = 78;
constexpr int kMapRows = 1 + kByte + kBatteryHeight;

void draw_map(const Board& board, const Area& area) {
  put_errors_heading(board, area);
  put_errors_map(board, area.part(1, 0, {kByte, area.columns()}));
  const Area lower = area.lower(1 + kByte);
  constexpr int kBatteryColumns = 38;
  put_battery(board, lower.part(0, 0, {kBatteryHeight, kBatteryColumns}));
  put_drivers(board, lower.part(0, kBatteryColumns, {kBatteryHeight, lower.columns()}));
  const int chosen_rows = std::clamp(area.rows() - kMapRows - 1, 1, chosen_height(board, area.columns()));
  put_chosen(board, area.part(kMapRows, 0, {chosen_rows, area.columns()}));
  const Area rest = area.lower(kMapRows + chosen_rows);
  if (rest.rows() > 0) draw_events(board.view, rest, 0);
}

/// Only what is or was active, and what is chosen, for a small terminal.
void draw_short_list(const Board& board, const Area& area) {
  put_errors_heading(board, area);
  const int chosen_rows =
      area.rows() >= 7 ? std::min(chosen_height(board, area.columns()), area.rows() - 3) : 0;
  std::vector<FaultPlace> rows;
  for (const BitState wanted : {BitState::active, BitState::seen_before, BitState::seen}) {
    for (const FaultPlace& place : board.places) {
      if (bit_state(board.scene, place) == wanted) rows.push_back(place);
    }
  }
  const int room = area.rows() - 1 - chosen_rows;
  for (int i = 0; i < std::min(room, static_cast<int>(rows.size())); ++i) {
    const Area row = area.part(1 + i, 1, {1, area.columns() - 1});
    const int left = static_cast<int>(rows.size()) - i;
    if (i == room - 1 && left > 1) {
      row.put(0, 0, fmt::format("+ {} more; Enter: all events", left), Style::caution);
    } else {
      put_place(board, row, rows[static_cast<std::size_t>(i)], place_name(rows[static_cast<std::size_t>(i)]));
    }
  }
  if (rows.empty()) area.put_elided(1, 1, "none active, none seen since the start");
  if (chosen_rows > 0) put_chosen(board, area.lower(area.rows() - chosen_rows));
}

}  // namespace

void draw_events(const PageView& view, const Area& area, std::size_t from) {
  const EventLog& events = view.history.events;
  const bool titled = area.rows() > 2;
  if (titled) {
    area.heading(0, "Events, the newest first:", fmt::format("{}", events.total()));
    if (events.total() > events.size())
      area.put_right(0, area.columns() - 1, fmt::format(" the newest {} are kept ", events.size()),
                     Style::dim);
  }
  const Area room = area.lower(titled ? 1 : 0);
  const int across =
      events_across(events.size() - std::min(events.size(), from), room.rows(), room.columns());
  const int width = room.columns() / across;
  const int places = room.rows() * across;
  for (int i = 0; i < places && from + static_cast<std::size_t>(i) < events.size(); ++i) {
    const Event& event = events.at(events.size() - 1 - from - static_cast<std::size_t>(i));
    const Area place = room.part(i % room.rows(), i / room.rows() * width, {1, width - (across > 1 ? 1 : 0)});
    const bool bad = event.kind == EventKind::bit_set || event.kind == EventKind::silent;
    const int column = place.put(0, 1, moment_text(view, event.when), Style::dim) + 1;
    place.put_elided(0, column, event_text(event, *view.state.catalogue),
                     bad ? Style::caution : Style::normal);
  }
  if (events.size() == 0) room.put_elided(0, 1, "none since the start", Style::dim);
}

void draw_recent_events(const PageView& view, const Area& area) { draw_events(view, area, 0); }

void draw_faults(const PageView& view, const Area& area) {
  if (view.choices.events) {
    draw_events(view, area,
                std::min(view.choices.scroll, most_scroll(scene_of(view), view.choices, area.size())));
    return;
  }
  const Board board(view);
  if (board.places.empty()) {
    area.put_elided(0, 1, "this robot's catalogue has no error bits");
  } else if (area.columns() >= kMapColumns && area.rows() >= kMapRows + 2) {
    draw_map(board, area);
  } else {
    draw_short_list(board, area);
  }
}

}  // namespace rangerctl::monitor
