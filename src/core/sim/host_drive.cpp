#include "rangerctl/sim/host_drive.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::sim {
namespace {

using chassis::MotionMode;
using std::chrono::milliseconds;

struct Segment {
  milliseconds duration;
  chassis::Motion motion;
  bool lights = false;
};

constexpr Segment hold(int ms, MotionMode mode, double speed_mps, double steering_rad, bool lights = false) {
  return {milliseconds(ms), {.mode = mode, .speed_mps = speed_mps, .steering_rad = steering_rad}, lights};
}
constexpr Segment rest(int ms, MotionMode mode) { return hold(ms, mode, 0, 0); }
constexpr Segment spin(int ms, double yaw_radps) {
  return {milliseconds(ms), {.mode = MotionMode::spin, .yaw_radps = yaw_radps}, true};
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

/// Every segment begins with a reminder.
constexpr milliseconds kReminder{500};
static_assert(std::all_of(kScript.begin(), kScript.end(),
                          [](const Segment& row) { return row.duration % kReminder == milliseconds(0); }));

const Segment& segment_at(SimTime since_start) {
  SimTime left = since_start % length();
  for (const Segment& segment : kScript) {
    if (left < segment.duration) return segment;
    left -= segment.duration;
  }
  return kScript.back();
}

struct SignalValue {
  std::string_view signal;
  double value;
};

void append_command(std::vector<Frame>& out, const protocol::Catalogue& catalogue, std::string_view name,
                    std::initializer_list<SignalValue> values) {
  const protocol::Message* const message = catalogue.find(name);
  if (message == nullptr) return;
  Frame frame = protocol::empty_frame(*message);
  for (const auto& [name_of_signal, value] : values) {
    const protocol::Signal* const signal = protocol::find_signal(*message, name_of_signal);
    if (signal == nullptr) continue;
    // Not refused: the values of the script are within the limits.
    static_cast<void>(
        protocol::set_signal(frame, *signal, std::llround(value * std::pow(10.0, signal->decimals))));
  }
  out.push_back(frame);
}

}  // namespace

std::vector<Frame> host_frames(const protocol::Catalogue& catalogue, SimTime since_start) {
  const Segment& now = segment_at(since_start);
  const double lights = now.lights ? 1 : 0;
  std::vector<Frame> frames;
  if (since_start % kReminder == SimTime(0)) {
    append_command(frames, catalogue, "control_mode_command", {{"control_mode", 1}});
    append_command(frames, catalogue, "motion_mode_command",
                   {{"motion_mode", static_cast<double>(now.motion.mode)}});
  }
  append_command(frames, catalogue, "motion_command",
                 {{"linear_velocity", now.motion.speed_mps},
                  {"angular_velocity", now.motion.yaw_radps},
                  {"steering_angle", now.motion.steering_rad}});
  append_command(frames, catalogue, "light_command", {{"light_control", lights}, {"light_mode", lights}});
  return frames;
}

SimTime host_drive_length() { return length(); }

}  // namespace rangerctl::sim
