#include "rangerctl/sim/controller.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "motion_limits.hpp"
#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::sim {

namespace robot = protocol::ranger_mini_3;
using protocol::Catalogue;
using protocol::Message;
using protocol::Signal;

namespace {

using Reasons = std::uint32_t;  ///< a bit for each value of Ignored

constexpr Reasons bits(std::initializer_list<Ignored> reasons) {
  Reasons all = 0;
  for (const Ignored reason : reasons) all |= Reasons{1} << static_cast<unsigned>(reason);
  return all;
}

}  // namespace

/// A command frame with all its bytes, and what the chassis does when it arrives.
struct Controller::Command {
  const Message& message;
  const Frame& frame;
  SimTime now;
  const Body& body;

  /// The raw value of a signal; zero where the message has none of that name.
  [[nodiscard]] std::int64_t value(std::string_view signal) const {
    const Signal* const found = protocol::find_signal(message, signal);
    return found == nullptr ? 0 : protocol::raw_value(found->field, frame.bytes());
  }
};

/// Which command does what, and what keeps it from being obeyed.
struct CommandTable {
  struct Row {
    std::string_view message;
    Reasons refused_in;
    std::optional<Ignored> (Controller::*obey)(const Controller::Command& command);
  };

  static constexpr Reasons kAlways =
      bits({Ignored::short_frame, Ignored::unknown_value, Ignored::remote, Ignored::low_charge});
  static constexpr Reasons kWithoutControl = kAlways | bits({Ignored::standby});
  /// The power of the wheels is cut.
  static constexpr Reasons kWithoutPower =
      kWithoutControl | bits({Ignored::emergency_stop, Ignored::critical_error});

  static constexpr std::array kRows{
      Row{"control_mode_command", kAlways, &Controller::set_control_mode},
      Row{"motion_command", kWithoutPower | bits({Ignored::switching}), &Controller::set_motion},
      Row{"light_command", kWithoutControl, &Controller::set_lights},
      Row{"motion_mode_command", kWithoutPower, &Controller::set_motion_mode},
      Row{"drive_mode_command", kWithoutPower | bits({Ignored::not_in_park}), &Controller::set_drive_mode},
      Row{"clear_error_command", kWithoutControl, &Controller::clear_error},
  };

  static const Row* find(std::string_view message) {
    const auto* const found =
        std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.message == message; });
    return found == kRows.end() ? nullptr : found;
  }
};

namespace {

SimTime timeout_of(const Catalogue& catalogue, std::string_view message) {
  const Message* const found = catalogue.find(message);
  return found == nullptr || found->timeout_ms == 0 ? SimTime::max()
                                                    : std::chrono::milliseconds(found->timeout_ms);
}

bool has_unknown_value(const Message& message, const Frame& frame) {
  return std::any_of(message.signals.begin(), message.signals.end(), [&](const Signal& signal) {
    return !signal.choices.empty() &&
           protocol::choice_name(signal, protocol::raw_value(signal.field, frame.bytes())).empty();
  });
}

/// Every error whose cause is gone.
constexpr std::int64_t kClearEverything = 0;

}  // namespace

Controller::Controller(const Catalogue& catalogue, ControlMode at_power_up)
    : catalogue_(catalogue),
      emergency_stop_(flag_mask(catalogue, kErrorsWord, "emergency_stop")),
      remote_lost_(flag_mask(catalogue, kErrorsWord, "remote_control_lost")),
      motion_timeout_(timeout_of(catalogue, "motion_command")),
      light_timeout_(timeout_of(catalogue, "light_command")),
      host_mode_(at_power_up),
      reported_(at_power_up) {
  for (std::size_t word = 0; word < kFlagWords.size(); ++word)
    flags_[word] = flag_mask(catalogue, word, kFlagWords[word].healthy);
}

// ---- Commands -----------------------------------------------------------------------------------------

Verdict Controller::take(const Frame& frame, SimTime now, const Body& body) {
  const Message* const message = catalogue_.find(frame);
  const CommandTable::Row* const row = message == nullptr ? nullptr : CommandTable::find(message->name);
  if (row == nullptr) return {};
  const Command command{*message, frame, now, body};
  for (const IgnoredRow& reason : kIgnored) {
    if ((row->refused_in & bits({reason.reason})) != 0 && holds(reason.reason, command))
      return {message, reason.reason};
  }
  const Verdict verdict{message, (this->*row->obey)(command)};
  update(body);
  return verdict;
}

bool Controller::holds(Ignored reason, const Command& command) const {
  switch (reason) {
    case Ignored::short_frame:
      return protocol::is_short(command.message, command.frame);
    case Ignored::unknown_value:
      return has_unknown_value(command.message, command.frame);
    case Ignored::remote:
      return control_mode() == ControlMode::remote;
    case Ignored::standby:
      return control_mode() == ControlMode::standby;
    case Ignored::low_charge:
      return command.body.battery.percent() < robot::kNoCommandsBelowPercent;
    case Ignored::emergency_stop:
      return (errors() & emergency_stop_) != 0;
    case Ignored::critical_error:
      return (errors() & ~remote_lost_) != 0;
    case Ignored::switching:
      return is_switching(command.body);
    case Ignored::not_in_park:
      return command.body.motion.mode != chassis::MotionMode::park;
    case Ignored::cause_remains:
      break;  // known only after the attempt
  }
  return false;
}

std::optional<Ignored> Controller::set_control_mode(const Command& command) {
  host_mode_ = static_cast<ControlMode>(command.value("control_mode"));
  return std::nullopt;
}

