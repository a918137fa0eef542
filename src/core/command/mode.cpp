#include "rangerctl/command/mode.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::command {
namespace {

using chassis::MotionMode;
using chassis::PerWheel;
using std::chrono::milliseconds;

/// Where a wheel is told from another angle, and how long it must not move to count as settled. The wheels of
/// a robot that rattle by a few milliradians are settled; those that still turn do 3.3 rad/s.
constexpr double kSameAngleRad = 0.010;
constexpr milliseconds kSettled{300};
/// How far from the angles of its mode a wheel may stand.
constexpr double kShapeRad = 0.06;

bool near(double a, double b) { return std::abs(a - b) <= kShapeRad; }

bool all_magnitudes_near(const PerWheel& angles, double wanted) {
  for (const double angle : angles) {
    if (!near(std::abs(angle), wanted)) return false;
  }
  return true;
}

/// Whether the wheels can stand like this in `mode`. In park only magnitudes count: its signs are in no
/// source.
bool has_shape(MotionMode mode, const PerWheel& angles) {
  const auto& [right_front, right_rear, left_rear, left_front] = angles;
  switch (mode) {
    case MotionMode::ackermann:
      return near(right_front, -right_rear) && near(left_front, -left_rear) &&
             (right_front * left_front >= 0 || near(right_front, left_front));
    case MotionMode::oblique:
      return near(right_front, right_rear) && near(right_front, left_rear) && near(right_front, left_front);
    case MotionMode::spin:
    case MotionMode::park:
      return all_magnitudes_near(angles, chassis::spin_angle_rad());
  }
  return false;
}

std::optional<PerWheel> wheel_angles(const View& view, SteadyTime now) {
  constexpr std::array<std::string_view, chassis::kWheels> kSignals{"motor5_angle", "motor6_angle",
                                                                    "motor7_angle", "motor8_angle"};
  PerWheel angles{};
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    const auto raw = value(view, "steering_angle_feedback", kSignals[i], now);
    if (!raw) return std::nullopt;
    angles[i] = static_cast<double>(*raw) / 1000;
  }
  return angles;
}

class MotionModeConfirmed : public Confirmation {
 public:
  explicit MotionModeConfirmed(MotionMode mode) : mode_(mode) {}

  bool shows(const View& view, SteadyTime since, SteadyTime now) override {
    watch_wheels(view, now);
    const auto mode = value_since(view, "motion_mode_feedback", "motion_mode", since, now);
    const auto switching = value_since(view, "motion_mode_feedback", "mode_switching", since, now);
    if (mode && *mode != static_cast<std::int64_t>(mode_)) in_mode_since_.reset();
    if (mode != static_cast<std::int64_t>(mode_)) return false;
    if (!in_mode_since_) in_mode_since_ = now;
    was_in_mode_ = true;
    // Before anything was sent a mode that was so all the time has been so long enough.
    const bool long_enough = since == SteadyTime::min() || now - *in_mode_since_ >= kSwitch;
    return long_enough && switching == 0 && angles_ && has_shape(mode_, *angles_) &&
           now - unmoved_since_ >= kSettled;
  }

  [[nodiscard]] std::string instead(const View& view, SteadyTime now) const override {
    const auto mode = value(view, "motion_mode_feedback", "motion_mode", now);
    if (!mode) return "motion_mode_feedback does not arrive any more";
    if (*mode != static_cast<std::int64_t>(mode_)) {
      const protocol::Message& message = *view.chassis.catalogue->find("motion_mode_feedback");
      return fmt::format("motion_mode is still {}",
                         protocol::value_text(*protocol::find_signal(message, "motion_mode"), *mode));
    }
    if (!angles_) return "steering_angle_feedback does not arrive any more";
    return fmt::format("motion_mode has changed, but the wheels stand at {:.3f} rad and are not settled",
                       fmt::join(*angles_, ", "));
  }

  /// The number changes at once; what then lasts is the wheels.
  /// After that another frame would only fight another host.
  [[nodiscard]] bool may_repeat() const override { return !was_in_mode_; }

  [[nodiscard]] std::string done(milliseconds after) const override {
    return fmt::format("confirmed, wheels settled after {}", seconds_text(after));
  }

 private:
  static constexpr auto kSwitch =
      milliseconds(static_cast<int>(protocol::ranger_mini_3::kModeSwitchSeconds * 1000));

