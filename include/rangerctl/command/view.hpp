#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rangerctl/gate.hpp"
#include "rangerctl/monitor/state.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/time_queue.hpp"
#include "rangerctl/transport.hpp"

/// What a command knows while it runs: the chassis from its feedback, what became of its own frames, and
/// whether somebody else commands the chassis.
namespace rangerctl::command {

/// Motion commands that are not ours: from another program on this host, or from another host.
struct ForeignMotion {
  std::uint64_t count = 0;
  SteadyTime first;  ///< counts only when count > 0, like `last`
  SteadyTime last;
  std::optional<SteadyTime> last_moving;  ///< of one that was not all zeros
};

/// Our own frames that the kernel took, until their echo says that they are on the bus.
struct OwnFrames {
  std::uint64_t sent = 0;
  std::uint64_t confirmed = 0;
  TimeQueue waiting;     ///< when each frame without an echo was sent
  SteadyTime last_echo;  ///< counts only when confirmed > 0
};

struct View {
  /// `catalogue` is kept by reference.
  View(const protocol::Catalogue& catalogue, std::uint32_t bit_rate, SteadyTime now)
      : chassis(catalogue, bit_rate, now) {}

  monitor::State chassis;  ///< from the feedback
  ForeignMotion foreign;
  OwnFrames own;

  std::optional<SteadyTime> resumed;     ///< when the program last went on after it was held up
  std::chrono::milliseconds held_up{0};  ///< for how long; counts only where `resumed` has a value
};

/// Takes a frame that arrived at `now`.
void reduce(View& view, const Received& received, SteadyTime now);

/// This program was held up until `now` for so long (stopped, starved, or the computer was suspended): what
/// was taken up to here may be old, whatever its arrival says, since a full queue keeps the oldest frames.
/// Only what arrives from now on is fresh.
void note_hold_up(View& view, SteadyTime now, std::chrono::milliseconds duration);

/// A program that wakes every 20 ms and does not for so long was held up.
inline constexpr std::chrono::milliseconds kHeldUp{100};

/// Takes note that the kernel took a frame of ours at `now`. Beyond TimeQueue::kMost without an echo, which
/// no command lets happen, the oldest stand for all.
void note_sent(View& view, SteadyTime now);

/// The raw value of a signal of the catalogue while it is fresh (three periods, see monitor::stale_after).
/// Nothing where the catalogue has no such signal.
[[nodiscard]] std::optional<std::int64_t> value(const View& view, std::string_view message,
                                                std::string_view signal, SteadyTime now);

/// Like value(), but only from a frame that arrived after `since`.
[[nodiscard]] std::optional<std::int64_t> value_since(const View& view, std::string_view message,
                                                      std::string_view signal, SteadyTime since,
                                                      SteadyTime now);

/// How long ago the last complete frame of this message arrived; nothing where none did.
[[nodiscard]] std::optional<SteadyTime::duration> age(const View& view, std::string_view message,
                                                      SteadyTime now);

/// What the gate may know: values that are fresh.
[[nodiscard]] Situation situation(const View& view, SteadyTime now);

/// A foreign motion command other than zero counts for this long: the timeout after which the chassis itself
/// forgets one.
[[nodiscard]] std::chrono::milliseconds motion_timeout(const protocol::Catalogue& catalogue);

/// Somebody else moves the chassis now.
[[nodiscard]] bool foreign_motion_now(const View& view, SteadyTime now);

}  // namespace rangerctl::command
