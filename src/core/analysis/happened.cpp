#include "happened.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"
#include "words.hpp"

namespace rangerctl::analysis {
namespace {

using std::chrono::nanoseconds;

nanoseconds length_of(const Stretch& stretch, const Analysis& analysis) {
  const Timestamp& to = stretch.to ? *stretch.to : analysis.latest();
  return stretch.from.known() && to.order(stretch.from) > 0 ? time_between(stretch.from, to) : nanoseconds(0);
}

bool is_same(const Stretch& a, const Stretch& b) { return a.message == b.message && a.signal == b.signal; }

}  // namespace

nanoseconds span_of(const Analysis& analysis) {
  return analysis.first().known() ? time_between(analysis.earliest(), analysis.latest()) : nanoseconds(0);
}

std::vector<std::string> line_rows(const output::Summary& summary) {
  std::vector<std::string> rows = summary.text();
  std::erase_if(rows, [](const std::string& row) { return row.starts_with("summary: "); });
  return rows;
}

std::vector<Alarm> alarms_of(const Analysis& analysis) {
  std::vector<Alarm> alarms;
  for (Stretch& stretch : alarm_stretches(analysis)) {
    auto found = std::find_if(alarms.begin(), alarms.end(), [&](const Alarm& row) {
      return is_same(row.stretches.front(), stretch) && row.stretches.front().value == stretch.value;
    });
    if (found == alarms.end()) found = alarms.insert(found, Alarm{});
    found->length += length_of(stretch, analysis);
    found->stretches.push_back(std::move(stretch));
  }
  return alarms;
}

const protocol::Flag* flag_of(const Stretch& alarm) {
  const auto found = std::find_if(alarm.signal->flags.begin(), alarm.signal->flags.end(),
                                  [&](const protocol::Flag& flag) { return flag.bit == alarm.value; });
  return found == alarm.signal->flags.end() ? nullptr : &*found;
}

std::vector<StateTimes> state_times(const Analysis& analysis) {
  std::vector<StateTimes> states;
  for (const Stretch& row : choice_stretches(analysis)) {
    auto state = std::find_if(states.begin(), states.end(), [&](const StateTimes& one) {
      return one.message == row.message && one.signal == row.signal;
    });
    if (state == states.end()) state = states.insert(state, StateTimes{row.message, row.signal, {}, 0});
    state->changes += row.since_before ? 0 : 1;
    auto value = std::lower_bound(state->values.begin(), state->values.end(), row.value,
                                  [](const auto& one, std::int64_t raw) { return one.first < raw; });
    if (value == state->values.end() || value->first != row.value)
      value = state->values.insert(value, {row.value, nanoseconds(0)});
    value->second += length_of(row, analysis);
  }
  return states;
}

std::vector<Event> events_of(const Analysis& analysis) {
  std::vector<Event> events;
  for (const Stretch& row : alarm_stretches(analysis)) {
    events.push_back({row.from, (row.since_before ? "is set: " : "set: ") + alarm_name(row)});
    if (row.to) events.push_back({*row.to, "cleared: " + alarm_name(row)});
  }
  for (const Stretch& row : choice_stretches(analysis)) {
    events.push_back({row.from, fmt::format("{}{} {}", row.signal->name, row.since_before ? " is" : ":",
                                            protocol::value_text(*row.signal, row.value))});
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time.order(b.time) < 0; });
  return events;
}

const MessageStatistics* statistics_of(const Analysis& analysis, std::string_view name) {
  const protocol::Message* const message = analysis.catalogue().find(name);
  if (message == nullptr) return nullptr;
  const MessageStatistics& found = analysis.messages()[analysis.catalogue().index_of(*message)];
  return found.id.words == 0 ? nullptr : &found;
}

WheelTravel wheel_travel(const Analysis& analysis) {
  WheelTravel travel;
  for (const Travel& wheel : analysis.travels()) {
    if (!wheel.sum()) continue;
    travel.sum_mm += *wheel.sum();
    ++travel.wheels;
    travel.resets = std::max(travel.resets, wheel.resets());
  }
  return travel;
}

std::vector<const protocol::Message*> never_seen(const Analysis& analysis) {
  std::vector<const protocol::Message*> missing;
  const auto messages = analysis.catalogue().messages();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (analysis.messages()[i].id.count == 0 && !messages[i].is_command()) missing.push_back(&messages[i]);
  }
  return missing;
}

std::string other_name(const OtherId& id) {
  if (id.kind != FrameKind::error) return "unknown";
  Frame frame;
  frame.kind = FrameKind::error;
  frame.id = id.id;
  const auto classes = decode_error_frame(frame).classes;
  return classes.empty() ? "no class" : classes.front();
}

std::vector<std::string> seen_names(const protocol::Signal& signal, const IdStatistics& statistics) {
  std::vector<std::string> names;
  if (!signal.flags.empty()) {
    const std::int64_t seen = protocol::raw_value(signal.field, statistics.ever_one);
    for (unsigned bit = 0; bit < signal.field.bits; ++bit) {
      if (((seen >> bit) & 1) != 0) names.push_back(protocol::value_text(signal, std::int64_t{1} << bit));
    }
  } else if (!signal.choices.empty() && signal.field.bytes == 1) {
    std::array<bool, 256> seen{};
    for (std::uint64_t byte = 0; byte < seen.size(); ++byte) {
      if (!statistics.values[signal.field.byte][byte]) continue;
      seen.at(static_cast<std::size_t>(
          protocol::raw_value(signal.field, byte << (56 - 8 * signal.field.byte)))) = true;
    }
    for (std::size_t raw = 0; raw < seen.size(); ++raw) {
      if (seen[raw]) names.push_back(protocol::value_text(signal, static_cast<std::int64_t>(raw)));
    }
  }
  return names;
}

}  // namespace rangerctl::analysis
