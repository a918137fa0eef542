#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/exit_status.hpp"
#include "rangerctl/monitor/state.hpp"
#include "rangerctl/teleop/drive.hpp"
#include "rangerctl/teleop/facts.hpp"
#include "rangerctl/teleop/keys.hpp"
#include "rangerctl/teleop/rules.hpp"
#include "rangerctl/terminal/handshake.hpp"
#include "rangerctl/transport.hpp"

/// What teleop shows and records of itself: plain values without pointers into it, so that another thread can
/// have a copy.
namespace rangerctl::teleop {

enum class State : std::uint8_t {
  disarmed,  ///< sends nothing
  arming,    ///< waits for the code, then for control
  armed,     ///< sends zeros
  moving,
  stopping,  ///< zero is commanded, or the ramp to it runs; until the chassis is at rest
  fault,     ///< until it is acknowledged
};
/// "DISARMED"
[[nodiscard]] std::string_view state_name(State state);

/// Why teleop ends. The order is that of no preference.
enum class Leave : std::uint8_t { quit, interrupt, terminate, hang_up, suspend };

/// Something that happened, for the event list and the record.
struct Event {
  enum class Kind : std::uint8_t {
    state,           ///< from -> to
    refused_to_arm,  ///< because of `rule`
    code,            ///< `value` is to be typed
    wrong_code,
    typed_too_early,  ///< before the code was shown
    not_confirmed,    ///< the chassis did not give control
    mode_requested,   ///< `value`: motion mode
    mode_confirmed,
    mode_refused,      ///< `value`: 1 in a dry run
    limit,             ///< `value`: mm/s
    lights,            ///< `value`: 1 on
    not_acknowledged,  ///< the cause of the FAULT is still there: `rule`
    leaving,
  };
  Kind kind = Kind::state;
  State from = State::disarmed;
  State to = State::disarmed;
  std::size_t rule = kRuleCount;  ///< index into rules(); kRuleCount: the operator
  Finding finding = {};
  std::int64_t value = 0;
};
[[nodiscard]] std::string event_text(const Event& event, const protocol::Catalogue& catalogue);

/// Interval of the loop and what became of frames, in numbers.
struct Counters {
  std::uint64_t ticks = 0;
  std::uint64_t late_ticks = 0;    ///< more than 10 ms
  std::uint64_t missed_ticks = 0;  ///< expirations that nothing was done for
  Microseconds worst_period{0};    ///< in the last second or so
  std::uint64_t sent = 0;          ///< taken by the kernel
  std::uint64_t confirmed = 0;     ///< echoed
  std::uint64_t queue_full = 0;
  std::uint64_t stale_keys = 0;
  std::uint64_t unasked_answers = 0;
};

struct Status {
  SteadyTime now;
  State state = State::disarmed;
  SteadyTime since;  ///< when the state became what it is
  bool leaving = false;
  bool control_taken = false;  ///< by us, and is to be given back
  bool dry_run = false;
  bool show_help = false;
  Layout layout = Layout::wasd;

  std::optional<int> code;  ///< ARMING: to be typed; nothing: typed, control is awaited
  int typed = 0;            ///< how many of its digits were typed

  Facts facts;
  Findings findings;
  std::size_t cause_rule = kRuleCount;  ///< why the state became what it is; kRuleCount: the operator
  Finding cause;                        ///< as it was found then; the cause may be gone by now

  // Command.
  chassis::MotionMode mode = chassis::MotionMode::ackermann;  ///< confirmed last
  int limit_mmps = 0;                                         ///< chosen by the operator
  int allowed_mmps = 0;                                       ///< after all caps
  int target_mmps = 0;                                        ///< of the wheels, signed
  std::int64_t target_mrad = 0;
  Motion sent;           ///< in the last tick in which something was sent
  bool sending = false;  ///< in this tick
  bool lights = false;

  // Chassis; nothing: not known now.
  std::optional<std::int64_t> linear_velocity, angular_velocity, steering_angle;
  std::optional<std::int64_t> vehicle_state, control_mode, motion_mode, errors, soc;
  std::optional<std::int64_t> battery_voltage;
  monitor::Controller controller = monitor::Controller::not_told;
  LinkStatus link;

  // Keys and their way; the rest of it is among the facts.
  bool key_releases = false;
  std::optional<Microseconds> round_trip;
  char32_t last_key = 0;
  std::optional<milliseconds> last_key_age;
  Counters counters;
};

/// What was confirmed at the end, and what was not.
struct Farewell {
  Leave why = Leave::quit;
  bool dry_run = false;
  bool ever_armed = false;
  int zeros_confirmed = 0;
  std::optional<std::int64_t> linear_velocity = {};  ///< at the end; nothing: not known
  bool at_rest = false;
  bool control_taken = false;     ///< by us, so that it was to be given back
  bool control_returned = false;  ///< confirmed by system_status
  bool control_lost = false;      ///< somebody else has it
  [[nodiscard]] bool all_confirmed() const;
};
/// One line: "stopped: 5 zeros confirmed, v=0.000 m/s, control given back (standby)". `address`: of the bus,
/// for a command in the text.
[[nodiscard]] std::string farewell_text(const Farewell& farewell, std::string_view address);
[[nodiscard]] ExitStatus exit_status(const Farewell& farewell);

}  // namespace rangerctl::teleop
