#pragma once

#include "rangerctl/protocol/schema.hpp"

/// The AgileX RANGER MINI 3.0 on CAN: 500 kbit/s, 11-bit ids, big-endian fields, no checksum.
///
/// Source: the user manual V1.0.1, section 3.2. Where it contradicts itself, an older edition or a real
/// vehicle, the decision stands beside the signal. "Hardware" means a published third-party audit of one
/// real vehicle (firmware S-V6.0-8250218); nothing here was measured on hardware by this project.
///
/// Motors: 1 right front, 2 right rear, 3 left rear, 4 left front drive; 5 right front, 6 right rear,
/// 7 left rear, 8 left front steering. Left and counter-clockwise are positive, in both directions; the
/// manual's text says otherwise of steering feedback, but hardware shows left as positive there too.
namespace rangerctl::protocol::ranger_mini_3 {

inline constexpr std::string_view kManual = "user manual V1.0.1, section 3.2";

// ---- Enumerations -------------------------------------------------------------------------------------

inline constexpr std::array kVehicleStates{
    Choice{0, "normal"},
    Choice{1, "emergency_stop", "other AgileX chassis send this; not in this model's manual"},
    Choice{2, "abnormal", "at least one error is active"},
};
inline constexpr std::array kControlModes{
    Choice{0, "standby", "after power-up: obeys only control_mode_command"},
    Choice{1, "can", "obeys the host"},
    Choice{3, "remote", "the remote control commands; host commands are ignored"},
};
inline constexpr std::array kControlModeCommands{
    Choice{0, "standby", "give control back"},
    Choice{1, "can", "let the host command"},
};
inline constexpr std::array kMotionModes{
    Choice{0, "ackermann", "front and rear wheels steer in opposite directions"},
    Choice{1, "oblique", "all wheels steer in the same direction"},
    Choice{2, "spin", "turn on the spot"},
    Choice{3, "park", "wheels crossed, no motion"},
};
inline constexpr std::array kModeSwitching{
    Choice{0, "completed"},
    Choice{1, "switching", "on hardware set in only about half of the switches; wheel angles tell"},
};
inline constexpr std::array kDriveModes{Choice{0, "current"}, Choice{1, "voltage"}};
inline constexpr std::array kEnabled{Choice{0, "disabled"}, Choice{1, "enabled"}};
inline constexpr std::array kOnOff{Choice{0, "off"}, Choice{1, "on"}};
inline constexpr std::array kTwoWaySwitch{Choice{2, "up"}, Choice{3, "down"}};
inline constexpr std::array kThreeWaySwitch{Choice{2, "up"}, Choice{1, "middle"}, Choice{3, "down"}};

inline constexpr std::array kClearErrorCodes{
    Choice{0x00, "all_non_critical",
           "which errors those are is not documented; the one to try for an e-stop"},
    Choice{0x01, "motor1_communication"},
    Choice{0x02, "motor2_communication"},
    Choice{0x03, "motor3_communication"},
    Choice{0x04, "motor4_communication"},
    Choice{0x05, "motor5_communication"},
    Choice{0x06, "motor6_communication"},
    Choice{0x07, "motor7_communication"},
    Choice{0x08, "motor8_communication"},
    Choice{0x09, "battery_undervoltage", "also tries to restore the power supply"},
    Choice{0x0A, "remote_control_lost"},
    Choice{0x0B, "motor5_steering_calibration", "right front"},
    Choice{0x0C, "motor6_steering_calibration", "right rear"},
    Choice{0x0D, "motor7_steering_calibration", "left rear"},
    Choice{0x0E, "motor8_steering_calibration", "left front"},
    Choice{0x0F, "over_current"},
    Choice{0x10, "over_temperature"},
};

// ---- Flags --------------------------------------------------------------------------------------------

inline constexpr std::string_view kCheckMotorCable =
    "check the motor driver's power and CAN wiring, then clear";
inline constexpr std::string_view kCalibrate = "calibrate the steering zero point, then clear";

inline constexpr std::array kErrors{
    Flag{0, "battery_undervoltage", "battery voltage too low", "charge the battery, then clear", 0x09},
    Flag{1, "overvoltage", "supply voltage too high",
         "disconnect the charger; no clear code of its own, try 0x00"},
    Flag{2, "remote_control_lost", "no signal from the remote control",
         "switch the remote control on and bring it near, or clear", 0x0A},
    Flag{3, "motor1_communication", "right front drive motor does not answer", kCheckMotorCable, 0x01},
    Flag{4, "motor2_communication", "right rear drive motor does not answer", kCheckMotorCable, 0x02},
    Flag{5, "motor3_communication", "left rear drive motor does not answer", kCheckMotorCable, 0x03},
    Flag{6, "motor4_communication", "left front drive motor does not answer", kCheckMotorCable, 0x04},
    Flag{7, "emergency_stop", "an emergency stop button is pressed or was not cleared",
         "release the button, then clear with 0x00 (no code is documented for it), or KEY1 on the remote "
         "control in "
         "remote mode"},
    Flag{8, "driver_fault", "a motor driver reports a fault",
         "see driver_status of 0x261 to 0x268; no clear code of its own, try 0x00"},
    Flag{10, "motor5_communication", "right front steering motor does not answer", kCheckMotorCable, 0x05},
    Flag{11, "motor6_communication", "right rear steering motor does not answer", kCheckMotorCable, 0x06},
    Flag{12, "motor7_communication", "left rear steering motor does not answer", kCheckMotorCable, 0x07},
    Flag{13, "motor8_communication", "left front steering motor does not answer", kCheckMotorCable, 0x08},
    Flag{14, "over_temperature", "over-temperature protection triggered", "let it cool down, then clear",
         0x10},
    Flag{15, "over_current", "over-current protection triggered", "remove what blocks the wheels, then clear",
         0x0F},
    Flag{16, "steering_zero_right_front", "steering zero point not calibrated", kCalibrate, 0x0B},
    Flag{17, "steering_zero_right_rear", "steering zero point not calibrated", kCalibrate, 0x0C},
    Flag{18, "steering_zero_left_rear", "steering zero point not calibrated", kCalibrate, 0x0D},
    Flag{19, "steering_zero_left_front", "steering zero point not calibrated", kCalibrate, 0x0E},
    Flag{20, "steering_calibration_timeout", "steering calibration took too long",
         "calibrate again; no clear code of its own, try 0x00"},
};

inline constexpr std::array kDriverStatus{
    Flag{0, "undervoltage", "supply voltage of the driver too low"},
    Flag{1, "motor_over_temperature"},
    Flag{2, "over_current"},
    Flag{3, "driver_over_temperature"},
    Flag{4, "sensor_fault"},
    Flag{5, "driver_fault"},
    Flag{.bit = 6,
         .name = "drive_enable_bit",
         .meaning =
             "the manual says 1 is disabled, but a healthy vehicle sends 1 on all motors: never an alarm",
         .harmless = true},
};

inline constexpr std::array kBmsAlarm1{
    Flag{1, "overvoltage"},     Flag{2, "undervoltage"},          Flag{3, "high_temperature"},
    Flag{4, "low_temperature"}, Flag{7, "discharge_overcurrent"},
};
inline constexpr std::array kBmsAlarm2{Flag{0, "charge_overcurrent"}};

// ---- Signals ------------------------------------------------------------------------------------------

inline constexpr std::array kSystemStatus{
    Signal{.name = "vehicle_state", .field = u8(0), .choices = kVehicleStates},
    Signal{.name = "control_mode",
           .field = u8(1),
           .choices = kControlModes,
           .meaning = "who commands the chassis"},
    Signal{.name = "battery_voltage",
           .field = u16(2),
           .decimals = 1,
           .unit = "V",
           .meaning = "may differ from bms_status.voltage by 2.3 V"},
    Signal{
        .name = "errors", .field = u32(4), .flags = kErrors, .meaning = "active and not yet cleared errors"},
};
inline constexpr std::array kMotionFeedback{
    Signal{.name = "linear_velocity",
           .field = i16(0),
           .decimals = 3,
           .unit = "m/s",
           .meaning = "mean of the four wheels, forward positive"},
    Signal{.name = "angular_velocity",
           .field = i16(2),
           .decimals = 3,
           .unit = "rad/s",
           .meaning = "counter-clockwise positive"},
    Signal{.name = "steering_angle",
           .field = i16(6),
           .decimals = 3,
           .unit = "rad",
           .meaning = "left positive; mean of inner and outer wheel in ackermann, mean in oblique, mean of "
                      "magnitudes in spin"},
};
inline constexpr std::array kLightFeedback{
    Signal{.name = "light_control",
           .field = u8(0),
           .choices = kEnabled,
           .meaning = "whether the host commands the lights"},
    Signal{.name = "light_mode",
           .field = u8(1),
           .choices = kOnOff,
           .meaning = "flashes below 15 % charge",
           .restless = true},
    Signal{.name = "count", .field = u8(7), .meaning = "counts frames, 0 to 255 and over again"},
};
inline constexpr std::array kRemoteControlFeedback{
    Signal{
        .name = "swa", .field = bit_field(0, 0, 2), .choices = kTwoWaySwitch, .meaning = "down: lights off"},
    Signal{.name = "swb",
           .field = bit_field(0, 2, 2),
           .choices = kThreeWaySwitch,
           .meaning = "up: the host may command; middle or down: the remote control commands"},
    Signal{.name = "swc", .field = bit_field(0, 4, 2), .choices = kThreeWaySwitch, .meaning = "down: park"},
    Signal{.name = "swd",
           .field = bit_field(0, 6, 2),
           .choices = kTwoWaySwitch,
           .meaning = "up: ackermann and spin; down: oblique"},
    Signal{.name = "right_stick_x", .field = i8(1), .unit = "%", .meaning = "-100 to 100"},
    Signal{.name = "right_stick_y", .field = i8(2), .unit = "%", .meaning = "-100 to 100"},
    Signal{.name = "left_stick_y", .field = i8(3), .unit = "%", .meaning = "-100 to 100"},
    Signal{.name = "left_stick_x", .field = i8(4), .unit = "%", .meaning = "-100 to 100"},
    Signal{.name = "left_knob", .field = i8(5), .unit = "%", .meaning = "-100 to 100"},
    Signal{.name = "count", .field = u8(7), .meaning = "counts frames, 0 to 255 and over again"},
};
inline constexpr std::array kMotorHighSpeed{
    Signal{.name = "speed",
           .field = i16(0),
           .unit = "rpm",
           .meaning = "sign is local to the motor: driving straight ahead is + + - - on motors 1 to 4"},
    Signal{.name = "current", .field = i16(2), .decimals = 1, .unit = "A"},
    Signal{.name = "position", .field = i32(4), .unit = "pulses"},
};
inline constexpr std::array kMotorLowSpeed{
    Signal{.name = "driver_voltage", .field = u16(0), .decimals = 1, .unit = "V"},
    Signal{.name = "driver_temperature", .field = i16(2), .unit = "degC"},
    Signal{.name = "motor_temperature",
           .field = i8(4),
           .unit = "degC",
           .meaning = "the manual declares it invalid for this series: shown, never an alarm"},
    Signal{.name = "driver_status", .field = u8(5), .flags = kDriverStatus},
};
inline constexpr std::array kSteeringAngleFeedback{
    Signal{.name = "motor5_angle",
           .field = i16(0),
           .decimals = 3,
           .unit = "rad",
           .meaning = "right front, left positive"},
    Signal{.name = "motor6_angle",
           .field = i16(2),
           .decimals = 3,
           .unit = "rad",
           .meaning = "right rear, left positive"},
    Signal{.name = "motor7_angle",
           .field = i16(4),
           .decimals = 3,
           .unit = "rad",
           .meaning = "left rear, left positive"},
    Signal{.name = "motor8_angle",
           .field = i16(6),
           .decimals = 3,
           .unit = "rad",
           .meaning = "left front, left positive"},
};
inline constexpr std::array kWheelSpeedFeedback{
    Signal{.name = "motor1_speed",
           .field = i16(0),
           .decimals = 3,
           .unit = "m/s",
           .meaning = "right front, forward positive"},
    Signal{.name = "motor2_speed",
           .field = i16(2),
           .decimals = 3,
           .unit = "m/s",
           .meaning = "right rear, forward positive"},
    Signal{.name = "motor3_speed",
           .field = i16(4),
           .decimals = 3,
           .unit = "m/s",
           .meaning = "left rear, forward positive"},
    Signal{.name = "motor4_speed",
           .field = i16(6),
           .decimals = 3,
           .unit = "m/s",
           .meaning = "left front, forward positive"},
};
inline constexpr std::array kMotionModeFeedback{
    Signal{.name = "motion_mode",
           .field = u8(0),
           .choices = kMotionModes,
           .meaning = "changes at once; the wheels need about 0.6 s and speed is ignored meanwhile"},
    Signal{.name = "mode_switching", .field = u8(1), .choices = kModeSwitching},
    Signal{.name = "drive_mode", .field = u8(2), .choices = kDriveModes},
};
inline constexpr std::array kOdometer{
    Signal{.name = "left_wheel", .field = i32(0), .decimals = 3, .unit = "m"},
    Signal{.name = "right_wheel", .field = i32(4), .decimals = 3, .unit = "m"},
};
inline constexpr std::array kBmsStatus{
    Signal{.name = "soc",
           .field = u8(0),
           .unit = "%",
           .meaning = "state of charge; below 15 the lights flash, below 10 "
                      "drive is cut and commands are ignored"},
    Signal{.name = "soh", .field = u8(1), .unit = "%", .meaning = "state of health"},
    Signal{.name = "voltage",
           .field = u16(2),
           .decimals = 1,
           .unit = "V",
           .fine_above = 1000,
           .meaning = "the manual V1.0.1 says 0.1 V, V1.0.0 and real firmware 0.01 V: a raw value above 1000 "
                      "is taken as "
                      "0.01 V, otherwise as 0.1 V"},
    Signal{.name = "current",
           .field = i16(4),
           .decimals = 1,
           .unit = "A",
           .meaning = "charging positive, discharging negative"},
    Signal{.name = "temperature", .field = i16(6), .decimals = 1, .unit = "degC"},
};
inline constexpr std::array kBmsAlarms{
    Signal{.name = "alarm_1", .field = u8(0), .flags = kBmsAlarm1},
    Signal{.name = "alarm_2", .field = u8(1), .flags = kBmsAlarm2},
    Signal{.name = "warning_1", .field = u8(2), .flags = kBmsAlarm1},
    Signal{.name = "warning_2", .field = u8(3), .flags = kBmsAlarm2},
};
constexpr ConditionalLimit in_mode(std::int64_t mode, std::string_view signal, std::int64_t most,
                                   std::string_view situation) {
  return {signal, {-most, most}, ConditionalLimit::When::motion_mode_is, mode, situation};
}
inline constexpr std::array kMotionCommand{
    Signal{.name = "linear_velocity",
           .field = i16(0),
           .decimals = 3,
           .unit = "m/s",
           .range = {-2000, 2000},
           .meaning = "forward positive; ackermann and oblique"},
    Signal{.name = "angular_velocity",
           .field = i16(2),
           .decimals = 3,
           .unit = "rad/s",
           .range = {-3259, 3259},
           .meaning = "spin, counter-clockwise positive"},
    Signal{.name = "steering_angle",
           .field = i16(6),
           .decimals = 3,
           .unit = "rad",
           .range = {-1571, 1571},
           .meaning = "inner wheel, left positive. The manual's sample "
                      "of 03 E8 for 10 degrees is a leftover of an older unit; it is 00 AF"},
};
/// Tighter than the range of the signal. 20 degrees are 0.3491 rad, so "beyond" begins at 0.350. A signal
/// that a mode does not use must be zero: who sets it means another mode.
inline constexpr std::array kMotionLimits{
    ConditionalLimit{"linear_velocity",
                     {-1000, 1000},
                     ConditionalLimit::When::steering_beyond,
                     350,
                     "while the steering angle is beyond 20 degrees"},
    in_mode(0, "steering_angle", 698, "in ackermann"),
    in_mode(0, "angular_velocity", 0, "in ackermann"),
    in_mode(1, "angular_velocity", 0, "in oblique"),
    in_mode(2, "linear_velocity", 0, "in spin"),
    in_mode(2, "steering_angle", 0, "in spin"),
    in_mode(3, "linear_velocity", 0, "in park"),
    in_mode(3, "angular_velocity", 0, "in park"),
    in_mode(3, "steering_angle", 0, "in park"),
};
inline constexpr std::array kLightCommand{
    Signal{.name = "light_control", .field = u8(0), .range = {0, 1}, .choices = kEnabled},
    Signal{.name = "light_mode", .field = u8(1), .range = {0, 1}, .choices = kOnOff},
};
inline constexpr std::array kMotionModeCommand{
    Signal{.name = "motion_mode", .field = u8(0), .range = {0, 3}, .choices = kMotionModes},
};
inline constexpr std::array kControlModeCommand{
    Signal{.name = "control_mode", .field = u8(0), .range = {0, 1}, .choices = kControlModeCommands},
};
inline constexpr std::array kDriveModeCommand{
    Signal{.name = "drive_mode",
           .field = u8(0),
           .range = {0, 1},
           .choices = kDriveModes,
           .meaning = "only in park"},
};
inline constexpr std::array kClearErrorCommand{
    Signal{.name = "error",
           .field = u8(0),
           .range = {0, 0x10},
           .choices = kClearErrorCodes,
           .meaning = "what to clear"},
};

// ---- Messages -----------------------------------------------------------------------------------------

constexpr Message feedback(std::uint32_t id, std::string_view name, std::uint8_t dlc, std::uint16_t period_ms,
                           std::span<const Signal> signals, std::string_view meaning) {
  return {id, name, Direction::feedback, dlc, period_ms, 0, signals, meaning, kManual};
}
constexpr Message periodic_command(std::uint32_t id, std::string_view name, std::uint8_t dlc,
                                   std::span<const Signal> signals, std::string_view meaning,
                                   std::span<const ConditionalLimit> limits = {}) {
  return {id, name, Direction::command, dlc, 20, 500, signals, meaning, kManual, limits};
}
constexpr Message single_command(std::uint32_t id, std::string_view name, std::span<const Signal> signals,
                                 std::string_view meaning) {
  return {id, name, Direction::command, 1, 0, 0, signals, meaning, kManual};
}

/// One record a message; in the order of ids.
inline constexpr std::array kMessages{
    periodic_command(0x111, "motion_command", 8, kMotionCommand,
                     "speed and steering; the chassis stops after the timeout", kMotionLimits),
    periodic_command(0x121, "light_command", 8, kLightCommand, "lights; they go off after the timeout"),
    single_command(0x141, "motion_mode_command", kMotionModeCommand, "how the wheels steer"),
    feedback(0x211, "system_status", 8, 20, kSystemStatus, "state, who commands, battery voltage, errors"),
    feedback(0x221, "motion_feedback", 8, 20, kMotionFeedback, "speed and steering of the whole chassis"),
    feedback(0x231, "light_feedback", 8, 20, kLightFeedback, "lights"),
    feedback(0x241, "remote_control_feedback", 8, 20, kRemoteControlFeedback,
             "switches and sticks of the remote control"),
    feedback(0x251, "motor1_high_speed", 8, 20, kMotorHighSpeed, "right front drive motor"),
    feedback(0x252, "motor2_high_speed", 8, 20, kMotorHighSpeed, "right rear drive motor"),
    feedback(0x253, "motor3_high_speed", 8, 20, kMotorHighSpeed, "left rear drive motor"),
    feedback(0x254, "motor4_high_speed", 8, 20, kMotorHighSpeed, "left front drive motor"),
    feedback(0x255, "motor5_high_speed", 8, 20, kMotorHighSpeed, "right front steering motor"),
    feedback(0x256, "motor6_high_speed", 8, 20, kMotorHighSpeed, "right rear steering motor"),
    feedback(0x257, "motor7_high_speed", 8, 20, kMotorHighSpeed, "left rear steering motor"),
    feedback(0x258, "motor8_high_speed", 8, 20, kMotorHighSpeed, "left front steering motor"),
    feedback(0x261, "motor1_low_speed", 8, 100, kMotorLowSpeed, "right front drive motor and its driver"),
    feedback(0x262, "motor2_low_speed", 8, 100, kMotorLowSpeed, "right rear drive motor and its driver"),
    feedback(0x263, "motor3_low_speed", 8, 100, kMotorLowSpeed, "left rear drive motor and its driver"),
    feedback(0x264, "motor4_low_speed", 8, 100, kMotorLowSpeed, "left front drive motor and its driver"),
    feedback(0x265, "motor5_low_speed", 8, 100, kMotorLowSpeed, "right front steering motor and its driver"),
    feedback(0x266, "motor6_low_speed", 8, 100, kMotorLowSpeed, "right rear steering motor and its driver"),
    feedback(0x267, "motor7_low_speed", 8, 100, kMotorLowSpeed, "left rear steering motor and its driver"),
    feedback(0x268, "motor8_low_speed", 8, 100, kMotorLowSpeed, "left front steering motor and its driver"),
    feedback(0x271, "steering_angle_feedback", 8, 20, kSteeringAngleFeedback, "steering angle of each wheel"),
    feedback(0x281, "wheel_speed_feedback", 8, 20, kWheelSpeedFeedback, "speed of each wheel"),
    feedback(0x291, "motion_mode_feedback", 3, 20, kMotionModeFeedback,
             "how the wheels steer, and the drive mode"),
    feedback(0x311, "front_odometer", 8, 20, kOdometer, "distance of the front wheels"),
    feedback(0x312, "rear_odometer", 8, 20, kOdometer, "distance of the rear wheels"),
    // Hardware sends both BMS messages about every 240 ms, and 0x362 with DLC 8.
    feedback(0x361, "bms_status", 8, 500, kBmsStatus, "battery charge, voltage, current, temperature"),
    feedback(0x362, "bms_alarms", 4, 500, kBmsAlarms, "battery alarms and warnings"),
    single_command(0x421, "control_mode_command", kControlModeCommand,
                   "take control or give it back; acknowledged only through system_status.control_mode"),
    single_command(0x423, "drive_mode_command", kDriveModeCommand, "current or voltage drive of the motors"),
    single_command(0x441, "clear_error_command", kClearErrorCommand, "clear errors whose cause is gone"),
};
static_assert(well_formed(kMessages));

// ---- Beyond the table ---------------------------------------------------------------------------------

/// Asks for the firmware version; answered on the same id with 11 frames of 8 ASCII bytes (hardware).
inline constexpr Frame kVersionQuery{.id = 0x4A1, .length = 1, .data = {0x01}};
inline constexpr std::array kQueries{kVersionQuery};
inline constexpr std::array kOpaqueFeedback{
    OpaqueId{0x212, 4, "00 07 01 02 every 2 s on hardware; its meaning is not documented"},
    OpaqueId{0x4A1, 8, "text of the answer to the version query"},
};

inline constexpr Catalogue kCatalogue{
    "ranger_mini_3", "AgileX RANGER MINI 3.0", kMessages, {kQueries, kOpaqueFeedback}};

/// Bits per second on the bus; the manual allows no other rate.
inline constexpr std::uint32_t kBitRate = 500'000;

}  // namespace rangerctl::protocol::ranger_mini_3

namespace rangerctl::protocol {

/// The robot that every command assumes.
inline constexpr const Catalogue& kDefaultCatalogue = ranger_mini_3::kCatalogue;

}  // namespace rangerctl::protocol
