#include "panels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

Style known(const Reading& value) { return value.raw ? Style::normal : Style::caution; }

/// "label  +0.463 m/s" and returns the column behind it.
int put_number(const Area& area, int row, std::string_view label, const Reading& value, int width) {
  int column = area.put(row, 1, fmt::format("{:<6}", label), Style::dim);
  column = area.put(row, column, number(value, width), known(value));
  return area.put(row, column, fmt::format(" {}", unit(value)), Style::dim);
}

std::string bar(std::int64_t percent, int width) {
  const auto full = static_cast<int>((std::clamp<std::int64_t>(percent, 0, 100) * width + 50) / 100);
  std::string text;
  for (int i = 0; i < width; ++i) text += i < full ? "█" : "░";
  return text;
}

int put_percent(const Area& area, int row, int column, std::string_view label, const Reading& value,
                Style style) {
  column = area.put(row, column, label, Style::dim);
  column = area.put(row, column, number(value, 5), value.raw ? style : Style::caution);
  return area.put(row, column, fmt::format(" {}", unit(value)), Style::dim);
}

void put_charge(const View& view, const Area& area, int row) {
  const Reading soc = reading(view, "bms_status", "soc");
  const Reading soh = reading(view, "bms_status", "soh");
  const Style style = charge_style(soc);
  constexpr int kHealthColumns = 12;
  int column = put_percent(area, row, 1, "SOC", soc, style) + 1;
  const int bar_width = area.columns() - column - kHealthColumns - 1;
  if (!charge_words(soc).empty()) {
    area.put(row, column, charge_words(soc), style);
  } else if (soc.raw && bar_width > 0) {
    area.put(row, column, bar(*soc.raw, bar_width), Style::good);
  }
  put_percent(area, row, std::max(column + 1, area.columns() - kHealthColumns), "SOH", soh, Style::normal);
}

void put_power(const View& view, const Area& area, int row) {
  struct Column {
    std::string_view signal;
    int width;
  };
  constexpr std::array kColumns{Column{"voltage", 7}, Column{"current", 7}, Column{"temperature", 7}};
  int column = 1;
  for (const Column& entry : kColumns) {
    const Reading value = reading(view, "bms_status", entry.signal);
    column = area.put(row, column, number(value, entry.width), known(value));
    column = area.put(row, column, " " + std::string(unit(value)), Style::dim) + 1;
  }
}

int put_names(const Area& area, int row, int column, std::string_view label,
              const std::optional<std::vector<std::string>>& names, Style style) {
  column = area.put(row, column, label, Style::dim) + 1;
  if (!names) return area.put(row, column, kMissing, Style::caution);
  if (names->empty()) return area.put(row, column, "none");
  const std::string text = fmt::format("! {}", fmt::join(*names, ", "));
  area.put_elided(row, column, text, style);
  return column + text_width(text);
}

/// Errors that were active and are not any more.
std::vector<std::string> seen_before(const PageView& view) {
  const protocol::Message* const message = view.state.catalogue->find("system_status");
  const Reading errors = reading(view, "system_status", "errors");
  if (message == nullptr || errors.signal == nullptr) return {};
  const auto& bits = bits_of(view.history, *view.state.catalogue, index_of(view, *message), *errors.signal);
  std::int64_t ever = 0;
  for (unsigned bit = 0; bit < bits.size(); ++bit) ever |= std::int64_t{bits[bit].times > 0} << bit;
  return flag_names(*errors.signal, ever & ~errors.raw.value_or(0));
}

std::string_view remedy(const protocol::Signal& errors, std::string_view name) {
  const auto found = std::find_if(errors.flags.begin(), errors.flags.end(),
                                  [name](const protocol::Flag& flag) { return flag.name == name; });
  return found == errors.flags.end() ? "" : found->remedy;
}

/// One error a row with what to do about it, where there are rows enough; otherwise one behind the other.
void put_active(const Area& area, const protocol::Signal& errors, const std::vector<std::string>& names) {
  if (static_cast<int>(names.size()) > area.rows() || area.rows() == 1) {
    area.put_elided(0, 1, fmt::format("! {}", fmt::join(names, " ! ")), Style::fault);
    return;
  }
  for (int row = 0; row < static_cast<int>(names.size()); ++row) {
    const std::string& name = names[static_cast<std::size_t>(row)];
    const int column = area.put(row, 1, "! " + name, Style::fault);
    area.put_elided(row, column + 2, remedy(errors, name));
  }
}

void put_last_event(const PageView& view, const Area& area) {
  const EventLog& events = view.history.events;
  if (events.size() == 0) return;
  const Event& newest = events.at(events.size() - 1);
  const int column = area.put(0, 1, moment_text(view, newest.when), Style::dim) + 1;
  area.put_elided(0, column, event_text(newest, *view.state.catalogue));
}

void put_seen(const PageView& view, const Area& area, int row) {
  const auto seen = seen_before(view);
  const int column = area.put(row, 1, "seen before", Style::dim) + 1;
  area.put_elided(row, column, seen.empty() ? "none" : fmt::format("+ {}", fmt::join(seen, " + ")));
}

