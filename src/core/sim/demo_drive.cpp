#include "rangerctl/sim/demo_drive.hpp"

#include <array>

namespace rangerctl::sim {
namespace {

using chassis::MotionMode;
using std::chrono::milliseconds;

struct Segment {
  milliseconds duration;
  SetPoints set_points;
};

constexpr Segment hold(int ms, MotionMode mode, double speed_mps, double steering_rad, bool lights = false) {
  return {milliseconds(ms), {{.mode = mode, .speed_mps = speed_mps, .steering_rad = steering_rad}, lights}};
}
constexpr Segment rest(int ms, MotionMode mode) { return hold(ms, mode, 0, 0); }
constexpr Segment spin(int ms, double yaw_radps) {
  return {milliseconds(ms), {{.mode = MotionMode::spin, .yaw_radps = yaw_radps}, true}};
}

// A circle at 0.35 rad has a radius of 0.86 m, which takes 9 s at 0.6 m/s.
constexpr std::array kScript{
    rest(1'000, MotionMode::ackermann),
    hold(9'000, MotionMode::ackermann, 0.6, 0.35),
    hold(9'000, MotionMode::ackermann, 0.6, -0.35),
    hold(9'000, MotionMode::ackermann, 0.6, 0.35, true),
    hold(9'000, MotionMode::ackermann, 0.6, -0.35, true),
    rest(3'000, MotionMode::ackermann),
    rest(1'500, MotionMode::spin),
    spin(4'000, 1.0),
    spin(4'000, -1.0),
    rest(2'000, MotionMode::spin),
    rest(1'500, MotionMode::oblique),
    hold(4'000, MotionMode::oblique, 0.4, 0.6),
    hold(4'000, MotionMode::oblique, -0.4, 0.6),
    rest(2'000, MotionMode::oblique),
    rest(4'000, MotionMode::park),
    rest(1'500, MotionMode::ackermann),
    hold(4'000, MotionMode::ackermann, 0.9, 0),
    rest(3'000, MotionMode::ackermann),
    hold(6'000, MotionMode::ackermann, -0.4, 0.698),
    rest(2'000, MotionMode::ackermann),
};

constexpr milliseconds length() {
  milliseconds total{0};
  for (const Segment& segment : kScript) total += segment.duration;
  return total;
}

}  // namespace

SetPoints demo_drive(SimTime now) {
  SimTime left = now % length();
  for (const Segment& segment : kScript) {
    if (left < segment.duration) return segment.set_points;
    left -= segment.duration;
  }
  return kScript.back().set_points;
}

SimTime demo_drive_length() { return length(); }

}  // namespace rangerctl::sim
