#include "lists.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "help.hpp"
#include "opened.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"
#include "view.hpp"

namespace rangerctl::monitor {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

/// People write ids as this program does: 0x211.
std::string_view without_0x(std::string_view filter) {
  return filter.size() > 2 && contains(filter.substr(0, 2), "0x") ? filter.substr(2) : filter;
}

bool matches(const ListedId& row, std::string_view filter) {
  if (filter.empty() || contains(row.id, without_0x(filter)) || contains(row.name, filter)) return true;
  if (row.message == nullptr) return false;
  const auto signals = row.message->signals;
  return std::any_of(signals.begin(), signals.end(),
                     [filter](const protocol::Signal& signal) { return contains(signal.name, filter); });
}

void add_messages(const Scene& scene, std::vector<ListedId>& rows) {
  for (const protocol::Message* const message : listed_messages(scene.watched.state)) {
    const std::size_t index = scene.watched.state.catalogue->index_of(*message);
    const MessageState& entry = scene.watched.state.messages[index];
    rows.push_back({{FrameKind::data, false, message->id},
                    fmt::format("{:03X}", message->id),
                    std::string(message->name),
                    message,
                    entry.count == 0 ? nullptr : &entry.frame,
                    entry.arrival,
                    entry.count,
                    &entry.meter,
                    &scene.watched.history.messages[index].id});
  }
}

ListedId listed(const OtherId& other, const IdHistory& history, std::string id, std::string name) {
  return {id_key(other.frame), std::move(id), std::move(name), nullptr, &other.frame,
          other.arrival,       other.count,   &other.meter,    &history};
}

void add_others(const Scene& scene, std::vector<ListedId>& rows) {
  const auto& others = scene.watched.state.others;
  for (std::size_t i = 0; i < others.size(); ++i) {
    rows.push_back(listed(others[i], scene.watched.history.others[i], id_text(others[i].frame),
                          others[i].frame.kind == FrameKind::data ? "(unknown)" : "(foreign)"));
  }
  for (const ErrorHistory& error : scene.watched.history.errors) {
    const ErrorFrame words = decode_error_frame(error.arrivals.frame);
    rows.push_back(listed(error.arrivals, error.id, id_text(error.arrivals.frame),
                          fmt::format("{}", fmt::join(words.classes, "+"))));
  }
}

/// What is sorted by, in steps so large that rows do not change places all the time.
double rank(const Scene& scene, const ListedId& row, Sort sort) {
  constexpr double kStep = 1.2;
  const auto in_steps = [](double value) {
    return value > 0 ? std::floor(std::log(value) / std::log(kStep)) : -99;
  };
  switch (sort) {
    case Sort::rate:
      return -in_steps(row.meter->per_second(scene.now).value_or(0));
    case Sort::age:
      return row.frame == nullptr ? -1e9
                                  : -std::floor(std::chrono::duration<double>(scene.now - row.arrival) /
                                                std::chrono::milliseconds(500));
    case Sort::count:
      return -in_steps(static_cast<double>(row.count));
    case Sort::changes:
      return -in_steps(static_cast<double>(row.history->changes));
    case Sort::id:
      break;
  }
  return 0;
}

auto by_id(const ListedId& row) {
  const int group = row.message != nullptr ? 0 : row.key.kind == FrameKind::error ? 2 : 1;
  return std::tuple(group, row.key.extended, row.key.id, row.key.kind);
}

std::vector<ListedId> all_ids(const Scene& scene) {
  std::vector<ListedId> rows;
  add_messages(scene, rows);
  add_others(scene, rows);
  return rows;
}

}  // namespace

std::vector<ListedId> listed_ids(const Scene& scene, const Choices& choices) {
  std::vector<ListedId> rows = all_ids(scene);
  std::erase_if(rows, [&choices](const ListedId& row) { return !matches(row, choices.filter); });
  std::stable_sort(rows.begin(), rows.end(), [&](const ListedId& a, const ListedId& b) {
    return std::tuple(rank(scene, a, choices.sort), by_id(a)) <
           std::tuple(rank(scene, b, choices.sort), by_id(b));
  });
  return rows;
}

