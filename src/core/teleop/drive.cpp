#include "rangerctl/teleop/drive.hpp"

#include <algorithm>
#include <cmath>

#include "rangerctl/gate.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::teleop {
namespace {

using chassis::MotionMode;

double seconds(SteadyTime::duration duration) { return std::chrono::duration<double>(duration).count(); }

double approach(double value, double target, double most_change) {
  return value + std::clamp(target - value, -most_change, most_change);
}

std::int64_t raw(double milli) { return static_cast<std::int64_t>(milli); }  // towards zero

const protocol::Message& command_of(const protocol::Catalogue& catalogue) {
  return *catalogue.find("motion_command");
}

std::int64_t most_of(const protocol::Catalogue& catalogue, std::string_view signal, MotionMode mode,
                     std::int64_t steering) {
  const protocol::Message& message = command_of(catalogue);
  const protocol::Signal& found = *protocol::find_signal(message, signal);
  return allowed_range(message, found, static_cast<std::int64_t>(mode), steering).max;
}

}  // namespace

Frame motion_frame(const protocol::Catalogue& catalogue, const Motion& motion) {
  const protocol::Message& message = command_of(catalogue);
  Frame frame = protocol::empty_frame(message);
  const auto put = [&](std::string_view signal, std::int64_t value) {
    protocol::put_raw_value(protocol::find_signal(message, signal)->field, value, frame.data);
  };
  put("linear_velocity", motion.linear_velocity);
  put("angular_velocity", motion.angular_velocity);
  put("steering_angle", motion.steering_angle);
  return frame;
}

void Drive::follow(const Wanted& wanted, MotionMode mode, Duration step, SteadyTime now) {
  const double dt = seconds(std::min<Duration>(step, kLongestStep));
  steering_rad_ = approach(steering_rad_, wanted.steering_rad, kSteeringRadps * dt);
  if (wanted.wheel_mmps == 0 || wanted.wheel_mmps * wheel_mmps_ < 0) return release(now, wanted.most_mmps);
  release_.reset();
  if (!wanted.may_start && is_zero()) return;
  const double gain_mps2 =
      mode == MotionMode::spin ? kSpinAccelerationRadps2 * chassis::spin_radius_m() : kAccelerationMps2;
  accelerate(wanted, gain_mps2 * 1000 * dt, kReleaseMps2 * 1000 * dt);
}

void Drive::accelerate(const Wanted& wanted, double gain_mmps, double loss_mmps) {
  const bool slower = std::abs(wanted.wheel_mmps) < std::abs(wheel_mmps_);
  wheel_mmps_ = approach(wheel_mmps_, wanted.wheel_mmps, slower ? loss_mmps : gain_mmps);
  wheel_mmps_ = std::clamp<double>(wheel_mmps_, -wanted.most_mmps, wanted.most_mmps);
}

void Drive::release(SteadyTime now, int most_mmps) {
  if (!release_) release_ = Release{now, wheel_mmps_};
  const double whole_s =
      std::min(seconds(kLongestRelease), std::abs(release_->from_mmps) / (kReleaseMps2 * 1000));
  const double passed = whole_s == 0 ? 1 : seconds(now - release_->since) / whole_s;
  wheel_mmps_ = passed >= 1 ? 0 : release_->from_mmps * (1 - passed);
  wheel_mmps_ = std::clamp<double>(wheel_mmps_, -most_mmps, most_mmps);
  if (wheel_mmps_ == 0) release_.reset();
}

void Drive::halt() {
  wheel_mmps_ = 0;
  release_.reset();
}

void Drive::reset() {
  halt();
  steering_rad_ = 0;
}

Motion Drive::motion(MotionMode mode) const {
  const double most_rad = most_steering_rad(mode);
  if (mode == MotionMode::spin) {
    const double most_mradps = static_cast<double>(most_of(catalogue_, "angular_velocity", mode, 0));
    const double yaw_mradps = wheel_mmps_ / chassis::spin_radius_m();
    return {.angular_velocity = raw(std::clamp(yaw_mradps, -most_mradps, most_mradps))};
  }
  if (mode == MotionMode::park) return {};
  return {.linear_velocity = raw(wheel_mmps_),
          .steering_angle = raw(std::clamp(steering_rad_, -most_rad, most_rad) * 1000)};
}

double Drive::most_steering_rad(MotionMode mode) const {
  return static_cast<double>(most_of(catalogue_, "steering_angle", mode, 0)) / 1000;
}

int Drive::most_wheel_mmps(MotionMode mode, double steering_rad) const {
  const auto steering = static_cast<std::int64_t>(std::ceil(std::abs(steering_rad) * 1000));
  if (mode == MotionMode::spin) {
    const auto most_mradps = static_cast<double>(most_of(catalogue_, "angular_velocity", mode, steering));
    return static_cast<int>(most_mradps * chassis::spin_radius_m());
  }
  return static_cast<int>(most_of(catalogue_, "linear_velocity", mode, steering));
}

}  // namespace rangerctl::teleop
