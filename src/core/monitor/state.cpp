#include "rangerctl/monitor/state.hpp"

#include <algorithm>
#include <utility>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::monitor {
namespace {

// Byte 1 of a controller error frame (Linux, include/uapi/linux/can/error.h).
struct ControllerBits {
  std::uint8_t bits;
  Controller state;
};
constexpr std::size_t kControllerByte = 1;
constexpr std::array kControllerBits{
    ControllerBits{0x30, Controller::error_passive},  // receive, transmit
    ControllerBits{0x0C, Controller::error_warning},  // receive, transmit
    ControllerBits{0x40, Controller::error_active},
};

Controller controller_after(Controller before, const Frame& error) {
  if ((error.id & kErrorBusOff) != 0) return Controller::bus_off;
  if ((error.id & kErrorRestarted) != 0) return Controller::restarted;
  if ((error.id & kErrorController) == 0) return before;
  for (const ControllerBits& row : kControllerBits) {
    if ((error.data[kControllerByte] & row.bits) != 0) return row.state;
  }
  return before;
}

void take_error_frame(State& state, const Frame& frame, SteadyTime now) {
  ErrorFrames& errors = state.errors;
  ++errors.count;
  for (std::size_t bit = 0; bit < ErrorFrames::kClasses; ++bit) {
    errors.by_class[bit] += (frame.id >> bit) & 1U;
  }
  errors.last = frame;
  errors.arrival = now;
  const Controller before = std::exchange(state.controller, controller_after(state.controller, frame));
  // Newer than what the driver said when it was asked.
  if (state.controller != before && state.interface) state.interface->controller.reset();
}

void take_message(State& state, const protocol::Message& message, const Frame& frame, SteadyTime now) {
  MessageState& entry = state.messages[state.catalogue->index_of(message)];
  if (protocol::is_short(message, frame)) {
    ++entry.short_count;
    return;
  }
  entry.frame = frame;
  entry.arrival = now;
  ++entry.count;
  entry.meter.add(now);
  if (message.direction == protocol::Direction::feedback) state.last_feedback = now;
}

bool has_index(const Frame& frame) { return frame.kind == FrameKind::data && !frame.extended; }

const OtherId* find_foreign(const State& state, const Frame& frame) {
  const auto found = std::find_if(state.others.begin(), state.others.end(), [&frame](const OtherId& other) {
    return other.frame.id == frame.id && other.frame.kind == frame.kind &&
           other.frame.extended == frame.extended;
  });
  return found == state.others.end() ? nullptr : &*found;
}

OtherId* find_or_add_other(State& state, const Frame& frame) {
  if (const OtherId* const known = find_other(state, frame); known != nullptr)
    return &state.others[static_cast<std::size_t>(known - state.others.data())];
  if (!has_index(frame) && state.foreign_ids == kMostForeignIds) return nullptr;
  OtherId& added = state.others.emplace_back();
  if (has_index(frame)) {
    state.other_index[frame.id % protocol::kStandardIds] = static_cast<std::uint16_t>(state.others.size());
  } else {
    ++state.foreign_ids;
  }
  return &added;
}

void take_other(State& state, const Frame& frame, SteadyTime now) {
  OtherId* const other = find_or_add_other(state, frame);
  if (other == nullptr) {
    ++state.not_listed;
    return;
  }
  other->frame = frame;
  other->arrival = now;
  ++other->count;
  other->meter.add(now);
}

void count_kind(ForeignKinds& foreign, const Frame& frame) {
  if (frame.kind == FrameKind::remote) ++foreign.remote;
  if (frame.kind == FrameKind::fd) ++foreign.fd;
  if (frame.kind == FrameKind::xl) ++foreign.xl;
  if (frame.kind == FrameKind::data && frame.extended) ++foreign.extended;
}

void meter_frame(State& state, const Frame& frame, SteadyTime now) {
  const WireBits bits = wire_bits(frame);
  state.frames.add(now);
  state.bits.add(now, bits.least);
  state.worst_bits.add(now, bits.most);
  ++state.frame_count;
  state.last_frame = now;
}

}  // namespace