std::optional<Ignored> Controller::set_motion(const Command& command) {
  motion_ = {limited_motion(command.message, command.frame, command.body), command.now};
  return std::nullopt;
}

std::optional<Ignored> Controller::set_lights(const Command& command) {
  lights_ = {command.value("light_control") != 0, command.value("light_mode") != 0, command.now};
  return std::nullopt;
}

std::optional<Ignored> Controller::set_motion_mode(const Command& command) {
  mode_ = static_cast<chassis::MotionMode>(command.value("motion_mode"));
  if (is_switching(command.body)) motion_.reset();
  return std::nullopt;
}

std::optional<Ignored> Controller::set_drive_mode(const Command& command) {
  drive_mode_ = static_cast<DriveMode>(command.value("drive_mode"));
  return std::nullopt;
}

std::optional<Ignored> Controller::clear_error(const Command& command) {
  if (clear(bits_of_code(command.value("error")))) return std::nullopt;
  return Ignored::cause_remains;
}

std::uint32_t Controller::bits_of_code(std::int64_t code) const {
  if (code == kClearEverything) return ~std::uint32_t{0};
  const Signal* const errors = find_flag_signal(catalogue_, kFlagWords[kErrorsWord]);
  std::uint32_t mask = 0;
  if (errors == nullptr) return mask;
  for (const protocol::Flag& flag : errors->flags) {
    if (flag.clear_code == code) mask |= std::uint32_t{1} << flag.bit;
  }
  return mask;
}

bool Controller::clear(std::uint32_t mask) {
  flags_[kErrorsWord] &= ~mask | causes_;
  return (errors() & mask) == 0;
}

// ---- State --------------------------------------------------------------------------------------------

ControlMode Controller::control_mode() const {
  return remote_on_ && (causes_ & remote_lost_) == 0 ? ControlMode::remote : host_mode_;
}

bool Controller::is_switching(const Body& body) const {
  return body.switch_remaining_s > 0 || mode_.value_or(body.motion.mode) != body.motion.mode;
}

bool Controller::may_drive(const Body& body) const {
  return control_mode() == ControlMode::can && (errors() & ~remote_lost_) == 0 &&
         body.battery.percent() >= robot::kNoCommandsBelowPercent;
}

void Controller::update(const Body& body) {
  if (!may_drive(body)) {
    motion_.reset();
    mode_.reset();
  }
  if (control_mode() != ControlMode::can || body.battery.percent() < robot::kNoCommandsBelowPercent)
    lights_.reset();
}

void Controller::tick(SimTime now, const Body& body) {
  update(body);
  const ControlMode mode = control_mode();
  const bool changes_hands =
      reported_ != mode && reported_ != ControlMode::standby && mode != ControlMode::standby;
  reported_ = changes_hands ? ControlMode::standby : mode;
  reported_light_control_ = lights_commanded(now);
}

bool Controller::motion_is_fresh(SimTime now) const { return motion_ && now - motion_->at < motion_timeout_; }

bool Controller::lights_commanded(SimTime now) const {
  return lights_ && lights_->enabled && now - lights_->at < light_timeout_;
}

SetPoints Controller::set_points(SimTime now, const Body& body) const {
  constexpr SimTime kFlash = std::chrono::milliseconds(500);
  const bool flash = body.battery.percent() < robot::kLightsFlashBelowPercent;
  SetPoints wanted;
  wanted.lights = flash ? now / kFlash % 2 == 0 : lights_commanded(now) && lights_->on;
  wanted.motion.mode = mode_.value_or(body.motion.mode);
  wanted.order = Order::stop;
  if (motion_is_fresh(now)) {
    wanted.motion = motion_->motion;
    wanted.order = Order::follow;
  }
  if ((errors() & emergency_stop_) != 0) wanted.order = Order::emergency_stop;
  return wanted;
}

// ---- The world ----------------------------------------------------------------------------------------

void Controller::set(FlagChoice flags, const Body& body) {
  flags_[flags.word] |= flags.mask;
  if (flags.word == kErrorsWord) causes_ |= flags.mask;
  update(body);
}

void Controller::release(FlagChoice flags, const Body& body) {
  (flags.word == kErrorsWord ? causes_ : flags_[flags.word]) &= ~flags.mask;
  update(body);
}

void Controller::use_remote(RemoteAction action, const Body& body) {
  switch (action) {
    case RemoteAction::on:
      remote_on_ = true;
      break;
    case RemoteAction::off:
      if (std::exchange(remote_on_, false)) host_mode_ = ControlMode::can;
      break;
    case RemoteAction::lost:
      set({kErrorsWord, remote_lost_}, body);
      break;
    case RemoteAction::found:
      release({kErrorsWord, remote_lost_}, body);
      break;
    case RemoteAction::key1:
      if (control_mode() == ControlMode::remote) clear(bits_of_code(kClearEverything));
      break;
  }
  update(body);
}

void Controller::power_cycle() {
  host_mode_ = ControlMode::standby;
  reported_ = control_mode();
  drive_mode_ = DriveMode::current;
  flags_[kErrorsWord] = causes_;
  motion_.reset();
  mode_.reset();
  lights_.reset();
}

// ---- Reports ------------------------------------------------------------------------------------------

int Controller::vehicle_state() const {
  if ((errors() & emergency_stop_) != 0) return 1;
  return (errors() & ~remote_lost_) != 0 ? 2 : 0;
}

bool Controller::reports_switching(const Body& body) const {
  if (body.switch_remaining_s <= 0 || switch_report_ == SwitchReport::never) return false;
  return switch_report_ == SwitchReport::always || body.mode_switches % 2 == 1;
}

}  // namespace rangerctl::sim
