#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/frame.hpp"

namespace rangerctl {

/// Bits of an error frame's id (Linux, include/uapi/linux/can/error.h), for those who act on them.
inline constexpr std::uint32_t kErrorTxTimeout = 0x001;
inline constexpr std::uint32_t kErrorLostArbitration = 0x002;
inline constexpr std::uint32_t kErrorController = 0x004;
inline constexpr std::uint32_t kErrorProtocol = 0x008;
inline constexpr std::uint32_t kErrorTransceiver = 0x010;
inline constexpr std::uint32_t kErrorNoAcknowledge = 0x020;
inline constexpr std::uint32_t kErrorBusOff = 0x040;
inline constexpr std::uint32_t kErrorBusError = 0x080;
inline constexpr std::uint32_t kErrorRestarted = 0x100;
inline constexpr std::uint32_t kErrorCounters = 0x200;

/// An error frame in words. Names are snake_case; bits without a name appear as "bitN", bytes as their
/// number.
struct ErrorFrame {
  std::vector<std::string> classes;     ///< "controller_problem", "bus_off", ...
  std::vector<std::string> controller;  ///< "rx_error_passive", ...; only of class controller_problem
  std::vector<std::string> protocol;    ///< "bit_stuffing_error", "transmitting", ...
  std::string location;     ///< where in the frame the violation was: "data_field"; empty: not told
  std::string transceiver;  ///< "can_high_no_wire", ...; empty: not told
  std::optional<int> lost_arbitration_bit;  ///< 0: not told by the controller
  std::optional<int> tx_errors;  ///< the controller's transmit error counter, where the frame carries it
  std::optional<int> rx_errors;
};

/// Precondition: frame.kind == FrameKind::error.
[[nodiscard]] ErrorFrame decode_error_frame(const Frame& frame);

/// One line for people: "controller_problem (rx_error_passive, tx_error_passive), tx errors 136, rx errors
/// 127".
[[nodiscard]] std::string error_frame_text(const ErrorFrame& error);

}  // namespace rangerctl
