#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// Kinematics of the RANGER MINI 3.0: pure functions between what the chassis is asked to do and what its
/// four wheels do. SI units; left and counter-clockwise are positive, forward is positive.
///
/// Ackermann here steers front and rear mirrored, so the turning centre lies beside the middle of the
/// chassis: R = (L/2)/tan(inner) + W/2, outer = atan((L/2)/(R + W/2)), yaw rate = v/R, with the wheelbase L
/// and the track W of protocol/ranger_mini_3_geometry.hpp.
namespace rangerctl::chassis {

/// The numbers are those of motion_mode in the catalogue.
enum class MotionMode : std::uint8_t { ackermann = 0, oblique = 1, spin = 2, park = 3 };

inline constexpr std::size_t kWheels = 4;

/// One value per wheel, in the order of the motors: right front, right rear, left rear, left front.
using PerWheel = std::array<double, kWheels>;

/// How the chassis moves, in the terms of motion_command. What a mode does not use is ignored.
struct Motion {
  MotionMode mode = MotionMode::ackermann;
  double speed_mps = 0;     ///< ackermann and oblique: of the centre of the chassis
  double yaw_radps = 0;     ///< spin
  double steering_rad = 0;  ///< ackermann: the inner wheel; oblique: every wheel
  bool operator==(const Motion&) const = default;
};

/// Distance from the turning centre to the centre of the chassis in ackermann; negative: the turning centre
/// is on the right; infinite: straight ahead. Precondition: |inner_rad| < pi/2.
[[nodiscard]] double turning_radius_m(double inner_rad);

/// Angle of the outer wheel that belongs to this inner wheel; the same sign. 0.698 -> 0.359.
[[nodiscard]] double outer_angle_rad(double inner_rad);

/// Magnitude of every wheel's angle in spin and park: atan(L/W) = 0.936.
[[nodiscard]] double spin_angle_rad();

/// Distance of every wheel from the centre: wheel speed = yaw rate x 0.3068 m in spin.
[[nodiscard]] double spin_radius_m();

/// Angles as steering_angle_feedback reports them. In spin: + - + -. The signs in park are not known from
/// any source; here they are the opposite of spin.
[[nodiscard]] PerWheel wheel_angles_rad(MotionMode mode, double steering_rad);

/// Speeds as wheel_speed_feedback reports them, with the wheels at the angles of wheel_angles_rad(). Zero in
/// park.
[[nodiscard]] PerWheel wheel_speeds_mps(const Motion& motion);

/// Yaw rate of the whole chassis; zero in oblique and park.
[[nodiscard]] double yaw_rate_radps(const Motion& motion);

/// What motion_feedback.linear_velocity reports: the mean of the four wheels. In ackermann that is more
/// than the speed of the centre (1.14 times at full lock), in spin it is zero.
[[nodiscard]] double reported_speed_mps(const PerWheel& wheel_speeds_mps);

/// What motion_feedback.steering_angle reports: (inner + outer)/2 in ackermann, the mean of the wheels in
/// oblique, the mean of their magnitudes in spin. Park is in no source and reported like spin.
[[nodiscard]] double reported_steering_rad(MotionMode mode, const PerWheel& wheel_angles_rad);

}  // namespace rangerctl::chassis
