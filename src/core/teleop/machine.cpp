#include "rangerctl/teleop/machine.hpp"

#include <algorithm>
#include <cmath>

#include "rangerctl/gate.hpp"

namespace rangerctl::teleop {
namespace {

using chassis::MotionMode;

constexpr milliseconds kCodeTime{5000};
constexpr milliseconds kControlTime{1000};
constexpr milliseconds kFaultZeros{1000};
constexpr int kFirstLimitMmps = 300;

std::size_t index_of_rule(int number) {
  const auto all = rules();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [number](const Rule& rule) { return rule.number == number; }) -
      all.begin());
}

constexpr int kKeyReleasedRule = 11;
constexpr int kRepeatsEndedRule = 12;

}  // namespace

Machine::Machine(const protocol::Catalogue& catalogue, std::uint32_t bit_rate, const Options& options,
                 SteadyTime now)
    : catalogue_(catalogue),
      options_(options),
      view_(catalogue, bit_rate, now),
      watch_(catalogue),
      keyboard_(options.layout, options.terminal),
      drive_(catalogue),
      now_(now),
      state_since_(now),
      limit_mmps_(first_limit_mmps()) {}

/// Who arms anew chooses anew.
int Machine::first_limit_mmps() const { return std::min(kFirstLimitMmps, options_.max_mmps); }

void Machine::take(const Received& received, SteadyTime now) {
  command::reduce(view_, received, now);
  watch_.take(received, now);
}

void Machine::take_link(const LinkStatus& status, SteadyTime now) {
  monitor::take_link(view_.chassis, status, now);
}

void Machine::leave(Leave why) {
  if (!leave_asked_) leave_asked_ = why;
}

Output Machine::step(const Tick& tick) {
  count_tick(tick);
  output_ = {};
  event_count_ = 0;
  const auto presses = keyboard_.sort(mode(), now_);
  gather(tick);
  findings_ = check_rules(facts_);
  note_control();
  apply_rules();
  if (holding()) turn_setpoint(keyboard_.steering_steps());
  for (const Keyboard::Press& press : presses) take_press(press, tick);
  if (leave_asked_ && !leaving_) start_leaving(*leave_asked_);
  advance();
  emit_all();
  note_response();
  return output_;
}

void Machine::log(const Event& event) {
  if (event_count_ < kMostEvents) events_[event_count_++] = event;
}

void Machine::enter(State state, std::size_t rule) {
  // A stop that ends in DISARMED ends for the reason that it began with, which may be gone by then.
  if (rule != cause_rule_) cause_ = {};
  if (rule < kRuleCount && is_something(findings_[rule])) cause_ = findings_[rule];
  cause_rule_ = rule;
  log({.kind = Event::Kind::state, .from = state_, .to = state, .rule = rule, .finding = cause_});
  state_ = state;
  state_since_ = now_;
  stopping_since_.reset();
}

/// What is down now moves nothing any more, in this tick neither.
void Machine::lock_keys() {
  keyboard_.lock(now_);
  wish_ = {};
}

bool Machine::holding() const {
  return state_ == State::armed || state_ == State::moving || state_ == State::stopping;
}

MotionMode Machine::mode() const {
  const std::int64_t known = expected_mode_.value_or(0);
  return known >= 0 && known <= static_cast<std::int64_t>(MotionMode::park) ? static_cast<MotionMode>(known)
                                                                            : MotionMode::park;
}

void Machine::apply_rules() {
  const Action action = severest(findings_);
  const std::size_t rule = main_reason(findings_);
  if (action == Action::fault) return enter_fault(rule);
  if (state_ == State::fault) return;
  if (action == Action::silence) return disarm_now(rule);
  if (state_ == State::arming) {
    if (const std::size_t obstacle = arming_obstacle(findings_); obstacle < kRuleCount) disarm_now(obstacle);
  } else if (holding() && action >= Action::stop) {
    stop(action >= Action::disarm ? StopKind::disarm : StopKind::zero, rule);
  } else if (action == Action::zero) {
    drive_.halt();
  }
}

void Machine::enter_fault(std::size_t rule) {
  drive_.halt();
  lock_keys();
  if (state_ == State::fault) return;
  fault_zeros_until_ = holding() ? std::optional(now_ + kFaultZeros) : std::nullopt;
  take_wish_back();
  arming_.reset();
  mode_change_.reset();
  lights_ = false;
  limit_mmps_ = first_limit_mmps();
  enter(State::fault, rule);
}

void Machine::disarm_now(std::size_t rule) {
  if (state_ == State::disarmed) return;
  take_wish_back();
  drive_.reset();
  setpoint_rad_ = 0;
  arming_.reset();
  mode_change_.reset();
  expected_mode_.reset();
  lights_ = false;
  limit_mmps_ = first_limit_mmps();
  enter(State::disarmed, rule);
}

