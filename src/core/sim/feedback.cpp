#include "rangerctl/sim/feedback.hpp"

#include <algorithm>
#include <cmath>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::sim {
namespace {

using protocol::Message;
using protocol::Signal;
using std::chrono::milliseconds;

/// A number that is always the same for the same frame, and unlike its neighbours' (the mixing steps of
/// splitmix64).
SimTime jitter(std::uint32_t id, std::uint64_t sent) {
  std::uint64_t mixed = (std::uint64_t{id} << 40U) + sent + 1;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31U;
  return SimTime(static_cast<std::int64_t>(mixed % static_cast<std::uint64_t>(kMostJitter.count())));
}

void put(Frame& frame, const Signal& signal, double value) {
  const double scaled = value * std::pow(10.0, signal.decimals_of(signal.field.max()));
  const std::int64_t raw =
      std::clamp<std::int64_t>(std::llround(scaled), signal.field.min(), signal.field.max());
  // Not refused: the value fits now, and the one fine-scaled signal stays far above its threshold.
  static_cast<void>(protocol::set_signal(frame, signal, raw));
}

/// No words mean no constant, and the signal stays zero.
void put_constant(Frame& frame, const Signal& signal, std::string_view words) {
  if (const auto raw = protocol::parse_value(signal, words))
    static_cast<void>(protocol::set_signal(frame, signal, *raw));
}

std::vector<const Message*> periodic_feedback(const protocol::Catalogue& catalogue) {
  std::vector<const Message*> found;
  for (const Message& message : catalogue.messages()) {
    if (message.direction == protocol::Direction::feedback && message.period_ms > 0)
      found.push_back(&message);
  }
  return found;
}

SimTime shortest_period(const std::vector<const Message*>& messages) {
  SimTime shortest = SimTime::max();
  for (const Message* message : messages)
    shortest = std::min<SimTime>(shortest, milliseconds(message->period_ms));
  return shortest;
}

}  // namespace

FeedbackSchedule::FeedbackSchedule(const protocol::Catalogue& catalogue) {
  const auto messages = periodic_feedback(catalogue);
  const SimTime cycle = shortest_period(messages);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    const auto cycles = milliseconds(messages[i]->period_ms) / cycle;
    const SimTime slot = cycle * place / static_cast<std::int64_t>(messages.size());
    entries_.push_back(entry_of(*messages[i], slot + cycle * (place % cycles)));
  }
}

FeedbackSchedule::Entry FeedbackSchedule::entry_of(const Message& message, SimTime first) {
  Entry entry{protocol::empty_frame(message),
              {},
              milliseconds(message.period_ms),
              first,
              first + jitter(message.id, 0)};
  for (const Signal& signal : message.signals) {
    if (const auto source = find_source(message.name, signal.name))
      entry.moving.push_back({&signal, *source});
    put_constant(entry.frame, signal, find_constant(message.name, signal.name));
  }
  return entry;
}

SimTime FeedbackSchedule::next_due() const {
  return entries_.empty() ? SimTime::max() : entries_[next()].due;
}

TimedFrame FeedbackSchedule::take(const Body& body) {
  Entry& entry = entries_[next()];
  for (const MovingSignal& part : entry.moving)
    put(entry.frame, *part.signal, part.source.value({body, entry.sent, part.source.index}));
  const SimTime at = entry.due;
  ++entry.sent;
  entry.nominal += entry.period;
  entry.due = entry.nominal + jitter(entry.frame.id, entry.sent);
  return {at, entry.frame};
}

std::size_t FeedbackSchedule::next() const {
  const auto earliest = std::min_element(entries_.begin(), entries_.end(),
                                         [](const Entry& a, const Entry& b) { return a.due < b.due; });
  return static_cast<std::size_t>(earliest - entries_.begin());
}

}  // namespace rangerctl::sim
