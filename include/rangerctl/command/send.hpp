#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rangerctl/command/look.hpp"
#include "rangerctl/command/motion.hpp"
#include "rangerctl/command/procedure.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::command {

/// The speed that `send` does not exceed on its own: wheel speed, 0.3 m/s.
inline constexpr std::int64_t kDefaultMaxSpeedMmps = 300;

/// The shortest period of a motion command.
inline constexpr std::chrono::milliseconds kShortestMotionPeriod{10};

/// What `send` is asked to do.
struct SendPlan {
  Frame frame;
  std::optional<std::chrono::milliseconds> every;     ///< nothing: once
  std::optional<std::uint64_t> count;                 ///< so many frames
  std::optional<std::chrono::milliseconds> duration;  ///< frames before this time after the first
  std::int64_t max_speed_mmps = kDefaultMaxSpeedMmps;
  bool is_unsafe = false;  ///< round the gate, and without a look at the chassis
};

/// The frame that the words describe: one as cansend takes it ("111#0096000000000000"), or the name of a
/// message and values of its signals ("motion_command", "linear_velocity=0.15"). Signals that are numbers are
/// zero where nothing is said; choices must be said. Limits are not checked, but the field must hold the
/// value. Errors: usage, or refused for a value that does not fit.
Result<Frame> parse_send_words(const protocol::Catalogue& catalogue, std::span<const std::string> words);

/// Whether a frame of a message that moves the chassis keeps to the speed that somebody allows, in mm/s; for
/// spin |yaw rate| x 0.3068 m. The error is of status refused.
Result<void> check_speed(const protocol::Catalogue& catalogue, const Frame& frame,
                         std::int64_t max_speed_mmps);

/// What --max-speed says, in mm/s: a speed within the limits of motion_command. The error is of status usage
/// or refused.
Result<std::int64_t> parse_max_speed(const protocol::Catalogue& catalogue, std::string_view text);

/// Whether the plan may be carried out as far as the frame alone tells. Errors: usage where a motion command,
/// or one that is not meant to be periodic (its message has no period), is periodic without an end, or motion
/// more often than every 10 ms; refused beyond the limits of the table or beyond max_speed_mmps, see
/// check_speed(). An unsafe plan has no limits but needs an end all the same.
Result<void> check_plan(const protocol::Catalogue& catalogue, const SendPlan& plan);

/// Sends once or on an absolute timer.
///
/// Once: the frame is offered until the kernel takes it, or, where it commands motion, once; its echo must
/// come within 200 ms. Periodic: a late or refused frame is dropped, never sent later;
/// while three frames, or one for 60 ms, have had no echo no other follows.
///
/// A frame that commands motion needs a chassis that obeys: fresh system_status, motion_feedback and
/// motion_mode_feedback, control_mode can, no fault, nobody else. Periodic ones end, with five zero frames,
/// as soon as one of these is missing (silence: 200 ms), on any foreign motion command, when this computer
/// was held up for 100 ms, on stop(), and at their end. A single one is left to the chassis, which stops by
/// itself 500 ms later, unless it was not acknowledged or stop() was called.
class SendProcedure : public Procedure {
 public:
  /// Precondition: check_plan() passed.
  SendProcedure(const protocol::Catalogue& catalogue, const SendPlan& plan);

  Action step(const View& view, SteadyTime now) override;
  void sent(const Result<Sent>& result, SteadyTime now) override;
  void stop(const Error& why) override;
  [[nodiscard]] bool unchecked() const override { return plan_.is_unsafe && phase_ != Phase::zeros; }

 private:
  enum class Phase : std::uint8_t { look, send, echo, zeros };

  Action look(const View& view, SteadyTime now);
  Action send_now(const View& view, SteadyTime now);
  Action await_echo(const View& view, SteadyTime now);
  Action zeros(const View& view, SteadyTime now);
  Action leave(SteadyTime now, Report end);

  [[nodiscard]] std::uint64_t planned() const;
  [[nodiscard]] Report finished() const;
  Result<void> check_run(const View& view, SteadyTime now);
  [[nodiscard]] Report report(ExitStatus status, std::string text) const;
  [[nodiscard]] std::string counts() const;

  SendPlan plan_;
  bool moves_;
  Look look_;
  Phase phase_ = Phase::look;
  std::optional<SteadyTime> start_;  ///< of the timer: when the first frame was due
  std::uint64_t due_ = 0;            ///< how many frames were due up to now
  SteadyTime next_;
  std::uint64_t queued_ = 0;
  std::uint64_t dropped_ = 0;
  bool acknowledged_ = true;  ///< as far as it was looked at
  std::optional<Error> send_error_;
  std::optional<Error> stop_;
  ZeroFrames zeros_{Frame{}};
  Report report_;
};

}  // namespace rangerctl::command
