#pragma once

#include <optional>

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/command/view.hpp"

namespace rangerctl::command {

/// The angles of the wheels, while steering_angle_feedback is fresh.
[[nodiscard]] std::optional<chassis::PerWheel> wheel_angles(const View& view, SteadyTime now);

/// Judges whether a motion mode has been taken: motion_mode_feedback shows it and no switching any more, and
/// the wheels stand in the mode's shape, unmoved for a while. The number changes at once and mode_switching
/// is set in only about half of the switches (decision 7 of the catalogue), so neither is enough.
class MotionModeWatch {
 public:
  explicit MotionModeWatch(chassis::MotionMode mode) : mode_(mode) {}

  /// To be called at every step. `since`: when the command left; older feedback confirms nothing. The
  /// beginning of time: whether it has been so all along.
  bool shows(const View& view, SteadyTime since, SteadyTime now);

  [[nodiscard]] chassis::MotionMode mode() const { return mode_; }
  /// Whether motion_mode_feedback has ever shown the mode.
  [[nodiscard]] bool was_in_mode() const { return was_in_mode_; }
  [[nodiscard]] const std::optional<chassis::PerWheel>& angles() const { return angles_; }

 private:
  void watch_wheels(const View& view, SteadyTime now);

  chassis::MotionMode mode_;
  std::optional<chassis::PerWheel> angles_;
  std::optional<chassis::PerWheel> reference_;  ///< where the wheels have stood since unmoved_since_
  SteadyTime unmoved_since_;
  std::optional<SteadyTime> in_mode_since_;
  bool was_in_mode_ = false;
};

}  // namespace rangerctl::command
