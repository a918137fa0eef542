#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/sim/body.hpp"
#include "rangerctl/sim/flag_word.hpp"
#include "rangerctl/sim/sim_time.hpp"

/// What the electronics of the simulated chassis decide: who commands it, which commands are obeyed, what an
/// error stops and what clears it, and what happens when commands stay away. The rules are the manual's;
/// where it says nothing, the decision stands here.
namespace rangerctl::sim {

/// The numbers are those of control_mode in the catalogue.
enum class ControlMode : std::uint8_t { standby = 0, can = 1, remote = 3 };

/// The numbers are those of drive_mode in the catalogue.
enum class DriveMode : std::uint8_t { current = 0, voltage = 1 };

/// Whether mode_switching tells that the wheels turn. Hardware sets it in about half of the switches.
enum class SwitchReport : std::uint8_t { alternate, always, never };

/// What a person does with the remote control. `on` is SWB middle; `off` is SWB up, which hands over to the
/// host (control_mode can) without a 0x421, as the manual says.
enum class RemoteAction : std::uint8_t { on, off, lost, found, key1 };

/// Why a command was not obeyed. The order is that in which the reasons are looked at.
enum class Ignored : std::uint8_t {
  short_frame,
  unknown_value,
  remote,
  standby,
  low_charge,
  emergency_stop,
  critical_error,
  switching,
  not_in_park,
  cause_remains,
};

struct IgnoredRow {
  Ignored reason;
  std::string_view name;  ///< for counting
  std::string_view advice;
};

/// For people who test a driver.
inline constexpr std::array kIgnored{
    IgnoredRow{Ignored::short_frame, "short", "fewer bytes than the command has"},
    IgnoredRow{Ignored::unknown_value, "unknown value", "the manual does not list it"},
    IgnoredRow{Ignored::remote, "remote control", "it has priority; here: remote off"},
    IgnoredRow{Ignored::standby, "standby", "send 0x421 first"},
    IgnoredRow{Ignored::low_charge, "low charge", "below 10 %; here: soc 80"},
    IgnoredRow{Ignored::emergency_stop, "emergency stop",
               "release it (here: release emergency_stop), then clear it with 0x441"},
    IgnoredRow{Ignored::critical_error, "error", "clear it with 0x441 once its cause is gone"},
    IgnoredRow{Ignored::switching, "mode switch", "the wheels are not there yet"},
    IgnoredRow{Ignored::not_in_park, "not in park", "switch to park with 0x141 first"},
    IgnoredRow{Ignored::cause_remains, "cause remains",
               "an error stays while its cause lasts; here: release NAME"},
};

/// So that a reason is the index of its row.
static_assert([] {
  for (std::size_t i = 0; i < kIgnored.size(); ++i) {
    if (kIgnored[i].reason != static_cast<Ignored>(i)) return false;
  }
  return true;
}());

/// What became of a frame that reached the chassis.
struct Verdict {
  const protocol::Message* command = nullptr;  ///< null: no command of the catalogue, so nothing to it
  std::optional<Ignored> ignored;              ///< nothing: obeyed
};

/// Pure: the same calls give the same answers. The catalogue is kept by reference; commands and flags that it
/// has not got do not exist.
///
/// Decisions: Every error but remote_control_lost is critical and stops the chassis, unknown bits too. After
/// an error, an e-stop, a loss of control or a mode switch the motion that was commanded before is forgotten:
/// only a new 0x111 moves the chassis. Code 0x00 clears every error whose cause is gone. An error is raised
/// by its cause and stays when the cause goes; flags of the battery and of the motor drivers come and go with
/// theirs.
class Controller {
 public:
  Controller(const protocol::Catalogue& catalogue, ControlMode at_power_up);

  /// A frame from the bus. Frames longer than the command are read and the rest of them ignored, because
  /// ugv_sdk pads to 8 bytes. Values beyond the limits are cut to them. `body` is what the chassis does now.
  Verdict take(const Frame& frame, SimTime now, const Body& body);

