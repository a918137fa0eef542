#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "rangerctl/command/motion_mode_watch.hpp"
#include "rangerctl/command/view.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/teleop/chassis_watch.hpp"
#include "rangerctl/teleop/drive.hpp"
#include "rangerctl/teleop/guard_duty.hpp"
#include "rangerctl/teleop/keyboard.hpp"
#include "rangerctl/teleop/response.hpp"
#include "rangerctl/teleop/status.hpp"
#include "rangerctl/terminal/input.hpp"

/// Keyboard driving as a pure state machine: keys, frames, link and time in, frames and reasons out.
namespace rangerctl::teleop {

inline constexpr milliseconds kPeriod{20};

struct Options {
  Layout layout = Layout::wasd;
  int max_mmps = 900;
  bool max_was_given = false;  ///< then the key 0 chooses it
  bool dry_run = false;        ///< its frames are for show
  bool ignore_remote_lost = false;
  bool allow_blind_link = false;
  terminal::Capabilities terminal = {};
  bool link_leaves_host = false;  ///< an SSH session from another computer
};

/// What else is known at a tick.
struct Tick {
  SteadyTime now;
  int expirations = 1;      ///< of the 20 ms timer since the last one
  milliseconds late{0};     ///< against its schedule
  milliseconds held_up{0};  ///< since the last tick, where that is too long; suspended time included
  bool guard_alive = true;
  bool guard_intervened = false;                 ///< since the last tick
  std::uint32_t guard_zeros = 0;                 ///< that the guard has sent at most since the start
  std::optional<milliseconds> tcp_missing = {};  ///< see Facts
  bool window_fits = true;                       ///< the state can be shown
  std::uint32_t random = 0;                      ///< for the code
};

/// What is to be done after a tick, in this order.
struct Output {
  static constexpr std::size_t kMostFrames = 2;
  std::array<Frame, kMostFrames> frames;  ///< to send now; in a dry run to be shown only
  std::size_t frame_count = 0;
  bool ask_terminal = false;    ///< write terminal::kStatusQuery
  std::optional<Farewell> end;  ///< it is over
  [[nodiscard]] std::span<const Frame> to_send() const { return {frames.data(), frame_count}; }
};

/// Never allocates after its construction, but where the bus names an id that is in no catalogue for the
/// first time. The caller calls, every 20 ms: take() for all that arrived, step(), then sent() for each
/// frame.
class Machine {
 public:
  /// `catalogue` is kept by reference.
  Machine(const protocol::Catalogue& catalogue, std::uint32_t bit_rate, const Options& options,
          SteadyTime now);

  void take(const Received& received, SteadyTime now);
  void take_link(const LinkStatus& status, SteadyTime now);
  /// An event of the terminal, read at `now`. `batch` numbers the calls of read().
  void take(const terminal::Event& event, std::uint64_t batch, SteadyTime now) {
    keyboard_.take(event, batch, now);
  }
  /// An end from outside. The first one counts.
  void leave(Leave why);

  Output step(const Tick& tick);
  /// What became of a frame of the last step. Not called in a dry run.
  void sent(const Result<Sent>& result, SteadyTime now);

  [[nodiscard]] State state() const { return state_; }
  /// Status queries that the terminal has still to answer.
  [[nodiscard]] std::size_t unanswered() const { return keyboard_.fence().unanswered(); }
  [[nodiscard]] const command::View& view() const { return view_; }
  /// The chassis may obey what was sent: a guard has to stop it if this program dies.
  [[nodiscard]] bool must_be_guarded() const;
  /// How it is to be stopped then.
  [[nodiscard]] Standstill standstill() const;
  [[nodiscard]] Status status() const;
  /// What happened in the last step.
  [[nodiscard]] std::span<const Event> events() const { return {events_.data(), event_count_}; }
  [[nodiscard]] std::span<const KeyRecord> keys() const { return keyboard_.records(); }

 private:
  enum class StopKind : std::uint8_t { release, zero, disarm };

  struct Arming {
    SteadyTime since;  ///< of the code, then of the wish for control
    int code = 0;
    int typed = 0;
    int digits = 0;
    bool code_typed = false;
    bool control_asked = false;
  };
  struct ModeChange {
    command::MotionModeWatch watch;
    SteadyTime since;
  };
  struct Leaving {
    Leave why = Leave::quit;
    SteadyTime since;
    std::uint64_t echoes_before = 0;  ///< those up to here are of frames before the zeros
    bool was_holding = false;
    int zeros_sent = 0;
    std::optional<SteadyTime> zeros_done = {};
    std::optional<SteadyTime> control_asked = {};
  };

