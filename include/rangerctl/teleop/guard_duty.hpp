#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "rangerctl/transport.hpp"

/// What the guard process of teleop does and when; io::Guard is the process itself.
namespace rangerctl::teleop {

/// A main process whose heartbeat is older is held up: stopped, starved, or in an endless loop.
inline constexpr std::chrono::milliseconds kHeartbeatPatience{60};
/// The period of the motion command.
inline constexpr std::chrono::milliseconds kZeroPeriod{20};
/// For 500 ms, after which the chassis stops by itself.
inline constexpr int kZeroFrames = 25;
/// How often the guard looks at an armed and at a disarmed main process.
inline constexpr std::chrono::milliseconds kArmedLook{10};
inline constexpr std::chrono::milliseconds kDisarmedLook{50};

/// What the guard's zeros carry besides zero speeds: the wheels stay where they are until the robot stands.
struct Standstill {
  std::int64_t steering_angle = 0;          ///< raw, of the last motion command
  std::optional<std::int64_t> motion_mode;  ///< raw, in which that was allowed; nothing: wheels straight
  bool operator==(const Standstill&) const = default;
};

/// What the guard sees of the main process.
struct GuardSight {
  SteadyTime now;
  bool gone = false;     ///< it has ended, in whatever way; stays so
  bool armed = false;    ///< it may be commanding motion
  SteadyTime heartbeat;  ///< its last one
};

/// What to do now, in this order.
struct GuardAction {
  bool begins = false;            ///< the heartbeat has been missed: the first of a series of zeros
  bool send_zero = false;         ///< one frame
  bool restore_terminal = false;  ///< once, when the main process has gone
  bool done = false;              ///< nothing is left to do, ever
  SteadyTime look_again;          ///< at the latest
};

/// Decides about zeros: at most kZeroFrames for each missed heartbeat, and as many when the main process goes
/// while it is armed. A frame that is late is not made up for.
class GuardDuty {
 public:
  explicit GuardDuty(std::chrono::milliseconds patience = kHeartbeatPatience) : patience_(patience) {}

  GuardAction look(const GuardSight& sight);

 private:
  GuardAction watch(const GuardSight& sight);
  GuardAction take_over(const GuardSight& sight);
  void begin_zeros(SteadyTime now, int frames);
  GuardAction zeros(SteadyTime now);

  std::chrono::milliseconds patience_;
  std::optional<SteadyTime> missed_;  ///< the heartbeat after which zeros began
  bool took_over_ = false;
  int left_ = 0;
  SteadyTime next_;
};

}  // namespace rangerctl::teleop
