#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rangerctl/analysis/info.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/flag_words.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"
#include "rangerctl/wrapped_text.hpp"
#include "words.hpp"

namespace rangerctl::analysis {
namespace {

using protocol::Message;
using protocol::Signal;

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string counted(std::uint64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::chrono::nanoseconds span_of(const Analysis& analysis) {
  return analysis.first().known() ? time_between(analysis.earliest(), analysis.latest())
                                  : std::chrono::nanoseconds(0);
}

// ---- What it is ---------------------------------------------------------------------------------------

std::string moment_text(const Timestamp& time, const InfoHead& head) {
  std::string text = time_text(time);
  if (time.is_time_of_day() && head.local_time != nullptr) text += "  " + head.local_time(time.seconds);
  return text;
}

void append_head(std::string& out, const Analysis& analysis, const InfoHead& head) {
  append(out, "{}: {}\n", printable(head.file), counted(analysis.frames(), "frame"));
  if (analysis.first().known()) {
    append(out, "  from      {}\n  to        {}\n", moment_text(analysis.earliest(), head),
           moment_text(analysis.latest(), head));
    append(out, "  span      {} (h:m:s)\n", span_text(span_of(analysis)));
  } else if (analysis.frames() > 0) {
    append(out, "  time      this log has none: no rates, no gaps, no distance\n");
  }
  if (analysis.backward() > 0)
    append(out, "  time      goes back {}: several captures, or a clock that was set\n",
           counted(analysis.backward(), "time"));
  if (analysis.frames() > 0 || analysis.drops() > 0)
    append(out, "  lost      {}\n",
           analysis.drops() == 0 ? "no frame, as far as the log says"
                                 : counted(analysis.drops(), "frame") + ", as the log says");
  for (const std::string& row : head.summary.text()) {
    const std::string_view words = row;
    if (!words.starts_with("summary: ")) append_hanging(out, "  lines", printable(words), 12);
  }
  if (!head.trouble.empty()) append_hanging(out, "  trouble", printable(head.trouble), 12);
}

// ---- What happened ------------------------------------------------------------------------------------

std::string advice(const Stretch& alarm) {
  for (const protocol::Flag& flag : alarm.signal->flags) {
    if (flag.bit != alarm.value) continue;
    std::string text = protocol::flag_advice(flag);
    if (flag.clear_code >= 0) text += fmt::format("; rangerctl clear-error 0x{:02X}", flag.clear_code);
    return text;
  }
  return {};
}

/// All stretches of one alarm.
struct Alarm {
  std::uint64_t times = 0;
  std::chrono::nanoseconds length{0};
  const Stretch* first = nullptr;
  const Stretch* last = nullptr;
};

void append_alarms(std::string& out, const Analysis& analysis) {
  const std::vector<Stretch> stretches = alarm_stretches(analysis);
  out += "\nFaults\n";
  if (stretches.empty()) out += "  none was reported\n";
  std::vector<Alarm> alarms;
  for (const Stretch& stretch : stretches) {
    auto found = std::find_if(alarms.begin(), alarms.end(), [&](const Alarm& row) {
      return row.first->message == stretch.message && row.first->signal == stretch.signal &&
             row.first->value == stretch.value;
    });
    if (found == alarms.end()) found = alarms.insert(found, Alarm{0, {}, &stretch, nullptr});
    ++found->times;
    found->last = &stretch;
    const Timestamp& to = stretch.to ? *stretch.to : analysis.latest();
    if (stretch.from.known() && to.order(stretch.from) > 0) found->length += time_between(stretch.from, to);
  }
  for (const Alarm& alarm : alarms) {
    const std::string set = alarm.first->since_before
                                ? "from the start"
                                : "from " + offset_text(analysis.earliest(), alarm.first->from);
    const std::string cleared =
        alarm.last->to ? "to " + offset_text(analysis.earliest(), *alarm.last->to) : "to the end";
    append(out, "  {:<32} {}, {}, {} {}\n", alarm_name(*alarm.first), counted(alarm.times, "time"),
           span_text(alarm.length), set, cleared);
    if (const std::string text = advice(*alarm.first); !text.empty()) append_hanging(out, "", text, 6);
  }
}

void append_modes(std::string& out, const Analysis& analysis) {
  const std::vector<Stretch> stretches = choice_stretches(analysis);
  if (stretches.empty()) return;
  out += "\nStates, by their time\n";
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Stretch& first = stretches[i];
    if (!first.since_before) continue;
    std::map<std::int64_t, std::chrono::nanoseconds> times;
    std::uint64_t changes = 0;
    for (const Stretch& row : stretches) {
      if (row.signal != first.signal || row.message != first.message) continue;
      changes += row.since_before ? 0 : 1;
      const Timestamp& to = row.to ? *row.to : analysis.latest();
      times[row.value] += row.from.known() && to.order(row.from) > 0 ? time_between(row.from, to)
                                                                     : std::chrono::nanoseconds(0);
    }
    std::string text;
    for (const auto& [value, time] : times)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", protocol::value_text(*first.signal, value),
                          span_text(time));
    append_hanging(out, fmt::format("  {}", first.signal->name),
                   fmt::format("{}; {}", text, counted(changes, "change")), 20);
  }
}

/// A change in words, and its time.
struct Event {
  Timestamp time;
  std::string text;
};

std::vector<Event> events_of(const Analysis& analysis) {
  std::vector<Event> events;
  for (const Stretch& row : alarm_stretches(analysis)) {
    events.push_back({row.from, (row.since_before ? "is set: " : "set: ") + alarm_name(row)});
    if (row.to) events.push_back({*row.to, "cleared: " + alarm_name(row)});
  }
  for (const Stretch& row : choice_stretches(analysis))
    events.push_back({row.from, fmt::format("{}{} {}", row.signal->name, row.since_before ? " is" : ":",
                                            protocol::value_text(*row.signal, row.value))});
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time.order(b.time) < 0; });
  return events;
}