  // What is so: machine_facts.cpp
  void gather(const Tick& tick);
  void gather_chassis(const Tick& tick);
  void gather_bus();
  void gather_keys(const Tick& tick);

  void count_tick(const Tick& tick);

  // What the rules and the operator want: machine.cpp
  void apply_rules();
  void enter(State state, std::size_t rule);
  void enter_fault(std::size_t rule);
  void disarm_now(std::size_t rule);
  void stop(StopKind kind, std::size_t rule);
  void log(const Event& event);
  void lock_keys();
  void advance();
  void find_allowed_speed();
  void advance_arming();
  void advance_stopping();
  void advance_mode_change();
  void arm();
  void drive();
  [[nodiscard]] int first_limit_mmps() const;
  [[nodiscard]] bool may_move() const;
  [[nodiscard]] Wanted wanted() const;
  [[nodiscard]] double wanted_steering() const;
  [[nodiscard]] int wheel_sign() const;
  [[nodiscard]] bool may_start() const;

  // What the operator typed: machine_keys.cpp
  void take_press(const Keyboard::Press& press, const Tick& tick);
  void do_command(const Keyboard::Press& press, const Tick& tick);
  void other_key();
  void operator_stop();
  void turn_setpoint(int steps);
  void choose_limit(char32_t digit);
  void type_digit(const Keyboard::Press& press);
  void confirm_code(const Keyboard::Press& press);
  void ask_to_arm(std::uint32_t random);
  void acknowledge();
  void change_mode();
  [[nodiscard]] bool is_behind_code(const Keyboard::Press& press) const;

  // What is sent: machine_output.cpp
  void emit_all();
  void emit_motion();
  void note_response();
  void emit(const Frame& frame);
  void emit_single(std::string_view message, std::int64_t value);
  void take_wish_back();
  void note_control();
  [[nodiscard]] bool may_queue() const;
  [[nodiscard]] Motion allowed(Motion motion) const;
  void advance_leaving();
  void start_leaving(Leave why);
  [[nodiscard]] bool control_is_ours() const;
  [[nodiscard]] bool sends_motion() const;
  [[nodiscard]] Farewell farewell() const;

  [[nodiscard]] bool holding() const;
  [[nodiscard]] std::optional<std::int64_t> fresh(std::string_view message, std::string_view signal) const;
  [[nodiscard]] std::optional<milliseconds> age(std::string_view message) const;
  [[nodiscard]] chassis::MotionMode mode() const;

  const protocol::Catalogue& catalogue_;
  Options options_;
  command::View view_;
  ChassisWatch watch_;
  Keyboard keyboard_;
  Drive drive_;
  Response response_;

  SteadyTime now_;
  SteadyTime::duration step_{0};  ///< since the tick before
  State state_ = State::disarmed;
  SteadyTime state_since_;
  Facts facts_;
  Findings findings_{};
  Wish wish_;

  std::optional<Arming> arming_;
  int last_code_ = 0;
  StopKind stop_kind_ = StopKind::release;
  std::size_t stop_rule_ = kRuleCount;
  std::optional<SteadyTime> stopping_since_;  ///< STOPPING with zero commanded
  std::size_t cause_rule_ = kRuleCount;       ///< of the state
  Finding cause_;
  std::optional<SteadyTime> fault_zeros_until_;
  std::optional<ModeChange> mode_change_;
  std::optional<std::int64_t> expected_mode_;  ///< confirmed last
  int limit_mmps_;
  int allowed_mmps_ = 0;
  double setpoint_rad_ = 0;  ///< steering without key releases
  bool lights_ = false;
  bool show_help_ = false;

  bool ever_armed_ = false;
  bool control_taken_ = false;  ///< by our 0x421
  bool control_lost_ = false;   ///< since it was ours
  std::optional<Leave> leave_asked_;
  std::optional<Leaving> leaving_;

  std::optional<SteadyTime> window_small_since_;
  std::optional<SteadyTime> last_ask_;
  bool answered_too_quickly_ = false;

  std::optional<Motion> commanded_;  ///< in this tick
  Motion sent_;                      ///< the last one
  int full_queues_ = 0;
  bool send_failed_ = false;
  std::optional<std::uint64_t> outages_;
  Counters counters_;
  static constexpr std::size_t kRecent = 50;  ///< ticks: one second
  std::array<Microseconds, kRecent> periods_{};

  Output output_;
  static constexpr std::size_t kMostEvents = Keyboard::kMostKeys + 16;
  std::array<Event, kMostEvents> events_{};
  std::size_t event_count_ = 0;
};

}  // namespace rangerctl::teleop
