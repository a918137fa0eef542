#include "rangerctl/monitor/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <string_view>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::monitor {
namespace {

using namespace std::chrono_literals;

/// Silence is told apart from a late frame no sooner.
constexpr auto kLookEvery = 100ms;

/// The time between two frames; nothing where the clock was set in between.
std::optional<std::chrono::nanoseconds> gap(const IdHistory& id, const Timestamp& time, SteadyTime now) {
  constexpr auto kStep = 1s;
  const auto arrivals = now - id.arrival;
  if (!time.known() || !id.time.known()) return arrivals;
  if (std::is_lt(time.order(id.time))) return std::nullopt;
  const auto between = time_between(id.time, time);
  return between - arrivals > kStep || arrivals - between > kStep ? std::nullopt : std::optional(between);
}

/// `time` and a little more.
Timestamp later(Timestamp time, std::chrono::milliseconds more) {
  const auto nanoseconds = std::chrono::nanoseconds(time.nanoseconds) + more;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(nanoseconds);
  time.seconds += seconds.count();
  time.nanoseconds = static_cast<std::uint32_t>((nanoseconds - seconds) / 1ns);
  return time;
}

// ---- Ids ----------------------------------------------------------------------------------------------

void note_bytes(IdHistory& id, const Frame& frame, SteadyTime now) {
  const auto bytes = frame.bytes();
  const std::size_t both = id.any ? std::min(bytes.size(), id.last.bytes().size()) : 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ByteHistory& byte = id.bytes[i];
    byte.least = std::min(byte.least, bytes[i]);
    byte.most = std::max(byte.most, bytes[i]);
    if (i >= both || bytes[i] == id.last.data[i]) continue;
    ++byte.changes;
    byte.changed = now;
  }
  id.changes += id.any ? 1 : 0;
}

/// Returns whether the frame differs from the one before.
bool note_frame(IdHistory& id, const Received& received, SteadyTime now, SteadyTime broken_at) {
  if (id.any && id.arrival >= broken_at) {
    if (const auto time = gap(id, received.time, now)) id.gaps.add(*time);
  }
  id.time = received.time;
  id.arrival = now;
  const bool differs = !id.any || id.last != received.frame;
  if (differs) {
    note_bytes(id, received.frame, now);
    id.last = received.frame;
  }
  id.any = true;
  return differs;
}

// ---- Signals ------------------------------------------------------------------------------------------

/// Where an event of a signal happens.
struct Place {
  Moment when;
  std::size_t message;
  std::size_t signal;

  [[nodiscard]] Event event(EventKind kind) const {
    Event event;
    event.when = when;
    event.kind = kind;
    event.message = static_cast<std::uint16_t>(message);
    event.signal = static_cast<std::uint8_t>(signal);
    return event;
  }
};

void note_bit(BitHistory& bit, bool set, const Moment& when, bool first_frame) {
  bit.set = set;
  if (!set) {
    bit.cleared = when;
    return;
  }
  if (bit.times == 0) {
    bit.first = when;
    bit.since_before = first_frame;
  }
  ++bit.times;
  bit.latest = when;
}

void note_bits(History& history, const protocol::Signal& signal, std::array<BitHistory, 32>& bits,
               std::int64_t raw, const Place& place, bool first_frame) {
  for (unsigned i = 0; i < signal.field.bits; ++i) {
    const bool set = ((raw >> i) & 1) != 0;
    if (set == bits[i].set) continue;
    note_bit(bits[i], set, place.when, first_frame);
    if (!protocol::is_alarm(signal, i)) continue;
    Event event = place.event(set ? EventKind::bit_set : EventKind::bit_cleared);
    event.bit = static_cast<std::uint8_t>(i);
    history.events.add(event);
  }
}

void note_value(SignalHistory& signal, std::int64_t raw) {
  signal.least = std::min(signal.least, raw);
  signal.most = std::max(signal.most, raw);
  signal.last = raw;
}

void note_choice(History& history, const SignalHistory& before, std::int64_t raw, const Place& place) {
  if (!before.any() || before.last == raw) return;
  Event event = place.event(EventKind::changed);
  event.value = raw;
  event.before = before.last;
  history.events.add(event);
}

void note_signals(History& history, const protocol::Message& message, const Frame& frame, Place place,
                  bool first_frame) {
  MessageHistory& entry = history.messages[place.message];
  const std::uint64_t word = protocol::payload_word(frame);
  std::size_t flags = 0;
  for (std::size_t i = 0; i < message.signals.size(); ++i) {
    const protocol::Signal& signal = message.signals[i];
    const std::int64_t raw = protocol::raw_value(signal.field, word);
    place.signal = i;
    if (!signal.choices.empty() && !signal.restless && !message.is_command())
      note_choice(history, entry.signals[i], raw, place);
    if (!signal.flags.empty()) note_bits(history, signal, entry.bits[flags++], raw, place, first_frame);
    note_value(entry.signals[i], raw);
  }
}

