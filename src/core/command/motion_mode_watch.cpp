#include "rangerctl/command/motion_mode_watch.hpp"

#include <array>
#include <cmath>

#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"

namespace rangerctl::command {
namespace {

using chassis::MotionMode;
using chassis::PerWheel;
using std::chrono::milliseconds;

constexpr auto kSwitch = milliseconds(static_cast<int>(protocol::ranger_mini_3::kModeSwitchSeconds * 1000));

/// Where a wheel is told from another angle, and how long it must not move to count as settled. The wheels of
/// a robot that rattle by a few milliradians are settled; those that still turn do 3.3 rad/s.
constexpr double kSameAngleRad = 0.010;
constexpr milliseconds kSettled{300};
/// How far from the angles of its mode a wheel may stand.
constexpr double kShapeRad = 0.06;

bool near(double a, double b) { return std::abs(a - b) <= kShapeRad; }

bool all_magnitudes_near(const PerWheel& angles, double wanted) {
  for (const double angle : angles) {
    if (!near(std::abs(angle), wanted)) return false;
  }
  return true;
}

/// Whether the wheels can stand like this in `mode`. In park only magnitudes count: its signs are in no
/// source.
bool has_shape(MotionMode mode, const PerWheel& angles) {
  const auto& [right_front, right_rear, left_rear, left_front] = angles;
  switch (mode) {
    case MotionMode::ackermann:
      return near(right_front, -right_rear) && near(left_front, -left_rear) &&
             (right_front * left_front >= 0 || near(right_front, left_front));
    case MotionMode::oblique:
      return near(right_front, right_rear) && near(right_front, left_rear) && near(right_front, left_front);
    case MotionMode::spin:
    case MotionMode::park:
      return all_magnitudes_near(angles, chassis::spin_angle_rad());
  }
  return false;
}

bool same(const PerWheel& a, const PerWheel& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > kSameAngleRad) return false;
  }
  return true;
}

}  // namespace

std::optional<PerWheel> wheel_angles(const View& view, SteadyTime now) {
  constexpr std::array<std::string_view, chassis::kWheels> kSignals{"motor5_angle", "motor6_angle",
                                                                    "motor7_angle", "motor8_angle"};
  PerWheel angles{};
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    const auto raw = value(view, "steering_angle_feedback", kSignals[i], now);
    if (!raw) return std::nullopt;
    angles[i] = static_cast<double>(*raw) / 1000;
  }
  return angles;
}

bool MotionModeWatch::shows(const View& view, SteadyTime since, SteadyTime now) {
  watch_wheels(view, now);
  const auto mode = value_since(view, "motion_mode_feedback", "motion_mode", since, now);
  const auto switching = value_since(view, "motion_mode_feedback", "mode_switching", since, now);
  if (mode && *mode != static_cast<std::int64_t>(mode_)) in_mode_since_.reset();
  if (mode != static_cast<std::int64_t>(mode_)) return false;
  if (!in_mode_since_) in_mode_since_ = now;
  was_in_mode_ = true;
  // Before anything was sent a mode that was so all the time has been so long enough.
  const bool long_enough = since == SteadyTime::min() || now - *in_mode_since_ >= kSwitch;
  return long_enough && switching == 0 && angles_ && has_shape(mode_, *angles_) &&
         now - unmoved_since_ >= kSettled;
}

void MotionModeWatch::watch_wheels(const View& view, SteadyTime now) {
  const auto angles = wheel_angles(view, now);
  const bool moved = !angles || !reference_ || !same(*angles, *reference_);
  if (moved) {
    reference_ = angles;
    unmoved_since_ = now;
  }
  angles_ = angles;
}

}  // namespace rangerctl::command
