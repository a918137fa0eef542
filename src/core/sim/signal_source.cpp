#include "rangerctl/sim/signal_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

namespace rangerctl::sim {
namespace {

/// The sources name no resolution of the encoder.
constexpr double kPulsesPerTurn = 4096;
/// battery_voltage is measured elsewhere than bms_status.voltage: 49.7 V beside 49.2 V on hardware.
constexpr double kChassisAboveBmsV = 0.5;
/// The positions of SWB, as remote_control_feedback numbers them.
constexpr double kSwitchUp = 2;
constexpr double kSwitchMiddle = 1;

struct ConstantRow {
  std::string_view message;
  std::string_view signal;
  std::string_view value;
};
constexpr std::array kConstants{
    ConstantRow{"remote_control_feedback", "swa", "up"},
    ConstantRow{"remote_control_feedback", "swc", "up"},
    ConstantRow{"remote_control_feedback", "swd", "up"},
    ConstantRow{"bms_status", "soh", "100"},
};

double sent_count(const Sample& s) { return static_cast<double>(s.sent & 0xFFU); }
double wheel_angle(const Sample& s) { return s.body.wheel_angle_rad[s.index]; }
double wheel_speed(const Sample& s) { return s.body.wheel_speed_mps[s.index]; }
double odometer(const Sample& s) { return s.body.odometer_m[s.index]; }
double voltage(const Sample& s) { return s.body.battery.voltage_v(); }
const Motor& motor(const Sample& s) { return s.body.motors[s.index]; }

/// The counter has 32 bits and starts over.
double pulses(const Sample& s) {
  return static_cast<std::int32_t>(std::llround(motor(s).shaft_turns * kPulsesPerTurn));
}
double reported_speed(const Sample& s) { return chassis::reported_speed_mps(s.body.wheel_speed_mps); }
double reported_steering(const Sample& s) {
  return chassis::reported_steering_rad(s.body.motion.mode, s.body.wheel_angle_rad);
}

double flags(const Sample& s) { return s.controller.flags(s.index); }

/// "motor#_..." stands for the message of every motor; the index is the motor's then.
struct SourceRow {
  std::string_view message;
  std::string_view signal;
  ValueFunction value;
  std::size_t index = 0;
};
constexpr std::array kSources{
    SourceRow{"system_status", "vehicle_state",
              [](const Sample& s) { return static_cast<double>(s.controller.vehicle_state()); }},
    SourceRow{"system_status", "control_mode",
              [](const Sample& s) { return static_cast<double>(s.controller.reported_control_mode()); }},
    SourceRow{"system_status", "battery_voltage",
              [](const Sample& s) { return voltage(s) + kChassisAboveBmsV; }},
    SourceRow{"motion_feedback", "linear_velocity", reported_speed},
    SourceRow{"motion_feedback", "angular_velocity",
              [](const Sample& s) { return chassis::yaw_rate_radps(s.body.motion); }},
    SourceRow{"motion_feedback", "steering_angle", reported_steering},
    SourceRow{"light_feedback", "light_control",
              [](const Sample& s) { return s.controller.reports_light_control() ? 1.0 : 0.0; }},
    SourceRow{"light_feedback", "light_mode", [](const Sample& s) { return s.body.lights ? 1.0 : 0.0; }},
    SourceRow{"light_feedback", "count", sent_count},
    SourceRow{"remote_control_feedback", "swb",
              [](const Sample& s) { return s.controller.remote_is_on() ? kSwitchMiddle : kSwitchUp; }},
    SourceRow{"remote_control_feedback", "count", sent_count},
    SourceRow{"motor#_high_speed", "speed", [](const Sample& s) { return motor(s).speed_rpm; }},
    SourceRow{"motor#_high_speed", "current", [](const Sample& s) { return motor(s).current_a; }},
    SourceRow{"motor#_high_speed", "position", pulses},
    SourceRow{"motor#_low_speed", "driver_voltage", voltage},
    SourceRow{"motor#_low_speed", "driver_temperature",
              [](const Sample& s) { return motor(s).driver_temperature_c; }},
    SourceRow{"motor#_low_speed", "motor_temperature",
              [](const Sample& s) { return motor(s).motor_temperature_c; }},
    SourceRow{"steering_angle_feedback", "motor5_angle", wheel_angle, 0},
    SourceRow{"steering_angle_feedback", "motor6_angle", wheel_angle, 1},
    SourceRow{"steering_angle_feedback", "motor7_angle", wheel_angle, 2},
    SourceRow{"steering_angle_feedback", "motor8_angle", wheel_angle, 3},
    SourceRow{"wheel_speed_feedback", "motor1_speed", wheel_speed, 0},
    SourceRow{"wheel_speed_feedback", "motor2_speed", wheel_speed, 1},
    SourceRow{"wheel_speed_feedback", "motor3_speed", wheel_speed, 2},
    SourceRow{"wheel_speed_feedback", "motor4_speed", wheel_speed, 3},
    SourceRow{"motion_mode_feedback", "motion_mode",
              [](const Sample& s) { return static_cast<double>(s.body.motion.mode); }},
    SourceRow{"motion_mode_feedback", "mode_switching",
              [](const Sample& s) { return s.controller.reports_switching(s.body) ? 1.0 : 0.0; }},
    SourceRow{"motion_mode_feedback", "drive_mode",
              [](const Sample& s) { return static_cast<double>(s.controller.drive_mode()); }},
    SourceRow{"front_odometer", "right_wheel", odometer, 0},
    SourceRow{"rear_odometer", "right_wheel", odometer, 1},
    SourceRow{"rear_odometer", "left_wheel", odometer, 2},
    SourceRow{"front_odometer", "left_wheel", odometer, 3},
    SourceRow{"bms_status", "soc",
              [](const Sample& s) { return static_cast<double>(s.body.battery.percent()); }},
    SourceRow{"bms_status", "voltage", voltage},
    SourceRow{"bms_status", "current", [](const Sample& s) { return s.body.battery.current_a; }},
    SourceRow{"bms_status", "temperature", [](const Sample& s) { return s.body.battery.temperature_c; }},
};

/// The character of `message` where the row has its '#'; nothing where the row means another message.
std::optional<char> wildcard(std::string_view row, std::string_view message) {
  const std::size_t at = row.find('#');
  if (at == std::string_view::npos || row.size() != message.size()) return std::nullopt;
  if (row.substr(0, at) != message.substr(0, at) || row.substr(at + 1) != message.substr(at + 1))
    return std::nullopt;
  return message[at];
}

template <class Row>
const Row* find_row(std::span<const Row> rows, std::string_view message, std::string_view signal) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.signal == signal && (row.message == message || wildcard(row.message, message));
  });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::optional<SignalSource> find_source(std::string_view message, std::string_view signal) {
  if (const auto word = find_flag_word(message, signal)) return SignalSource{flags, *word};
  const auto* const row = find_row<SourceRow>(kSources, message, signal);
  if (row == nullptr) return std::nullopt;
  const auto motor_number = wildcard(row->message, message);
  return SignalSource{row->value, motor_number ? static_cast<std::size_t>(*motor_number - '1') : row->index};
}

std::string_view find_constant(std::string_view message, std::string_view signal) {
  const auto* const row = find_row<ConstantRow>(kConstants, message, signal);
  return row == nullptr ? std::string_view{} : row->value;
}

}  // namespace rangerctl::sim
