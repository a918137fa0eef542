#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "draw_parts.hpp"
#include "rangerctl/text.hpp"

// What stands around the values: first and last row, keys, events.
namespace rangerctl::teleop {
namespace {

constexpr std::string_view kNoEmergencyStop = "This is not an emergency stop.";

struct Hint {
  State state;
  Command command;
  std::string_view words;  ///< {}: the key
};
constexpr std::array kHints{
    Hint{State::disarmed, Command::arm, "{}: arm"},
    Hint{State::disarmed, Command::help, "{}: all keys"},
    Hint{State::disarmed, Command::quit, "{}: quit"},
    Hint{State::arming, Command::stop, "{}: do not arm"},
    Hint{State::armed, Command::drive, "hold {}: drive"},
    Hint{State::armed, Command::disarm, "{}: disarm"},
    Hint{State::armed, Command::next_mode, "{}: mode"},
    Hint{State::moving, Command::drive, "release: stop"},
    Hint{State::moving, Command::stop, "{}: stop"},
    Hint{State::moving, Command::disarm, "{}: disarm"},
    Hint{State::stopping, Command::stop, "{}: stop"},
    Hint{State::stopping, Command::disarm, "{}: disarm"},
    Hint{State::fault, Command::centre, "{}: acknowledge"},
    Hint{State::fault, Command::quit, "{}: quit"},
};

constexpr Direction kForward{1, 0};
constexpr Direction kLeft{0, 1};

/// As in "? h": the first of several keys is enough. Of the motion keys one that moves in this motion mode.
std::string_view key_of(const Status& status, Command command) {
  const Direction direction = rolls(status.mode) ? kForward : kLeft;
  const auto all = bindings();
  const auto row = std::find_if(all.begin(), all.end(), [&](const Binding& binding) {
    return binding.command == command && in_layout(binding, status.layout) &&
           (command != Command::drive || binding.direction == direction);
  });
  return row->label.substr(0, row->label.find(' '));
}

bool is_possible(const Hint& hint, const Status& status) {
  if (hint.state != status.state || status.leaving) return false;
  if (hint.command == Command::arm) return arming_obstacle(status.findings) == kRuleCount;
  return hint.command != Command::drive || status.mode != chassis::MotionMode::park;
}

std::vector<std::string> hints(const Status& status) {
  std::vector<std::string> words;
  for (const Hint& hint : kHints) {
    if (is_possible(hint, status))
      words.push_back(fmt::format(fmt::runtime(hint.words), key_of(status, hint.command)));
  }
  return words;
}

Style state_style(State state) {
  if (state == State::fault) return Style::fault;
  return state == State::disarmed || state == State::armed ? Style::title : Style::caution;
}

/// As wide for every state, so that what follows stays where it is.
Item state_item(const Status& status) {
  const std::string marked = fmt::format("** {} **", state_name(status.state));
  return {"", fmt::format("{:<14}", marked), state_style(status.state), 0};
}

std::vector<Item> hint_items(const Status& status) {
  std::vector<Item> items;
  int importance = 5;
  for (std::string& words : hints(status))
    items.push_back({"", std::move(words), Style::normal, importance++});
  return items;
}

/// The rows of bindings() that the help has something to say about.
std::vector<Binding> explained(Layout layout) {
  std::vector<Binding> rows;
  for (const Binding& binding : bindings()) {
    if (in_layout(binding, layout) && !binding.help.empty()) rows.push_back(binding);
  }
  return rows;
}

int key_width(const Binding& binding) {
  return monitor::text_width(binding.label) + 1 + monitor::text_width(binding.help);
}

void put_key(const Area& area, int row, int column, const Binding& binding, int help_column) {
  area.put(row, column, binding.label, Style::title);
  area.put_elided(row, column + help_column, binding.help);
}

/// Draws the keys one behind the other and returns the rows that they take; draws nothing beyond the area.
int flow_keys(Layout layout, const Area& area, int columns) {
  constexpr int kGap = 2;
  int row = 0;
  int column = 1;
  for (const Binding& binding : explained(layout)) {
    if (column > 1 && column + key_width(binding) > columns) {
      ++row;
      column = 1;
    }
    put_key(area, row, column, binding, monitor::text_width(binding.label) + 1);
    column += key_width(binding) + kGap;
  }
  return row + 1;
}

/// One a row, in as many columns as there is room for. Returns the rows used.
int list_keys(const Area& area, const std::vector<Binding>& keys, int columns_of_keys) {
  constexpr int kHelpColumn = 8;
  const int width = area.columns() / columns_of_keys;
  const int rows = (static_cast<int>(keys.size()) + columns_of_keys - 1) / columns_of_keys;
  for (int i = 0; i < static_cast<int>(keys.size()); ++i) {
    const Area cell = area.part(i % rows, i / rows * width, {1, width - 1});
    put_key(cell, 0, 1, keys[static_cast<std::size_t>(i)], kHelpColumn);
  }
  return rows;
}

}  // namespace

void put_event(const Area& area, int row, const EventLine& event) {
  const int column = area.put(row, 1, event.time, Style::dim);
  area.put_elided(row, column + 1, event.text);
}

void draw_header(const View& view, const Area& area) {
  // What the keys are does not move what stands in front of them.
  const int for_keys = area.columns() < 60 ? 14 : 26;
  std::vector<Item> items{
      {"", "rangerctl teleop", Style::dim, 4},
      {"", printable(monitor::clipped(view.options.address, 20)), Style::normal, 3},
      state_item(view.status),
  };
  if (view.status.leaving) items.push_back({"", "LEAVING", Style::caution, 1});
  if (view.status.dry_run) items.push_back({"", "DRY RUN", Style::caution, 1});
  if (view.options.recording) items.push_back({"", "REC", Style::title, 2});
  const int end = fit_items(area.part(0, 1, {1, area.columns() - for_keys}), 0, std::move(items)) + 1;
  std::vector<Item> keys = hint_items(view.status);
  if (!prompt(view.status).empty()) keys.insert(keys.begin(), {"", prompt(view.status), Style::caution});
  if (keys.empty()) return;
  keys.front().right = true;
  const Area rest = area.part(0, end + 2, {1, area.columns() - end - 3});
  if (item_width(keys.front()) <= rest.columns()) fit_items(rest, 0, std::move(keys));
}

void draw_hints(const View& view, const Area& area) {
  fit_items(area.part(0, 1, {1, area.columns() - 2}), 0, hint_items(view.status));
}

void draw_last_line(const View& view, const Area& area) {
  std::vector<Item> items{
      {"", fmt::format("{} quit", key_of(view.status, Command::quit)), Style::dim, 1},
      {"", fmt::format("{} all keys", key_of(view.status, Command::help)), Style::dim, 2},
      {"", std::string(kNoEmergencyStop), Style::normal, 0, true},
  };
  fit_items(area.part(0, 1, {1, area.columns() - 2}), 0, std::move(items));
}

void draw_events(const View& view, const Area& area) {
  area.heading(0, "Events", view.options.clock.empty() ? "" : printable(view.options.clock));
  const auto rows = static_cast<std::size_t>(std::max(area.rows() - 1, 0));
  int row = 1;
  for (const EventLine& event : view.events.last(std::min(rows, view.events.size())))
    put_event(area, row++, event);
}

void draw_keys(const View& view, const Area& area) {
  area.heading(0, "Keys");
  flow_keys(view.status.layout, area.lower(1), area.columns());
}

int rows_of_keys(Layout layout, int columns) {
  monitor::Screen nothing({1, 1});
  return 1 + flow_keys(layout, Area(nothing).lower(1), columns);
}

void draw_help(const View& view, const Area& area) {
  constexpr int kColumnsForTwo = 80;
  const std::vector<Binding> keys = explained(view.status.layout);
  const int columns = area.columns() < kColumnsForTwo ? 1 : 2;
  const int needed = 1 + (static_cast<int>(keys.size()) + columns - 1) / columns;
  if (needed > area.rows()) {
    flow_keys(view.status.layout, area, area.columns());
    return;
  }
  area.heading(0, "Keys", "left is positive");
  const Area rest = area.lower(1 + list_keys(area.lower(1), keys, columns));
  if (rest.rows() >= rows_of_marks()) draw_marks(rest);
}

}  // namespace rangerctl::teleop
