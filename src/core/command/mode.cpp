#include "rangerctl/command/mode.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "rangerctl/command/motion_mode_watch.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::command {
namespace {

using chassis::MotionMode;
using std::chrono::milliseconds;

class MotionModeConfirmed : public Confirmation {
 public:
  explicit MotionModeConfirmed(MotionMode mode) : watch_(mode) {}

  bool shows(const View& view, SteadyTime since, SteadyTime now) override {
    return watch_.shows(view, since, now);
  }

  [[nodiscard]] std::string instead(const View& view, SteadyTime now) const override {
    const auto mode = value(view, "motion_mode_feedback", "motion_mode", now);
    if (!mode) return "motion_mode_feedback does not arrive any more";
    if (*mode != static_cast<std::int64_t>(watch_.mode())) {
      const protocol::Message& message = *view.chassis.catalogue->find("motion_mode_feedback");
      return fmt::format("motion_mode is still {}",
                         protocol::value_text(*protocol::find_signal(message, "motion_mode"), *mode));
    }
    if (!watch_.angles()) return "steering_angle_feedback does not arrive any more";
    return fmt::format("motion_mode has changed, but the wheels stand at {:.3f} rad and are not settled",
                       fmt::join(*watch_.angles(), ", "));
  }

  /// The number changes at once; what then lasts is the wheels.
  /// After that another frame would only fight another host.
  [[nodiscard]] bool may_repeat() const override { return !watch_.was_in_mode(); }

  [[nodiscard]] std::string done(milliseconds after) const override {
    return fmt::format("confirmed, wheels settled after {}", seconds_text(after));
  }

 private:
  MotionModeWatch watch_;
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
