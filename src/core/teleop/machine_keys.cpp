#include <algorithm>
#include <numbers>

#include "rangerctl/teleop/machine.hpp"

// What the operator typed.
namespace rangerctl::teleop {
namespace {

constexpr double kSteeringStepRad = 2 * std::numbers::pi / 180;
constexpr int kMmpsPerDigit = 100;
constexpr int kCodeDigits = 2;
constexpr std::int64_t kMotionModes = 4;

constexpr std::array kLeaves{
    std::pair{Command::quit, Leave::quit},
    std::pair{Command::interrupt, Leave::interrupt},
    std::pair{Command::abort, Leave::terminate},
    std::pair{Command::suspend, Leave::suspend},
};

}  // namespace

void Machine::take_press(const Keyboard::Press& press, const Tick& tick) {
  if (press.binding == nullptr) return other_key();
  for (const auto& [command, why] : kLeaves) {
    if (press.binding->command == command) return leave(why);
  }
  if (leaving_) return;
  const Command command = press.binding->command;
  const bool belongs_to_code = command == Command::limit || command == Command::confirm;
  if (state_ == State::arming && !belongs_to_code) return disarm_now(kRuleCount);
  do_command(press, tick);
}

void Machine::do_command(const Keyboard::Press& press, const Tick& tick) {
  switch (press.binding->command) {
    case Command::stop:
      return operator_stop();
    case Command::disarm:
      return stop(StopKind::disarm, kRuleCount);
    case Command::limit:
      return state_ == State::arming ? type_digit(press) : choose_limit(press.key);
    case Command::confirm:
      return state_ == State::arming ? confirm_code(press) : other_key();
    case Command::centre:
      if (state_ == State::fault) return acknowledge();
      setpoint_rad_ = 0;
      return;
    case Command::arm:
      return state_ == State::disarmed ? ask_to_arm(tick.random) : other_key();
    case Command::next_mode:
      return state_ == State::armed ? change_mode() : other_key();
    case Command::lights:
      if (!holding()) return;
      lights_ = !lights_;
      return log({.kind = Event::Kind::lights, .value = lights_ ? 1 : 0});
    case Command::help:
      if (state_ == State::moving || state_ == State::stopping) return other_key();
      show_help_ = !show_help_;
      return;
    default:
      return;
  }
}

void Machine::operator_stop() { stop(StopKind::zero, kRuleCount); }

void Machine::other_key() {
  if (state_ == State::arming) return disarm_now(kRuleCount);
  if (state_ == State::moving || state_ == State::stopping) operator_stop();
}

/// Without key releases only the last key repeats, so that steering is a setpoint.
void Machine::turn_setpoint(int steps) {
  const double most = drive_.most_steering_rad(mode());
  setpoint_rad_ = std::clamp(setpoint_rad_ + steps * kSteeringStepRad, -most, most);
}

void Machine::choose_limit(char32_t digit) {
  if (digit == U'0' && !options_.max_was_given) return other_key();
  const int wanted = digit == U'0' ? options_.max_mmps : static_cast<int>(digit - U'0') * kMmpsPerDigit;
  limit_mmps_ = std::min(wanted, options_.max_mmps);
  log({.kind = Event::Kind::limit, .value = limit_mmps_});
}

void Machine::ask_to_arm(std::uint32_t random) {
  if (const std::size_t obstacle = arming_obstacle(findings_); obstacle < kRuleCount) {
    return log({.kind = Event::Kind::refused_to_arm, .rule = obstacle, .finding = findings_[obstacle]});
  }
  int code = 10 + static_cast<int>(random % 90);
  if (code == last_code_) code = code == 99 ? 10 : code + 1;
  last_code_ = code;
  arming_ = Arming{.since = now_, .code = code};
  enter(State::arming, kRuleCount);
  log({.kind = Event::Kind::code, .value = code});
}

/// Where the terminal answers, the code counts only behind the answer to a query of after it was shown.
bool Machine::is_behind_code(const Keyboard::Press& press) const {
  if (is_blind(facts_)) return true;
  return press.fence && *press.fence >= arming_->since;
}

void Machine::type_digit(const Keyboard::Press& press) {
  if (!is_behind_code(press)) {
    log({.kind = Event::Kind::typed_too_early});
    return disarm_now(kRuleCount);
  }
  arming_->typed = arming_->typed * 10 + static_cast<int>(press.key - U'0');
  if (++arming_->digits > kCodeDigits || arming_->code_typed) disarm_now(kRuleCount);
}

void Machine::confirm_code(const Keyboard::Press& press) {
  const bool is_right = !arming_->code_typed && arming_->digits == kCodeDigits &&
                        arming_->typed == arming_->code && is_behind_code(press);
  if (!is_right) {
    log({.kind = Event::Kind::wrong_code});
    return disarm_now(kRuleCount);
  }
  arming_->code_typed = true;
  arming_->since = now_;
  if (options_.dry_run || facts_.control_mode == kControlCan) return;
  arming_->control_asked = true;
  emit_single("control_mode_command", kControlCan);
}

void Machine::acknowledge() {
  if (severest(findings_) == Action::fault) {
    const std::size_t rule = main_reason(findings_);
    return log({.kind = Event::Kind::not_acknowledged, .rule = rule, .finding = findings_[rule]});
  }
  fault_zeros_until_.reset();
  drive_.reset();
  setpoint_rad_ = 0;
  expected_mode_.reset();
  enter(State::disarmed, kRuleCount);
}

void Machine::change_mode() {
  const bool may = response_.at_rest() && !mode_change_ && expected_mode_ &&
                   severest(findings_) < Action::zero && may_queue() && !options_.dry_run;
  if (!may) return log({.kind = Event::Kind::mode_refused, .value = options_.dry_run ? 1 : 0});
  const std::int64_t next = (*expected_mode_ + 1) % kMotionModes;
  log({.kind = Event::Kind::mode_requested, .value = next});
  emit_single("motion_mode_command", next);
  mode_change_ = ModeChange{command::MotionModeWatch(static_cast<chassis::MotionMode>(next)), now_};
  expected_mode_.reset();
  setpoint_rad_ = 0;
  lock_keys();
}

}  // namespace rangerctl::teleop
