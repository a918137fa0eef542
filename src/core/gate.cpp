#include "rangerctl/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "rangerctl/protocol/describe.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl {
namespace {

using protocol::Catalogue;
using protocol::ConditionalLimit;
using protocol::Message;
using protocol::Signal;

Error refused(std::string message) { return {ExitStatus::refused, "refused: " + std::move(message)}; }

Error beyond(const Message& message, const Signal& signal, std::int64_t raw, std::string_view limit) {
  return refused(fmt::format("{}.{} = {} is beyond its limit: {} ({})", message.name, signal.name,
                             protocol::value_with_unit(signal, raw), limit, message.source));
}

Result<void> check_kind(const Frame& frame) {
  if (frame.kind != FrameKind::data)
    return refused("the robot takes classic data frames alone, not remote, FD, XL or error frames");
  if (frame.extended) return refused("the robot takes 11-bit ids alone");
  if (frame.raw_dlc != 0) return refused("the robot takes plain DLCs alone, not 9 to 15");
  return {};
}

Result<void> check_reserved(const Message& message, const Frame& frame) {
  std::uint64_t reserved = protocol::payload_word(frame.bytes().first(message.dlc));
  for (const Signal& signal : message.signals) reserved &= ~protocol::detail::occupied_bits(signal.field);
  if (reserved == 0) return {};
  return refused(fmt::format("0x{:03X} {}: bits that belong to no signal must be zero ({})", message.id,
                             message.name, message.source));
}

Result<void> check_message(const Message& message, const Frame& frame) {
  const bool may_be_longer = !message.is_command();
  if (protocol::is_short(message, frame) || (frame.length > message.dlc && !may_be_longer)) {
    return refused(fmt::format("0x{:03X} {} has {} bytes, not {} ({})", message.id, message.name, message.dlc,
                               frame.length, message.source));
  }
  if (auto checked = check_reserved(message, frame); !checked) return checked;
  for (const Signal& signal : message.signals) {
    if (auto checked = check_value(message, signal, protocol::raw_value(signal.field, frame.bytes()));
        !checked)
      return checked;
  }
  return {};
}

bool is_query(const Catalogue& catalogue, const Frame& frame) {
  const auto queries = catalogue.extras().queries;
  return std::find(queries.begin(), queries.end(), frame) != queries.end();
}

bool is_opaque_feedback(const Catalogue& catalogue, const Frame& frame) {
  const protocol::OpaqueId* const row = catalogue.find_opaque(frame.id);
  return row != nullptr && row->dlc == frame.length;
}

Error no_command(const Catalogue& catalogue, const Frame& frame) {
  for (const Frame& query : catalogue.extras().queries) {
    if (query.id == frame.id)
      return refused(
          fmt::format("the only query on 0x{:03X} is {:03X}#{:02X}", frame.id, query.id, query.data[0]));
  }
  const Message* const message = catalogue.find(frame);
  if (message == nullptr)
    return refused(fmt::format("0x{:03X} is no command of the {}", frame.id, catalogue.title()));
  return refused(
      fmt::format("0x{:03X} {} is feedback of the chassis, not a command", frame.id, message->name));
}

std::int64_t steering_angle(const Message& message, const Frame& frame, const Situation& situation) {
  const Signal* const commanded = protocol::find_signal(message, "steering_angle");
  const std::int64_t raw =
      commanded == nullptr ? 0 : std::abs(protocol::raw_value(commanded->field, frame.bytes()));
  return std::max(raw, std::abs(situation.steering_angle.value_or(0)));
}

bool holds(const ConditionalLimit& limit, std::int64_t motion_mode, std::int64_t steering) {
  return limit.when == ConditionalLimit::When::motion_mode_is ? motion_mode == limit.value
                                                              : steering >= limit.value;
}

bool knows_mode(const Message& message, std::int64_t motion_mode) {
  return std::any_of(message.limits.begin(), message.limits.end(), [&](const ConditionalLimit& limit) {
    return limit.when == ConditionalLimit::When::motion_mode_is && limit.value == motion_mode;
  });
}

Result<void> check_nobodys(const Catalogue& catalogue, const Frame& frame) {
  if (frame.kind == FrameKind::error || frame.kind == FrameKind::xl)
    return refused("error frames and CAN XL frames cannot be sent");
  const bool is_known =
      !frame.extended && (catalogue.find(frame.id) != nullptr || catalogue.find_opaque(frame.id) != nullptr);
  if (role_of(catalogue, frame) == Role::nobody && !is_known) return {};
  return refused(fmt::format("0x{:03X} is an id of the {}", frame.id, catalogue.title()));
}

bool is_id_of_host(const Catalogue& catalogue, std::uint32_t id) {
  const Message* const message = catalogue.find(id);
  const auto queries = catalogue.extras().queries;
  return (message != nullptr && message->is_command()) ||
         std::any_of(queries.begin(), queries.end(), [id](const Frame& query) { return query.id == id; });
}

}  // namespace