void put_missing(const PageView& view, const Area& area, int row) {
  const auto missing = missing_messages(view);
  const int column = area.put(row, 1, "missing", Style::dim) + 1;
  if (missing.empty()) {
    area.put(row, column, "none");
    return;
  }
  std::string text = fmt::format("{}:", missing.size());
  for (const protocol::Message* const message : missing) text += fmt::format(" 0x{:03X}", message->id);
  area.put_elided(row, column, text, Style::caution);
}

}  // namespace

void draw_motion(const PageView& view, const Area& area) {
  const auto motion = [&view](std::string_view signal) { return reading(view, "motion_feedback", signal); };
  const Reading steering = motion("steering_angle");
  area.heading(0, "Motion 0x221");
  const Reading drive = reading(view, "motion_mode_feedback", "drive_mode");
  put_number(area, 1, "v", motion("linear_velocity"), 8);
  area.put_item(1, 24, {"DRIVE", word(drive), known(drive)});
  put_number(area, 2, "spin", motion("angular_velocity"), 8);
  int column = put_number(area, 3, "steer", steering, 8);
  column = area.put(3, column + 2, degrees(steering, 7), known(steering));
  area.put(3, column, " deg", Style::dim);
}

void draw_battery(const PageView& view, const Area& area) {
  const Reading chassis = reading(view, "system_status", "battery_voltage");
  area.heading(0, "Battery 0x361/2", fmt::format("0x211{} {}", number(chassis, 6), unit(chassis)),
               known(chassis));
  put_charge(view, area, 1);
  put_power(view, area, 2);
  const auto alarms = battery_flags(view, "alarm_1", "alarm_2");
  const auto warnings = battery_flags(view, "warning_1", "warning_2");
  const int column = put_names(area, 3, 1, "alarm", alarms, Style::fault);
  if (!alarms || alarms->empty()) put_names(area, 3, column + 3, "warning", warnings, Style::caution);
}

void draw_errors(const PageView& view, const Area& area) {
  const Reading errors = reading(view, "system_status", "errors");
  const bool has_room = area.rows() >= 4;
  const int last = area.rows() - 1;
  const Area middle = area.part(1, 0, {std::max(1, last - (has_room ? 2 : 1)), area.columns()});
  if (!errors.raw) {
    area.heading(0, "Errors 0x211:", kMissing, Style::caution);
    area.put_elided(1, 1, "not known: no system_status arrives", Style::caution);
  } else {
    const auto names = flag_names(*errors.signal, *errors.raw);
    const std::string remark = names.empty() ? "none" : fmt::format("{} active", names.size());
    area.heading(0, "Errors 0x211:", remark, names.empty() ? Style::normal : Style::fault);
    if (!names.empty()) {
      put_active(middle, *errors.signal, names);
    } else if (has_room) {
      put_last_event(view, middle);
    } else {
      put_seen(view, area, 1);
    }
  }
  if (has_room) put_seen(view, area, last - 1);
  put_missing(view, area, last);
}

void draw_remote(const PageView& view, const Area& area) {
  const auto remote = [&view](std::string_view signal) {
    return reading(view, "remote_control_feedback", signal);
  };
  const auto light = [&view](std::string_view signal) { return reading(view, "light_feedback", signal); };
  const auto stick = [&remote](std::string_view signal) {
    const Reading value = remote(signal);
    return Item{"", number(value, 4), known(value)};
  };
  const auto named = [](std::string label, const Reading& value) {
    return Item{std::move(label), word(value), known(value)};
  };
  const auto put = [&area](int row, const std::vector<Item>& items) {
    int column = 1;
    for (const Item& item : items) column = area.put_item(row, column, item) + 1;
  };
  area.heading(0, "Remote 0x241  Lights 0x231");
  put(1, {named("swa", remote("swa")), named("swb", remote("swb")), named("swc", remote("swc")),
          named("swd", remote("swd"))});
  put(2, {{"R", ""},
          stick("right_stick_x"),
          stick("right_stick_y"),
          {"L", ""},
          stick("left_stick_x"),
          stick("left_stick_y"),
          {"knob", ""},
          stick("left_knob"),
          {std::string(unit(remote("left_knob"))), ""}});
  put(3, {named("host light control", light("light_control")), named("light", light("light_mode"))});
}

void draw_bus(const PageView& view, const Area& area) {
  const ErrorFrames& errors = view.state.errors;
  area.heading(0, "Bus");
  const int column = area.put(1, 1, fmt::format("other ids {}  ", view.state.others.size()));
  area.put(1, column, fmt::format("error frames {}", errors.count),
           errors.count == 0 ? Style::normal : Style::caution);
  area.put_elided(2, 1, foreign_text(view.state));
  if (errors.count == 0) return;
  const std::string age = age_text(view.now - errors.arrival);
  area.put_elided(3, 1, fmt::format("{} ago: {}", age, error_frame_text(decode_error_frame(errors.last))));
}

}  // namespace rangerctl::monitor
