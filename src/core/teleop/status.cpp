#include "rangerctl/teleop/status.hpp"

#include <fmt/format.h>

#include <array>

#include "rangerctl/protocol/values.hpp"
#include "rangerctl/teleop/machine.hpp"

namespace rangerctl::teleop {
namespace {

std::string reason(const Event& event, const protocol::Catalogue& catalogue) {
  return event.rule < kRuleCount ? rules()[event.rule].words(event.finding, catalogue) : "";
}

std::string mode_text(const protocol::Catalogue& catalogue, std::int64_t raw) {
  const protocol::Message& message = *catalogue.find("motion_mode_feedback");
  return protocol::value_text(*protocol::find_signal(message, "motion_mode"), raw);
}

std::string state_text(const Event& event, const protocol::Catalogue& catalogue) {
  const std::string why = reason(event, catalogue);
  return why.empty() ? std::string(state_name(event.to)) : fmt::format("{}: {}", state_name(event.to), why);
}

std::string stopped_text(const Farewell& farewell) {
  std::string text = farewell.at_rest ? "stopped" : "NOT CONFIRMED to be at rest";
  text += fmt::format(": {} zeros confirmed", farewell.zeros_confirmed);
  if (farewell.linear_velocity)
    text += fmt::format(", v={:.3f} m/s", static_cast<double>(*farewell.linear_velocity) / 1000);
  if (!farewell.linear_velocity) text += ", speed not known";
  return text;
}

std::string control_text(const Farewell& farewell, std::string_view address) {
  if (!farewell.control_taken) return "control was not taken and stays as it was";
  if (farewell.control_returned) return "control given back (standby)";
  return fmt::format("giving control back was NOT CONFIRMED: rangerctl mode standby -i {}", address);
}

}  // namespace

std::string_view state_name(State state) {
  constexpr std::array<std::string_view, 6> kNames{"DISARMED", "ARMING",   "ARMED",
                                                   "MOVING",   "STOPPING", "FAULT"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string event_text(const Event& event, const protocol::Catalogue& catalogue) {
  switch (event.kind) {
    case Event::Kind::state:
      return state_text(event, catalogue);
    case Event::Kind::refused_to_arm:
      return "not armed: " + reason(event, catalogue);
    case Event::Kind::code:
      return fmt::format("type {} and Enter to arm", event.value);
    case Event::Kind::wrong_code:
      return "wrong code";
    case Event::Kind::typed_too_early:
      return "the code was typed before it can have been read";
    case Event::Kind::not_confirmed:
      return "the chassis did not confirm CAN control within 1 s";
    case Event::Kind::mode_requested:
      return fmt::format("motion mode {} asked for", mode_text(catalogue, event.value));
    case Event::Kind::mode_confirmed:
      return fmt::format("motion mode {} confirmed, wheels settled", mode_text(catalogue, event.value));
    case Event::Kind::mode_refused:
      return event.value != 0 ? "a dry run changes no motion mode"
                              : "no change of the motion mode now: only at rest, and one at a time";
    case Event::Kind::limit:
      return fmt::format("limit {:.1f} m/s", static_cast<double>(event.value) / 1000);
    case Event::Kind::lights:
      return event.value != 0 ? "lights on" : "lights left to the chassis";
    case Event::Kind::not_acknowledged:
      return "still FAULT: " + reason(event, catalogue);
    case Event::Kind::leaving:
      return "leaving";
  }
  return {};
}

bool Farewell::all_confirmed() const {
  if (!ever_armed || dry_run || control_lost) return true;
  return zeros_confirmed >= 5 && at_rest && (!control_taken || control_returned);
}

std::string farewell_text(const Farewell& farewell, std::string_view address) {
  if (farewell.dry_run) return "dry run: nothing was sent";
  if (!farewell.ever_armed) return "never armed: nothing was sent that moves the robot";
  if (farewell.control_lost) return "control was lost before: nothing was sent after that";
  return fmt::format("{}, {}", stopped_text(farewell), control_text(farewell, address));
}

ExitStatus exit_status(const Farewell& farewell) {
  switch (farewell.why) {
    case Leave::interrupt:
    case Leave::suspend:
      return ExitStatus::interrupted;
    case Leave::terminate:
      return ExitStatus::terminated;
    case Leave::hang_up:
      return ExitStatus::hung_up;
    case Leave::quit:
      return farewell.all_confirmed() ? ExitStatus::ok : ExitStatus::no_answer;
  }
  return ExitStatus::failed;
}

Status Machine::status() const {
  Status status;
  status.now = now_;
  status.state = state_;
  status.since = state_since_;
  status.leaving = leaving_.has_value();
  status.control_taken = control_taken_;
  status.dry_run = options_.dry_run;
  status.show_help = show_help_;
  status.layout = options_.layout;
  if (arming_) {
    if (!arming_->code_typed) status.code = arming_->code;
    status.typed = arming_->digits;
  }
  status.facts = facts_;
  status.findings = findings_;
  status.cause_rule = cause_rule_;
  status.cause = cause_;

  status.limit_mmps = limit_mmps_;
  status.allowed_mmps = allowed_mmps_;
  status.target_mmps = state_ == State::moving ? wanted().wheel_mmps : 0;
  status.target_mrad = static_cast<std::int64_t>(wanted_steering() * 1000);
  status.sent = sent_;
  status.sending = commanded_.has_value();
  status.lights = lights_;
  status.mode = mode();

  status.linear_velocity = fresh("motion_feedback", "linear_velocity");
  status.angular_velocity = fresh("motion_feedback", "angular_velocity");
  status.steering_angle = fresh("motion_feedback", "steering_angle");
  status.vehicle_state = fresh("system_status", "vehicle_state");
  status.control_mode = fresh("system_status", "control_mode");
  status.errors = fresh("system_status", "errors");
  status.battery_voltage = fresh("system_status", "battery_voltage");
  status.motion_mode = fresh("motion_mode_feedback", "motion_mode");
  status.soc = fresh("bms_status", "soc");
  status.controller = view_.chassis.controller;
  status.link = view_.chassis.link;

  status.key_releases = keyboard_.key_releases();
  status.round_trip =
      keyboard_.fence().last_round_trip()
          ? std::optional(std::chrono::floor<Microseconds>(*keyboard_.fence().last_round_trip()))
          : std::nullopt;
  status.last_key = keyboard_.last_key();
  if (const auto at = keyboard_.last_key_at())
    status.last_key_age = std::chrono::floor<milliseconds>(now_ - *at);
  status.counters = counters_;
  status.counters.confirmed = view_.own.confirmed;
  status.counters.stale_keys = keyboard_.stale_keys();
  status.counters.unasked_answers = keyboard_.fence().unasked();
  return status;
}

}  // namespace rangerctl::teleop
