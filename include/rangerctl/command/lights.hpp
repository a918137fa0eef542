#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "rangerctl/command/look.hpp"
#include "rangerctl/command/procedure.hpp"
#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::command {

/// What to do with the lights; `release` gives them back to the chassis.
enum class Lights : std::uint8_t { on, off, release };

struct LightsOptions {
  std::optional<std::chrono::milliseconds> hold = {};  ///< after the confirmation; nothing: until stop()
  std::chrono::milliseconds timeout{2000};             ///< for each confirmation
};

/// Takes the lights over and keeps sending at the period of light_command, since the chassis forgets it after
/// its timeout; confirmed by light_feedback. At the end, whatever it is, gives them back: a few frames with
/// light_control disabled, until the chassis confirms that too. `release` does only the latter.
class LightsProcedure : public Procedure {
 public:
  LightsProcedure(const protocol::Catalogue& catalogue, Lights wanted, const LightsOptions& options);

  Action step(const View& view, SteadyTime now) override;
  void sent(const Result<Sent>& result, SteadyTime now) override;
  void stop(const Error& why) override;

 private:
  enum class Phase : std::uint8_t { look, hold, release };

  Action look(const View& view, SteadyTime now);
  Action hold(const View& view, SteadyTime now);
  Action release(const View& view, SteadyTime now);
  Action begin_release(SteadyTime now, Report report);
  Action finish(bool released);
  /// The next frame of a stream of them, or when it is due.
  Action stream(const Frame& frame, SteadyTime now);
  bool shows(const View& view, SteadyTime now, bool control);
  [[nodiscard]] Result<void> check_hold(const View& view, SteadyTime now) const;

  Lights wanted_;
  LightsOptions options_;
  Frame command_;
  Frame giving_back_;
  std::chrono::milliseconds period_;
  Look look_;
  Phase phase_ = Phase::look;
  std::optional<SteadyTime> begun_;      ///< of the phase, when its first frame left
  std::optional<SteadyTime> echoed_;     ///< the first one's echo, as far as it was seen
  std::optional<SteadyTime> confirmed_;  ///< when the feedback first showed what is wanted
  SteadyTime last_shown_;                ///< when it did last
  SteadyTime next_;
  std::optional<Error> send_error_;
  std::optional<Error> stop_;
  Report report_;
};

}  // namespace rangerctl::command
