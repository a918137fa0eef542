#pragma once

#include <vector>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/sim/body.hpp"
#include "rangerctl/sim/feedback.hpp"
#include "rangerctl/sim/sim_time.hpp"

namespace rangerctl::sim {

/// A simulated RANGER MINI 3.0 that sends every feedback message at its period, with values that move: it
/// drives figures of eight in ackermann, changes between the motion modes and drains its battery. A pure
/// state machine: the same calls give the same frames, and one long advance() gives the same as many short
/// ones.
class Chassis {
 public:
  /// Its control loop: values change this often. It is the period of the fast messages, so that one round of
  /// them shows one moment.
  static constexpr SimTime kTick = std::chrono::milliseconds(20);

  /// `catalogue` is kept by reference.
  explicit Chassis(const protocol::Catalogue& catalogue) : schedule_(catalogue) {}

  /// Appends every frame due in (last `now`, `now`] to `out`, in order of time. `now` never goes back.
  void advance(SimTime now, std::vector<TimedFrame>& out);

  /// When the next frame is due; later than the `now` of the last advance().
  [[nodiscard]] SimTime next_due() const { return schedule_.next_due(); }

 private:
  void step_until(SimTime now);

  Body body_;
  FeedbackSchedule schedule_;
  SimTime next_tick_{0};
};

}  // namespace rangerctl::sim
