#pragma once

#include <cstdint>

/// Flags of CANFD and CANXL lines of Vector ASC (can-utils, log2asc.c and asc2log.c), for who reads and who
/// writes them.
namespace rangerctl::log::asc {

inline constexpr std::uint32_t kRemote = 0x00000010;
inline constexpr std::uint32_t kFd = 0x00001000;
inline constexpr std::uint32_t kBitRateSwitch = 0x00002000;
inline constexpr std::uint32_t kErrorState = 0x00004000;
inline constexpr std::uint32_t kXl = 0x00400000;
inline constexpr std::uint32_t kXlRemote = 0x00800000;
inline constexpr std::uint32_t kXlSecurity = 0x01000000;

/// The same two of CAN XL as XlFrame::flags has them, and the one that every CAN XL frame has (Linux,
/// include/uapi/linux/can.h: CANXL_SEC, CANXL_RRS, CANXL_XLF).
inline constexpr std::uint8_t kXlFrameSecurity = 0x01;
inline constexpr std::uint8_t kXlFrameRemote = 0x02;
inline constexpr std::uint8_t kXlFrameFormat = 0x80;

}  // namespace rangerctl::log::asc
