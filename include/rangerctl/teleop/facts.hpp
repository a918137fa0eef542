#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rangerctl/terminal/handshake.hpp"

namespace rangerctl::teleop {

using std::chrono::milliseconds;
using Microseconds = std::chrono::microseconds;

inline constexpr std::size_t kMotors = 8;

/// Of system_status.control_mode.
inline constexpr std::int64_t kControlStandby = 0;
inline constexpr std::int64_t kControlCan = 1;
inline constexpr std::int64_t kControlRemote = 3;

/// What the rules look at in one tick, as plain numbers. The defaults are those of a chassis, a link and a
/// program that are all well, at rest and DISARMED. Ages count from the arrival of the last complete frame;
/// nothing: none has arrived yet. "Seen" means: in any frame since the last tick, not only in the newest.
struct Facts {
  bool holding = false;     ///< ARMED, MOVING or STOPPING: zeros or more are sent in every tick
  bool commanding = false;  ///< MOVING or STOPPING
  bool arming = false;      ///< the code was typed or is being typed

  // The chassis.
  bool emergency_stop = false;     ///< error bit, seen
  std::int64_t vehicle_state = 0;  ///< seen, the last that was not 0
  std::uint32_t errors = 0;        ///< other error bits but remote_control_lost, seen, all together
  bool remote_lost = false;        ///< error bit, seen
  std::array<std::uint8_t, kMotors> driver_status = {};      ///< bits 0 to 5 that three frames in a row had
  std::optional<milliseconds> status_age = milliseconds(0);  ///< 0x211
  std::optional<milliseconds> motion_age = milliseconds(0);  ///< 0x221
  std::optional<milliseconds> mode_age = milliseconds(0);    ///< 0x291
  std::optional<milliseconds> bms_age = milliseconds(0);     ///< 0x361
  std::int64_t control_mode = kControlCan;                   ///< seen, the last that was not can
  std::optional<std::int64_t> motion_mode = 0;               ///< seen, the last that was not expected
  std::optional<std::int64_t> expected_mode = 0;  ///< confirmed last; nothing: not armed, or a change runs
  std::optional<milliseconds> switching;          ///< since when 0x291 says that the wheels change
  std::optional<milliseconds> mode_change;        ///< a change of our own runs since
  std::int64_t soc = 100;                         ///< counts only with bms_age
  std::uint16_t bms_alarms = 0;                   ///< alarm_1 and, from bit 8, alarm_2; seen
  std::uint16_t bms_warnings = 0;
  bool zero_calibration = false;  ///< the remote's switches stand as for a zero calibration
  bool ignore_remote_lost = false;

  // What became of what we sent.
  milliseconds nonzero_after_stop{0};  ///< zero is commanded and the chassis moves on, for so long
  bool moves = false;                  ///< motion_feedback says so
  bool held_back = false;              ///< a motion key waits until the chassis does not move the other way
  milliseconds wrong_way{0};           ///< it moves against the command, for so long
  milliseconds stopping{0};            ///< STOPPING has commanded zero for so long without coming to rest
  int full_queues = 0;                 ///< sends in a row that the queue did not take
  milliseconds echo_missing{0};        ///< age of the oldest frame of ours without an echo
  std::size_t unconfirmed = 0;         ///< frames of ours without an echo
  bool interface_trouble = false;      ///< down, gone, or a frame was refused by it; in this tick
  bool bus_off = false;  ///< bus-off or a restart was told since the last tick, or it is bus-off
  bool error_passive = false;
  std::optional<milliseconds> foreign_command;  ///< age of the last 0x111, 0x141 or 0x421 that is not ours
  bool other_instance = false;

  // The keys and the way that they take.
  bool answers = true;  ///< the terminal answers `CSI 5 n`
  terminal::Relay relay = terminal::Relay::none;
  bool answered_too_quickly =
      false;  ///< for a link that is not of this computer: something answers before it
  bool blind_link_allowed = false;
  /// How long the computer of the SSH session has acknowledged nothing; nothing: it is not looked at.
  std::optional<milliseconds> tcp_missing;
  std::optional<Microseconds> bound = Microseconds(60'000);        ///< of the age of a key, now
  std::optional<Microseconds> worst_bound = Microseconds(60'000);  ///< in the last two seconds
  std::size_t answers_in_a_row = 20;
  Microseconds bound_p95{60'000};
  milliseconds silence{0};  ///< of the terminal
  bool unasked_answer = false;
  int stale_keys = 0;  ///< in this tick
  bool burst = false;
  int keys_per_second = 0;
  bool released = false;       ///< a key release ended the motion in this tick (kitty)
  bool repeats_ended = false;  ///< the repeats stayed away (legacy)
  bool nudging = false;
  bool release_lost = false;
  bool locked = false;  ///< motion keys are down and count for nothing
  bool not_counted =
      false;               ///< one that is down never counted, since it came in one read with a stop (kitty)
  bool no_effect = false;  ///< one was pressed that does nothing in this motion mode
  std::optional<milliseconds> unfocused;
  bool pasted = false;  ///< a paste began, or runs
  bool paste_too_long = false;
  std::optional<milliseconds> window_too_small;
  milliseconds idle{0};  ///< ARMED without a key

  // This program.
  int expirations = 1;  ///< of the ticker: 1 is in time
  milliseconds late{0};
  milliseconds held_up{0};
  bool guard_alive = true;
  bool guard_intervened = false;

  int limit_mmps = 300;  ///< that the operator chose
};

/// The link bounds nothing: somebody in between answers, or nobody does.
[[nodiscard]] constexpr bool is_blind(const Facts& facts) {
  return !facts.answers || facts.relay != terminal::Relay::none || facts.answered_too_quickly;
}

}  // namespace rangerctl::teleop
