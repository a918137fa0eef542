#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/convert/log_writer.hpp"
#include "rangerctl/output/text_buffer.hpp"

/// What the writers of logs share.
namespace rangerctl::convert {

/// Numbers for the names of buses: that of "can0" is 1, "can7" is 8 and so on where no other name has it yet;
/// any other name gets the first that is free. There are 255; names beyond share the last.
class Channels {
 public:
  struct Channel {
    std::uint32_t number;
    bool says_name;  ///< a reader that takes channel 1 as "can0" finds the name again, or there was none
  };
  [[nodiscard]] Channel of(std::string_view bus);

 private:
  struct Known {
    std::string bus;
    Channel channel;
  };
  [[nodiscard]] bool is_free(std::uint32_t number) const;
  Channel add(std::string_view bus);

  std::vector<Known> known_;
};

/// A time as the number of whole microseconds from another time.
struct Offset {
  bool negative = false;
  std::uint64_t seconds = 0;
  std::uint32_t microseconds = 0;
};
/// Rounds down. `base` is in whole seconds.
[[nodiscard]] Offset offset_from(std::int64_t base, const Timestamp& time);
/// "-1234567", microseconds; at most 28 characters.
char* put_microseconds(char* to, const Offset& offset);

/// Seconds since 1970 that formats with a date can begin with: `time` without its decimals, or zero where it
/// is in no year from 1970 to 9999.
[[nodiscard]] std::int64_t calendar_second(const Timestamp& time);

/// Whether the microsecond that a time is written in says less than it did.
[[nodiscard]] inline bool loses_nanoseconds(const Timestamp& time) { return time.nanoseconds % 1000 != 0; }

/// Whether it is the error that readers of formats without details take every one for.
[[nodiscard]] bool is_error_without_details(const Frame& frame);

/// The DLC of an FD frame; nothing: no DLC means that length.
[[nodiscard]] std::optional<std::uint8_t> fd_dlc(const Frame& frame);

/// The DLC of a classic frame.
[[nodiscard]] inline std::uint8_t classic_dlc(const Frame& frame) {
  return frame.raw_dlc != 0 ? frame.raw_dlc : frame.length;
}

[[nodiscard]] inline std::string_view direction_word(FrameDirection direction) {
  return direction == FrameDirection::tx ? "Tx" : "Rx";
}

/// Fills with blanks what was placed since `begin`, up to `width` characters.
inline char* pad_right(const char* begin, char* end, std::size_t width) {
  const auto size = static_cast<std::size_t>(end - begin);
  return size < width ? std::fill_n(end, width - size, ' ') : end;
}
/// Moves what was placed since `begin` to the end of `width` characters.
inline char* pad_left(char* begin, char* end, std::size_t width) {
  const auto size = static_cast<std::size_t>(end - begin);
  if (size >= width) return end;
  std::memmove(begin + (width - size), begin, size);
  std::fill_n(begin, width - size, ' ');
  return begin + width;
}

/// " 00 01 F1"
inline char* put_spaced_bytes(char* to, const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to = output::put_hex(output::put(to, ' '), bytes + i, 1);
  return to;
}

/// Upper-case hexadecimal without leading zeros.
inline char* put_short_hex(char* to, std::uint32_t value) {
  unsigned digits = 1;
  while (digits < 8 && value >> (4 * digits) != 0) ++digits;
  return output::put_hex_number(to, value, digits);
}

}  // namespace rangerctl::convert
