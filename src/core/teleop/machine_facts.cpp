#include <algorithm>
#include <cmath>
#include <utility>

#include "rangerctl/protocol/values.hpp"
#include "rangerctl/teleop/machine.hpp"

// What is so, in this tick.
namespace rangerctl::teleop {
namespace {

constexpr milliseconds kLate{10};
constexpr milliseconds kHeldUp{100};
/// Twenty times in a second are enough, up to a speed where the interval itself limits the speed.
constexpr milliseconds kAskEvery{50};
constexpr milliseconds kAskOftenEvery{20};
constexpr int kSlowEnoughMmps = 900;
/// No link that leaves the computer answers as quickly.
constexpr milliseconds kTooQuick{1};

milliseconds ms(SteadyTime::duration duration) { return std::chrono::floor<milliseconds>(duration); }

std::optional<milliseconds> since(const std::optional<SteadyTime>& time, SteadyTime now) {
  return time ? std::optional(ms(now - *time)) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> Machine::fresh(std::string_view message, std::string_view signal) const {
  return command::value(view_, message, signal, now_);
}

std::optional<milliseconds> Machine::age(std::string_view message) const {
  const auto found = command::age(view_, message, now_);
  return found ? std::optional(ms(*found)) : std::nullopt;
}

void Machine::count_tick(const Tick& tick) {
  step_ = tick.now - now_;
  now_ = tick.now;
  periods_[counters_.ticks % kRecent] = std::chrono::floor<Microseconds>(step_);
  counters_.worst_period = *std::max_element(periods_.begin(), periods_.end());
  if (tick.late > kLate) ++counters_.late_ticks;
  counters_.missed_ticks += static_cast<std::uint64_t>(std::max(tick.expirations - 1, 0));
  ++counters_.ticks;
  if (tick.held_up >= kHeldUp) command::note_hold_up(view_, now_, tick.held_up);
}

void Machine::gather(const Tick& tick) {
  facts_ = {};
  facts_.holding = holding();
  facts_.commanding = state_ == State::moving || state_ == State::stopping;
  facts_.arming = state_ == State::arming;
  facts_.limit_mmps = std::max(limit_mmps_, static_cast<int>(std::abs(drive_.wheel_mmps())));
  facts_.expirations = tick.expirations;
  facts_.late = tick.late;
  facts_.held_up = tick.held_up;
  facts_.guard_alive = tick.guard_alive;
  facts_.guard_intervened = tick.guard_intervened;
  gather_chassis(tick);
  gather_bus();
  gather_keys(tick);
}

void Machine::gather_chassis(const Tick& tick) {
  watch_.report(facts_, expected_mode_, tick.guard_zeros, now_);
  facts_.status_age = age("system_status");
  facts_.motion_age = age("motion_feedback");
  facts_.mode_age = age("motion_mode_feedback");
  facts_.bms_age = age("bms_status");
  facts_.expected_mode = expected_mode_;
  facts_.mode_change = mode_change_ ? since(mode_change_->since, now_) : std::nullopt;
  facts_.ignore_remote_lost = options_.ignore_remote_lost;
  if (facts_.bms_age) {
    const protocol::Message& message = *catalogue_.find("bms_status");
    const auto& newest = view_.chassis.messages[catalogue_.index_of(message)].frame;
    facts_.soc = protocol::raw_value(protocol::find_signal(message, "soc")->field, newest.bytes());
  }
  // Nothing is sent, so nobody takes control.
  if (options_.dry_run && facts_.control_mode == kControlStandby) facts_.control_mode = kControlCan;
  // After a FAULT where control was not ours others may drive.
  const bool commanded_zero = state_ == State::fault && fault_zeros_until_ && control_is_ours();
  if (holding() || commanded_zero) facts_.nonzero_after_stop = ms(response_.moves_on(now_));
  facts_.moves = facts_.motion_age && !response_.at_rest() && state_ != State::fault;
  facts_.held_back = state_ == State::moving && drive_.is_zero() && wheel_sign() != 0 && !may_start();
  facts_.wrong_way = ms(response_.wrong_way(now_));
  facts_.stopping = since(stopping_since_, now_).value_or(milliseconds(0));
}

void Machine::gather_bus() {
  const monitor::State& bus = view_.chassis;
  const bool was_away = outages_ && *outages_ != bus.link.outages;
  outages_ = bus.link.outages;
  if (was_away) view_.own.waiting.clear();  // the queue of an interface that goes down is emptied
  facts_.interface_trouble =
      std::exchange(send_failed_, false) || was_away || bus.link.state != LinkState::up;
  facts_.bus_off = facts_.bus_off || bus.controller == monitor::Controller::bus_off;
  facts_.error_passive = bus.controller == monitor::Controller::error_passive;
  facts_.full_queues = full_queues_;
  facts_.unconfirmed = view_.own.waiting.size();
  if (!view_.own.waiting.empty()) facts_.echo_missing = ms(now_ - view_.own.waiting.front());
}

void Machine::gather_keys(const Tick& tick) {
  const milliseconds every = options_.max_mmps > kSlowEnoughMmps ? kAskOftenEvery : kAskEvery;
  const bool asks = !last_ask_ || now_ - *last_ask_ >= every;
  if (asks && keyboard_.ask(now_)) {
    last_ask_ = now_;
    output_.ask_terminal = true;
  }
  keyboard_.report(facts_, now_);
  const AgeFence& fence = keyboard_.fence();
  answered_too_quickly_ = answered_too_quickly_ || (options_.link_leaves_host && fence.proven(now_) &&
                                                    fence.median_round_trip() < kTooQuick);
  facts_.answered_too_quickly = answered_too_quickly_;
  facts_.relay = options_.terminal.relay;
  facts_.blind_link_allowed = options_.allow_blind_link;
  facts_.tcp_missing = tick.tcp_missing;
  if (tick.window_fits) window_small_since_.reset();
  if (!tick.window_fits && !window_small_since_) window_small_since_ = now_;
  facts_.window_too_small = since(window_small_since_, now_);

  const int before = wheel_sign();
  wish_ = keyboard_.wish(now_);
  const bool ended = state_ == State::moving && !keyboard_.locked(now_) && wheel_sign() == 0 &&
                     (before != 0 || wish_.direction == Direction{});
  facts_.locked = holding() && keyboard_.locked(now_) && keyboard_.any_down(now_);
  facts_.released = ended && keyboard_.key_releases();
  facts_.repeats_ended = ended && !keyboard_.key_releases();
  facts_.nudging = state_ == State::moving && wish_.nudge;
  if (state_ == State::armed) {
    const SteadyTime last = std::max(state_since_, keyboard_.last_key_at().value_or(state_since_));
    facts_.idle = ms(now_ - last);
  }
}

}  // namespace rangerctl::teleop
