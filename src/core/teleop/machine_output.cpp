#include <algorithm>
#include <cstdlib>

#include "rangerctl/gate.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/teleop/machine.hpp"

// What is sent, up to the last frame.
namespace rangerctl::teleop {
namespace {

constexpr std::size_t kMostOnTheWay = 3;
/// Behind a frame that is not on the bus after so long nothing is queued any more.
constexpr milliseconds kHoldBack{60};
constexpr std::uint64_t kLightsEvery = 5;  ///< ticks; the chassis switches them off after 500 ms
constexpr int kLastZeros = 5;
constexpr milliseconds kLongestZeros{2000};
constexpr milliseconds kControlTime{1000};

bool is_up(const LinkStatus& link) { return link.state == LinkState::up; }

}  // namespace

bool Machine::may_queue() const {
  if (options_.dry_run) return true;
  const TimeQueue& waiting = view_.own.waiting;
  const bool held_back = !waiting.empty() && now_ - waiting.front() > kHoldBack;
  return is_up(view_.chassis.link) && !held_back && waiting.size() + output_.frame_count < kMostOnTheWay;
}

void Machine::emit(const Frame& frame) {
  if (output_.frame_count < Output::kMostFrames && may_queue()) output_.frames[output_.frame_count++] = frame;
}

void Machine::emit_single(std::string_view message, std::int64_t value) {
  if (options_.dry_run) return;
  const protocol::Message& command = *catalogue_.find(message);
  Frame frame = protocol::empty_frame(command);
  protocol::put_raw_value(command.signals.front().field, value, frame.data);
  emit(frame);
}

/// A wish for control that was not confirmed must not come true later, alone: its end goes right behind it,
/// on a bus that does not acknowledge as well.
void Machine::take_wish_back() {
  const bool may_come_yet = arming_ && arming_->control_asked && facts_.control_mode != kControlRemote;
  const bool has_room = view_.own.waiting.size() + output_.frame_count < kMostOnTheWay;
  if (!may_come_yet || !has_room || output_.frame_count == Output::kMostFrames) return;
  output_.frames[output_.frame_count++] = protocol::empty_frame(*catalogue_.find("control_mode_command"));
}

/// Somebody took the control that was ours, or the chassis was restarted.
void Machine::note_control() {
  const bool is_gone = ever_armed_ && facts_.status_age && facts_.control_mode != kControlCan;
  if (!is_gone || (leaving_ && leaving_->control_asked)) return;
  control_lost_ = true;
  control_taken_ = false;
}

void Machine::emit_all() {
  commanded_.reset();
  if (sends_motion()) emit_motion();
  if (lights_ && holding() && !leaving_ && counters_.ticks % kLightsEvery == 0) {
    const protocol::Message& command = *catalogue_.find("light_command");
    Frame frame = protocol::empty_frame(command);
    for (const protocol::Signal& signal : command.signals)
      protocol::put_raw_value(signal.field, 1, frame.data);
    emit(frame);
  }
  if (output_.frame_count == 0) full_queues_ = 0;  // nothing is in a row any more
}

bool Machine::control_is_ours() const {
  return ever_armed_ && !control_lost_ && facts_.control_mode == kControlCan;
}

bool Machine::sends_motion() const {
  if (leaving_) {
    const bool is_anothers = facts_.foreign_command && !leaving_->was_holding;
    return !leaving_->zeros_done && control_is_ours() && !is_anothers;
  }
  if (state_ == State::fault) return fault_zeros_until_ && now_ < *fault_zeros_until_ && control_is_ours();
  return holding();
}

bool Machine::must_be_guarded() const { return sends_motion(); }

Standstill Machine::standstill() const {
  const Situation situation = command::situation(view_, now_);
  if (!situation.motion_mode || situation.motion_mode != expected_mode_) return {};
  return {.steering_angle = sent_.steering_angle, .motion_mode = situation.motion_mode};
}

/// Nothing but zeros where nothing else is allowed, whatever led here.
Motion Machine::allowed(Motion motion) const {
  const bool may_be_moving =
      state_ == State::moving || (state_ == State::stopping && stop_kind_ == StopKind::release);
  if (!may_be_moving || leaving_) motion.linear_velocity = motion.angular_velocity = 0;
  const Situation situation = command::situation(view_, now_);
  if (!situation.motion_mode || situation.motion_mode != expected_mode_) return {};
  return state_ == State::armed ? Motion{} : motion;
}

void Machine::emit_motion() {
  const std::size_t before = output_.frame_count;
  const Motion motion = allowed(drive_.motion(mode()));
  emit(motion_frame(catalogue_, motion));
  if (output_.frame_count == before) return;
  commanded_ = motion;
  if (leaving_) ++leaving_->zeros_sent;
  sent_ = motion;
}

void Machine::note_response() {
  response_.take(commanded_, fresh("motion_feedback", "linear_velocity"),
                 fresh("motion_feedback", "angular_velocity"), now_);
}

void Machine::sent(const Result<Sent>& result, SteadyTime now) {
  if (!result) {
    send_failed_ = true;
  } else if (*result == Sent::queue_full) {
    ++full_queues_;
    ++counters_.queue_full;
  } else {
    full_queues_ = 0;
    ++counters_.sent;
    command::note_sent(view_, now);
  }
}

void Machine::start_leaving(Leave why) {
  leaving_ = Leaving{.why = why,
                     .since = now_,
                     .echoes_before = view_.own.confirmed + view_.own.waiting.size(),
                     .was_holding = holding()};
  log({.kind = Event::Kind::leaving});
  if (state_ == State::arming) disarm_now(kRuleCount);
  stop(StopKind::disarm, kRuleCount);
  drive_.halt();
  lights_ = false;
}

void Machine::advance_leaving() {
  Leaving& leaving = *leaving_;
  if (!leaving.zeros_done) {
    const bool enough = farewell().zeros_confirmed >= kLastZeros && response_.at_rest_for_a_while(now_);
    const bool is_anothers = facts_.foreign_command && !leaving.was_holding;
    const bool useless = is_anothers || !control_is_ours() || !is_up(view_.chassis.link) || options_.dry_run;
    if (!enough && !useless && now_ - leaving.since <= kLongestZeros) return;
    leaving.zeros_done = now_;
    drive_.reset();
    if (holding()) disarm_now(kRuleCount);
  }
  const bool owes_control =
      control_taken_ && control_is_ours() && is_up(view_.chassis.link) && !facts_.foreign_command;
  if (owes_control && !leaving.control_asked && may_queue()) {
    emit_single("control_mode_command", kControlStandby);
    leaving.control_asked = now_;
  }
  const SteadyTime since = leaving.control_asked.value_or(*leaving.zeros_done);
  if (owes_control && now_ - since <= kControlTime) return;
  output_.end = farewell();
}

Farewell Machine::farewell() const {
  const auto zeros =
      static_cast<std::int64_t>(view_.own.confirmed) - static_cast<std::int64_t>(leaving_->echoes_before);
  const auto control = leaving_->control_asked ? command::value_since(view_, "system_status", "control_mode",
                                                                      *leaving_->control_asked, now_)
                                               : std::nullopt;
  return {.why = leaving_->why,
          .dry_run = options_.dry_run,
          .ever_armed = ever_armed_,
          .zeros_confirmed = static_cast<int>(std::clamp<std::int64_t>(zeros, 0, leaving_->zeros_sent)),
          .linear_velocity = fresh("motion_feedback", "linear_velocity"),
          .at_rest = response_.at_rest(),
          .control_taken = control_taken_,
          .control_returned = control == kControlStandby,
          .control_lost = control_lost_};
}

}  // namespace rangerctl::teleop
