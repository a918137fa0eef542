#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "panels.hpp"
#include "rangerctl/error_frame.hpp"

namespace rangerctl::monitor {
namespace {

/// One id with what is known about its arrival.
struct Row {
  std::string id;
  std::string_view name;
  std::string rate = {};
  std::string age = {};
  std::string count = {};
  char mark = ' ';
  const Frame* frame = nullptr;  ///< the last one; null: none arrived
  Style style = Style::normal;
};

/// How rows are laid out: the name's width grows with the room, the payload is shown where all rows fit.
struct Columns {
  int count;  ///< of rows beside each other
  int width;  ///< of one
  bool payload;
};
constexpr int kFixedColumns = 23;  // mark, id, rate, age, count and the blanks between
constexpr int kShortestName = 17;
constexpr int kLongestName = 24;
constexpr int kPayloadColumns = 29;  // "  [8] 00 11 22 33 44 55 66 77"

bool arrives_badly(const View& view, const protocol::Message& message, const MessageState& entry) {
  const std::chrono::milliseconds period(message.period_ms);
  if (entry.count == 0) return view.now - view.state.start > stale_after(message);
  const auto rate = entry.meter.per_second(view.now);
  return view.now - entry.arrival > 3 * period || (rate && *rate < 0.8 * 1000.0 / message.period_ms);
}

Row message_row(const View& view, const protocol::Message& message) {
  const MessageState& entry = view.state.messages[index_of(view, message)];
  Row row{fmt::format("{:03X}", message.id), message.name};
  row.rate = rate_text(entry.meter.per_second(view.now));
  row.count = count_text(entry.count);
  row.age = entry.count == 0 ? "never" : age_text(view.now - entry.arrival);
  if (entry.count != 0) row.frame = &entry.frame;
  if (is_expected(message) && arrives_badly(view, message, entry)) {
    row.mark = '!';
    row.style = Style::caution;
  }
  return row;
}

Row other_row(const View& view, const OtherId& other) {
  Row row{id_text(other.frame), other.frame.kind == FrameKind::data ? "(unknown)" : "(foreign)"};
  row.rate = rate_text(other.meter.per_second(view.now));
  row.age = age_text(view.now - other.arrival);
  row.count = count_text(other.count);
  row.frame = &other.frame;
  return row;
}

std::vector<Row> known_rows(const View& view) {
  std::vector<Row> rows;
  for (const protocol::Message* const message : listed_messages(view.state)) {
    rows.push_back(message_row(view, *message));
  }
  return rows;
}

std::vector<Row> other_rows(const View& view) {
  std::vector<Row> rows;
  for (const OtherId* const other : others_by_id(view.state)) rows.push_back(other_row(view, *other));
  return rows;
}

Columns choose_columns(int rows, const Area& area) {
  const auto columns = [&](int least, bool payload) {
    const int count = std::max(1, area.columns() / least);
    return Columns{count, area.columns() / count, payload};
  };
  const Columns with_payload = columns(kFixedColumns + kShortestName + kPayloadColumns, true);
  const int needed = (rows + with_payload.count - 1) / with_payload.count;
  const bool fits = needed <= area.rows() && with_payload.width > kFixedColumns + kPayloadColumns;
  return fits ? with_payload : columns(kFixedColumns + kShortestName, false);
}

std::string elided(std::string_view text, int width) {
  if (text_width(text) <= width) return padded(std::string(text), width);
  return std::string(clipped(text, std::max(0, width - 1))) + "…";
}

/// "motion_feedback" without what every second name ends in, where there is no room for it.
std::string_view fitting_name(std::string_view name, int width) {
  constexpr std::string_view kSuffix = "_feedback";
  const bool shorten = static_cast<int>(name.size()) > width && name.ends_with(kSuffix);
  return shorten ? name.substr(0, name.size() - kSuffix.size()) : name;
}

void put_row(const Area& area, int row, const Row& entry, bool payload) {
  const int id_width = std::max(3, text_width(entry.id));
  const int room = area.columns() - kFixedColumns - (payload ? kPayloadColumns : 0) - (id_width - 3);
  const int name_width = std::clamp(room, 0, kLongestName - (id_width - 3));
  int column = area.put(row, 0, std::string(1, entry.mark), Style::caution);
  column = area.put(row, column, entry.id, Style::normal) + 1;
  column = area.put(row, column, elided(fitting_name(entry.name, name_width), name_width), entry.style);
  column = area.put(row, column, " " + entry.rate + " " + entry.age + " " + entry.count, entry.style);
  if (payload && entry.frame != nullptr) area.put(row, column + 2, payload_text(*entry.frame), Style::dim);
}

/// Rows below and then beside each other; what does not fit is counted in the last place.
void put_rows(const Area& area, const std::vector<Row>& rows, const Columns& columns) {
  const int places = area.rows() * columns.count;
  const int total = static_cast<int>(rows.size());
  const int height = std::clamp((total + columns.count - 1) / columns.count, 1, std::max(1, area.rows()));
  for (int i = 0; i < std::min(total, places); ++i) {
    const Area place = area.part(i % height, i / height * columns.width, {1, columns.width});
    if (i == places - 1 && total > places) {
      place.put(0, 0, fmt::format(" + {} more", total - places + 1), Style::caution);
    } else {
      put_row(place, 0, rows[static_cast<std::size_t>(i)], columns.payload);
    }
  }
}

int rows_needed(std::size_t rows, const Columns& columns) {
  return (static_cast<int>(rows) + columns.count - 1) / columns.count;
}

void put_summary(const View& view, const Area& area) {
  const State& state = view.state;
  const std::size_t missing = missing_messages(view).size();
  const auto messages = state.catalogue->messages();
  const auto expected =
      static_cast<std::size_t>(std::count_if(messages.begin(), messages.end(), is_expected));
  const auto counter = [](std::string label, std::uint64_t count, int importance) {
    return Item{std::move(label), fmt::format("{}", count), count == 0 ? Style::normal : Style::caution,
                importance};
  };
  const std::string load = fmt::format("{:.0f}..{:.0f}%", load_percent(state, state.bits, view.now),
                                       load_percent(state, state.worst_bits, view.now));
  fit_items(area.part(0, 1, area.size()), 0,
            {{"fresh", fmt::format("{} of {}", expected - missing, expected),
              missing == 0 ? Style::good : Style::caution, 0},
             {"other ids", fmt::format("{}", state.others.size()), Style::normal, 1},
             {"load with stuffing", load, Style::normal, 6},
             counter("short", short_frames(state), 2),
             counter("RTR", state.foreign.remote, 3),
             counter("29-bit", state.foreign.extended, 4),
             counter("FD", state.foreign.fd + state.foreign.xl, 5)});
}

void put_others(const Area& area, const std::vector<Row>& others) {
  const Area room = area.lower(1);
  area.heading(0, "Other ids:", others.empty() ? "none" : fmt::format("{}", others.size()));
  put_rows(room, others, choose_columns(static_cast<int>(others.size()), room));
}

void put_errors(const View& view, const Area& area) {
  const ErrorFrames& errors = view.state.errors;
  area.heading(0, "Error frames:", errors.count == 0 ? "none" : fmt::format("{}", errors.count),
               errors.count == 0 ? Style::normal : Style::caution);
  if (errors.count == 0) return;
  const std::string age = age_text(view.now - errors.arrival);
  area.put_elided(1, 1, fmt::format("{} ago: {}", age, error_frame_text(decode_error_frame(errors.last))));
  std::string classes;
  for (const ErrorClass& row : error_classes(errors)) classes += fmt::format("  {} {}", row.name, row.count);
  area.put_elided(2, 0, classes);
}

}  // namespace

void draw_frames(const View& view, const Area& area) {
  const std::vector<Row> known = known_rows(view);
  const std::vector<Row> others = other_rows(view);
  constexpr int kRoomy = 12;  // rows from which on it is worth saying that there are none
  const bool roomy = area.rows() >= kRoomy;
  const bool any_errors = view.state.errors.count != 0;
  const int error_rows = roomy ? (any_errors ? 3 : 1) : (any_errors ? 1 : 0);
  const int other_least = roomy ? 1 + std::min(3, static_cast<int>(others.size())) : 0;
  const int room = area.rows() - 2 - other_least - error_rows;
  const Area table_room = area.part(2, 0, {std::max(1, room), area.columns()});
  const Columns columns = choose_columns(static_cast<int>(known.size()), table_room);
  const int height = std::min(rows_needed(known.size(), columns), table_room.rows());

  put_summary(view, area);
  area.heading(1, "Frames: per second, age, count", "! too slow or too old", Style::dim);
  put_rows(area.part(2, 0, {height, area.columns()}), known, columns);
  const int below = 2 + height;
  put_others(area.part(below, 0, {area.rows() - below - error_rows, area.columns()}), others);
  put_errors(view, area.lower(area.rows() - error_rows));
}

}  // namespace rangerctl::monitor
