#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the driver of a CAN interface says about it when it is asked, where frames say nothing: how fast the
/// bus is, whether the controller takes part in it, what was lost before a socket could see it.
namespace rangerctl {

/// The state of a controller's fault confinement (ISO 11898-1), or one of two in which it takes no part in
/// the bus. With the numbers of the kernel (include/uapi/linux/can/netlink.h, enum can_state).
enum class ControllerState : std::uint8_t {
  error_active,   ///< both error counters are below 96: healthy
  error_warning,  ///< one of them is 96 or more
  error_passive,  ///< one of them is 128 or more: it can no longer tell others of errors that it sees
  bus_off,        ///< the transmit error counter went beyond 255: it neither sends nor receives
  stopped,        ///< the interface is down, or was never up
  sleeping,
};

/// "error-active", "error-warning", "error-passive", "bus-off", "stopped", "sleeping".
[[nodiscard]] std::string_view controller_state_name(ControllerState state);

/// One answer. Each attribute is named by what the kernel calls it in its message RTM_NEWLINK.
struct InterfaceFacts {
  /// "vcan", "vxcan", "can" (every driver of a controller, since Linux 6.0 slcan too); empty where the driver
  /// has no name for its kind, as slcan before. IFLA_INFO_KIND.
  std::string kind = {};

  // Of drivers of a controller alone: virtual interfaces have none of these.

  /// Of the arbitration phase, in bits per second. Absent as well where it was never set, or was set in the
  /// adapter and not through the kernel, as by `slcand -s6`. IFLA_CAN_BITTIMING.
  std::optional<std::uint32_t> bit_rate = {};
  /// Now, while error frames tell of changes alone; absent too for a number that is not known here.
  /// IFLA_CAN_STATE.
  std::optional<ControllerState> controller = {};
  /// How long after bus-off the kernel restarts the controller, in milliseconds; 0: it never does.
  /// IFLA_CAN_RESTART_MS.
  std::optional<std::uint32_t> restart_ms = {};
  /// The controller's error counters (ISO 11898-1); absent as well where the driver cannot read them.
  /// IFLA_CAN_BERR_COUNTER.
  std::optional<std::uint16_t> tx_errors = {};
  std::optional<std::uint16_t> rx_errors = {};

  // Frames of the bus that no program here could receive. Of all drivers, since the interface exists and so
  // for longer than any program listens: only their growth says something. Names as in
  // /sys/class/net/NAME/statistics, from IFLA_STATS64.

  /// Times that the controller, or the adapter, had a frame but no room for it: each is one frame or more.
  std::uint64_t rx_over_errors = 0;
  /// Frames that this computer dropped on their way from the driver to the sockets; those that a full socket
  /// loses are not among them, see LinkStatus::dropped.
  std::uint64_t rx_dropped = 0;

  bool operator==(const InterfaceFacts&) const = default;
};

}  // namespace rangerctl