void note_traces(Watched& watched, const protocol::Message& message, const Frame& frame, SteadyTime now) {
  for (const std::size_t i : watched.history.messages[watched.state.catalogue->index_of(message)].traces) {
    const protocol::Signal& signal = *protocol::find_signal(message, kTraces[i].signal);
    const std::int64_t value = finest(signal, protocol::raw_value(signal.field, frame.bytes()));
    watched.history.traces[i].add(now - watched.state.start, static_cast<std::int32_t>(value));
  }
}

void take_message(Watched& watched, const protocol::Message& message, const Received& received,
                  SteadyTime now) {
  if (protocol::is_short(message, received.frame)) return;
  const std::size_t index = watched.state.catalogue->index_of(message);
  IdHistory& id = watched.history.messages[index].id;
  const bool first_frame = !id.any;
  if (note_frame(id, received, now, watched.state.broken_at))
    note_signals(watched.history, message, received.frame, {{received.time, now}, index, 0}, first_frame);
  note_traces(watched, message, received.frame, now);
}

// ---- What is no message -------------------------------------------------------------------------------

void take_other(Watched& watched, const Received& received, SteadyTime now) {
  const OtherId* const other = find_other(watched.state, received.frame);
  if (other == nullptr) return;
  const auto index = static_cast<std::size_t>(other - watched.state.others.data());
  if (index >= watched.history.others.size()) watched.history.others.resize(index + 1);
  note_frame(watched.history.others[index], received, now, watched.state.broken_at);
}

void take_error(Watched& watched, const Received& received, SteadyTime now) {
  auto& errors = watched.history.errors;
  auto found = std::find_if(errors.begin(), errors.end(), [&received](const ErrorHistory& row) {
    return row.arrivals.frame.id == received.frame.id;
  });
  if (found == errors.end()) {
    if (errors.size() == kMostForeignIds) return;
    errors.emplace_back();
    found = errors.end() - 1;
  }
  found->arrivals.frame = received.frame;
  found->arrivals.arrival = now;
  ++found->arrivals.count;
  found->arrivals.meter.add(now);
  note_frame(found->id, received, now, watched.state.broken_at);
}

// ---- Silence ------------------------------------------------------------------------------------------

/// Whether the message has had no time to arrive since nobody watched.
bool nobody_watched(const Watched& watched, std::size_t message, SteadyTime now) {
  const auto& resumed = watched.history.resumed;
  return resumed && watched.state.messages[message].arrival <= *resumed &&
         now - *resumed <= stale_after(watched.state.catalogue->messages()[message]);
}

/// When it became stale, which somebody notices only later; at once where the link broke.
Moment silent_since(const Watched& watched, std::size_t message, const Moment& noticed) {
  const auto limit = stale_after(watched.state.catalogue->messages()[message]);
  const SteadyTime at = watched.state.messages[message].arrival + limit;
  const Timestamp& last = watched.history.messages[message].id.time;
  if (at > noticed.at || watched.state.broken_at > watched.state.messages[message].arrival) return noticed;
  return {last.known() ? later(last, limit) : last, at};
}

void note_controller(Watched& watched, const Moment& when) {
  const Controller before = watched.history.controller;
  const Controller after = controller_now(watched.state);
  if (before == after) return;
  watched.history.controller = after;
  Event event;
  event.when = when;
  event.kind = EventKind::controller;
  event.before = static_cast<std::int64_t>(before);
  event.value = static_cast<std::int64_t>(after);
  watched.history.events.add(event);
}

}  // namespace

void Gaps::add(std::chrono::nanoseconds gap) {
  ++count;
  least = std::min(least, gap);
  most = std::max(most, gap);
  const double value = static_cast<double>(gap.count());
  const double distance = value - mean;
  mean += distance / static_cast<double>(count);
  squares += distance * (value - mean);
}

double Gaps::jitter() const { return count < 2 ? 0.0 : std::sqrt(squares / static_cast<double>(count - 1)); }

void EventLog::add(const Event& event) {
  if (events_.size() < kMost) {
    events_.push_back(event);
  } else {
    events_[total_ % kMost] = event;
  }
  ++total_;
}

