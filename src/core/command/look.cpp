#include "rangerctl/command/look.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <cmath>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::command {
namespace {

using protocol::Catalogue;
using protocol::Signal;
namespace robot = protocol::ranger_mini_3;

Error refused(std::string message) { return {ExitStatus::refused, "refused: " + std::move(message)}; }

const Signal& signal_of(const Catalogue& catalogue, std::string_view message, std::string_view signal) {
  return *protocol::find_signal(*catalogue.find(message), signal);
}

std::string value_words(const View& view, std::string_view message, std::string_view signal,
                        std::int64_t raw) {
  return protocol::value_with_unit(signal_of(*view.chassis.catalogue, message, signal), raw);
}

/// Fresh in the sense of value(): what arrives has a value.
Result<void> arrives(const View& view, std::string_view message, SteadyTime now) {
  const protocol::Message& found = *view.chassis.catalogue->find(message);
  const std::size_t index = view.chassis.catalogue->index_of(found);
  if (monitor::freshness(view.chassis, index, now) == monitor::Freshness::fresh) return {};
  const std::uint64_t shorts = view.chassis.messages[index].short_count;
  const std::string_view from_others = view.chassis.last_feedback ? " although other feedback does" : "";
  const std::string advice =
      shorts > 0            ? fmt::format("{} frames were too short to be read", shorts)
      : from_others.empty() ? "check that the chassis is on, the cable connected and the bit rate 500 kbit/s"
                            : "look with: rangerctl monitor";
  return Error{ExitStatus::no_answer, fmt::format("no {} (0x{:03X}) arrives from the chassis{}; {}", message,
                                                  found.id, from_others, advice)};
}

std::int64_t choice(const Catalogue& catalogue, std::string_view message, std::string_view signal,
                    std::string_view name) {
  return *protocol::parse_value(signal_of(catalogue, message, signal), name);
}

/// The raw control mode, or the error that it is not known.
Result<std::int64_t> control_mode(const View& view, SteadyTime now) {
  if (auto known = arrives(view, "system_status", now); !known) return known.error();
  return *value(view, "system_status", "control_mode", now);
}

Result<void> feedback(const View& view, SteadyTime now) { return arrives(view, "system_status", now); }

Result<void> not_remote(const View& view, SteadyTime now) {
  const auto mode = control_mode(view, now);
  if (!mode) return mode.error();
  if (*mode != choice(*view.chassis.catalogue, "system_status", "control_mode", "remote")) return {};
  return refused("the remote control commands the chassis; switch SWB up on it");
}

Result<void> charge(const View& view, SteadyTime now) {
  const auto soc = value(view, "bms_status", "soc", now);
  if (!soc || *soc >= robot::kNoCommandsBelowPercent) return {};
  return refused(
      fmt::format("the charge is {} %: below {} % the chassis ignores commands; charge the battery", *soc,
                  robot::kNoCommandsBelowPercent));
}

Result<void> can_control(const View& view, SteadyTime now) {
  const auto mode = control_mode(view, now);
  if (!mode) return mode.error();
  const Catalogue& catalogue = *view.chassis.catalogue;
  if (*mode == choice(catalogue, "system_status", "control_mode", "can")) return {};
  if (*mode == choice(catalogue, "system_status", "control_mode", "standby"))
    return refused("the chassis is in standby and obeys nothing but: rangerctl mode can");
  return refused(
      fmt::format("control_mode is {}, not can", value_words(view, "system_status", "control_mode", *mode)));
}

/// On hardware control_mode is standby for a moment when the remote control takes over.
Error control_lost(const View& view, SteadyTime now) {
  return refused(fmt::format(
      "control was lost, control_mode is {}: the remote control has taken it, or the chassis was restarted",
      value_words(view, "system_status", "control_mode", *control_mode(view, now))));
}

Result<void> motion_mode(const View& view, SteadyTime now) {
  return arrives(view, "motion_mode_feedback", now);
}
Result<void> speed(const View& view, SteadyTime now) { return arrives(view, "motion_feedback", now); }
Result<void> wheels(const View& view, SteadyTime now) {
  return arrives(view, "steering_angle_feedback", now);
}

Result<void> no_fault(const View& view, SteadyTime now) {
  const auto errors = value(view, "system_status", "errors", now);
  const auto state = value(view, "system_status", "vehicle_state", now);
  if (!errors || !state) return arrives(view, "system_status", now);
  const Catalogue& catalogue = *view.chassis.catalogue;
  if (const std::uint32_t critical = critical_errors(catalogue, *errors); critical != 0) {
    return refused(fmt::format("errors are active: {}; what to do: rangerctl explain {}",
                               fmt::join(error_names(catalogue, critical), ", "),
                               error_names(catalogue, critical).front()));
  }
  if (*state == choice(catalogue, "system_status", "vehicle_state", "normal")) return {};
  return refused(
      fmt::format("vehicle_state is {}", value_words(view, "system_status", "vehicle_state", *state)));
}

Result<void> at_rest(const View& view, SteadyTime now) {
  const auto linear = value(view, "motion_feedback", "linear_velocity", now);
  const auto angular = value(view, "motion_feedback", "angular_velocity", now);
  if (!linear || !angular) return arrives(view, "motion_feedback", now);
  if (std::abs(*linear) < kRestMmps && std::abs(*angular) < kRestMradps) return {};
  return refused(fmt::format("the chassis moves ({}, {}); let it come to rest first",
                             value_words(view, "motion_feedback", "linear_velocity", *linear),
                             value_words(view, "motion_feedback", "angular_velocity", *angular)));
}

Result<void> park(const View& view, SteadyTime now) {
  const auto mode = value(view, "motion_mode_feedback", "motion_mode", now);
  if (!mode) return arrives(view, "motion_mode_feedback", now);
  if (*mode == choice(*view.chassis.catalogue, "motion_mode_feedback", "motion_mode", "park")) return {};
  return refused(fmt::format("only in park, and the motion mode is {}; run first: rangerctl mode park",
                             value_words(view, "motion_mode_feedback", "motion_mode", *mode)));
}

/// The mean rate, where enough was seen to name one.
std::string foreign_words(const View& view) {
  const std::chrono::duration<double> span = view.foreign.last - view.foreign.first;
  if (view.foreign.count < 3 || span < std::chrono::milliseconds(100)) return "motion commands (0x111)";
  const double rate = static_cast<double>(view.foreign.count - 1) / span.count();
  return fmt::format("motion commands (0x111), {:.0f} per second", rate);
}

Result<void> nobody_else(const View& view, SteadyTime now) {
  if (view.foreign.count == 0 || now - view.foreign.last > motion_timeout(*view.chassis.catalogue)) return {};
  return refused(fmt::format("another controller sends {}; stop it first", foreign_words(view)));
}

struct NeedRow {
  Need need;
  Result<void> (*check)(const View& view, SteadyTime now);
};
constexpr std::array kNeeds{
    NeedRow{Need::feedback, feedback},       NeedRow{Need::not_remote, not_remote},
    NeedRow{Need::charge, charge},           NeedRow{Need::can_control, can_control},
    NeedRow{Need::motion_mode, motion_mode}, NeedRow{Need::speed, speed},
    NeedRow{Need::wheels, wheels},           NeedRow{Need::no_fault, no_fault},
    NeedRow{Need::at_rest, at_rest},         NeedRow{Need::park, park},
    NeedRow{Need::nobody_else, nobody_else},
};

/// Since the command began: what happened to its frames meanwhile is not known.
bool was_bus_off(const View& view) {
  const auto& by_class = view.chassis.errors.by_class;
  return by_class[static_cast<std::size_t>(std::countr_zero(kErrorBusOff))] > 0;
}

}  // namespace

