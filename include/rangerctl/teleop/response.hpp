#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "rangerctl/teleop/drive.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::teleop {

/// How the chassis follows what was sent: what it says counts, never what it was told.
class Response {
 public:
  using Duration = SteadyTime::duration;

  /// At rest counts after so long; below these speeds (raw, of motion_feedback) it is at rest.
  static constexpr std::chrono::milliseconds kAtRest{200};
  static constexpr std::int64_t kRest = 20;
  /// Above this speed (raw, 0.001 m/s of the wheels) it moves although zero is commanded.
  static constexpr std::int64_t kMoves = 100;

  /// In each tick: what is commanded, nothing where nothing is sent, and what motion_feedback says, nothing
  /// where it is not fresh.
  void take(const std::optional<Motion>& commanded, std::optional<std::int64_t> linear,
            std::optional<std::int64_t> angular, SteadyTime now);

  [[nodiscard]] bool at_rest() const { return rest_since_.has_value(); }
  [[nodiscard]] bool at_rest_for_a_while(SteadyTime now) const {
    return rest_since_ && now - *rest_since_ >= kAtRest;
  }
  /// Zero, or nothing, has been commanded and the chassis moves: for how long.
  [[nodiscard]] Duration moves_on(SteadyTime now) const;
  /// It moves against what is commanded: for how long.
  [[nodiscard]] Duration wrong_way(SteadyTime now) const;
  /// Whether a motion of this sign may start: it does not move the other way. `spin`: around itself.
  [[nodiscard]] bool may_start(int sign, bool spin) const;

 private:
  [[nodiscard]] bool is_wrong_way(const Motion& commanded) const;

  std::optional<std::int64_t> linear_, angular_;
  std::optional<SteadyTime> rest_since_;
  std::optional<SteadyTime> zero_since_;
  std::optional<SteadyTime> wrong_since_;
};

}  // namespace rangerctl::teleop
