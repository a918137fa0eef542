#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "happened.hpp"
#include "rangerctl/analysis/info.hpp"
#include "rangerctl/output/json_text.hpp"
#include "rangerctl/protocol/flag_words.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"
#include "rangerctl/wrapped_text.hpp"
#include "words.hpp"

namespace rangerctl::analysis {
namespace {

using protocol::Message;
using protocol::Signal;

using output::append;

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
  for (const std::string& row : line_rows(head.summary)) append_hanging(out, "  lines", printable(row), 12);
  if (!head.trouble.empty()) append_hanging(out, "  trouble", printable(head.trouble), 12);
}

// ---- What happened ------------------------------------------------------------------------------------

std::string advice(const Stretch& alarm) {
  const protocol::Flag* const flag = flag_of(alarm);
  if (flag == nullptr) return {};
  std::string text = protocol::flag_advice(*flag);
  if (flag->clear_code >= 0) text += fmt::format("; rangerctl clear-error 0x{:02X}", flag->clear_code);
  return text;
}

void append_alarms(std::string& out, const Analysis& analysis) {
  const std::vector<Alarm> alarms = alarms_of(analysis);
  out += "\nFaults\n";
  if (alarms.empty()) out += "  none was reported\n";
  for (const Alarm& alarm : alarms) {
    const Stretch& first = alarm.stretches.front();
    const Stretch& last = alarm.stretches.back();
    const std::string set =
        first.since_before ? "from the start" : "from " + offset_text(analysis.earliest(), first.from);
    const std::string cleared = last.to ? "to " + offset_text(analysis.earliest(), *last.to) : "to the end";
    append(out, "  {:<32} {}, {}, {} {}\n", alarm_name(first), counted(alarm.stretches.size(), "time"),
           span_text(alarm.length), set, cleared);
    if (const std::string text = advice(first); !text.empty()) append_hanging(out, "", text, 6);
  }
}

void append_modes(std::string& out, const Analysis& analysis) {
  const std::vector<StateTimes> states = state_times(analysis);
  if (!states.empty()) out += "\nStates, by their time\n";
  for (const StateTimes& state : states) {
    std::string text;
    for (const auto& [value, time] : state.values)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", protocol::value_text(*state.signal, value),
                          span_text(time));
    append_hanging(out, fmt::format("  {}", state.signal->name),
                   fmt::format("{}; {}", text, counted(state.changes, "change")), 20);
  }
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

void append_odometer(std::string& out, const Analysis& analysis) {
  const WheelTravel travel = wheel_travel(analysis);
  if (travel.wheels == 0) return;
  append(out, "  odometer      {:+.3f} m, mean of {} wheels",
         static_cast<double>(travel.sum_mm) / 1000 / travel.wheels, travel.wheels);
  if (travel.resets > 0) append(out, "; it began at zero again {}", counted(travel.resets, "time"));
  out += '\n';
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

std::string described(const OtherId& id) {
  if (id.kind == FrameKind::data) return other_name(id);
  return id.kind == FrameKind::error ? "error: " + other_name(id)
                                     : fmt::format("unknown ({})", kind_name(id.kind));
}

void append_messages(std::string& out, const Analysis& analysis) {
  append(out, "\nMessages; periods in ms, gaps are periods of more than {} times the usual one\n",
         IdStatistics::kGap);
  append(out, "{:<8} {:<23} {:>9} {:>6} {:>7} {:>7} {:>7} {:>5}\n", "ID", "MESSAGE", "FRAMES", "HZ", "LEAST",
         "MOST", "JITTER", "GAPS");
  const auto messages = analysis.catalogue().messages();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const MessageStatistics& statistics = analysis.messages()[i];
    if (statistics.id.count > 0)
      append_id(out, fmt::format("{:03X}", messages[i].id), messages[i].name, statistics.id,
                statistics.short_frames);
  }
  for (const OtherStatistics& other : analysis.others())
    append_id(out, bare_id_text(other.id), described(other.id), other.statistics, 0);
  if (analysis.more_others() > 0)
    append(out, "{} of more ids than can be told apart\n", counted(analysis.more_others(), "frame"));
  std::string missing;
  for (const Message* const message : never_seen(analysis))
    missing.append(missing.empty() ? "" : ", ").append(message->name);
  if (!missing.empty()) append_hanging(out, "never seen:", missing, 12);
}

std::string seen_text(const Signal& signal, const SignalRange& range, const IdStatistics& id) {
  if (!signal.flags.empty() || !signal.choices.empty()) {
    const std::vector<std::string> names = seen_names(signal, id);
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  }
  if (range.least == range.most) return protocol::value_with_unit(signal, range.least);
  return fmt::format("{} to {}", protocol::value_text(signal, range.least),
                     protocol::value_with_unit(signal, range.most));
}

void append_signals(std::string& out, const Analysis& analysis) {
  out += "\nSignals: the least and the most, or everything that was seen\n";
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
