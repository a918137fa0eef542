#include "rangerctl/command/view.hpp"

#include <algorithm>
#include <cmath>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::command {
namespace {

std::optional<std::size_t> index_of(const View& view, std::string_view message) {
  const protocol::Message* const found = view.chassis.catalogue->find(message);
  if (found == nullptr) return std::nullopt;
  return view.chassis.catalogue->index_of(*found);
}

void take_foreign_motion(View& view, const Frame& frame, SteadyTime now) {
  ForeignMotion& foreign = view.foreign;
  if (foreign.count == 0) foreign.first = now;
  ++foreign.count;
  foreign.last = now;
  if (commands_motion(*view.chassis.catalogue, frame)) foreign.last_moving = now;
}

bool is_motion_command(const protocol::Catalogue& catalogue, const Frame& frame) {
  const protocol::Message* const message = catalogue.find(frame);
  return message != nullptr && !message->limits.empty();
}

}  // namespace

void reduce(View& view, const Received& received, SteadyTime now) {
  monitor::reduce(view.chassis, received, now);
  if (received.own_echo) {
    ++view.own.confirmed;
    view.own.last_echo = now;
    if (!view.own.waiting.empty()) view.own.waiting.pop_front();
  } else if (is_motion_command(*view.chassis.catalogue, received.frame)) {
    take_foreign_motion(view, received.frame, now);
  }
}

void note_hold_up(View& view, SteadyTime now, std::chrono::milliseconds duration) {
  view.chassis.broken_at = now + std::chrono::nanoseconds(1);  // what was taken at `now` is old too
  view.resumed = now;
  view.held_up = duration;
}

void note_sent(View& view, SteadyTime now) {
  ++view.own.sent;
  if (!view.own.waiting.full()) view.own.waiting.push_back(now);
}

std::optional<std::int64_t> value(const View& view, std::string_view message, std::string_view signal,
                                  SteadyTime now) {
  const auto index = index_of(view, message);
  if (!index) return std::nullopt;
  const protocol::Signal* const found =
      protocol::find_signal(view.chassis.catalogue->messages()[*index], signal);
  return found == nullptr ? std::nullopt : monitor::current_value(view.chassis, *index, *found, now);
}

std::optional<std::int64_t> value_since(const View& view, std::string_view message, std::string_view signal,
                                        SteadyTime since, SteadyTime now) {
  const auto index = index_of(view, message);
  if (!index || view.chassis.messages[*index].arrival <= since) return std::nullopt;
  return value(view, message, signal, now);
}

std::optional<SteadyTime::duration> age(const View& view, std::string_view message, SteadyTime now) {
  const auto index = index_of(view, message);
  if (!index || view.chassis.messages[*index].count == 0) return std::nullopt;
  return now - view.chassis.messages[*index].arrival;
}

Situation situation(const View& view, SteadyTime now) {
  Situation known{value(view, "motion_mode_feedback", "motion_mode", now), std::nullopt};
  const protocol::Message* const angles = view.chassis.catalogue->find("steering_angle_feedback");
  if (angles == nullptr) return known;
  for (const protocol::Signal& signal : angles->signals) {
    if (const auto raw = value(view, angles->name, signal.name, now))
      known.steering_angle = std::max(known.steering_angle.value_or(0), std::abs(*raw));
  }
  return known;
}

std::chrono::milliseconds motion_timeout(const protocol::Catalogue& catalogue) {
  std::chrono::milliseconds longest{0};
  for (const protocol::Message& message : catalogue.messages()) {
    if (!message.limits.empty()) longest = std::max(longest, std::chrono::milliseconds(message.timeout_ms));
  }
  return longest;
}

bool foreign_motion_now(const View& view, SteadyTime now) {
  return view.foreign.last_moving &&
         now - *view.foreign.last_moving <= motion_timeout(*view.chassis.catalogue);
}

}  // namespace rangerctl::command
