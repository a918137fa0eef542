#include "rangerctl/teleop/chassis_watch.hpp"

#include <algorithm>
#include <utility>

#include "rangerctl/command/view.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::teleop {
namespace {

constexpr std::uint32_t kSystemStatus = 0x211;
constexpr std::uint32_t kMotionMode = 0x291;
constexpr std::uint32_t kRemote = 0x241;
constexpr std::uint32_t kAlarms = 0x362;
constexpr std::uint32_t kFirstMotor = 0x261;
constexpr std::uint32_t kMotionCommand = 0x111;
constexpr std::uint32_t kModeCommand = 0x141;
constexpr std::uint32_t kControlCommand = 0x421;

/// Bit 6 is set on every motor of a healthy chassis (decision 4 of the catalogue).
constexpr std::uint8_t kTrouble = 0x3F;

constexpr std::int64_t kSwitchUp = 2;
constexpr std::int64_t kSwitchDown = 3;

std::uint16_t two_bytes(std::int64_t low, std::int64_t high) {
  return static_cast<std::uint16_t>(low | high << 8);
}

}  // namespace

ChassisWatch::ChassisWatch(const protocol::Catalogue& catalogue) : catalogue_(catalogue) {
  const auto source = [&](std::uint32_t id, std::string_view signal) {
    const protocol::Message* const message = catalogue.find(id);
    return Source{message, protocol::find_signal(*message, signal)};
  };
  vehicle_state_ = source(kSystemStatus, "vehicle_state");
  control_mode_ = source(kSystemStatus, "control_mode");
  errors_ = source(kSystemStatus, "errors");
  motion_mode_ = source(kMotionMode, "motion_mode");
  switching_ = source(kMotionMode, "mode_switching");
  alarm_1_ = source(kAlarms, "alarm_1");
  alarm_2_ = source(kAlarms, "alarm_2");
  warning_1_ = source(kAlarms, "warning_1");
  warning_2_ = source(kAlarms, "warning_2");
  steering_ = source(kMotionCommand, "steering_angle");
  swa_ = source(kRemote, "swa");
  swb_ = source(kRemote, "swb");
  swd_ = source(kRemote, "swd");
  emergency_stop_bit_ = *protocol::parse_value(*errors_.signal, "emergency_stop");
  remote_lost_bit_ = *protocol::parse_value(*errors_.signal, "remote_control_lost");
  for (std::uint32_t i = 0; i < kMotors; ++i) motors_[i].id = kFirstMotor + i;
}

std::int64_t ChassisWatch::raw(const Source& source, const Frame& frame) const {
  return protocol::raw_value(source.signal->field, frame.bytes());
}

void ChassisWatch::take(const Received& received, SteadyTime now) {
  const Frame& frame = received.frame;
  if (frame.kind == FrameKind::error) return take_error_frame(frame);
  const protocol::Message* const message = catalogue_.find(frame);
  if (message == nullptr) return;
  if (message->is_command()) return take_command(received, now);
  if (protocol::is_short(*message, frame)) return;
  if (frame.id == kSystemStatus) take_status(frame);
  if (frame.id == kMotionMode) take_mode(frame, now);
  if (frame.id == kAlarms) take_alarms(frame);
  if (frame.id == kRemote) take_remote(frame);
  if (frame.id >= kFirstMotor && frame.id < kFirstMotor + kMotors) take_motor(frame);
}

void ChassisWatch::take_status(const Frame& frame) {
  newest_errors_ = static_cast<std::uint32_t>(raw(errors_, frame));
  newest_state_ = raw(vehicle_state_, frame);
  newest_control_ = raw(control_mode_, frame);
  seen_errors_ |= newest_errors_;
  if (newest_state_ != 0) seen_state_ = newest_state_;
  if (newest_control_ != kControlCan) seen_control_ = newest_control_;
}

void ChassisWatch::take_mode(const Frame& frame, SteadyTime now) {
  constexpr std::int64_t kBits = 31;
  const std::int64_t mode = raw(motion_mode_, frame);
  newest_mode_ = mode;
  seen_modes_ |= std::uint32_t{1} << std::min(mode, kBits);
  if (mode >= kBits) strange_mode_ = mode;
  const bool switching = raw(switching_, frame) != 0;
  seen_switching_ = seen_switching_ || switching;
  if (!switching) switching_since_.reset();
  if (switching && !switching_since_) switching_since_ = now;
}

