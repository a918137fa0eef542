#include "motion_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::sim {
namespace {

using protocol::ConditionalLimit;
using protocol::Message;
using protocol::Signal;

double unit_of(const Signal& signal) { return std::pow(10.0, -signal.decimals); }

/// The raw values of a command, by the name of their signal. A signal that the message has not got is zero.
class Values {
 public:
  Values(const Message& command, const Frame& frame) : signals_(command.signals) {
    for (const Signal& signal : signals_) {
      const std::int64_t raw = protocol::raw_value(signal.field, frame.bytes());
      raw_.push_back(std::clamp(raw, signal.min(), signal.max()));
    }
  }

  void limit(std::string_view name, protocol::Range range) {
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      if (signals_[i].name == name) raw_[i] = std::clamp(raw_[i], range.min, range.max);
    }
  }

  [[nodiscard]] double physical(std::string_view name) const {
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      if (signals_[i].name == name) return static_cast<double>(raw_[i]) * unit_of(signals_[i]);
    }
    return 0;
  }

 private:
  std::span<const Signal> signals_;
  std::vector<std::int64_t> raw_;
};

double farthest_angle_rad(const Body& body) {
  double angle = 0;
  for (const double wheel : body.wheel_angle_rad) angle = std::max(angle, std::abs(wheel));
  return angle;
}

void keep_limits_of_mode(Values& values, const Message& command, chassis::MotionMode mode) {
  for (const ConditionalLimit& row : command.limits) {
    if (row.when == ConditionalLimit::When::motion_mode_is && row.value == static_cast<std::int64_t>(mode))
      values.limit(row.signal, row.range);
  }
}

void keep_limits_of_steering(Values& values, const Message& command, double measured_rad) {
  const Signal* const steering = protocol::find_signal(command, "steering_angle");
  if (steering == nullptr) return;
  const double angle_rad = std::max(measured_rad, std::abs(values.physical("steering_angle")));
  const std::int64_t raw = std::llround(angle_rad / unit_of(*steering));
  for (const ConditionalLimit& row : command.limits) {
    if (row.when == ConditionalLimit::When::steering_beyond && raw >= row.value)
      values.limit(row.signal, row.range);
  }
}

}  // namespace

chassis::Motion limited_motion(const Message& command, const Frame& frame, const Body& body) {
  Values values(command, frame);
  keep_limits_of_mode(values, command, body.motion.mode);
  keep_limits_of_steering(values, command, farthest_angle_rad(body));
  return {.mode = body.motion.mode,
          .speed_mps = values.physical("linear_velocity"),
          .yaw_radps = values.physical("angular_velocity"),
          .steering_rad = values.physical("steering_angle")};
}

}  // namespace rangerctl::sim
