#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rangerctl/command/look.hpp"
#include "rangerctl/command/motion.hpp"
#include "rangerctl/command/procedure.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/replay/selection.hpp"
#include "rangerctl/replay/speed.hpp"

namespace rangerctl::replay {

/// A frame of the log that may leave.
struct Item {
  Frame frame;
  Role role = Role::chassis;
  std::size_t bus = 0;                 ///< index into BusMap::interfaces()
  std::chrono::nanoseconds offset{0};  ///< from the first one
};

/// What is to be replayed, as a look through the whole log has found it.
struct Plan {
  Speed speed;
  std::uint64_t passes = 1;            ///< 0: until it is stopped
  bool by_step = false;                ///< a frame each time that permit() is called, instead of at its time
  bool with_commands = false;          ///< then speed is 1, passes 1, and by_step false
  std::uint64_t frames = 0;            ///< of one pass
  std::uint64_t moving = 0;            ///< of those the ones that command a motion
  std::chrono::nanoseconds length{0};  ///< from the first to the last
};

/// What to do now.
struct Step {
  enum class Kind : std::uint8_t {
    wait,    ///< until `wake`; every arrival may end the wait earlier
    send,    ///< `frame`, and tell sent()
    skip,    ///< the item is done with, without having been sent
    rewind,  ///< begin the log again
    end,     ///< it is over; nothing is sent any more
  };
  Kind kind = Kind::wait;
  Frame frame = {};
  Role role = Role::host;
  std::size_t bus = 0;
  SteadyTime wake = {};
  std::vector<std::string> warnings = {};
  command::Report report = {};  ///< of `end`
};

/// A replay while it runs: pure, every decision with the time as an argument.
///
/// Before the first frame it listens: without commands 0.6 s in which no feedback may arrive from anyone
/// else, with commands as `send` does (0.5 to 1.5 s). Frames are due at the first frame's time plus their own
/// offset, whatever was late before. A frame that the transmit queue does not take is offered again, every
/// millisecond, and everything behind it waits. What is due for more than a second (a suspended computer,
/// Ctrl-Z, a bus that took nothing) is not caught up with: the rest is shifted.
///
/// Commands go to a chassis that is there, and then the log's feedback does not: two chassis on a bus cannot
/// be told apart. Where none is heard the feedback is sent, and commands too, but none that moves: `send`
/// would not either. A motion command (0x111) that is late by more than 40 ms, that comes less than 10 ms
/// after another, that the queue does not take, or before which others wait is dropped; any other command is
/// offered for a second. A computer that was held up ends them. While any is still to come, or may still act,
/// motion needs what `send` needs; when it is missing, and at every other end, five frames of zeros follow
/// once a motion was sent.
class Machine {
 public:
  Machine(const protocol::Catalogue& catalogue, const Plan& plan);

  /// `next`: the frame to send next; null: the log is at its end. The machine is called again with the same
  /// one until it is skipped, or sent() says that it is done with. `view` is of the only bus, with commands.
  Step step(const command::View& view, const Item* next, SteadyTime now);

  /// What became of the frame of the last step(). True: the item is done with.
  bool sent(const Result<Sent>& result, SteadyTime now);

  /// Feedback of anyone else arrived. False: that ends it, and the caller says so with stop().
  [[nodiscard]] bool accepts_feedback();

  /// An end from outside. Later calls change nothing.
  void stop(const Error& why);

  /// Lets so many more frames leave, see Plan::by_step.
  void permit(std::uint64_t frames) { permits_ += frames; }
  [[nodiscard]] std::uint64_t permits() const { return permits_; }

  /// Whether it may have moved the chassis, so that it has to come to its end.
  [[nodiscard]] bool has_moved() const { return moved_; }
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] std::uint64_t waits() const { return waits_; }
  [[nodiscard]] std::uint64_t pass() const { return pass_; }
  [[nodiscard]] const LeftOutCounts& left_out() const { return left_out_; }

 private:
  enum class Phase : std::uint8_t { look, play, echo, zeros };

  Step look(const command::View& view, const Item* next, SteadyTime now);
  Step play(const command::View& view, const Item* next, SteadyTime now);
  Step offer(const command::View& view, const Item& item, SteadyTime now);
  Step offer_motion(const command::View& view, const Item& item, SteadyTime now);
  Step send(const Item& item, SteadyTime now);
  Step skip(const Item& item, LeftOut reason);
  Step end_of_pass(SteadyTime now);
  Step await_echo(const command::View& view, SteadyTime now);
  Step zeros(const command::View& view, SteadyTime now);
  Step leave(SteadyTime now, ExitStatus status, std::string text);

  [[nodiscard]] Result<void> check(const command::View& view, SteadyTime now) const;
  [[nodiscard]] bool motion_matters(SteadyTime now) const;
  [[nodiscard]] SteadyTime due(const Item& item) const { return base_ + plan_.speed.scale(item.offset); }
  void take(const Item& item);
  [[nodiscard]] std::string counts() const;
  [[nodiscard]] command::Report report(ExitStatus status, std::string text) const;

  const protocol::Catalogue& catalogue_;
  Plan plan_;
  command::Look look_;
  Phase phase_ = Phase::look;
  std::optional<SteadyTime> listening_since_;
  SteadyTime started_;
  SteadyTime base_;  ///< when the offset 0 of this pass is due
  std::uint64_t pass_ = 1;
  std::uint64_t permits_ = 0;
  bool beside_chassis_ = false;

  bool offered_is_motion_ = false;
  bool offered_moves_ = false;
  SteadyTime offer_again_;
  std::optional<SteadyTime> blocked_since_;
  bool told_blocked_ = false;

  bool moved_ = false;
  std::uint64_t moving_left_;
  std::optional<SteadyTime> last_moving_;  ///< when the last frame that moves left, unless zeros did since

  std::uint64_t frames_ = 0;
  std::uint64_t waits_ = 0;
  std::uint64_t shifts_ = 0;
  std::chrono::nanoseconds most_late_{0};
  LeftOutCounts left_out_;
  std::optional<Error> send_error_;
  std::optional<Error> stop_;
  command::ZeroFrames zeros_;
  command::Report report_;
};

}  // namespace rangerctl::replay