void append_events(std::string& out, const Analysis& analysis, Detail detail) {
  constexpr std::size_t kOverview = 20;
  const std::vector<Event> events = events_of(analysis);
  if (events.empty()) return;
  const std::size_t shown = detail == Detail::all ? events.size() : std::min(events.size(), kOverview);
  append(out, "\nWhat happened, in seconds from the first frame\n");
  for (std::size_t i = 0; i < shown; ++i)
    append(out, "  {:>12}  {}\n", offset_text(analysis.earliest(), events[i].time), events[i].text);
  if (shown < events.size()) append(out, "  {} more: --all shows them\n", events.size() - shown);
  if (analysis.more_changes() > 0)
    append(out, "  {} later changes were only counted\n", analysis.more_changes());
}

// ---- Motion and energy --------------------------------------------------------------------------------

/// Sums of Integral are twice mm/s times us.
double metres(Wide sum) { return static_cast<double>(sum) / 2e9; }
/// Twice 0.001 W times us.
double watt_hours(Wide sum) { return static_cast<double>(sum) / 2e9 / 3600; }

const MessageStatistics* statistics_of(const Analysis& analysis, std::string_view name) {
  const Message* const message = analysis.catalogue().find(name);
  if (message == nullptr) return nullptr;
  const auto& found =
      analysis.messages()[static_cast<std::size_t>(message - analysis.catalogue().messages().data())];
  return found.id.words == 0 ? nullptr : &found;
}

/// How much a signal of a message went on from its first to its last frame, around the end of its range too.
std::int64_t advance(const Analysis& analysis, const MessageStatistics& statistics, std::string_view message,
                     std::string_view name) {
  const Signal& signal = *protocol::find_signal(*analysis.catalogue().find(message), name);
  const auto first = static_cast<std::uint64_t>(protocol::raw_value(signal.field, statistics.id.first_word));
  const auto last = static_cast<std::uint64_t>(protocol::raw_value(signal.field, statistics.id.last_word));
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(last - first));
}

void append_odometer(std::string& out, const Analysis& analysis) {
  double sum = 0;
  int wheels = 0;
  for (const char* name : {"front_odometer", "rear_odometer"}) {
    const MessageStatistics* const statistics = statistics_of(analysis, name);
    if (statistics == nullptr) continue;
    for (const char* wheel : {"left_wheel", "right_wheel"})
      sum += static_cast<double>(advance(analysis, *statistics, name, wheel)) / 1000;
    wheels += 2;
  }
  if (wheels > 0)
    append(out, "  odometer      {:+.3f} m from the first to the last frame, mean of {} wheels\n",
           sum / wheels, wheels);
}

std::string range_of(const Analysis& analysis, std::string_view message_name, std::string_view signal_name) {
  const Message& message = *analysis.catalogue().find(message_name);
  const Signal& signal = *protocol::find_signal(message, signal_name);
  const MessageStatistics* const statistics = statistics_of(analysis, message_name);
  const auto index = static_cast<std::size_t>(&signal - message.signals.data());
  const SignalRange& range = statistics->signals[index];
  return fmt::format("{} to {}", protocol::value_text(signal, range.least),
                     protocol::value_with_unit(signal, range.most));
}

