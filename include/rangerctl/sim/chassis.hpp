#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::sim {

/// Time since the chassis was switched on.
using SimTime = std::chrono::nanoseconds;

/// A frame and when the chassis sends it.
struct TimedFrame {
  SimTime at;
  Frame frame;
};

/// A simulated RANGER MINI 3.0 that sends every feedback message at its period, with values that move: it
/// drives figures of eight in ackermann, changes between the motion modes and drains its battery. A pure
/// state machine: the same calls give the same frames.
class Chassis {
 public:
  explicit Chassis(const protocol::Catalogue& catalogue);

  /// Appends every frame due in (last `now`, `now`] to `out`, in order of time. `now` never goes back.
  void advance(SimTime now, std::vector<TimedFrame>& out);

  /// When the next frame is due; later than the `now` of the last advance().
  [[nodiscard]] SimTime next_due() const;
};

}  // namespace rangerctl::sim
