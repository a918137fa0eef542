#include "rangerctl/chassis/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"

namespace rangerctl::chassis {
namespace {

constexpr double kHalfBase = protocol::ranger_mini_3::kWheelbaseM / 2;
constexpr double kHalfTrack = protocol::ranger_mini_3::kTrackM / 2;

double mean(const PerWheel& values) { return std::accumulate(values.begin(), values.end(), 0.0) / kWheels; }

PerWheel ackermann_angles(double inner_rad) {
  const double outer_rad = outer_angle_rad(inner_rad);
  const double right = inner_rad > 0 ? outer_rad : inner_rad;
  const double left = inner_rad > 0 ? inner_rad : outer_rad;
  return {right, -right, -left, left};
}

/// Each wheel goes round the turning centre with the yaw rate of the chassis.
PerWheel ackermann_speeds(double speed_mps, double inner_rad) {
  const double radius = turning_radius_m(inner_rad);
  if (std::isinf(radius)) return {speed_mps, speed_mps, speed_mps, speed_mps};
  const double left = speed_mps * std::hypot(radius - kHalfTrack, kHalfBase) / std::abs(radius);
  const double right = speed_mps * std::hypot(radius + kHalfTrack, kHalfBase) / std::abs(radius);
  return {right, right, left, left};
}

}  // namespace

double turning_radius_m(double inner_rad) {
  if (inner_rad == 0) return std::numeric_limits<double>::infinity();
  return std::copysign(kHalfBase / std::tan(std::abs(inner_rad)) + kHalfTrack, inner_rad);
}

double outer_angle_rad(double inner_rad) {
  const double radius = std::abs(turning_radius_m(inner_rad));
  return std::copysign(std::atan(kHalfBase / (radius + kHalfTrack)), inner_rad);
}

double spin_angle_rad() { return std::atan(kHalfBase / kHalfTrack); }

double spin_radius_m() { return std::hypot(kHalfBase, kHalfTrack); }

PerWheel wheel_angles_rad(MotionMode mode, double steering_rad) {
  const double spin = spin_angle_rad();
  switch (mode) {
    case MotionMode::ackermann:
      return ackermann_angles(steering_rad);
    case MotionMode::oblique:
      return {steering_rad, steering_rad, steering_rad, steering_rad};
    case MotionMode::spin:
      return {spin, -spin, spin, -spin};
    case MotionMode::park:
      return {-spin, spin, -spin, spin};
  }
  return {};
}

PerWheel wheel_speeds_mps(const Motion& motion) {
  const double v = motion.speed_mps;
  const double rim = motion.yaw_radps * spin_radius_m();
  switch (motion.mode) {
    case MotionMode::ackermann:
      return ackermann_speeds(v, motion.steering_rad);
    case MotionMode::oblique:
      return {v, v, v, v};
    case MotionMode::spin:
      return {rim, rim, -rim, -rim};
    case MotionMode::park:
      return {};
  }
  return {};
}

double yaw_rate_radps(const Motion& motion) {
  if (motion.mode == MotionMode::spin) return motion.yaw_radps;
  if (motion.mode == MotionMode::ackermann) return motion.speed_mps / turning_radius_m(motion.steering_rad);
  return 0;
}

double reported_speed_mps(const PerWheel& wheel_speeds_mps) { return mean(wheel_speeds_mps); }

double reported_steering_rad(MotionMode mode, const PerWheel& wheel_angles_rad) {
  const auto& [right_front, right_rear, left_rear, left_front] = wheel_angles_rad;
  if (mode == MotionMode::ackermann) return (right_front + left_front) / 2;
  if (mode == MotionMode::oblique) return mean(wheel_angles_rad);
  PerWheel magnitudes = wheel_angles_rad;
  std::transform(magnitudes.begin(), magnitudes.end(), magnitudes.begin(),
                 [](double angle) { return std::abs(angle); });
  return mean(magnitudes);
}

}  // namespace rangerctl::chassis
