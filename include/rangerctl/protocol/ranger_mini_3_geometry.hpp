#pragma once

#include <array>

/// Dimensions and mechanics of the RANGER MINI 3.0 that no message carries. "Manual": user manual V1.0.1.
/// "Hardware": the published audit of one real vehicle that catalogue.hpp names.
namespace rangerctl::protocol::ranger_mini_3 {

/// Distance between front and rear axle, and between left and right wheels. The manual's specification
/// table has the two labels swapped: the spin angle atan(0.494 / 0.364) = 0.936 rad seen on hardware and the
/// yaw rate limit of 3.259 rad/s only fit this way round.
inline constexpr double kWheelbaseM = 0.494;
inline constexpr double kTrackM = 0.364;

/// How fast a wheel steers: 0.2, 0.5, 1.0, 1.57 rad in 0.114, 0.206, 0.359, 0.534 s (hardware).
inline constexpr double kSteeringSlewRadps = 3.3;

/// How long the wheels need after a change of the motion mode; speed commands are ignored meanwhile
/// (hardware, from ackermann to spin).
inline constexpr double kModeSwitchSeconds = 0.6;

/// Drive motor shaft: rpm per m/s of its wheel (hardware), and the sign of its rpm when the wheel rolls
/// forward, in the order of motors 1 to 4.
inline constexpr double kDriveRpmPerMps = 495.8;
inline constexpr std::array<double, 4> kDriveRpmSigns{1.0, 1.0, -1.0, -1.0};

/// Steering motor shaft: rpm per rad/s of its wheel's angle (hardware).
inline constexpr double kSteeringRpmPerRadps = -713.0;

/// Nominal capacity of the battery (manual: 48 V, 24 Ah).
inline constexpr double kBatteryCapacityAh = 24.0;

/// Below this charge the lights flash; below that one the power of the drive and of external equipment is
/// cut, and the chassis neither moves nor takes commands (manual).
inline constexpr int kLightsFlashBelowPercent = 15;
inline constexpr int kNoCommandsBelowPercent = 10;

}  // namespace rangerctl::protocol::ranger_mini_3