void Machine::stop(StopKind kind, std::size_t rule) {
  if (!holding()) return;
  if (kind != StopKind::release) {
    drive_.halt();
    lock_keys();
  }
  if (state_ == State::armed) {
    if (kind == StopKind::zero) return;
    if (response_.at_rest()) return disarm_now(rule);
  }
  const bool is_news = state_ != State::stopping || kind > stop_kind_;
  if (!is_news) return;
  stop_kind_ = kind;
  stop_rule_ = rule;
  const auto since = stopping_since_;
  enter(State::stopping, rule);
  stopping_since_ = since;
}

/// Of the wheels, at the largest of the steering angles that are commanded, wanted and measured.
void Machine::find_allowed_speed() {
  const double measured =
      static_cast<double>(command::situation(view_, now_).steering_angle.value_or(0)) / 1000;
  const double commanded = static_cast<double>(drive_.motion(mode()).steering_angle) / 1000;
  const double steering = std::max({std::abs(measured), std::abs(commanded), std::abs(wanted_steering())});
  allowed_mmps_ =
      std::min({options_.max_mmps, speed_cap_mmps(findings_), drive_.most_wheel_mmps(mode(), steering)});
}

void Machine::advance() {
  find_allowed_speed();
  if (leaving_) return advance_leaving();
  if (state_ == State::arming) advance_arming();
  if (mode_change_) advance_mode_change();
  if ((state_ == State::armed || (state_ == State::stopping && stop_kind_ == StopKind::release)) &&
      may_move() && wish_.direction != Direction{}) {
    enter(State::moving, kRuleCount);
  }
  if (state_ == State::moving) drive();
  if (state_ == State::stopping) advance_stopping();
  if (state_ == State::fault && response_.at_rest_for_a_while(now_)) drive_.reset();
}

void Machine::advance_arming() {
  const auto keys = keyboard_.records();
  const bool drove = std::any_of(keys.begin(), keys.end(), [this](const KeyRecord& key) {
    const Binding* const binding = find_binding(options_.layout, key.event);
    return binding != nullptr && binding->command == Command::drive &&
           key.event.action == terminal::KeyAction::press;
  });
  if (drove) return disarm_now(kRuleCount);
  if (!arming_->code_typed) {
    if (now_ - arming_->since > kCodeTime) disarm_now(kRuleCount);
    return;
  }
  const auto control = command::value_since(view_, "system_status", "control_mode", arming_->since, now_);
  if (options_.dry_run || control == kControlCan) return arm();
  if (now_ - arming_->since <= kControlTime) return;
  log({.kind = Event::Kind::not_confirmed});
  disarm_now(kRuleCount);
}

void Machine::arm() {
  ever_armed_ = true;
  control_taken_ = control_taken_ || arming_->control_asked;
  control_lost_ = false;
  arming_.reset();
  expected_mode_ = fresh("motion_mode_feedback", "motion_mode");
  lock_keys();
  drive_.reset();
  setpoint_rad_ = 0;
  enter(State::armed, kRuleCount);
}

void Machine::advance_mode_change() {
  if (!mode_change_->watch.shows(view_, mode_change_->since, now_)) return;
  expected_mode_ = static_cast<std::int64_t>(mode_change_->watch.mode());
  mode_change_.reset();
  lock_keys();
  log({.kind = Event::Kind::mode_confirmed, .value = *expected_mode_});
}

bool Machine::may_move() const {
  return severest(findings_) < Action::zero && !mode_change_ && expected_mode_ && allowed_mmps_ > 0;
}

int Machine::wheel_sign() const {
  return mode() == MotionMode::spin ? wish_.direction.left : wish_.direction.forward;
}

bool Machine::may_start() const { return response_.may_start(wheel_sign(), mode() == MotionMode::spin); }

double Machine::wanted_steering() const {
  const double most = drive_.most_steering_rad(mode());
  if (keyboard_.key_releases()) return wish_.direction.left * most;
  return std::clamp(setpoint_rad_, -most, most);
}

Wanted Machine::wanted() const {
  const int sign = wheel_sign();
  return {.wheel_mmps = sign * std::min(limit_mmps_, allowed_mmps_),
          .most_mmps = allowed_mmps_,
          .steering_rad = wanted_steering(),
          .may_start = may_start()};
}

void Machine::drive() {
  if (wish_.direction == Direction{}) {
    stop(StopKind::release, index_of_rule(keyboard_.key_releases() ? kKeyReleasedRule : kRepeatsEndedRule));
  } else if (severest(findings_) < Action::zero) {
    drive_.follow(wanted(), mode(), step_, now_);
  }
}

void Machine::advance_stopping() {
  if (stop_kind_ == StopKind::release) drive_.release(now_, allowed_mmps_);
  if (!drive_.is_zero()) return;
  if (!stopping_since_) stopping_since_ = now_;
  // It may be at rest only because it has not begun to move yet: zeros first.
  if (now_ - *stopping_since_ < Response::kAtRest || !response_.at_rest_for_a_while(now_)) return;
  if (stop_kind_ == StopKind::disarm) return disarm_now(stop_rule_);
  drive_.reset();
  enter(State::armed, kRuleCount);
}

}  // namespace rangerctl::teleop
