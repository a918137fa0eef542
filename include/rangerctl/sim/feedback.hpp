#pragma once

#include <cstdint>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/sim/body.hpp"
#include "rangerctl/sim/signal_source.hpp"
#include "rangerctl/sim/sim_time.hpp"

namespace rangerctl::sim {

/// A frame and when the chassis sends it.
struct TimedFrame {
  SimTime at;
  Frame frame;
};

/// The largest delay of a frame after its nominal time.
inline constexpr SimTime kMostJitter = std::chrono::microseconds(200);

/// When the chassis sends what: every periodic feedback message of the catalogue, spread over the shortest
/// period so that they do not leave in one burst, each frame late by a jitter that is always the same.
/// Signals without a source in signal_source.hpp are zero.
class FeedbackSchedule {
 public:
  /// `catalogue` is kept by reference.
  explicit FeedbackSchedule(const protocol::Catalogue& catalogue);

  /// When the next frame is due; SimTime::max() where the catalogue has no periodic feedback.
  [[nodiscard]] SimTime next_due() const;

  /// The frame that is due next, with the values of `body`. Precondition: next_due() is not SimTime::max().
  [[nodiscard]] TimedFrame take(const Body& body);

 private:
  struct MovingSignal {
    const protocol::Signal* signal;
    SignalSource source;
  };
  struct Entry {
    Frame frame;  ///< with everything that never changes in place
    std::vector<MovingSignal> moving;
    SimTime period;
    SimTime nominal;  ///< the next frame's time without its jitter
    SimTime due;
    std::uint64_t sent = 0;
  };

  static Entry entry_of(const protocol::Message& message, SimTime first);
  [[nodiscard]] std::size_t next() const;

  std::vector<Entry> entries_;
};

}  // namespace rangerctl::sim