std::string_view controller_name(Controller controller) {
  constexpr std::array<std::string_view, 6> kNames{"not_told",      "error_active", "error_warning",
                                                   "error_passive", "bus_off",      "restarted"};
  return kNames[static_cast<std::size_t>(controller)];
}

State::State(const protocol::Catalogue& robot, std::uint32_t bits_per_second, SteadyTime now)
    : catalogue(&robot),
      robot_bit_rate(bits_per_second),
      bit_rate(bits_per_second),
      start(now),
      messages(robot.messages().size()),
      link_since(now),
      broken_at(now) {}

void reduce(State& state, const Received& received, SteadyTime now) {
  const Frame& frame = received.frame;
  if (received.time.known()) state.time = received.time;
  if (frame.kind == FrameKind::error) {
    take_error_frame(state, frame, now);
    return;
  }
  meter_frame(state, frame, now);
  count_kind(state.foreign, frame);
  // A controller that is off the bus receives nothing: a frame proves that it is back.
  if (state.controller == Controller::bus_off && received.direction != FrameDirection::tx) {
    state.controller = Controller::restarted;
  }
  const protocol::Message* const message = state.catalogue->find(frame);
  message != nullptr ? take_message(state, *message, frame, now) : take_other(state, frame, now);
}

const OtherId* find_other(const State& state, const Frame& frame) {
  if (!has_index(frame)) return find_foreign(state, frame);
  const std::uint16_t index = state.other_index[frame.id % protocol::kStandardIds];
  return index == 0 ? nullptr : &state.others[index - 1U];
}

void take_interface(State& state, std::optional<InterfaceFacts> facts) {
  state.interface = std::move(facts);
  if (state.interface && state.interface->bit_rate) state.bit_rate = *state.interface->bit_rate;
}

Controller controller_now(const State& state) {
  if (!state.interface || !state.interface->controller) return state.controller;
  switch (*state.interface->controller) {
    case ControllerState::error_active:
      return Controller::error_active;
    case ControllerState::error_warning:
      return Controller::error_warning;
    case ControllerState::error_passive:
      return Controller::error_passive;
    case ControllerState::bus_off:
      return Controller::bus_off;
    case ControllerState::stopped:
    case ControllerState::sleeping:
      break;
  }
  return state.controller;
}

void take_link(State& state, const LinkStatus& status, SteadyTime now) {
  const bool was_away = status.outages != state.link.outages;
  if (status.state != state.link.state || was_away) state.link_since = now;
  if (was_away) {
    state.broken_at = now;
    state.controller = Controller::not_told;
  }
  state.link = status;
}

WireBits wire_bits(const Frame& frame) {
  if (frame.kind != FrameKind::data && frame.kind != FrameKind::remote) return {};
  const auto data_bits = static_cast<std::uint32_t>(8 * frame.bytes().size());
  // From the start bit to the checksum's end; stuff bits occur only there, at most one after every four.
  const std::uint32_t stuffed = (frame.extended ? 54U : 34U) + data_bits;
  constexpr std::uint32_t kRest = 13;  // delimiters, acknowledge, end of frame, pause
  return {stuffed + kRest, stuffed + (stuffed - 1) / 4 + kRest};
}

Freshness freshness(const State& state, std::size_t message, SteadyTime now) {
  const MessageState& entry = state.messages[message];
  if (entry.count == 0) return Freshness::never;
  const auto limit = stale_after(state.catalogue->messages()[message]);
  if (limit.count() == 0) return Freshness::fresh;
  const bool link_broken = state.link.state == LinkState::down || state.link.state == LinkState::gone ||
                           entry.arrival < state.broken_at;
  return link_broken || now - entry.arrival > limit ? Freshness::stale : Freshness::fresh;
}

std::optional<std::int64_t> current_value(const State& state, std::size_t message,
                                          const protocol::Signal& signal, SteadyTime now) {
  if (freshness(state, message, now) != Freshness::fresh) return std::nullopt;
  return protocol::raw_value(signal.field, state.messages[message].frame.bytes());
}

double load_percent(const State& state, const Meter& bits, SteadyTime now) {
  return 100.0 * bits.per_second(now).value_or(0.0) / state.bit_rate;
}

}  // namespace rangerctl::monitor
