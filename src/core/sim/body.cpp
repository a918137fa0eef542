#include "rangerctl/sim/body.hpp"

#include <algorithm>
#include <cmath>

#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"

namespace rangerctl::sim {
namespace {

using chassis::kWheels;
using chassis::Motion;
using chassis::PerWheel;
namespace robot = protocol::ranger_mini_3;

constexpr double kAccelerationMps2 = 0.8;
constexpr double kDecelerationMps2 = 2.0;
constexpr double kEmergencyBrakeMps2 = 3.0;
// How slowly each follows its load.
constexpr double kDriverSeconds = 300;
constexpr double kMotorSeconds = 600;
constexpr double kBatterySeconds = 1200;

double approach(double value, double target, double most) {
  return value + std::clamp(target - value, -most, most);
}

bool at_rest(const Motion& motion) { return motion.speed_mps == 0 && motion.yaw_radps == 0; }

double farthest(const PerWheel& from, const PerWheel& to) {
  double distance = 0;
  for (std::size_t i = 0; i < kWheels; ++i) distance = std::max(distance, std::abs(to[i] - from[i]));
  return distance;
}

void begin_mode_switch(Body& body, chassis::MotionMode mode) {
  body.motion = {.mode = mode};
  const double way = farthest(body.wheel_angle_rad, chassis::wheel_angles_rad(mode, 0));
  body.switch_remaining_s = std::max(robot::kModeSwitchSeconds, way / robot::kSteeringSlewRadps);
  ++body.mode_switches;
}

/// All wheels arrive together.
void turn_wheels(Body& body, double dt_s) {
  const PerWheel target = chassis::wheel_angles_rad(body.motion.mode, 0);
  const double share = std::min(1.0, dt_s / body.switch_remaining_s);
  for (std::size_t i = 0; i < kWheels; ++i)
    body.wheel_angle_rad[i] += (target[i] - body.wheel_angle_rad[i]) * share;
  body.switch_remaining_s = share < 1 ? body.switch_remaining_s - dt_s : 0;
}

/// One step towards `target`; first to zero where that lies in between.
double change_speed(double speed, double target, double most_gain, double most_loss) {
  if (speed * target < 0) return approach(speed, 0, most_loss);
  return approach(speed, target, std::abs(target) < std::abs(speed) ? most_loss : most_gain);
}

void follow(Body& body, const Motion& wanted, double deceleration_mps2, double dt_s) {
  const double gain = kAccelerationMps2 * dt_s;
  const double loss = deceleration_mps2 * dt_s;
  const double radius = chassis::spin_radius_m();
  Motion& motion = body.motion;
  motion.speed_mps = change_speed(motion.speed_mps, wanted.speed_mps, gain, loss);
  motion.yaw_radps = change_speed(motion.yaw_radps, wanted.yaw_radps, gain / radius, loss / radius);
  motion.steering_rad = approach(motion.steering_rad, wanted.steering_rad, robot::kSteeringSlewRadps * dt_s);
  body.wheel_angle_rad = chassis::wheel_angles_rad(motion.mode, motion.steering_rad);
  body.wheel_speed_mps = chassis::wheel_speeds_mps(motion);
}

/// Keeps its track.
void brake(Body& body, double deceleration_mps2, double dt_s) {
  follow(body, {.steering_rad = body.motion.steering_rad}, deceleration_mps2, dt_s);
}

void move(Body& body, const SetPoints& wanted, double dt_s) {
  const Motion& motion = wanted.motion;
  if (motion.mode != body.motion.mode && at_rest(body.motion)) begin_mode_switch(body, motion.mode);
  if (body.switch_remaining_s > 0) return turn_wheels(body, dt_s);
  if (wanted.order == Order::stop || motion.mode != body.motion.mode)
    return brake(body, kDecelerationMps2, dt_s);
  follow(body, motion, kDecelerationMps2, dt_s);
}

void stop_in_emergency(Body& body, double dt_s) {
  if (body.switch_remaining_s == 0) brake(body, kEmergencyBrakeMps2, dt_s);
}

void warm(Motor& motor, double dt_s) {
  const double load = std::abs(motor.current_a);
  motor.driver_temperature_c += (33 + 3 * load - motor.driver_temperature_c) * dt_s / kDriverSeconds;
  motor.motor_temperature_c += (29 + 4 * load - motor.motor_temperature_c) * dt_s / kMotorSeconds;
}

/// Braking feeds back, so the current of a drive motor may be negative.
void run_drive_motor(Motor& motor, double sign, double speed_mps, double before_mps, double dt_s) {
  const double gain_mps2 = (std::abs(speed_mps) - std::abs(before_mps)) / dt_s;
  motor.speed_rpm = sign * speed_mps * robot::kDriveRpmPerMps;
  motor.shaft_turns += motor.speed_rpm / 60 * dt_s;
  motor.current_a = 0.3 + 1.5 * std::abs(speed_mps) + (gain_mps2 > 0 ? 2.0 : 0.8) * gain_mps2;
}

void run_steering_motor(Motor& motor, double rate_radps) {
  motor.speed_rpm = robot::kSteeringRpmPerRadps * rate_radps;
  motor.current_a = 0.2 + 0.8 * std::abs(rate_radps);
}

void run_motors(Body& body, const Body& before, double dt_s) {
  for (std::size_t i = 0; i < kWheels; ++i) {
    run_drive_motor(body.motors[i], robot::kDriveRpmSigns[i], body.wheel_speed_mps[i],
                    before.wheel_speed_mps[i], dt_s);
    run_steering_motor(body.motors[kWheels + i],
                       (body.wheel_angle_rad[i] - before.wheel_angle_rad[i]) / dt_s);
    body.odometer_m[i] += body.wheel_speed_mps[i] * dt_s;
  }
  for (Motor& motor : body.motors) warm(motor, dt_s);
}

/// About -2 A at rest and -10 A at most, as on hardware.
void drain(Body& body, double dt_s) {
  double load_a = 1.4;
  for (std::size_t i = 0; i < kMotors; ++i) load_a += (i < kWheels ? 0.4 : 0.2) * body.motors[i].current_a;
  Battery& battery = body.battery;
  battery.current_a = -load_a;
  battery.charge_ah = std::max(0.0, battery.charge_ah - load_a * dt_s / 3600);
  battery.temperature_c += (24 + 0.8 * load_a - battery.temperature_c) * dt_s / kBatterySeconds;
}

}  // namespace

double Battery::state_of_charge() const { return charge_ah / robot::kBatteryCapacityAh; }

int Battery::percent() const { return static_cast<int>(std::lround(100 * state_of_charge())); }

void Battery::set_state_of_charge(double share) { charge_ah = share * robot::kBatteryCapacityAh; }

/// Near what hardware shows: 49.1 V at 66 %, 49.7 V at 84 %.
double Battery::voltage_v() const { return 47.0 + 3.3 * state_of_charge() + 0.08 * current_a; }

void step(Body& body, const SetPoints& wanted, double dt_s) {
  const Body before = body;
  wanted.order == Order::emergency_stop ? stop_in_emergency(body, dt_s) : move(body, wanted, dt_s);
  body.lights = wanted.lights;
  run_motors(body, before, dt_s);
  drain(body, dt_s);
}

void power_cycle(Body& body) {
  const bool wheels_are_straight = body.wheel_angle_rad == PerWheel{};
  begin_mode_switch(body, chassis::MotionMode::ackermann);
  if (wheels_are_straight) body.switch_remaining_s = 0;
  body.wheel_speed_mps = {};
  body.mode_switches = 0;
  body.lights = false;
}

}  // namespace rangerctl::sim
