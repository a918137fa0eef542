#pragma once

#include <chrono>
#include <cstdint>

#include "io/descriptor.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// What the timer says when it is asked.
struct Tick {
  std::uint64_t expirations = 0;       ///< since the last time that was asked; 0: not due yet
  std::chrono::nanoseconds late{};     ///< since the first of them was due
  std::chrono::nanoseconds held_up{};  ///< the same, and what the computer was suspended for meanwhile
};

/// The sums behind Ticker. The n-th expiration is due at `start` + n periods.
class Schedule {
 public:
  Schedule(SteadyTime start, std::chrono::nanoseconds boot, std::chrono::milliseconds period)
      : due_(start + period), ahead_(boot - start.time_since_epoch()), period_(period) {}

  /// `boot` is boot_time() at `now`.
  Tick take(std::uint64_t expirations, SteadyTime now, std::chrono::nanoseconds boot);

 private:
  SteadyTime due_;
  std::chrono::nanoseconds ahead_;  ///< the time that the computer was suspended for since it was switched on
  std::chrono::milliseconds period_;
};

/// A period on an absolute timer, which does not drift. Neither method blocks or allocates.
class Ticker {
 public:
  static Result<Ticker> start(std::chrono::milliseconds period);

  /// Readable when a tick is due.
  [[nodiscard]] int descriptor() const { return timer_.get(); }

  Tick take();

 private:
  Ticker(Descriptor timer, Schedule schedule) : timer_(std::move(timer)), schedule_(schedule) {}

  Descriptor timer_;
  Schedule schedule_;
};

}  // namespace rangerctl::io
