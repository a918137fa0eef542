#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rangerctl/command/view.hpp"
#include "rangerctl/result.hpp"

/// What a command looks at before it sends: nothing is sent that cannot work or that another one would fight.
namespace rangerctl::command {

/// What must be so for a command to work. The order is that in which reasons are given.
enum class Need : std::uint8_t {
  feedback,     ///< system_status arrives
  not_remote,   ///< the remote control does not command
  charge,       ///< enough charge for the chassis to obey (not known: enough)
  can_control,  ///< control_mode is can
  motion_mode,  ///< motion_mode_feedback arrives
  speed,        ///< motion_feedback arrives
  wheels,       ///< steering_angle_feedback arrives
  no_fault,     ///< neither an emergency stop nor an error that keeps the chassis from moving
  at_rest,      ///< neither speed nor yaw rate
  park,         ///< motion_mode is park
  nobody_else,  ///< not even zeros from another controller
};
using Needs = std::vector<Need>;

/// Below these the chassis counts as at rest.
inline constexpr std::int64_t kRestMmps = 20;    ///< of motion_feedback.linear_velocity, raw
inline constexpr std::int64_t kRestMradps = 20;  ///< of motion_feedback.angular_velocity, raw

/// Bits of system_status.errors that keep the chassis from moving: all, unknown ones included, but
/// remote_control_lost.
[[nodiscard]] std::uint32_t critical_errors(const protocol::Catalogue& catalogue, std::int64_t errors);

/// Names of the bits that are set, "bitN" where a bit has none.
[[nodiscard]] std::vector<std::string> error_names(const protocol::Catalogue& catalogue, std::int64_t errors);

/// What stands against `need` at `now`. Status no_answer: it is not known yet; status refused: it is known
/// not to be so, and the message says what to do.
[[nodiscard]] Result<void> check_need(Need need, const View& view, SteadyTime now);

/// The first of the needs that is not met, as check_need() says it.
[[nodiscard]] Result<void> check_needs(std::span<const Need> needs, const View& view, SteadyTime now);

/// Whether the bus can carry anything: status bus where the interface is down, gone or was away in between,
/// or the controller was bus-off since the command began.
[[nodiscard]] Result<void> check_link(const View& view);

/// Whether the bus itself or another controller ends any command at once: status bus (see check_link) or
/// refused (a foreign motion command that is not zero).
[[nodiscard]] Result<void> check_bus(const View& view, SteadyTime now);

/// Watches the bus before the first frame: for half a second, the time for which the chassis itself would
/// obey another controller, and on until everything needed is known, at most 1.5 s. Begins anew after the
/// program was held up.
class Look {
 public:
  static constexpr std::chrono::milliseconds kLeast{500};
  static constexpr std::chrono::milliseconds kMost{1500};
  static constexpr std::chrono::milliseconds kPatience{10'000};  ///< with all its new beginnings

  /// `start`: from when on the bus has been watched; else from the first step.
  explicit Look(Needs needs, std::optional<SteadyTime> start = std::nullopt)
      : needs_(std::move(needs)), start_(start) {}

  /// Nothing: look on. A value: whether the command may start.
  [[nodiscard]] std::optional<Result<void>> step(const View& view, SteadyTime now);

  /// A warning about a controller that sends only zeros, once, after the look.
  [[nodiscard]] std::vector<std::string> warnings(const View& view, SteadyTime now) const;

 private:
  Needs needs_;
  std::optional<SteadyTime> start_;
  std::optional<SteadyTime> first_;
};

/// Whether what a command needs still holds while it waits: trouble of the bus, or the first need of status
/// refused. What has fallen silent is left to the timeouts; at_rest counts only before the first frame, since
/// wheels that steer may roll.
[[nodiscard]] Result<void> check_still(std::span<const Need> needs, const View& view, SteadyTime now);

}  // namespace rangerctl::command