  void watch_wheels(const View& view, SteadyTime now) {
    const auto angles = wheel_angles(view, now);
    const bool moved = !angles || !reference_ || !same(*angles, *reference_);
    if (moved) {
      reference_ = angles;
      unmoved_since_ = now;
    }
    angles_ = angles;
  }

  static bool same(const PerWheel& a, const PerWheel& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (std::abs(a[i] - b[i]) > kSameAngleRad) return false;
    }
    return true;
  }

  MotionMode mode_;
  std::optional<PerWheel> angles_;
  std::optional<PerWheel> reference_;  ///< where the wheels have stood since unmoved_since_
  SteadyTime unmoved_since_;
  std::optional<SteadyTime> in_mode_since_;
  bool was_in_mode_ = false;
};

/// A kind of mode: the command, what confirms it, and what it needs.
struct Kind {
  std::string_view message;
  std::string_view signal;
  std::string_view confirming_message;
  milliseconds timeout;
  Needs needs;
};

/// What the chassis ignores with a fault, while it moves or in the wrong mode is not even sent. Giving
/// control back works always but in remote.
const std::array<Kind, 3>& kinds() {
  static const std::array<Kind, 3> table{
      Kind{"control_mode_command",
           "control_mode",
           "system_status",
           milliseconds(1000),
           {Need::feedback, Need::not_remote, Need::charge}},
      Kind{"motion_mode_command",
           "motion_mode",
           "motion_mode_feedback",
           milliseconds(5000),
           {Need::feedback, Need::not_remote, Need::charge, Need::can_control, Need::motion_mode, Need::speed,
            Need::wheels, Need::no_fault, Need::at_rest}},
      Kind{"drive_mode_command",
           "drive_mode",
           "motion_mode_feedback",
           milliseconds(1000),
           {Need::feedback, Need::not_remote, Need::charge, Need::can_control, Need::no_fault, Need::park}},
  };
  return table;
}

const protocol::Signal& signal_of(const protocol::Catalogue& catalogue, const Kind& kind) {
  return *protocol::find_signal(*catalogue.find(kind.message), kind.signal);
}

std::unique_ptr<Confirmation> confirmation_of(const Kind& kind, std::string_view name, std::int64_t raw) {
  if (kind.signal == "motion_mode")
    return std::make_unique<MotionModeConfirmed>(static_cast<MotionMode>(raw));
  return signal_becomes(std::string(kind.confirming_message), std::string(kind.signal), std::string(name));
}

/// Control is asked for a few times, not for as long as the timeout: a chassis that is switched on later must
/// not obey an old wish. What was taken and not confirmed is given back.
constexpr int kMostControlFrames = 4;
constexpr std::string_view kStandby = "standby";

Change make_change(const protocol::Catalogue& catalogue, const Kind& kind, const protocol::Choice& choice,
                   const ModeOptions& options) {
  Change change{.name = fmt::format("mode {}", choice.name),
                .frame = protocol::empty_frame(*catalogue.find(kind.message)),
                .needs = kind.needs,
                .confirmation = confirmation_of(kind, choice.name, choice.value),
                .timeout = options.timeout.value_or(kind.timeout),
                .wait = options.wait};
  const protocol::Signal& signal = signal_of(catalogue, kind);
  protocol::put_raw_value(signal.field, choice.value, change.frame.data);
  if (kind.signal == "control_mode") change.most_frames = kMostControlFrames;
  if (kind.signal == "control_mode" && choice.name != kStandby) {
    change.undo = change.frame;
    protocol::put_raw_value(signal.field, *protocol::parse_value(signal, kStandby), change.undo->data);
  }
  return change;
}

}  // namespace

std::vector<std::string_view> mode_names(const protocol::Catalogue& catalogue) {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds()) {
    for (const protocol::Choice& choice : signal_of(catalogue, kind).choices) names.push_back(choice.name);
  }
  return names;
}

Result<Change> mode_change(const protocol::Catalogue& catalogue, std::string_view name,
                           const ModeOptions& options) {
  for (const Kind& kind : kinds()) {
    for (const protocol::Choice& choice : signal_of(catalogue, kind).choices) {
      if (choice.name == name) return make_change(catalogue, kind, choice, options);
    }
  }
  const auto names = mode_names(catalogue);
  return Error{ExitStatus::usage, fmt::format("no mode '{}'; modes: {}{}", name, fmt::join(names, ", "),
                                              suggestion(name, names))};
}

}  // namespace rangerctl::command