  /// Forgets what may not go on in this state of things. To be called whenever `body` may have changed.
  void update(const Body& body);

  /// One round of the control loop: who commands, as it is reported, changes only here.
  void tick(SimTime now, const Body& body);

  /// What the body is to do now. The motion stops and the lights go off when their command's timeout has
  /// passed.
  [[nodiscard]] SetPoints set_points(SimTime now, const Body& body) const;

  // ---- What happens to the chassis other than by frames -----------------------------------------------

  void set(FlagChoice flags, const Body& body);
  /// The cause is gone. A lost remote control that is found again commands again.
  void release(FlagChoice flags, const Body& body);
  void use_remote(RemoteAction action, const Body& body);
  void set_switch_report(SwitchReport report) { switch_report_ = report; }
  /// Standby and current drive; errors whose cause is gone are gone. The remote control stays as it is.
  void power_cycle();

  // ---- What it reports ----------------------------------------------------------------------------------

  /// Like hardware it says standby for one round when it goes from can to remote or back.
  [[nodiscard]] ControlMode reported_control_mode() const { return reported_; }
  /// 1 during an e-stop (known from other AgileX chassis), 2 with any other critical error, else 0.
  [[nodiscard]] int vehicle_state() const;
  [[nodiscard]] DriveMode drive_mode() const { return drive_mode_; }
  [[nodiscard]] bool remote_is_on() const { return remote_on_; }  ///< SWB middle; otherwise up
  [[nodiscard]] bool reports_switching(const Body& body) const;
  [[nodiscard]] bool reports_light_control() const { return reported_light_control_; }
  [[nodiscard]] std::uint32_t flags(std::size_t word) const { return flags_[word]; }

 private:
  friend struct CommandTable;

  struct MotionOrder {
    chassis::Motion motion;
    SimTime at;
  };
  struct LightOrder {
    bool enabled;
    bool on;
    SimTime at;
  };
  struct Command;

  [[nodiscard]] ControlMode control_mode() const;
  [[nodiscard]] bool holds(Ignored reason, const Command& command) const;
  [[nodiscard]] bool is_switching(const Body& body) const;
  [[nodiscard]] bool may_drive(const Body& body) const;
  [[nodiscard]] bool motion_is_fresh(SimTime now) const;
  [[nodiscard]] bool lights_commanded(SimTime now) const;
  [[nodiscard]] std::uint32_t errors() const { return flags_[kErrorsWord]; }
  [[nodiscard]] std::uint32_t bits_of_code(std::int64_t code) const;
  /// True where nothing of `mask` is left.
  bool clear(std::uint32_t mask);

  std::optional<Ignored> set_control_mode(const Command& command);
  std::optional<Ignored> set_motion(const Command& command);
  std::optional<Ignored> set_lights(const Command& command);
  std::optional<Ignored> set_motion_mode(const Command& command);
  std::optional<Ignored> set_drive_mode(const Command& command);
  std::optional<Ignored> clear_error(const Command& command);

  const protocol::Catalogue& catalogue_;
  std::uint32_t emergency_stop_;  ///< mask of the bit
  std::uint32_t remote_lost_;     ///< mask of the bit
  SimTime motion_timeout_;
  SimTime light_timeout_;

  ControlMode host_mode_;  ///< of the two that 0x421 chooses
  ControlMode reported_;
  bool reported_light_control_ = false;
  DriveMode drive_mode_ = DriveMode::current;
  SwitchReport switch_report_ = SwitchReport::alternate;
  bool remote_on_ = false;
  std::array<std::uint32_t, kFlagWords.size()> flags_{};
  std::uint32_t causes_ = 0;  ///< of errors
  std::optional<MotionOrder> motion_;
  std::optional<chassis::MotionMode> mode_;  ///< that 0x141 asked for
  std::optional<LightOrder> lights_;
};

}  // namespace rangerctl::sim
