#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lists.hpp"
#include "panels.hpp"

namespace rangerctl::monitor {
namespace {

using namespace std::chrono_literals;

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

bool arrives_badly(const PageView& view, const ListedId& id) {
  if (id.message == nullptr || !is_expected(*id.message)) return false;
  const std::chrono::milliseconds period(id.message->period_ms);
  if (id.frame == nullptr) return view.now - view.state.start > stale_after(*id.message);
  const auto rate = id.meter->per_second(view.now);
  return view.now - id.arrival > 3 * period || (rate && *rate < 0.8 * 1000.0 / id.message->period_ms);
}

Columns choose_columns(std::size_t rows, const Area& area, bool with_bytes) {
  const auto columns = [&](int least, bool payload) {
    const int count = std::max(1, area.columns() / least);
    return Columns{count, area.columns() / count, payload};
  };
  const Columns with_payload = columns(kFixedColumns + kShortestName + kPayloadColumns, true);
  if (with_payload.width <= kFixedColumns + kPayloadColumns)
    return columns(kFixedColumns + kShortestName, false);
  const int needed = (static_cast<int>(rows) + with_payload.count - 1) / with_payload.count;
  const Columns without = columns(kFixedColumns + kShortestName, false);
  return with_bytes || needed <= area.rows() || without.count == with_payload.count ? with_payload : without;
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

/// Bytes that changed within the last second stand out.
void put_payload(const PageView& view, const Area& area, int column, const ListedId& id) {
  constexpr std::size_t kShown = 8;
  const auto bytes = id.frame->bytes();
  column = area.put(0, column, fmt::format("[{}]", id.frame->length), Style::dim);
  for (std::size_t i = 0; i < std::min(bytes.size(), kShown); ++i) {
    const ByteHistory& history = id.history->bytes[i];
    const bool changed = history.changes > 0 && view.now - history.changed <= 1s;
    column = area.put(0, column + 1, fmt::format("{:02X}", bytes[i]), changed ? Style::title : Style::dim);
  }
  if (bytes.size() > kShown) area.put(0, column, "…", Style::dim);
}

void put_row(const PageView& view, const Area& area, const ListedId& id, bool payload, bool selected) {
  const bool bad = arrives_badly(view, id);
  const Style style = bad ? Style::caution : Style::normal;
  const int id_width = std::max(3, text_width(id.id));
  const int room = area.columns() - kFixedColumns - (payload ? kPayloadColumns : 0) - (id_width - 3);
  const int name_width = std::clamp(room, 0, kLongestName - (id_width - 3));
  int column = area.put(0, 0, bad ? "!" : " ", Style::caution);
  column = area.put(0, column, id.id, selected ? Style::selected : Style::normal);
  column = area.put(0, column, selected ? ">" : " ", Style::normal);
  column = area.put(0, column, elided(fitting_name(id.name, name_width), name_width),
                    selected ? Style::selected : style);
  const std::string age = id.frame == nullptr ? "never" : coarse_age_text(view.now - id.arrival);
  column = area.put(0, column,
                    fmt::format(" {} {} {}", coarse_rate_text(id.meter->per_second(view.now)), age,
                                coarse_count_text(id.count)),
                    style);
  if (payload && id.frame != nullptr) put_payload(view, area, column + 2, id);
}

/// The first row that is shown: whole screens, so that little changes while the cursor moves.
int first_shown(int selected, int places) { return places == 0 ? 0 : selected / places * places; }

void put_rows(const PageView& view, const Area& area, const std::vector<ListedId>& ids,
              const Columns& columns, int from, int selected) {
  const int total = static_cast<int>(ids.size());
  const int shown = std::min(total - from, area.rows() * columns.count);
  const int height = std::clamp((shown + columns.count - 1) / columns.count, 1, std::max(1, area.rows()));
  for (int i = 0; i < shown; ++i) {
    const Area place = area.part(i % height, i / height * columns.width, {1, columns.width});
    put_row(view, place, ids[static_cast<std::size_t>(from + i)], columns.payload, from + i == selected);
  }
}

void put_summary(const PageView& view, const Area& area, std::size_t shown, std::size_t all) {
  const State& state = view.state;
  const std::size_t missing = missing_messages(view).size();
  const auto messages = state.catalogue->messages();
  const auto expected =
      static_cast<std::size_t>(std::count_if(messages.begin(), messages.end(), is_expected));
  const auto counter = [](std::string label, std::uint64_t count, int importance) {
    return Item{std::move(label), fmt::format("{}", count), count == 0 ? Style::normal : Style::caution,
                importance};
  };
  const std::string& filter = view.choices.filter;
  std::vector<Item> items{{"fresh", fmt::format("{} of {}", expected - missing, expected),
                           missing == 0 ? Style::good : Style::caution, 0}};
  if (!filter.empty())
    items.push_back(
        {fmt::format("filter \"{}\"", filter), fmt::format("{} of {}", shown, all), Style::caution, 0});
  for (const Item& item :
       {Item{"other ids", fmt::format("{}", state.others.size()), Style::normal, 1},
        counter("not listed", state.not_listed, state.not_listed == 0 ? 7 : 1),
        counter("short", short_frames(state), 2), counter("RTR", state.foreign.remote, 3),
        counter("29-bit", state.foreign.extended, 4), counter("FD", state.foreign.fd + state.foreign.xl, 5)})
    items.push_back(item);
  items.push_back({"sort", kSortNames.at(static_cast<std::size_t>(view.choices.sort)), Style::normal, 2});
  fit_items(area.part(0, 1, area.size()), 0, std::move(items));
}

/// With its heading, when nothing else limits it.
int list_rows(const std::vector<ListedId>& ids, const Area& area, bool with_bytes) {
  const Columns columns = choose_columns(ids.size(), area.lower(1), with_bytes);
  return 1 + (static_cast<int>(ids.size()) + columns.count - 1) / columns.count;
}

void put_list(const PageView& view, const Area& area, const std::vector<ListedId>& ids, bool with_cursor) {
  const Columns columns = choose_columns(ids.size(), area.lower(1), view.choices.bytes);
  const int places = std::max(0, area.rows() - 1) * columns.count;
  const int selected = with_cursor ? static_cast<int>(selected_row(ids, view.choices)) : -1;
  const int from = with_cursor ? first_shown(selected, places) : 0;
  const int to = std::min(from + places, static_cast<int>(ids.size()));
  const bool all = to - from == static_cast<int>(ids.size());
  area.heading(
      0, "Frames: per second, age, count",
      all ? std::string("! too slow or too old") : fmt::format("{}..{} of {}", from + 1, to, ids.size()),
      all ? Style::dim : Style::caution);
  put_rows(view, area.lower(1), ids, columns, from, selected);
  if (ids.empty()) area.put_elided(1, 1, "no id, name or signal contains this text; Esc shows all");
}

}  // namespace

void draw_frame_list(const PageView& view, const Area& area) {
  const Scene scene = scene_of(view);
  Choices plain;
  put_list(view, area, listed_ids(scene, plain), false);
}

void draw_frames(const PageView& view, const Area& area) {
  const Scene scene = scene_of(view);
  const std::vector<ListedId> ids = listed_ids(scene, view.choices);
  if (view.choices.opened && view.choices.selected) {
    const std::size_t row = selected_row(ids, view.choices);
    const bool is_there = row < ids.size() && ids[row].key == *view.choices.selected;
    if (is_there) return draw_opened(view, area, ids[row]);
    area.put_elided(0, 1, "this id has not arrived up to here; Esc goes back to the list", Style::caution);
    return;
  }
  put_summary(view, area, ids.size(), count_of_ids(scene));
  const Area list = area.lower(1);
  // Where the whole list leaves enough rows, the chosen frame is open below it.
  constexpr int kRowsToOpen = 16;
  const int used = list_rows(ids, list, view.choices.bytes);
  const bool opens = !ids.empty() && list.rows() - used >= kRowsToOpen;
  put_list(view, opens ? list.part(0, 0, {used, list.columns()}) : list, ids, true);
  if (opens) draw_opened(view, list.lower(used), ids[selected_row(ids, view.choices)]);
}

}  // namespace rangerctl::monitor
