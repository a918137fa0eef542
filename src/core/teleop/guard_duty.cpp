#include "rangerctl/teleop/guard_duty.hpp"

#include <algorithm>

namespace rangerctl::teleop {

GuardAction GuardDuty::look(const GuardSight& sight) { return sight.gone ? take_over(sight) : watch(sight); }

GuardAction GuardDuty::watch(const GuardSight& sight) {
  if (!sight.armed) return {.look_again = sight.now + kDisarmedLook};
  const SteadyTime limit = sight.heartbeat + patience_;
  if (sight.now < limit) return {.look_again = std::min(sight.now + kArmedLook, limit)};
  const bool begins = missed_ != sight.heartbeat;
  missed_ = sight.heartbeat;
  if (begins) begin_zeros(sight.now, kZeroFrames);
  GuardAction action = zeros(sight.now);
  action.begins = begins;
  return action;
}

GuardAction GuardDuty::take_over(const GuardSight& sight) {
  const bool first = !took_over_;
  took_over_ = true;
  if (first) begin_zeros(sight.now, sight.armed ? kZeroFrames : 0);
  GuardAction action = zeros(sight.now);
  action.restore_terminal = first;
  action.done = left_ == 0;
  return action;
}

void GuardDuty::begin_zeros(SteadyTime now, int frames) {
  left_ = frames;
  next_ = now;
}

GuardAction GuardDuty::zeros(SteadyTime now) {
  if (left_ == 0) return {.look_again = now + kArmedLook};
  if (now < next_) return {.look_again = std::min(now + kArmedLook, next_)};
  --left_;
  next_ = now + kZeroPeriod;
  return {.send_zero = true, .look_again = now + kArmedLook};
}

}  // namespace rangerctl::teleop
