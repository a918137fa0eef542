#include <fmt/format.h>

#include <algorithm>

#include "happened.hpp"
#include "rangerctl/analysis/info.hpp"
#include "rangerctl/output/json_text.hpp"
#include "rangerctl/protocol/flag_words.hpp"
#include "rangerctl/protocol/values.hpp"
#include "words.hpp"

namespace rangerctl::analysis {
namespace {

using output::append;
using output::append_list;
using output::append_string;
using std::chrono::nanoseconds;

/// As the log has it, or null.
std::string json_time(const Timestamp& time) { return time.known() ? time_text(time) : "null"; }

/// Microseconds are enough for what lasts.
std::string json_seconds(nanoseconds length) {
  const auto microseconds = length.count() / 1000;
  return fmt::format("{}.{:06}", microseconds / 1'000'000, microseconds % 1'000'000);
}

std::string json_milliseconds(bool is_known, double time) {
  return is_known ? fmt::format("{:.3f}", time / 1e6) : "null";
}

void append_head(std::string& out, const Analysis& analysis, const InfoHead& head) {
  out += R"({"file":)";
  append_string(out, head.file);
  append(out,
         R"(,"frames":{},"time":{{"first":{},"last":{},"earliest":{},"latest":{},"span":{},"backwards":{}}})",
         analysis.frames(), json_time(analysis.first()), json_time(analysis.last()),
         json_time(analysis.earliest()), json_time(analysis.latest()), json_seconds(span_of(analysis)),
         analysis.backward());
  append(out, R"(,"lost":{},"lines":{{"total":{},"not_understood":{},"text":[)", analysis.drops(),
         head.summary.lines(), head.summary.not_understood());
  append_list(out, line_rows(head.summary), [&out](const std::string& row) { append_string(out, row); });
  out += "]}";
  if (!head.trouble.empty()) {
    out += R"(,"trouble":)";
    append_string(out, head.trouble);
  }
}

void append_alarm(std::string& out, const Alarm& alarm) {
  const Stretch& first = alarm.stretches.front();
  append(out, R"({{"message":"{}","signal":"{}","bit":{},"name":"{}","times":{},"seconds":{},"intervals":[)",
         first.message->name, first.signal->name, first.value, alarm_name(first), alarm.stretches.size(),
         json_seconds(alarm.length));
  append_list(out, alarm.stretches, [&out](const Stretch& row) {
    append(out, R"({{"from":{},"since_before":{},"to":{}}})", json_time(row.from), row.since_before,
           row.to ? json_time(*row.to) : "null");
  });
  out += ']';
  if (const protocol::Flag* const flag = flag_of(first)) {
    out += R"(,"advice":)";
    append_string(out, protocol::flag_advice(*flag));
    if (flag->clear_code >= 0) append(out, R"(,"clear_code":{})", flag->clear_code);
  }
  out += '}';
}

void append_state(std::string& out, const StateTimes& state) {
  append(out, R"({{"message":"{}","signal":"{}","changes":{},"seconds":{{)", state.message->name,
         state.signal->name, state.changes);
  append_list(out, state.values, [&](const auto& row) {
    append(out, R"("{}":{})", protocol::value_text(*state.signal, row.first), json_seconds(row.second));
  });
  out += "}}";
}

void append_happened(std::string& out, const Analysis& analysis) {
  out += R"(,"faults":[)";
  append_list(out, alarms_of(analysis), [&out](const Alarm& alarm) { append_alarm(out, alarm); });
  out += R"(],"states":[)";
  append_list(out, state_times(analysis), [&out](const StateTimes& state) { append_state(out, state); });
  out += R"(],"events":[)";
  append_list(out, events_of(analysis), [&out](const Event& event) {
    append(out, R"({{"time":{},"text":"{}"}})", json_time(event.time), event.text);
  });
  append(out, R"(],"changes_only_counted":{})", analysis.more_changes());
}

/// Sums of Integral are twice mm/s times us, and twice 0.001 W times us.
void append_motion(std::string& out, const Analysis& analysis) {
  constexpr double kPerMetre = 2e9;
  constexpr double kPerWattHour = 2e9 * 3600;
  if (statistics_of(analysis, "motion_feedback") != nullptr) {
    const Integral& speed = analysis.speed();
    append(out, R"(,"distance":{{"forward_m":{:.3f},"backward_m":{:.3f},"seconds":{}}})",
           static_cast<double>(speed.twice_above()) / kPerMetre,
           static_cast<double>(speed.twice_below()) / kPerMetre, json_seconds(speed.covered()));
  }
  if (const WheelTravel travel = wheel_travel(analysis); travel.wheels > 0)
    append(out, R"(,"odometer":{{"mean_m":{:.3f},"wheels":{},"resets":{}}})",
           static_cast<double>(travel.sum_mm) / 1000 / travel.wheels, travel.wheels, travel.resets);
  if (statistics_of(analysis, "bms_status") == nullptr) return;
  const Integral& power = analysis.power();
  append(out, R"(,"energy":{{"taken_wh":{:.3f},"charged_wh":{:.3f},"seconds":{}}})",
         static_cast<double>(power.twice_below()) / kPerWattHour,
         static_cast<double>(power.twice_above()) / kPerWattHour, json_seconds(power.covered()));
}

void append_statistics(std::string& out, const IdStatistics& id) {
  const Periods& periods = id.periods;
  const bool any = periods.count > 0;
  append(out, R"(,"frames":{},"first":{},"last":{},"rate_hz":{},"least_ms":{},"mean_ms":{},"most_ms":{},)",
         id.count, json_time(id.first), json_time(id.last),
         any && periods.sum > 0 ? fmt::format("{:.3f}", rate_of(id)) : "null",
         json_milliseconds(any, static_cast<double>(periods.least.count())),
         json_milliseconds(any, periods.mean()),
         json_milliseconds(any, static_cast<double>(periods.most.count())));
  append(out, R"("most_after":{},"jitter_ms":{},"gaps":{},"backwards":{},"lengths":[{},{}],)",
         any ? json_time(periods.most_from) : "null", json_milliseconds(any, periods.jitter()), id.gaps,
         id.backward, id.least_length, id.most_length);
  append(out, R"("changes":{},"changing_bits":"{:016X}")", id.changes, id.moving());
}

void append_signal(std::string& out, const protocol::Signal& signal, const SignalRange& range,
                   const IdStatistics& id) {
  append(out, R"({{"name":"{}")", signal.name);
  if (!signal.flags.empty() || !signal.choices.empty()) {
    out += R"(,"seen":[)";
    append_list(out, seen_names(signal, id), [&out](const std::string& name) { append_string(out, name); });
    out += ']';
  } else {
    out += R"(,"least":)";
    protocol::append_decimal(out, range.least, signal.decimals_of(range.least));
    out += R"(,"most":)";
    protocol::append_decimal(out, range.most, signal.decimals_of(range.most));
    if (!signal.unit.empty()) append(out, R"(,"unit":"{}")", signal.unit);
  }
  out += '}';
}

void append_message(std::string& out, const protocol::Message& message, const MessageStatistics& statistics) {
  append(out, R"({{"id":"{:03X}","message":"{}","short":{})", message.id, message.name,
         statistics.short_frames);
  append_statistics(out, statistics.id);
  if (statistics.id.words > 0) {
    out += R"(,"signals":[)";
    std::size_t next = 0;
    append_list(out, message.signals, [&](const protocol::Signal& signal) {
      append_signal(out, signal, statistics.signals[next++], statistics.id);
    });
    out += ']';
  }
  out += '}';
}

void append_messages(std::string& out, const Analysis& analysis) {
  out += R"(,"messages":[)";
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < analysis.messages().size(); ++i) {
    if (analysis.messages()[i].id.count > 0) seen.push_back(i);
  }
  append_list(out, seen, [&](std::size_t i) {
    append_message(out, analysis.catalogue().messages()[i], analysis.messages()[i]);
  });
  out += R"(],"others":[)";
  append_list(out, analysis.others(), [&out](const OtherStatistics& other) {
    append(out, R"({{"id":"{}","kind":"{}","name":"{}")", bare_id_text(other.id), kind_name(other.id.kind),
           other_name(other.id));
    append_statistics(out, other.statistics);
    out += '}';
  });
  append(out, R"(],"frames_of_more_ids":{},"never_seen":[)", analysis.more_others());
  append_list(out, never_seen(analysis),
              [&out](const protocol::Message* message) { append_string(out, message->name); });
  out += ']';
}

}  // namespace

std::string info_json(const Analysis& analysis, const InfoHead& head) {
  std::string out;
  append_head(out, analysis, head);
  append_happened(out, analysis);
  append_motion(out, analysis);
  append_messages(out, analysis);
  out += "}\n";
  return out;
}

}  // namespace rangerctl::analysis
