#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::teleop {

/// A motion command as motion_command carries it: raw values of 0.001 m/s, rad/s and rad.
struct Motion {
  std::int64_t linear_velocity = 0;
  std::int64_t angular_velocity = 0;
  std::int64_t steering_angle = 0;
  bool operator==(const Motion&) const = default;

  /// Zero means linear and angular zero, whatever the steering.
  [[nodiscard]] bool is_zero() const { return linear_velocity == 0 && angular_velocity == 0; }
};

/// The frame of 0x111.
[[nodiscard]] Frame motion_frame(const protocol::Catalogue& catalogue, const Motion& motion);

/// What the operator wants, in terms of the wheels: forward, and counter-clockwise in spin, is positive.
struct Wanted {
  int wheel_mmps = 0;
  int most_mmps = 0;  ///< cap of this very tick: never exceeded, not even for a moment
  double steering_rad = 0;
  bool may_start = true;  ///< false: the chassis still moves the other way
};

/// Ramps in real time between what is wanted and what is commanded; every one can be interrupted.
class Drive {
 public:
  using Duration = SteadyTime::duration;

  static constexpr double kAccelerationMps2 = 0.5;
  static constexpr double kSpinAccelerationRadps2 = 1.0;
  static constexpr double kReleaseMps2 = 1.0;
  static constexpr std::chrono::milliseconds kLongestRelease{300};  ///< from any speed to zero
  static constexpr double kSteeringRadps = 1.0;
  /// A late tick must not jump.
  static constexpr std::chrono::milliseconds kLongestStep{40};

  explicit Drive(const protocol::Catalogue& catalogue) : catalogue_(catalogue) {}

  /// One tick towards what is wanted in `mode`; nothing wanted is a release.
  void follow(const Wanted& wanted, chassis::MotionMode mode, Duration step, SteadyTime now);
  /// One tick of the ramp down to zero that a key release starts. Steering stays.
  void release(SteadyTime now, int most_mmps);
  /// Zero speed at once. Steering stays.
  void halt();
  /// Zero speed, steering straight.
  void reset();

  [[nodiscard]] Motion motion(chassis::MotionMode mode) const;
  /// Of the wheels, signed.
  [[nodiscard]] double wheel_mmps() const { return wheel_mmps_; }
  [[nodiscard]] bool is_zero() const { return wheel_mmps_ == 0; }

  /// The largest steering angle in a mode.
  [[nodiscard]] double most_steering_rad(chassis::MotionMode mode) const;
  /// The fastest that the wheels may go in a mode at this steering angle (rad, magnitude).
  [[nodiscard]] int most_wheel_mmps(chassis::MotionMode mode, double steering_rad) const;

 private:
  struct Release {
    SteadyTime since;
    double from_mmps;
  };

  void accelerate(const Wanted& wanted, double most_change_mmps, double slow_down_mmps);

  const protocol::Catalogue& catalogue_;
  double wheel_mmps_ = 0;
  double steering_rad_ = 0;
  std::optional<Release> release_;
};

}  // namespace rangerctl::teleop
