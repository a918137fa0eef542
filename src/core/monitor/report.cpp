#include "rangerctl/monitor/report.hpp"

#include <fmt/format.h>

#include "fault_words.hpp"
#include "rangerctl/monitor/snapshot.hpp"
#include "rangerctl/text.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

std::string duration_text(SteadyTime::duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

void append_head(std::string& out, const PageView& view, const ReportHead& head) {
  const State& state = view.state;
  append(out, "rangerctl fault report of {}\n", head.made_at);
  append(out, "{} {}; watched for {} (h:m:s)\n", printable(head.address), link_words(view).all(),
         duration_text(view.now - state.start));
  append(out, "{} frames, {} lost by this host, {} error frames, {} outages of the interface\n\n",
         state.frame_count, state.link.dropped, state.errors.count, state.link.outages);
}

void append_bits(std::string& out, const PageView& view, const std::vector<FaultPlace>& places) {
  append(out, "Faults that were active since the start\n");
  bool any = false;
  for (const FaultPlace& place : places) {
    const BitState state = bit_state(scene_of(view), place);
    if (bit_history(scene_of(view), place).times == 0) continue;
    any = true;
    append(out, "{} {} (0x{:03X} {} bit {}, {})\n", state == BitState::active ? "! ACTIVE" : "+",
           place_name(place), place.message->id, place.signal->name, place.flag->bit, code_text(place));
    append(out, "    {}\n    {}\n", history_text(view, place), advice(place));
  }
  if (!any) append(out, "none\n");
}

void append_events(std::string& out, const PageView& view) {
  const EventLog& events = view.history.events;
  append(out, "\nEvents, the oldest first: {}", events.total());
  if (events.total() > events.size()) append(out, ", of which the newest {} were kept", events.size());
  out += '\n';
  for (std::size_t i = 0; i < events.size(); ++i) {
    append(out, "{} {}\n", moment_text(view, events.at(i).when),
           event_text(events.at(i), *view.state.catalogue));
  }
}

}  // namespace

std::string fault_report(const Scene& scene, const ReportHead& head) {
  DrawOptions options;
  options.time_of_day = head.time_of_day;
  const Choices choices;
  const PageView view{
      {scene.watched.state, scene.now}, scene.watched.history, choices, options, scene.watched};
  std::string out;
  append_head(out, view, head);
  append_bits(out, view, fault_places(*scene.watched.state.catalogue));
  append_events(out, view);
  append(out, "\nValues at the end\n{}",
         snapshot_text(scene.watched.state, scene.now, {head.address, scene.watched.state.time}));
  return out;
}

}  // namespace rangerctl::monitor