const Event& EventLog::at(std::size_t index) const {
  return events_[events_.size() < kMost ? index : (total_ + index) % kMost];
}

History::History(const protocol::Catalogue& catalogue)
    : messages(catalogue.messages().size()), silent(catalogue.messages().size()) {
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto signals = catalogue.messages()[i].signals;
    messages[i].signals.resize(signals.size());
    messages[i].bits.resize(static_cast<std::size_t>(
        std::count_if(signals.begin(), signals.end(), [](const auto& row) { return !row.flags.empty(); })));
  }
  for (std::size_t i = 0; i < kTraces.size(); ++i) {
    const protocol::Message* const message = catalogue.find(kTraces[i].message);
    if (message != nullptr && protocol::find_signal(*message, kTraces[i].signal) != nullptr)
      messages[catalogue.index_of(*message)].traces.push_back(i);
  }
}

void reduce(Watched& watched, const Received& received, SteadyTime now) {
  if (now - watched.history.looked >= kLookEvery) look_for_silence(watched, {received.time, now});
  reduce(watched.state, received, now);
  if (received.frame.kind == FrameKind::error) {
    take_error(watched, received, now);
  } else if (const auto* const message = watched.state.catalogue->find(received.frame); message != nullptr) {
    take_message(watched, *message, received, now);
  } else {
    take_other(watched, received, now);
  }
  note_controller(watched, {received.time, now});
}

void take_link(Watched& watched, const LinkStatus& status, const Moment& when) {
  const LinkStatus before = watched.state.link;
  take_link(watched.state, status, when.at);
  Event event;
  event.when = when;
  event.kind = EventKind::link;
  if (status.state != before.state) {
    event.before = static_cast<std::int64_t>(before.state);
    event.value = static_cast<std::int64_t>(status.state);
    watched.history.events.add(event);
  }
  if (status.dropped != before.dropped) {
    event.kind = EventKind::dropped;
    event.value = static_cast<std::int64_t>(status.dropped - before.dropped);
    watched.history.events.add(event);
  }
  auto& outage = watched.history.outage;
  const bool away = status.state == LinkState::down || status.state == LinkState::gone;
  if (away && (!outage || outage->to)) outage = Outage{when.at, std::nullopt};
  if (!away && outage && !outage->to) outage->to = when.at;
}

void take_interface(Watched& watched, std::optional<InterfaceFacts> facts, const Moment& when) {
  take_interface(watched.state, std::move(facts));
  note_controller(watched, when);
}

void note_hold_up(Watched& watched, const Moment& when, std::chrono::milliseconds duration) {
  watched.state.broken_at = when.at + 1ns;  // what was taken at this moment is old too
  watched.history.resumed = when.at;
  Event event;
  event.when = when;
  event.kind = EventKind::held_up;
  event.value = duration.count();
  watched.history.events.add(event);
}

void look_for_silence(Watched& watched, const Moment& when) {
  const auto messages = watched.state.catalogue->messages();
  watched.history.looked = when.at;
  Event silent, heard;
  silent.kind = EventKind::silent;
  heard.kind = EventKind::heard;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!is_expected(messages[i]) || watched.state.messages[i].count == 0) continue;
    const bool is_silent = freshness(watched.state, i, when.at) != Freshness::fresh;
    if (is_silent == watched.history.silent[i] || nobody_watched(watched, i, when.at)) continue;
    watched.history.silent[i] = is_silent;
    Event& event = is_silent ? silent : heard;
    if (event.value++ != 0) continue;
    event.message = static_cast<std::uint16_t>(i);
    event.when = is_silent ? silent_since(watched, i, when)
                           : Moment{watched.history.messages[i].id.time, watched.state.messages[i].arrival};
  }
  for (const Event& event : {silent, heard}) {
    if (event.value != 0) watched.history.events.add(event);
  }
}

std::int64_t finest(const protocol::Signal& signal, std::int64_t raw) {
  return signal.has_fine_scale() && raw <= signal.fine_above ? raw * 10 : raw;
}

std::uint8_t finest_decimals(const protocol::Signal& signal) {
  return static_cast<std::uint8_t>(signal.decimals + (signal.has_fine_scale() ? 1 : 0));
}

const std::array<BitHistory, 32>& bits_of(const History& history, const protocol::Catalogue& catalogue,
                                          std::size_t message, const protocol::Signal& signal) {
  const auto signals = catalogue.messages()[message].signals;
  const auto before =
      std::count_if(signals.data(), &signal, [](const auto& row) { return !row.flags.empty(); });
  return history.messages[message].bits[static_cast<std::size_t>(before)];
}

}  // namespace rangerctl::monitor
