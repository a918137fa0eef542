#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rangerctl/log/log_frame.hpp"

/// CAN frames as packets of a capture, in the layout of the kernel's struct can_frame and canfd_frame
/// (tcpdump.org, LINKTYPE_CAN_SOCKETCAN).
namespace rangerctl::log {

/// Which end of the id comes first: the most significant with that link type itself, and the machine's own,
/// which is little, behind a header of Linux's cooked captures. Seen with dumpcap 4.0 on vcan0 and on "any".
enum class IdOrder : std::uint8_t { big_endian, little_endian };
/// What the capture itself says of it; unknown: its bytes have to say it.
enum class PacketKind : std::uint8_t { unknown, classic, fd };

/// Reads the frame of a packet into `out`, all but its time, bus and direction: `frame`, or what is wrong
/// with it. CAN XL is not read (unrecognised). A packet of 72 bytes is FD even without the flag for it, which
/// older kernels did not set.
[[nodiscard]] LineKind read_packet(std::span<const std::uint8_t> packet, IdOrder order, PacketKind kind,
                                   LogFrame& out);

inline constexpr std::size_t kLongestPacket = 72;

/// Whether a CAN FD frame has a length for which there is a DLC.
[[nodiscard]] bool is_fd_length(std::uint8_t length);

/// The inverse, big-endian. Returns how many bytes there are. Precondition: not CAN XL.
std::size_t put_packet(const Frame& frame, std::span<std::uint8_t, kLongestPacket> packet);

}  // namespace rangerctl::log