std::size_t count_of_ids(const Scene& scene) { return all_ids(scene).size(); }

std::size_t selected_row(const std::vector<ListedId>& ids, const Choices& choices) {
  const auto found = std::find_if(ids.begin(), ids.end(), [&choices](const ListedId& row) {
    return choices.selected && row.key == *choices.selected;
  });
  return found == ids.end() ? 0 : static_cast<std::size_t>(found - ids.begin());
}

std::vector<FaultPlace> fault_places(const protocol::Catalogue& catalogue) {
  std::vector<FaultPlace> places;
  for (const protocol::Message& message : catalogue.messages()) {
    for (const protocol::Signal& signal : message.signals) {
      for (const protocol::Flag& flag : signal.flags) {
        if (!flag.harmless) places.push_back({&message, &signal, &flag});
      }
    }
  }
  return places;
}

std::size_t selected_fault(const Scene& scene, const std::vector<FaultPlace>& places,
                           const Choices& choices) {
  if (choices.fault) return std::min(*choices.fault, places.empty() ? 0 : places.size() - 1);
  const auto active = std::find_if(places.begin(), places.end(), [&scene](const FaultPlace& place) {
    return bit_state(scene, place) == BitState::active;
  });
  return active == places.end() ? 0 : static_cast<std::size_t>(active - places.begin());
}

BitState bit_state(const Scene& scene, const FaultPlace& place) {
  const State& state = scene.watched.state;
  const auto raw = current_value(state, state.catalogue->index_of(*place.message), *place.signal, scene.now);
  const bool seen = bit_history(scene, place).times > 0;
  if (!raw) return seen ? BitState::seen_before : BitState::not_known;
  if (((*raw >> place.flag->bit) & 1) != 0) return BitState::active;
  return seen ? BitState::seen : BitState::clear;
}

const BitHistory& bit_history(const Scene& scene, const FaultPlace& place) {
  const protocol::Catalogue& catalogue = *scene.watched.state.catalogue;
  return bits_of(scene.watched.history, catalogue, catalogue.index_of(*place.message),
                 *place.signal)[place.flag->bit];
}

bool is_clearable(const FaultPlace& place) { return place.signal->name == "errors"; }

std::string clear_question(const protocol::Flag& flag) {
  if (flag.clear_code < 0)
    return fmt::format("{} has no own code.  a: all (0x00)  other keys: no", flag.name);
  return fmt::format("Clear {} (0x{:02X})?  y: yes  a: all (0x00)  other keys: no", flag.name,
                     flag.clear_code);
}

Size page_size(Size screen, bool replay) {
  constexpr int kRowsForKeys = 5;
  const int last_rows = screen.rows < kRowsForKeys ? 0 : replay ? 2 : 1;
  return {std::max(0, screen.rows - 1 - last_rows), screen.columns};
}

int events_across(std::size_t events, int rows, int columns) {
  constexpr int kEventColumns = 40;
  // Beside each other only where they would not fit below each other.
  const auto needed = (static_cast<int>(events) + std::max(1, rows) - 1) / std::max(1, rows);
  return std::clamp(needed, 1, std::max(1, columns / kEventColumns));
}

std::size_t most_scroll(const Scene& scene, const Choices& choices, Size page) {
  const std::size_t rows = text_rows(scene, choices);
  int room = page.rows;
  if (choices.page == Page::faults) room = (page.rows - 1) * events_across(rows, page.rows - 1, page.columns);
  if (choices.page == Page::frames) room = page.rows - opened_head_rows(scene, choices, page) - 1;
  return rows - std::min(rows, static_cast<std::size_t>(std::max(1, room)));
}

std::size_t text_rows(const Scene& scene, const Choices& choices) {
  if (choices.page == Page::help) return help_rows();
  if (choices.page == Page::frames && choices.opened) return opened_rows(scene, choices);
  if (choices.page == Page::faults && choices.events) return scene.watched.history.events.size();
  return 0;
}

}  // namespace rangerctl::monitor
