#include "rangerctl/teleop/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/teleop/age_fence.hpp"

namespace rangerctl::teleop {
namespace {

using protocol::Catalogue;
namespace robot = protocol::ranger_mini_3;

constexpr milliseconds kFeedbackStop{100};
constexpr milliseconds kFeedbackFault{200};
constexpr milliseconds kModeSilent{200};
constexpr milliseconds kLongestSwitch{5000};
constexpr milliseconds kAway{2000};
constexpr milliseconds kBmsNote{2000};
constexpr milliseconds kBmsLost{5000};
constexpr milliseconds kEchoStop{60};
constexpr milliseconds kEchoFault{200};
constexpr milliseconds kLateNote{10};
constexpr milliseconds kLateDisarm{100};
constexpr milliseconds kNotStopping{1000};
constexpr milliseconds kWrongWay{500};
constexpr milliseconds kLongestStopping{2000};
constexpr milliseconds kIdle{30'000};
constexpr int kMostKeysPerSecond = 60;
constexpr int kMostFullQueues = 1;
constexpr std::int64_t kPark = 3;

constexpr Finding nothing() { return {}; }
constexpr Finding act(Action action, std::int64_t first = 0, std::int64_t second = 0) {
  return {.action = action, .first = first, .second = second};
}
constexpr Finding block(std::int64_t first = 0, std::int64_t second = 0) {
  return {.action = Action::note, .blocks_arming = true, .first = first, .second = second};
}
constexpr Finding cap(int mmps, std::int64_t first = 0, std::int64_t second = 0) {
  return {.action = Action::cap, .cap_mmps = mmps, .first = first, .second = second};
}
constexpr Finding when(bool is_so, Finding finding) { return is_so ? finding : nothing(); }

std::int64_t ms(Microseconds duration) { return std::chrono::ceil<milliseconds>(duration).count(); }

const protocol::Signal& signal_of(const Catalogue& catalogue, std::string_view message,
                                  std::string_view signal) {
  return *protocol::find_signal(*catalogue.find(message), signal);
}

std::string value_of(const Catalogue& catalogue, std::string_view message, std::string_view signal,
                     std::int64_t raw) {
  return protocol::value_text(signal_of(catalogue, message, signal), raw);
}

// ---- The chassis --------------------------------------------------------------------------------------

Finding emergency_stop(const Facts& facts) { return when(facts.emergency_stop, act(Action::fault)); }
std::string emergency_stop_words(const Finding&, const Catalogue&) {
  return "emergency stop: release the button, then: rangerctl clear-error 0x00";
}

constexpr std::int64_t kIsDriver = 1;
constexpr std::int64_t kIsState = 2;
Finding chassis_fault(const Facts& facts) {
  if (facts.errors != 0) return act(Action::fault, facts.errors);
  for (std::size_t i = 0; i < kMotors; ++i) {
    if (facts.driver_status[i] != 0)
      return act(Action::fault, facts.driver_status[i], kIsDriver << 8 | static_cast<std::int64_t>(i + 1));
  }
  return when(facts.vehicle_state != 0, act(Action::fault, facts.vehicle_state, kIsState << 8));
}
std::string chassis_fault_words(const Finding& finding, const Catalogue& catalogue) {
  if (finding.second >> 8 == kIsDriver) {
    return fmt::format("motor {}: {}; look with: rangerctl monitor", finding.second & 0xFF,
                       value_of(catalogue, "motor1_low_speed", "driver_status", finding.first));
  }
  if (finding.second >> 8 == kIsState) {
    return fmt::format("vehicle_state is {}; look with: rangerctl monitor",
                       value_of(catalogue, "system_status", "vehicle_state", finding.first));
  }
  return fmt::format("errors: {}; what to do: rangerctl explain 0x{:08X}",
                     value_of(catalogue, "system_status", "errors", finding.first), finding.first);
}

Finding feedback_silent(const Facts& facts) {
  if (!facts.status_age) return block(0x211, -1);
  if (!facts.motion_age) return block(0x221, -1);
  const bool status_is_older = *facts.status_age >= *facts.motion_age;
  const milliseconds age = std::max(*facts.status_age, *facts.motion_age);
  if (age <= kFeedbackStop) return nothing();
  return act(age > kFeedbackFault ? Action::fault : Action::stop, status_is_older ? 0x211 : 0x221,
             age.count());
}
std::string feedback_silent_words(const Finding& finding, const Catalogue&) {
  if (finding.second < 0) return fmt::format("no 0x{:03X} from the chassis yet: is it on?", finding.first);
  return fmt::format("no 0x{:03X} from the chassis for {} ms", finding.first, finding.second);
}

Finding mode_silent(const Facts& facts) {
  if (!facts.mode_age) return block(-1);
  return when(*facts.mode_age > kModeSilent, act(Action::disarm, facts.mode_age->count()));
}
std::string mode_silent_words(const Finding& finding, const Catalogue&) {
  if (finding.first < 0) return "no motion mode (0x291) from the chassis yet";
  return fmt::format("no motion mode (0x291) from the chassis for {} ms", finding.first);
}

Finding control_lost(const Facts& facts) {
  if (facts.control_mode == kControlCan || !facts.status_age) return nothing();
  if (facts.holding) return act(Action::silence, facts.control_mode, 1);
  const bool can_be_taken = facts.control_mode == kControlStandby;
  return when(!can_be_taken, block(facts.control_mode));
}
std::string control_lost_words(const Finding& finding, const Catalogue& catalogue) {
  if (finding.first == kControlRemote) return "the remote control has control: SWB up hands it over to CAN";
  return fmt::format("{}control_mode is {}", finding.second != 0 ? "control was lost: " : "",
                     value_of(catalogue, "system_status", "control_mode", finding.first));
}

Finding remote_lost(const Facts& facts) {
  if (!facts.remote_lost) return nothing();
  return facts.ignore_remote_lost ? act(Action::note, 1) : block();
}
std::string remote_lost_words(const Finding& finding, const Catalogue&) {
  return finding.first != 0 ? "the remote control is not connected"
                            : "the remote control is not connected: switch it on, or start with --no-rc";
}

Finding mode_switching(const Facts& facts) {
  if (!facts.switching) return nothing();
  return act(*facts.switching > kLongestSwitch ? Action::fault : Action::stop, facts.switching->count());
}
std::string mode_switching_words(const Finding& finding, const Catalogue&) {
  return fmt::format("the chassis has been switching its motion mode for {:.1f} s",
                     static_cast<double>(finding.first) / 1000);
}

Finding mode_changed(const Facts& facts) {
  const bool other =
      facts.holding && facts.expected_mode && facts.motion_mode && *facts.motion_mode != *facts.expected_mode;
  return when(other, act(Action::disarm, facts.motion_mode.value_or(0), facts.expected_mode.value_or(0)));
}
std::string mode_changed_words(const Finding& finding, const Catalogue& catalogue) {
  const auto name = [&](std::int64_t raw) {
    return value_of(catalogue, "motion_mode_feedback", "motion_mode", raw);
  };
  return fmt::format("somebody changed the motion mode from {} to {}", name(finding.second),
                     name(finding.first));
}

Finding mode_change(const Facts& facts) {
  if (!facts.mode_change) return nothing();
  return act(*facts.mode_change > kLongestSwitch ? Action::disarm : Action::stop, facts.mode_change->count());
}
std::string mode_change_words(const Finding& finding, const Catalogue&) {
  if (finding.first > kLongestSwitch.count()) return "the chassis has not taken the motion mode within 5 s";
  return "the motion mode changes: no motion until the wheels have settled";
}

Finding park(const Facts& facts) { return when(facts.holding && facts.expected_mode == kPark, cap(0)); }
std::string park_words(const Finding&, const Catalogue&) { return "parked: M chooses another motion mode"; }

Finding charge(const Facts& facts) {
  if (!facts.bms_age) return block(-1, -1);
  if (facts.soc <= robot::kNoCommandsBelowPercent) return act(Action::disarm, facts.soc);
  const std::int64_t silent = *facts.bms_age > kBmsNote ? facts.bms_age->count() : 0;
  const bool is_lost = *facts.bms_age > kBmsLost;
  if (facts.soc < robot::kLightsFlashBelowPercent) {  // a battery that goes silent lifts no cap
    Finding low = cap(kLowChargeMmps, facts.soc, silent);
    low.blocks_arming = is_lost;
    return low;
  }
  if (is_lost) return block(-1, silent);
  return when(silent > 0, act(Action::note, -1, silent));
}
std::string charge_words(const Finding& finding, const Catalogue&) {
  if (finding.first < 0 && finding.second < 0) return "no charge (0x361) from the battery yet";
  if (finding.first < 0)
    return fmt::format("no charge (0x361) from the battery for {:.1f} s",
                       static_cast<double>(finding.second) / 1000);
  if (finding.action != Action::cap) return fmt::format("charge {} %: charge the battery", finding.first);
  const std::string low =
      fmt::format("charge {} %: at most {:.1f} m/s", finding.first, kLowChargeMmps / 1000.0);
  if (finding.second == 0) return low;
  return fmt::format("{}; silent for {:.1f} s", low, static_cast<double>(finding.second) / 1000);
}

Finding bms_alarm(const Facts& facts) {
  if (facts.bms_alarms != 0) return act(Action::disarm, facts.bms_alarms);
  return when(facts.bms_warnings != 0, act(Action::note, facts.bms_warnings));
}
std::string bms_alarm_words(const Finding& finding, const Catalogue& catalogue) {
  const std::int64_t low = finding.first & 0xFF;
  const std::int64_t high = finding.first >> 8;
  std::string names;
  if (low != 0) names += value_of(catalogue, "bms_alarms", "alarm_1", low);
  if (low != 0 && high != 0) names += ',';
  if (high != 0) names += value_of(catalogue, "bms_alarms", "alarm_2", high);
  return fmt::format("battery {}: {}", finding.action == Action::note ? "warning" : "alarm", names);
}

Finding zero_calibration(const Facts& facts) { return when(facts.zero_calibration, act(Action::note)); }
std::string zero_calibration_words(const Finding&, const Catalogue&) {
  return "SWA down, SWB up, SWD down: the remote starts a zero calibration of the steering like this";
}

constexpr std::int64_t kStops = 0;
constexpr std::int64_t kWay = 1;
constexpr std::int64_t kNotAtRest = 2;
Finding not_stopping(const Facts& facts) {
  if (facts.wrong_way > kWrongWay) return act(Action::fault, kWay, facts.wrong_way.count());
  const bool moves_on = facts.nonzero_after_stop > kNotStopping || facts.stopping > kLongestStopping;
  if (moves_on) return act(Action::fault, kStops);
  return when(facts.moves && !facts.holding, block(kNotAtRest));
}
std::string not_stopping_words(const Finding& finding, const Catalogue&) {
  if (finding.first == kNotAtRest) return "the chassis moves: wait until it is at rest";
  return finding.first == kWay ? "WRONG WAY: it moves against the command: use the red button"
                               : "NOT STOPPING: zero is commanded and it moves on: use the red button";
}

Finding held_back(const Facts& facts) { return when(facts.held_back, act(Action::note)); }
std::string held_back_words(const Finding&, const Catalogue&) {
  return "it still moves the other way: waits until it is at rest";
}

// ---- The bus ------------------------------------------------------------------------------------------

Finding queue_full(const Facts& facts) {
  if (facts.full_queues == 0) return nothing();
  return act(facts.full_queues > kMostFullQueues ? Action::fault : Action::note, facts.full_queues);
}
std::string queue_full_words(const Finding& finding, const Catalogue&) {
  return fmt::format("the transmit queue is full (ENOBUFS), {} in a row: the bus takes no frames",
                     finding.first);
}

Finding echo_missing(const Facts& facts) {
  if (facts.echo_missing > kEchoFault) return act(Action::fault, facts.echo_missing.count());
  if (facts.echo_missing > kEchoStop) return act(Action::stop, facts.echo_missing.count());
  const bool left_over = facts.unconfirmed > 0 && !facts.holding && !facts.arming;
  return when(left_over, block(-1, static_cast<std::int64_t>(facts.unconfirmed)));
}
std::string echo_missing_words(const Finding& finding, const Catalogue&) {
  if (finding.first < 0)
    return fmt::format("frames of ours not confirmed: {}; take the interface down and up", finding.second);
  return fmt::format(
      "the bus has not acknowledged our frames for {} ms: check it, take the interface down and up",
      finding.first);
}

Finding interface(const Facts& facts) {
  if (facts.bus_off) return act(Action::fault, 1);
  return when(facts.interface_trouble, act(Action::fault));
}
std::string interface_words(const Finding& finding, const Catalogue&) {
  return finding.first != 0 ? "the CAN controller is or was bus-off: check the wiring, take it down and up"
                            : "the interface is down or gone";
}

Finding error_passive(const Facts& facts) { return when(facts.error_passive, act(Action::disarm)); }
std::string error_passive_words(const Finding&, const Catalogue&) {
  return "the CAN controller is error-passive: check the wiring and the termination";
}

Finding another_controller(const Facts& facts) {
  return when(facts.foreign_command.has_value(), act(Action::fault));
}
std::string another_controller_words(const Finding&, const Catalogue&) {
  return "another controller commands the chassis (0x111, 0x141 or 0x421): stop it first";
}

Finding other_instance(const Facts& facts) { return when(facts.other_instance, act(Action::fault)); }
std::string other_instance_words(const Finding&, const Catalogue&) {
  return "another rangerctl teleop drives on this interface";
}

// ---- Keys and their way -------------------------------------------------------------------------------

constexpr std::int64_t kNoAnswer = -1;
constexpr std::int64_t kUnasked = -2;
constexpr std::int64_t kTooFew = -3;
constexpr std::int64_t kTooSlow = -4;
constexpr std::int64_t kLinkLost = -5;
Finding link_bound(const Facts& facts) {
  if (facts.unasked_answer) return act(Action::disarm, kUnasked);
  if (!facts.answers) return nothing();
  if (facts.silence > AgeFence::kLost) return act(Action::disarm, kLinkLost, facts.silence.count());
  if (!facts.bound) return block(kNoAnswer);
  if (*facts.bound > AgeFence::kDisarm) return act(Action::disarm, ms(*facts.bound));
  if (*facts.bound > AgeFence::kStop) return act(Action::stop, ms(*facts.bound));
  if (facts.holding) return nothing();
  if (facts.answers_in_a_row < AgeFence::kProofAnswers)
    return block(kTooFew, static_cast<std::int64_t>(facts.answers_in_a_row));
  return when(facts.bound_p95 > AgeFence::kProof, block(kTooSlow, ms(facts.bound_p95)));
}
std::string link_bound_words(const Finding& finding, const Catalogue&) {
  switch (finding.first) {
    case kNoAnswer:
      return "the terminal has not answered yet";
    case kUnasked:
      return "the terminal answered without being asked: something else writes into the keyboard";
    case kTooFew:
      return fmt::format("link proof: {} of {} answers", finding.second, AgeFence::kProofAnswers);
    case kTooSlow:
      return fmt::format("link too slow: keys can be {} ms old (250 allowed)", finding.second);
    case kLinkLost:
      return fmt::format("link lost: no answer from the terminal for {} ms", finding.second);
    default:
      return fmt::format("link: a key can be {} ms old (300 allowed)", finding.first);
  }
}

Finding stale_key(const Facts& facts) {
  return when(facts.stale_keys > 0, act(Action::stop, facts.stale_keys));
}
std::string stale_key_words(const Finding& finding, const Catalogue&) {
  return fmt::format("keys dropped because they were older than 300 ms: {}", finding.first);
}

Finding stale_burst(const Facts& facts) {
  if (facts.burst) return act(Action::disarm, 0);
  return when(facts.keys_per_second > kMostKeysPerSecond, act(Action::disarm, facts.keys_per_second));
}
std::string stale_burst_words(const Finding& finding, const Catalogue&) {
  return finding.first == 0 ? "stale burst: keys came all at once after a pause"
                            : fmt::format("stale burst: {} keys in one second", finding.first);
}

Finding key_released(const Facts& facts) { return when(facts.released, act(Action::release)); }
std::string key_released_words(const Finding&, const Catalogue&) { return "key released"; }

Finding repeats_ended(const Facts& facts) { return when(facts.repeats_ended, act(Action::release)); }
std::string repeats_ended_words(const Finding&, const Catalogue&) {
  return "the key does not repeat any more";
}

Finding nudge(const Facts& facts) { return when(facts.nudging, cap(kNudgeMmps)); }
std::string nudge_words(const Finding&, const Catalogue&) { return "nudge: keep the key down to drive"; }

Finding release_lost(const Facts& facts) { return when(facts.release_lost, act(Action::stop)); }
std::string release_lost_words(const Finding&, const Catalogue&) {
  return "the held key does not repeat any more: press it again";
}

constexpr std::int64_t kLocked = 0;
constexpr std::int64_t kNotCounted = 1;
constexpr std::int64_t kNoEffect = 2;
Finding locked(const Facts& facts) {
  if (facts.locked) return act(Action::note, kLocked);
  if (!facts.holding) return nothing();
  if (facts.not_counted) return act(Action::note, kNotCounted);
  return when(facts.no_effect, act(Action::note, kNoEffect));
}
std::string locked_words(const Finding& finding, const Catalogue&) {
  if (finding.first == kNotCounted)
    return "a key went down in one read with a release or a stop: press it again";
  return finding.first == kNoEffect ? "in spin only left and right move"
                                    : "motion keys count again when all were released";
}

constexpr std::int64_t kPaste = 0;
constexpr std::int64_t kFocus = 1;
constexpr std::int64_t kWindow = 2;
constexpr std::int64_t kLongPaste = 3;
Finding terminal_away(const Facts& facts) {
  const auto away = [](std::optional<milliseconds> since, std::int64_t what) {
    return act(since && *since >= kAway ? Action::disarm : Action::stop, what);
  };
  if (facts.paste_too_long) return act(Action::disarm, kLongPaste);
  if (facts.pasted) return act(Action::stop, kPaste);
  const bool longer_small = facts.window_too_small && facts.window_too_small >= facts.unfocused;
  if (longer_small) return away(facts.window_too_small, kWindow);
  return when(facts.unfocused.has_value(), away(facts.unfocused, kFocus));
}
std::string terminal_away_words(const Finding& finding, const Catalogue&) {
  constexpr std::array<std::string_view, 4> kWords{
      "text was pasted into the terminal", "the terminal window has lost the keyboard",
      "the window is too small to show the state: 40x8 at least", "a paste without an end"};
  return std::string(kWords.at(static_cast<std::size_t>(finding.first)));
}

constexpr std::int64_t kTooQuick = 10;
constexpr std::int64_t kMute = 11;
constexpr std::int64_t kDeadPath = 12;
Finding blind_link(const Facts& facts) {
  if (!is_blind(facts)) return nothing();
  const std::int64_t why = facts.relay != terminal::Relay::none ? static_cast<std::int64_t>(facts.relay)
                           : facts.answers                      ? kTooQuick
                                                                : kMute;
  if (!facts.blind_link_allowed) return act(Action::disarm, why);
  const milliseconds missing = facts.tcp_missing.value_or(milliseconds(0));
  if (missing > AgeFence::kDisarm) return act(Action::disarm, kDeadPath);
  if (missing > AgeFence::kStop) return act(Action::stop, kDeadPath);
  return cap(kBlindLinkMmps, why, 1);
}
std::string blind_link_words(const Finding& finding, const Catalogue&) {
  if (finding.first == kDeadPath) return "the computer of the SSH session does not answer any more";
  const std::string who =
      finding.first == kMute ? "the terminal does not answer"
      : finding.first == kTooQuick
          ? "something answers before the terminal"
          : fmt::format("{} answers, not the terminal",
                        terminal::relay_name(static_cast<terminal::Relay>(finding.first)));
  return finding.second != 0 ? "at most 0.2 m/s, keys may be old: " + who
                             : who + ": keys may be old; --allow-blind-link drives at 0.2 m/s";
}

Finding link_cap(const Facts& facts) {
  if (is_blind(facts) || !facts.worst_bound) return nothing();
  const std::int64_t bound_us = std::max<std::int64_t>(facts.worst_bound->count(), 1);
  const std::int64_t most = (kRunOnMm * 1'000'000 - 1) / bound_us;
  if (most >= facts.limit_mmps) return nothing();
  return cap(static_cast<int>(most), ms(*facts.worst_bound));
}
std::string link_cap_words(const Finding& finding, const Catalogue&) {
  return fmt::format("link: {} ms allow {:.2f} m/s (0.1 m run-on)", finding.first, finding.cap_mmps / 1000.0);
}

// ---- This program -------------------------------------------------------------------------------------

Finding late_tick(const Facts& facts) {
  const milliseconds worst = std::max(facts.late, facts.held_up);
  if (worst >= kLateDisarm) return act(Action::disarm, worst.count());
  if (facts.expirations >= 2) return act(Action::zero, worst.count());
  return when(facts.late > kLateNote, act(Action::note, facts.late.count()));
}
std::string late_tick_words(const Finding& finding, const Catalogue&) {
  return fmt::format("this program was held up for {} ms", finding.first);
}

Finding guard(const Facts& facts) {
  if (!facts.guard_alive) return act(Action::disarm, 1);
  return when(facts.guard_intervened, act(Action::disarm));
}
std::string guard_words(const Finding& finding, const Catalogue&) {
  return finding.first != 0 ? "the guard process is gone: start teleop again"
                            : "the guard process had to send zeros for this program";
}

Finding idle(const Facts& facts) { return when(facts.idle >= kIdle, act(Action::disarm)); }
std::string idle_words(const Finding&, const Catalogue&) { return "no key for 30 s"; }

constexpr std::array<Rule, kRuleCount> kRules{{
    {1, "emergency stop", Topic::faults, emergency_stop, emergency_stop_words},
    {2, "chassis fault", Topic::faults, chassis_fault, chassis_fault_words},
    {3, "feedback", Topic::feedback, feedback_silent, feedback_silent_words},
    {4, "motion mode silent", Topic::mode, mode_silent, mode_silent_words},
    {5, "control lost", Topic::control, control_lost, control_lost_words},
    {6, "remote control lost", Topic::control, remote_lost, remote_lost_words},
    {7, "mode switching", Topic::mode, mode_switching, mode_switching_words},
    {8, "link", Topic::link, link_bound, link_bound_words},
    {9, "stale key", Topic::keys, stale_key, stale_key_words},
    {10, "stale burst", Topic::keys, stale_burst, stale_burst_words},
    {11, "key released", Topic::keys, key_released, key_released_words},
    {12, "repeats ended", Topic::keys, repeats_ended, repeats_ended_words},
    {13, "nudge", Topic::keys, nudge, nudge_words},
    {14, "release lost", Topic::keys, release_lost, release_lost_words},
    {15, "terminal away", Topic::terminal, terminal_away, terminal_away_words},
    {16, "blind link", Topic::link, blind_link, blind_link_words},
    {17, "charge", Topic::battery, charge, charge_words},
    {18, "battery alarm", Topic::battery, bms_alarm, bms_alarm_words},
    {19, "transmit queue", Topic::bus, queue_full, queue_full_words},
    {20, "echo", Topic::bus, echo_missing, echo_missing_words},
    {21, "interface", Topic::bus, interface, interface_words},
    {22, "error-passive", Topic::bus, error_passive, error_passive_words},
    {23, "another controller", Topic::bus, another_controller, another_controller_words},
    {24, "late tick", Topic::program, late_tick, late_tick_words},
    {25, "not stopping", Topic::faults, not_stopping, not_stopping_words},
    {26, "second instance", Topic::program, other_instance, other_instance_words},
    {27, "motion mode changed", Topic::mode, mode_changed, mode_changed_words},
    {28, "mode change", Topic::mode, mode_change, mode_change_words},
    {29, "guard", Topic::program, guard, guard_words},
    {30, "zero calibration", Topic::control, zero_calibration, zero_calibration_words},
    {31, "idle", Topic::keys, idle, idle_words},
    {32, "link cap", Topic::link, link_cap, link_cap_words},
    {33, "park", Topic::mode, park, park_words},
    {34, "locked keys", Topic::keys, locked, locked_words},
    {35, "held back", Topic::faults, held_back, held_back_words},
}};

}  // namespace

std::span<const Rule, kRuleCount> rules() { return kRules; }

Findings check_rules(const Facts& facts) {
  Findings findings;
  std::transform(kRules.begin(), kRules.end(), findings.begin(),
                 [&facts](const Rule& rule) { return rule.check(facts); });
  return findings;
}

Action severest(const Findings& findings) {
  Action action = Action::none;
  for (const Finding& finding : findings) action = std::max(action, finding.action);
  return action;
}

std::size_t main_reason(const Findings& findings) {
  const auto worst = std::max_element(findings.begin(), findings.end(),
                                      [](const Finding& a, const Finding& b) { return a.action < b.action; });
  return is_something(*worst) ? static_cast<std::size_t>(worst - findings.begin()) : kRuleCount;
}

std::size_t arming_obstacle(const Findings& findings) {
  return static_cast<std::size_t>(std::find_if(findings.begin(), findings.end(), forbids_arming) -
                                  findings.begin());
}

int speed_cap_mmps(const Findings& findings) {
  int most = Finding::kNoCap;
  for (const Finding& finding : findings) most = std::min(most, finding.cap_mmps);
  return most;
}

}  // namespace rangerctl::teleop