void append_motion(std::string& out, const Analysis& analysis) {
  const bool moved = statistics_of(analysis, "motion_feedback") != nullptr;
  const bool battery = statistics_of(analysis, "bms_status") != nullptr;
  if (!moved && !battery) return;
  out += "\nMotion and energy\n";
  if (moved) {
    const Integral& speed = analysis.speed();
    append(out, "  distance      {:.3f} m forward, {:.3f} m backward: speed over {}\n",
           metres(speed.twice_above()), metres(speed.twice_below()), span_text(speed.covered()));
    append(out, "  speed         {}\n", range_of(analysis, "motion_feedback", "linear_velocity"));
  }
  append_odometer(out, analysis);
  if (!battery) return;
  const Integral& power = analysis.power();
  append(out, "  energy        {:.3f} Wh taken, {:.3f} Wh charged: voltage x current over {}\n",
         watt_hours(power.twice_below()), watt_hours(power.twice_above()), span_text(power.covered()));
  append(out, "  battery       {}, {}, {}\n", range_of(analysis, "bms_status", "soc"),
         range_of(analysis, "bms_status", "voltage"), range_of(analysis, "bms_status", "current"));
}

// ---- Messages -----------------------------------------------------------------------------------------

void append_id(std::string& out, std::string_view id, std::string_view name, const IdStatistics& statistics,
               std::uint64_t shorts) {
  const Periods& periods = statistics.periods;
  const auto number = [&](double value) {
    return periods.count == 0 ? std::string("-") : milliseconds_text(value);
  };
  append(out, "{:<8} {:<23} {:>9} {:>6} {:>7} {:>7} {:>7} {:>5}\n", id, name.substr(0, 23), statistics.count,
         periods.count == 0 ? "-" : fmt::format("{:.1f}", rate_of(statistics)),
         number(static_cast<double>(periods.least.count())),
         number(static_cast<double>(periods.most.count())), number(periods.jitter()), statistics.gaps);
  if (shorts > 0) append(out, "         {} too short\n", counted(shorts, "frame"));
}

void append_messages(std::string& out, const Analysis& analysis) {
  append(out, "\nMessages; periods in ms, gaps are periods of more than {} times the usual one\n",
         IdStatistics::kGap);
  append(out, "{:<8} {:<23} {:>9} {:>6} {:>7} {:>7} {:>7} {:>5}\n", "ID", "MESSAGE", "FRAMES", "HZ", "LEAST",
         "MOST", "JITTER", "GAPS");
  const auto messages = analysis.catalogue().messages();
  std::string missing;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const MessageStatistics& statistics = analysis.messages()[i];
    if (statistics.id.count > 0) {
      append_id(out, fmt::format("{:03X}", messages[i].id), messages[i].name, statistics.id,
                statistics.short_frames);
    } else if (!messages[i].is_command()) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", messages[i].name);
    }
  }
  for (const OtherStatistics& other : analysis.others()) {
    std::string name = "unknown";
    if (other.id.kind == FrameKind::error) {
      Frame frame;
      frame.kind = FrameKind::error;
      frame.id = other.id.id;
      const auto classes = decode_error_frame(frame).classes;
      name = classes.empty() ? "no class" : classes.front();
    }
    append_id(out, id_text(other.id), name, other.statistics, 0);
  }
  if (analysis.more_others() > 0)
    append(out, "{} of more ids than can be told apart\n", counted(analysis.more_others(), "frame"));
  if (!missing.empty() && analysis.frames() > 0) append_hanging(out, "never seen:", missing, 12);
}

std::string seen_text(const Signal& signal, const SignalRange& range, const IdStatistics& id) {
  const std::uint64_t ones = id.ever_one;
  if (!signal.flags.empty()) return protocol::value_text(signal, protocol::raw_value(signal.field, ones));
  if (signal.choices.empty() || range.least == range.most)
    return range.least == range.most ? protocol::value_with_unit(signal, range.least)
                                     : fmt::format("{} to {}", protocol::value_text(signal, range.least),
                                                   protocol::value_with_unit(signal, range.most));
  return fmt::format("{} .. {}", protocol::value_text(signal, range.least),
                     protocol::value_text(signal, range.most));
}

void append_signals(std::string& out, const Analysis& analysis) {
  out += "\nSignals: the least and the most, or every flag that was ever set\n";
  const auto messages = analysis.catalogue().messages();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const MessageStatistics& statistics = analysis.messages()[i];
    for (std::size_t j = 0; j < messages[i].signals.size() && statistics.id.words > 0; ++j) {
      const Signal& signal = messages[i].signals[j];
      append_hanging(out, fmt::format("{}.{}", messages[i].name, signal.name),
                     seen_text(signal, statistics.signals[j], statistics.id), 44);
    }
  }
}

}  // namespace

std::string info_text(const Analysis& analysis, const InfoHead& head, Detail detail) {
  std::string out;
  append_head(out, analysis, head);
  if (analysis.frames() == 0) return out;
  append_alarms(out, analysis);
  append_modes(out, analysis);
  append_events(out, analysis, detail);
  append_motion(out, analysis);
  append_messages(out, analysis);
  if (detail == Detail::all) append_signals(out, analysis);
  return out;
}

}  // namespace rangerctl::analysis
