#pragma once

#include <cstddef>
#include <string_view>

#include "rangerctl/log/log_frame.hpp"

/// Lines as today's candump writes them, placed character by character: a record has to keep up with the bus.
namespace rangerctl::log::candump {

/// What any of these may need, or all that a line consists of but the name of its bus. Those of CAN XL need
/// more.
inline constexpr std::size_t kRoom = 320;
inline constexpr std::size_t kXlRoom = 4400;

/// "1712345678.123456", ten digits or more, with six or nine decimals. A time before 1970 is zero.
char* put_time(char* to, const Timestamp& time, unsigned decimals);

/// "211#0001F1", "18FF50E5#R8", "211##40001", "20000040#0000000000000000". `xl`: what a CAN XL frame has
/// besides; without it the frame is none.
char* put_log_frame(char* to, const Frame& frame, const XlFrame* xl);

/// "211   [8]  00 01 F1 ..", with `indent` as where ids of 29 bits stand above it. A raw DLC as candump -8
/// has it, in that line alone.
char* put_long_frame(char* to, const Frame& frame, const XlFrame* xl, bool indent);

}  // namespace rangerctl::log::candump
