#pragma once

#include <algorithm>

#include "fuzz.hpp"
#include "rangerctl/log/log_frame.hpp"

/// What holds of every frame that a reader of logs makes, whatever the format.
namespace rangerctl::fuzz {

/// No more decimals than its digits say.
inline void check_time(const Timestamp& time) {
  require(time.nanoseconds < 1'000'000'000 && time.digits <= 9);
  std::uint32_t unit = 1;
  for (int digit = time.digits; digit < 9; ++digit) unit *= 10;
  require(time.nanoseconds % unit == 0);
  require(time.known() || (time.seconds == 0 && time.nanoseconds == 0));
}

inline void check_log_frame(const log::LogFrame& line) {
  const Frame& frame = line.frame;
  const bool is_wide = frame.extended || frame.kind == FrameKind::error;
  require(frame.id < (is_wide ? 0x20000000U : 0x800U));
  require(!frame.extended || (frame.kind != FrameKind::error && frame.kind != FrameKind::xl));
  require(frame.length <= (frame.kind == FrameKind::fd ? 64 : 8));
  const auto unused = std::span(frame.data).subspan(frame.bytes().size());
  require(std::all_of(unused.begin(), unused.end(), [](std::uint8_t byte) { return byte == 0; }));
  require(frame.kind == FrameKind::fd ? (frame.fd_flags & kFdFormat) != 0 : frame.fd_flags == 0);
  require(frame.raw_dlc == 0 ||
          (frame.kind != FrameKind::fd && frame.length == 8 && frame.raw_dlc >= 9 && frame.raw_dlc <= 15));
  if (frame.kind == FrameKind::xl)
    require(line.xl.length >= 1 && line.xl.length <= 2048 && line.xl.stored <= line.xl.length);
  check_time(line.time);
  require(line.bus.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos);
}

inline bool same(const log::XlFrame& one, const log::XlFrame& other) {
  return one.vcid == other.vcid && one.flags == other.flags && one.sdt == other.sdt && one.af == other.af &&
         one.length == other.length && one.stored == other.stored &&
         std::equal(one.data.begin(), one.data.begin() + one.stored, other.data.begin());
}

inline bool same(const log::LogFrame& one, const log::LogFrame& other) {
  return one.time == other.time && one.bus == other.bus && one.direction == other.direction &&
         one.frame == other.frame;
}

}  // namespace rangerctl::fuzz
