#include "opened.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lists.hpp"
#include "panels.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::monitor {
namespace {

using namespace std::chrono_literals;

std::string milliseconds_text(double nanoseconds) { return fmt::format("{:.2f}", nanoseconds / 1e6); }

std::string title_remark(const ListedId& id) {
  if (id.message == nullptr) return "not in the catalogue";
  const std::string period =
      id.message->period_ms == 0 ? "" : fmt::format(", every {} ms", id.message->period_ms);
  return fmt::format("{} bytes{}, from the {}", id.message->dlc, period,
                     id.message->is_command() ? "host" : "chassis");
}

void put_arrivals(const PageView& view, const Area& area, int row, const ListedId& id) {
  const std::string age = id.frame == nullptr ? "never" : age_text(view.now - id.arrival);
  std::vector<Item> items{{"rate", rate_text(id.meter->per_second(view.now)) + "/s", Style::normal, 0},
                          {"age", age, Style::normal, 0},
                          {"frames", fmt::format("{}", id.count), Style::normal, 1},
                          {"changed", fmt::format("{}", id.history->changes), Style::normal, 2}};
  if (id.message != nullptr) {
    const std::uint64_t count = view.state.messages[index_of(view, *id.message)].short_count;
    items.push_back({"short", fmt::format("{}", count), count == 0 ? Style::normal : Style::caution, 3});
  }
  fit_items(area.part(0, 1, area.size()), row, std::move(items));
}

void put_period(const Area& area, int row, const ListedId& id) {
  const Gaps& gaps = id.history->gaps;
  const auto text = [&gaps](double nanoseconds) {
    return gaps.count == 0 ? std::string(kMissing) : milliseconds_text(nanoseconds);
  };
  fit_items(area.part(0, 1, area.size()), row,
            {{"period mean", text(gaps.mean), Style::normal, 0},
             {"min", text(static_cast<double>(gaps.least.count())), Style::normal, 2},
             {"max", text(static_cast<double>(gaps.most.count())), Style::normal, 1},
             {"jitter", text(gaps.jitter()) + " ms", Style::normal, 0}});
}

bool changed_lately(const PageView& view, const ByteHistory& byte) {
  return byte.changes > 0 && view.now - byte.changed <= 1s;
}

constexpr int kLabel = 9;

int bytes_per_row(int columns) { return std::clamp((columns - kLabel) / 3, 1, 16); }

/// Two for each row of bytes.
int byte_rows(const ListedId& id, int columns) {
  const int bytes = id.frame == nullptr ? 0 : static_cast<int>(id.frame->bytes().size());
  const int per_row = bytes_per_row(columns);
  return 2 * std::max(1, (bytes + per_row - 1) / per_row);
}

/// Each row with marks below the bytes that changed lately.
void put_bytes(const PageView& view, const Area& area, int row, const ListedId& id) {
  const int per_row = bytes_per_row(area.columns());
  const auto bytes = id.frame == nullptr ? std::span<const std::uint8_t>{} : id.frame->bytes();
  area.put(row, 1, fmt::format("[{}]", id.frame == nullptr ? 0 : id.frame->length), Style::dim);
  for (int i = 0; i < static_cast<int>(bytes.size()); ++i) {
    const bool changed = changed_lately(view, id.history->bytes[static_cast<std::size_t>(i)]);
    const int below = row + i / per_row * 2;
    const int column = kLabel + i % per_row * 3;
    area.put(below, column, fmt::format("{:02X}", bytes[static_cast<std::size_t>(i)]),
             changed ? Style::caution : Style::normal);
    if (changed) area.put(below + 1, column, "^^", Style::caution);
  }
}

// ---- Signals ------------------------------------------------------------------------------------------

std::string extreme(const protocol::Signal& signal, const SignalHistory& history, std::int64_t raw) {
  if (!signal.choices.empty() || !signal.flags.empty()) return {};
  return history.any() ? number({&signal, raw}, 11) : fmt::format("{:>11}", kMissing);
}

std::string current_text(const Reading& value) {
  if (!value.raw) return std::string(kMissing);
  const protocol::Signal& signal = *value.signal;
  if (!signal.choices.empty() || !signal.flags.empty()) return protocol::value_text(signal, *value.raw);
  return number(value, 0);
}

struct SignalColumns {
  int value;     ///< where the value ends
  int extremes;  ///< where the least begins; 0: no room
};
SignalColumns signal_columns(int columns) {
  constexpr int kName = 26;
  if (columns < 60) return {std::max(20, columns - 7), 0};
  return {kName + 12, kName + 22};
}

void put_signal(const PageView& view, const Area& area, int row, const ListedId& id, std::size_t index) {
  const protocol::Signal& signal = id.message->signals[index];
  const SignalHistory& history = view.history.messages[index_of(view, *id.message)].signals[index];
  const Reading value = reading(view, id.message->name, signal.name);
  const SignalColumns columns = signal_columns(area.columns());
  const Style style = value.raw ? Style::normal : Style::caution;
  const std::string text = current_text(value);
  area.put(row, 1, signal.name, Style::dim);
  const bool words = !signal.choices.empty() || !signal.flags.empty();
  if (words) {
    const int behind_name = 2 + text_width(signal.name);
    area.put_elided(row, std::max(behind_name, std::min(27, columns.value - text_width(text))), text, style);
  } else {
    area.put_right(row, columns.value, text, style);
    area.put(row, columns.value + 1, signal.unit, Style::dim);
  }
  if (columns.extremes == 0) return;
  area.put(row, columns.extremes, extreme(signal, history, history.least));
  area.put(row, columns.extremes + 13, extreme(signal, history, history.most));
}

void put_byte(const PageView& view, const Area& area, int row, const ListedId& id, std::size_t index) {
  const ByteHistory& history = id.history->bytes[index];
  const std::uint8_t byte = id.frame->data[index];
  const bool changed = changed_lately(view, history);
  area.put(row, 1,
           fmt::format("{:>2}   {:02X}  {:>3}  {:04b} {:04b}   {:02X}   {:02X}  {:>9}", index, byte, byte,
                       byte >> 4U, byte & 15U, history.least, history.most, history.changes),
           changed ? Style::caution : Style::normal);
}

std::size_t rows_of(const ListedId& id) {
  if (id.message != nullptr) return id.message->signals.size();
  return id.frame == nullptr ? 0 : id.frame->bytes().size();
}

void put_rows(const PageView& view, const Area& area, const ListedId& id) {
  const std::size_t count = rows_of(id);
  const auto room = static_cast<std::size_t>(std::max(0, area.rows() - 1));
  const std::size_t from = std::min(view.choices.scroll, count - std::min(count, room));
  if (id.message != nullptr) {
    area.heading(0, "Signals");
    const SignalColumns columns = signal_columns(area.columns());
    area.put_right(0, columns.value, " now", Style::title);
    if (columns.extremes != 0) {
      area.put_right(0, columns.extremes + 11, " min", Style::title);
      area.put_right(0, columns.extremes + 24, " max", Style::title);
    }
  } else {
    area.heading(0, "Bytes");
    area.put(0, 1, " no  hex  dec  binary      min  max    changes ", Style::title);
  }
  for (std::size_t i = from; i < std::min(count, from + room); ++i) {
    const int row = static_cast<int>(i - from) + 1;
    id.message != nullptr ? put_signal(view, area, row, id, i) : put_byte(view, area, row, id, i);
  }
}

std::string meaning(const ListedId& id) {
  if (id.message != nullptr) return std::string(id.message->meaning);
  if (id.key.kind == FrameKind::error) return error_frame_text(decode_error_frame(*id.frame));
  return {};
}

bool shows_meaning(const ListedId& id, Size page) { return page.rows > 12 && !meaning(id).empty(); }

/// Title, meaning, arrivals, period, bytes.
int head_rows(const ListedId& id, Size page) {
  return 3 + (shows_meaning(id, page) ? 1 : 0) + byte_rows(id, page.columns);
}

}  // namespace

int opened_head_rows(const Scene& scene, const Choices& choices, Size page) {
  const auto ids = listed_ids(scene, choices);
  return ids.empty() ? 0 : head_rows(ids[selected_row(ids, choices)], page);
}

std::size_t opened_rows(const Scene& scene, const Choices& choices) {
  const auto ids = listed_ids(scene, choices);
  return ids.empty() ? 0 : rows_of(ids[selected_row(ids, choices)]);
}

void draw_opened(const PageView& view, const Area& area, const ListedId& id) {
  int row = 0;
  area.heading(row++, fmt::format("{} {}", id.id, id.name), title_remark(id), Style::dim);
  if (shows_meaning(id, area.size())) area.put_elided(row++, 1, meaning(id), Style::dim);
  put_arrivals(view, area, row++, id);
  put_period(area, row++, id);
  put_bytes(view, area, row, id);
  put_rows(view, area.lower(head_rows(id, area.size())), id);
}

}  // namespace rangerctl::monitor
