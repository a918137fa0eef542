#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/procedure_run.hpp"
#include "io/frame_recorder.hpp"
#include "io/interface_watch.hpp"
#include "io/player.hpp"
#include "rangerctl/command/clear_error.hpp"
#include "rangerctl/monitor/draw.hpp"
#include "rangerctl/monitor/playback.hpp"
#include "rangerctl/transport.hpp"

/// Where the dashboard gets what it shows.
namespace rangerctl::cli {

class Feed {
 public:
  virtual ~Feed() = default;

  /// Takes what is there, without waiting.
  virtual Result<void> advance() = 0;
  /// What is known, and the time on its clock.
  [[nodiscard]] virtual monitor::Scene scene() const = 0;
};

/// A bus, or the simulated chassis.
class LiveFeed : public Feed {
 public:
  /// Keeps a reference.
  explicit LiveFeed(Transport& transport);

  Result<void> advance() override { return advance_until(SteadyTime::min()); }
  /// The same, but waits for the first frame until then.
  Result<void> advance_until(SteadyTime deadline);
  [[nodiscard]] monitor::Scene scene() const override;

  /// Records from now on. Precondition: not recording.
  Result<void> record(const std::string& path);
  std::unique_ptr<io::FrameRecorder> end_record() { return std::move(recorder_); }
  [[nodiscard]] const io::FrameRecorder* recorder() const { return recorder_.get(); }

  /// Clears an error as the command clear-error does, with what arrives from now on. Precondition: not
  /// clearing.
  void clear_error(command::ClearCode code);
  [[nodiscard]] bool is_clearing() const { return clearing_ != nullptr; }
  /// The next step of that, if there is something to say: how it ended, or what it has reached.
  std::optional<command::Action> step_clearing();

 private:
  struct Clearing {
    command::ClearErrorProcedure procedure;
    ProcedureRun run;
    Clearing(command::ClearCode code, Transport& transport);
  };

  void take(const Received& received, SteadyTime now);
  Result<bool> drain(SteadyTime deadline);
  void note_round(SteadyTime now, std::chrono::nanoseconds held_up);

  Transport& transport_;
  monitor::Watched watched_;
  std::unique_ptr<io::FrameRecorder> recorder_;
  std::unique_ptr<Clearing> clearing_;
  std::chrono::nanoseconds last_round_ = io::boot_time();  ///< when the last one ended
  std::optional<io::InterfaceWatch> driver_;
  std::array<Received, 256> buffer_;
};

/// A log: always exactly what somebody knows who has watched from its start.
class ReplayFeed : public Feed {
 public:
  explicit ReplayFeed(std::unique_ptr<io::Player> player);

  Result<void> advance() override;
  [[nodiscard]] monitor::Scene scene() const override;

  void toggle_pause();
  void change_speed(int steps);
  /// Each fails where there is no way back.
  Result<void> seek_by(std::chrono::milliseconds delta);
  Result<void> seek_to(std::chrono::milliseconds position);
  /// One time stamp on or, with a negative number, back; pauses.
  Result<void> step(int frames);
  [[nodiscard]] monitor::ReplayView view() const;
  /// What went wrong since the last call and does not end the watching; empty: nothing.
  std::string take_trouble() { return std::exchange(trouble_, {}); }

 private:
  Result<void> seek(std::chrono::nanoseconds target);
  Result<void> rewind();
  void take_frames(std::chrono::nanoseconds until);
  [[nodiscard]] std::chrono::nanoseconds reached() const;
  void tell_error();
  void note_round();

  std::unique_ptr<io::Player> player_;
  monitor::Playback playback_;
  std::optional<monitor::Watched> watched_;
  std::chrono::nanoseconds taken_to_{0};     ///< everything up to here has been taken
  std::chrono::nanoseconds last_{0};         ///< the offset of the last frame
  std::chrono::nanoseconds before_last_{0};  ///< the last offset before that
  bool catching_up_ = false;
  std::string trouble_;
  bool told_error_ = false;
};

}  // namespace rangerctl::cli
