#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "rangerctl/command/look.hpp"
#include "rangerctl/command/procedure.hpp"

/// One command frame and the change that the chassis confirms through its feedback.
namespace rangerctl::command {

/// Judges from the feedback whether a change has happened.
class Confirmation {
 public:
  virtual ~Confirmation() = default;

  /// Called at every step, from the first look on. `since` is when the command's frame left: older feedback
  /// confirms nothing. Before the frame left it is the beginning of time, and true means that there is
  /// nothing to change.
  virtual bool shows(const View& view, SteadyTime since, SteadyTime now) = 0;

  /// What the chassis shows instead, and what to do: "control_mode is still standby".
  [[nodiscard]] virtual std::string instead(const View& view, SteadyTime now) const = 0;

  /// The change in words, to follow the name of the command: "battery_undervoltage cleared after 0.06 s".
  [[nodiscard]] virtual std::string done(std::chrono::milliseconds after) const;
  [[nodiscard]] virtual std::vector<Detail> details() const { return {}; }

  /// What a person should know before the frame is sent.
  [[nodiscard]] virtual std::vector<std::string> advice() const { return {}; }
  /// Whether a frame that has not worked yet may be sent again; false: a second one might do harm.
  [[nodiscard]] virtual bool may_repeat() const { return true; }
};

/// A signal of the feedback takes a value.
[[nodiscard]] std::unique_ptr<Confirmation> signal_becomes(std::string message, std::string signal,
                                                           std::string value);

struct Change {
  std::string name;  ///< as the user wrote it: "mode spin"
  Frame frame;
  Needs needs = {};
  std::unique_ptr<Confirmation> confirmation = {};
  std::chrono::milliseconds timeout{2000};  ///< from the first frame to the confirmation
  std::chrono::milliseconds again{250};  ///< how often to send without a confirmation, while feedback arrives
  int most_frames = 1000;                ///< how often to send at most
  std::optional<Frame> undo = {};        ///< sent once where the change was asked for, but not confirmed
  bool skip_if_so = true;                ///< nothing is sent where the chassis is already so
  bool wait = true;                      ///< false: ends as soon as the frame is on the bus
};

/// How long a frame of ours may be without its echo before the bus counts as not acknowledging.
inline constexpr std::chrono::milliseconds kEchoTimeout{200};

/// Looks, sends, waits for the confirmation.
class ChangeProcedure : public Procedure {
 public:
  /// `looking_since`: from when on the bus has been watched already.
  explicit ChangeProcedure(Change change, std::optional<SteadyTime> looking_since = std::nullopt)
      : change_(std::move(change)), look_(change_.needs, looking_since) {}

  Action step(const View& view, SteadyTime now) override;
  void sent(const Result<Sent>& result, SteadyTime now) override;
  void stop(const Error& why) override;

 private:
  enum class Phase : std::uint8_t { look, send, wait, undo };

  Action look(const View& view, SteadyTime now);
  Action send(const View& view, SteadyTime now);
  Action wait(const View& view, SteadyTime now);
  Action undo(const View& view, SteadyTime now);
  /// The end, after the undo where there is one and the bus can carry it.
  Action give_up(const Error& error, const View& view);
  [[nodiscard]] Result<void> check_before(const View& view, SteadyTime now) const;
  [[nodiscard]] bool may_send_again(const View& view, SteadyTime now) const;
  [[nodiscard]] Report failed(const Error& error, const View& view) const;
  [[nodiscard]] Report confirmed(SteadyTime now) const;

  Change change_;
  Look look_;
  Phase phase_ = Phase::look;
  std::optional<SteadyTime> first_try_;
  std::optional<SteadyTime> first_sent_;
  SteadyTime next_send_;
  int frames_ = 0;                 ///< how many were sent
  bool feedback_had_gap_ = false;  ///< since the first one: the chassis may be another, or switched on anew
  std::optional<Error> send_error_;
  std::optional<Error> stop_;
  Report report_;  ///< that waits for the undo
};

/// What is known of a frame of ours that should be on the bus: nothing wrong, or that the bus does not
/// acknowledge it (status no_answer).
[[nodiscard]] Result<void> check_echo(const View& view, SteadyTime now);

/// "0.06 s"
[[nodiscard]] std::string seconds_text(std::chrono::milliseconds duration);

}  // namespace rangerctl::command
