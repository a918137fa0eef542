#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/teleop/facts.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::teleop {

/// What every frame says that one frame is enough for: two may arrive between two ticks, and the newer one
/// must not hide the older.
class ChassisWatch {
 public:
  explicit ChassisWatch(const protocol::Catalogue& catalogue);

  /// Takes a frame that was there at `now`. Only complete frames of the catalogue count.
  void take(const Received& received, SteadyTime now);

  /// Writes what was seen since the last call into `facts`, and forgets it.
  /// `expected_mode`: the motion mode that is no surprise; nothing: none is. `guard_zeros`: how many zeros
  /// our own guard process has sent at most since the start; as many of this host are no other controller's.
  void report(Facts& facts, std::optional<std::int64_t> expected_mode, std::uint32_t guard_zeros,
              SteadyTime now);

 private:
  struct Source {
    const protocol::Message* message;
    const protocol::Signal* signal;
  };
  struct Motor {
    std::uint32_t id;
    std::array<std::uint8_t, 3> last;  ///< driver_status of the last three frames
  };

  [[nodiscard]] std::int64_t raw(const Source& source, const Frame& frame) const;
  void take_status(const Frame& frame);
  void take_mode(const Frame& frame, SteadyTime now);
  void take_alarms(const Frame& frame);
  void take_remote(const Frame& frame);
  void take_motor(const Frame& frame);
  void take_command(const Received& received, SteadyTime now);
  void take_error_frame(const Frame& frame);

  const protocol::Catalogue& catalogue_;
  Source vehicle_state_, control_mode_, errors_, motion_mode_, switching_;
  Source alarm_1_, alarm_2_, warning_1_, warning_2_;
  Source swa_, swb_, swd_;
  Source steering_;  ///< of motion_command
  std::int64_t emergency_stop_bit_, remote_lost_bit_;

  // Since the last report.
  std::uint32_t seen_errors_ = 0;
  std::int64_t seen_state_ = 0;
  std::optional<std::int64_t> seen_control_;  ///< the last that was not can
  std::uint32_t seen_modes_ = 0;              ///< a bit for each motion mode, bit 31 for any beyond
  std::int64_t strange_mode_ = 0;             ///< the last beyond bit 30
  std::uint16_t seen_alarms_ = 0, seen_warnings_ = 0;
  bool seen_bus_off_ = false;
  bool seen_switching_ = false;

  // That lasts.
  std::int64_t newest_control_ = kControlCan;
  std::optional<std::int64_t> newest_mode_;
  std::optional<SteadyTime> switching_since_;
  std::uint16_t newest_alarms_ = 0, newest_warnings_ = 0;
  std::uint32_t newest_errors_ = 0;
  std::int64_t newest_state_ = 0;
  bool zero_calibration_ = false;
  std::array<Motor, kMotors> motors_{};
  std::optional<SteadyTime> foreign_;
  std::uint32_t host_zeros_ = 0;  ///< of this host, but not by our transport
  SteadyTime host_zero_at_;
};

}  // namespace rangerctl::teleop