void ChassisWatch::take_alarms(const Frame& frame) {
  newest_alarms_ = two_bytes(raw(alarm_1_, frame), raw(alarm_2_, frame));
  newest_warnings_ = two_bytes(raw(warning_1_, frame), raw(warning_2_, frame));
  seen_alarms_ |= newest_alarms_;
  seen_warnings_ |= newest_warnings_;
}

void ChassisWatch::take_remote(const Frame& frame) {
  zero_calibration_ =
      raw(swa_, frame) == kSwitchDown && raw(swb_, frame) == kSwitchUp && raw(swd_, frame) == kSwitchDown;
}

void ChassisWatch::take_motor(const Frame& frame) {
  const protocol::Message& message = *catalogue_.find(frame);
  const auto status =
      protocol::raw_value(protocol::find_signal(message, "driver_status")->field, frame.bytes());
  auto& last = motors_[frame.id - kFirstMotor].last;
  last = {last[1], last[2], static_cast<std::uint8_t>(status & kTrouble)};
}

void ChassisWatch::take_command(const Received& received, SteadyTime now) {
  if (received.own_echo) return;
  const std::uint32_t id = received.frame.id;
  if (id != kMotionCommand && id != kModeCommand && id != kControlCommand) return;
  const std::uint64_t steering = protocol::detail::occupied_bits(steering_.signal->field);
  const bool nothing_but_steering = (protocol::payload_word(received.frame.bytes()) & ~steering) == 0;
  const bool may_be_guards =
      received.direction == FrameDirection::tx && received.frame.id == kMotionCommand && nothing_but_steering;
  if (!may_be_guards) {
    foreign_ = now;
    return;
  }
  ++host_zeros_;
  host_zero_at_ = now;
}

void ChassisWatch::take_error_frame(const Frame& frame) {
  if ((frame.id & (kErrorBusOff | kErrorRestarted)) != 0) seen_bus_off_ = true;
}

void ChassisWatch::report(Facts& facts, std::optional<std::int64_t> expected_mode, std::uint32_t guard_zeros,
                          SteadyTime now) {
  const std::uint32_t errors = std::exchange(seen_errors_, 0) | newest_errors_;
  facts.emergency_stop = (errors & emergency_stop_bit_) != 0;
  facts.remote_lost = (errors & remote_lost_bit_) != 0;
  facts.errors = errors & ~static_cast<std::uint32_t>(emergency_stop_bit_ | remote_lost_bit_);
  const std::int64_t state = std::exchange(seen_state_, 0);
  facts.vehicle_state = newest_state_ != 0 ? newest_state_ : state;
  facts.control_mode = std::exchange(seen_control_, std::nullopt).value_or(newest_control_);
  facts.motion_mode = newest_mode_;
  const std::uint32_t modes = std::exchange(seen_modes_, 0);
  for (std::int64_t mode = 0; mode < 32; ++mode) {
    const bool seen = (modes >> mode & 1U) != 0;
    if (seen && mode != expected_mode) facts.motion_mode = mode == 31 ? strange_mode_ : mode;
  }
  if (switching_since_) facts.switching = std::chrono::floor<milliseconds>(now - *switching_since_);
  if (std::exchange(seen_switching_, false) && !facts.switching) facts.switching = milliseconds(0);
  facts.bms_alarms = static_cast<std::uint16_t>(std::exchange(seen_alarms_, 0) | newest_alarms_);
  facts.bms_warnings = static_cast<std::uint16_t>(std::exchange(seen_warnings_, 0) | newest_warnings_);
  facts.zero_calibration = zero_calibration_;
  for (std::size_t i = 0; i < kMotors; ++i) {
    const auto& last = motors_[i].last;
    facts.driver_status[i] = static_cast<std::uint8_t>(last[0] & last[1] & last[2]);
  }
  facts.bus_off = std::exchange(seen_bus_off_, false);
  if (host_zeros_ > guard_zeros) {
    foreign_ = host_zero_at_;
    host_zeros_ = guard_zeros;
  }
  const bool recent = foreign_ && now - *foreign_ <= command::motion_timeout(catalogue_);
  facts.foreign_command =
      recent ? std::optional(std::chrono::floor<milliseconds>(now - *foreign_)) : std::nullopt;
}

}  // namespace rangerctl::teleop