Result<void> check_needs(std::span<const Need> needs, const View& view, SteadyTime now) {
  for (const Need need : needs) {
    if (auto checked = check_need(need, view, now); !checked) return checked;
  }
  return {};
}

std::uint32_t critical_errors(const Catalogue& catalogue, std::int64_t errors) {
  const Signal& signal = signal_of(catalogue, "system_status", "errors");
  const auto remote_lost = *protocol::parse_value(signal, "remote_control_lost");
  return static_cast<std::uint32_t>(errors & ~remote_lost);
}

std::vector<std::string> error_names(const Catalogue& catalogue, std::int64_t errors) {
  const Signal& signal = signal_of(catalogue, "system_status", "errors");
  std::vector<std::string> names;
  for (unsigned bit = 0; bit < signal.field.bits; ++bit) {
    const std::int64_t one = std::int64_t{1} << bit;
    if ((errors & one) != 0) names.push_back(protocol::value_text(signal, one));
  }
  return names;
}

Result<void> check_need(Need need, const View& view, SteadyTime now) {
  return kNeeds[static_cast<std::size_t>(need)].check(view, now);
}

Result<void> check_link(const View& view) {
  const LinkStatus& link = view.chassis.link;
  if (link.state == LinkState::down) return Error{ExitStatus::bus, "the interface went down"};
  if (link.state == LinkState::gone) return Error{ExitStatus::bus, "the interface is gone"};
  if (link.outages > 0) return Error{ExitStatus::bus, "the interface was away for a moment"};
  if (was_bus_off(view)) {
    return Error{ExitStatus::bus,
                 "the CAN controller is bus-off: wiring, termination or a wrong bit rate; take the interface "
                 "down and up again"};
  }
  return {};
}

Result<void> check_bus(const View& view, SteadyTime now) {
  if (auto link = check_link(view); !link) return link;
  if (!foreign_motion_now(view, now)) return {};
  return refused(
      fmt::format("another controller moves the chassis: {}, not zero; stop it first", foreign_words(view)));
}

std::optional<Result<void>> Look::step(const View& view, SteadyTime now) {
  if (!first_) first_ = now;
  if (!start_) start_ = now;
  if (view.resumed && *view.resumed > *start_) start_ = *view.resumed;
  if (now - *first_ > kPatience)
    return Error{ExitStatus::failed, "this computer is held up again and again: too slow to command a robot"};
  if (auto bus = check_bus(view, now); !bus) return bus;
  if (now - *start_ < kLeast) return std::nullopt;
  auto checked = check_needs(needs_, view, now);
  const bool may_come = !checked && checked.error().status == ExitStatus::no_answer;
  if (may_come && now - *start_ < kMost) return std::nullopt;
  return checked;
}

std::vector<std::string> Look::warnings(const View& view, SteadyTime now) const {
  if (check_need(Need::nobody_else, view, now)) return {};
  return {fmt::format("another controller sends {}, all zeros up to now", foreign_words(view))};
}

Result<void> check_still(std::span<const Need> needs, const View& view, SteadyTime now) {
  if (auto bus = check_bus(view, now); !bus) return bus;
  for (const Need need : needs) {
    if (need == Need::at_rest) continue;
    auto checked = check_need(need, view, now);
    if (checked || checked.error().status != ExitStatus::refused) continue;
    return need == Need::can_control ? control_lost(view, now) : checked;
  }
  return {};
}

}  // namespace rangerctl::command