Role role_of(const Catalogue& catalogue, const Frame& frame) {
  if (frame.extended || frame.kind == FrameKind::error || frame.kind == FrameKind::xl) return Role::nobody;
  const Message* const message = catalogue.find(frame);
  if (message != nullptr && !message->is_command()) return Role::chassis;
  if (frame.kind == FrameKind::data && is_opaque_feedback(catalogue, frame)) return Role::chassis;
  return is_id_of_host(catalogue, frame.id) ? Role::host : Role::nobody;
}

Result<void> check_value(const Message& message, const Signal& signal, std::int64_t raw) {
  if (raw < signal.min() || raw > signal.max())
    return beyond(message, signal, raw, protocol::range_text(signal, {signal.min(), signal.max()}));
  if (message.is_command() && !signal.choices.empty() && protocol::choice_name(signal, raw).empty())
    return beyond(message, signal, raw, "a value that has a name");
  return {};
}

Result<void> check_table(const Catalogue& catalogue, Role role, const Frame& frame) {
  if (role == Role::nobody) return check_nobodys(catalogue, frame);
  if (auto checked = check_kind(frame); !checked) return checked;
  if (role == Role::host ? is_query(catalogue, frame) : is_opaque_feedback(catalogue, frame)) return {};
  const Message* const message = catalogue.find(frame);
  if (message != nullptr && message->is_command() == (role == Role::host))
    return check_message(*message, frame);
  if (role == Role::host) return no_command(catalogue, frame);
  return refused(fmt::format("0x{:03X} is no feedback of the {}", frame.id, catalogue.title()));
}

bool commands_motion(const Catalogue& catalogue, const Frame& frame) {
  const Message* const message = catalogue.find(frame);
  return message != nullptr && !message->limits.empty() && protocol::payload_word(frame.bytes()) != 0;
}

protocol::Range allowed_range(const Message& message, const Signal& signal, std::int64_t motion_mode,
                              std::int64_t steering) {
  protocol::Range range{signal.min(), signal.max()};
  for (const ConditionalLimit& limit : message.limits) {
    if (limit.signal != signal.name || !holds(limit, motion_mode, steering)) continue;
    range = {std::max(range.min, limit.range.min), std::min(range.max, limit.range.max)};
  }
  return range;
}

Result<void> check_situation(const Catalogue& catalogue, const Frame& frame, const Situation& situation) {
  if (!commands_motion(catalogue, frame)) return {};
  const Message& message = *catalogue.find(frame);
  if (!situation.motion_mode) {
    return refused(fmt::format(
        "{} while the motion mode is unknown: no fresh motion_mode_feedback (0x291) from the chassis",
        message.name));
  }
  if (!knows_mode(message, *situation.motion_mode)) {
    return refused(fmt::format("{} while the chassis reports motion mode {}, which is in no source",
                               message.name, *situation.motion_mode));
  }
  const std::int64_t steering = steering_angle(message, frame, situation);
  for (const ConditionalLimit& limit : message.limits) {
    const Signal& signal = *protocol::find_signal(message, limit.signal);
    const std::int64_t raw = protocol::raw_value(signal.field, frame.bytes());
    if (!holds(limit, *situation.motion_mode, steering)) continue;
    if (raw >= limit.range.min && raw <= limit.range.max) continue;
    return beyond(message, signal, raw,
                  fmt::format("{} {}", protocol::range_text(signal, limit.range), limit.situation));
  }
  return {};
}

Result<Sent> Gate::send(const Frame& frame, const Situation& situation) {
  if (auto checked = check_table(catalogue_, role_, frame); !checked) return checked.error();
  if (auto checked = check_situation(catalogue_, frame, situation); !checked) return checked.error();
  return transport_.transmit(frame);
}

Result<Sent> Gate::send_unchecked(const Frame& frame) { return transport_.transmit(frame); }

}  // namespace rangerctl
