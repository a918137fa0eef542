#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <span>

namespace rangerctl {

enum class FrameKind : std::uint8_t {
  data,    ///< classic CAN data frame
  remote,  ///< classic remote transmission request (RTR): a length, no data
  error,   ///< SocketCAN error frame: made by the local controller, never on the wire
  fd,      ///< CAN FD
  xl,      ///< CAN XL: only in logs; its header and longer payload travel in log::XlFrame
};

/// FD flags in the numbering that candump logs use today; the last one is always set on an FD frame.
inline constexpr std::uint8_t kFdBitRateSwitch = 1;
inline constexpr std::uint8_t kFdErrorState = 2;
inline constexpr std::uint8_t kFdFormat = 4;

/// Not part of Frame::id: the bit that marks the id of an error frame wherever it is written as a number, in
/// logs, in output and in filters; always with eight digits (Linux, include/uapi/linux/can.h, CAN_ERR_FLAG).
inline constexpr std::uint32_t kErrorIdBit = 0x20000000;

/// One frame as a value. Compares equal when every field and all data bytes do.
struct Frame {
  std::uint32_t id = 0;  ///< arbitration id without flag bits; error frame: its class bits; XL: its priority
  FrameKind kind = FrameKind::data;
  bool extended = false;      ///< 29-bit id; never set on error and XL frames
  std::uint8_t length = 0;    ///< number of data bytes; remote: the requested length (no data)
  std::uint8_t raw_dlc = 0;   ///< 9..15 where a classic frame of 8 bytes carried that DLC, otherwise 0
  std::uint8_t fd_flags = 0;  ///< FD only, see kFd...
  std::array<std::uint8_t, 64> data{};  ///< bytes from `length` on are zero

  [[nodiscard]] std::span<const std::uint8_t> bytes() const {
    return {data.data(), kind == FrameKind::remote ? std::size_t{0} : length};
  }
  bool operator==(const Frame&) const = default;
};

/// A point in time as the source wrote it: never through a double, with the digits that it had.
struct Timestamp {
  std::int64_t seconds = 0;       ///< since 1970-01-01 UTC, or since whatever the log's clock counts from
  std::uint32_t nanoseconds = 0;  ///< 0..999'999'999
  std::uint8_t digits = 0;        ///< decimal places that the source had (1..9); 0: the source has no time

  [[nodiscard]] bool known() const { return digits != 0; }
  /// Clocks that count from a start-up, and logs without a date, are not the time of day.
  [[nodiscard]] bool is_time_of_day() const {
    constexpr std::int64_t kSomeYear = 100'000'000;
    return known() && seconds >= kSomeYear;
  }
  /// Orders by time alone.
  [[nodiscard]] std::strong_ordering order(const Timestamp& other) const {
    if (seconds != other.seconds) return seconds <=> other.seconds;
    return nanoseconds <=> other.nanoseconds;
  }
  bool operator==(const Timestamp&) const = default;
};

/// 146 years: times that are further apart belong to a damaged log.
inline constexpr std::chrono::nanoseconds kLongestTime = std::chrono::nanoseconds::max() / 2;

/// From `from` to `to`, which is not before it; at most kLongestTime.
[[nodiscard]] inline std::chrono::nanoseconds time_between(const Timestamp& from, const Timestamp& to) {
  constexpr auto kMost = static_cast<std::uint64_t>(kLongestTime / std::chrono::seconds(1));
  const std::uint64_t whole =
      static_cast<std::uint64_t>(to.seconds) - static_cast<std::uint64_t>(from.seconds);
  if (whole >= kMost) return kLongestTime;
  return std::chrono::seconds(whole) + std::chrono::nanoseconds(to.nanoseconds) -
         std::chrono::nanoseconds(from.nanoseconds);
}

/// Which way a frame went, seen from this host.
enum class FrameDirection : std::uint8_t { unknown, rx, tx };

}  // namespace rangerctl
