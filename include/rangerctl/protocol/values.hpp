#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

/// Bytes <-> raw integers <-> text. Nothing here goes through floating point.
namespace rangerctl::protocol {

/// The first eight data bytes as one big-endian number; bytes beyond the frame's length count as zero.
[[nodiscard]] constexpr std::uint64_t payload_word(std::span<const std::uint8_t> bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = (word << 8) | (i < bytes.size() ? bytes[i] : 0U);
  return word;
}
[[nodiscard]] constexpr std::uint64_t payload_word(const Frame& frame) {
  return payload_word(std::span(frame.data).first<8>());  // what lies beyond the length is zero
}

/// Where a field lies in the payload_word(): how far its bits must be moved up to the top, and down again.
struct BitRange {
  std::uint8_t up = 0;
  std::uint8_t down = 0;
  bool is_signed = false;
};
[[nodiscard]] constexpr BitRange bit_range(const Field& field) {
  return {static_cast<std::uint8_t>((field.byte + field.bytes) * 8 - field.low_bit - field.bits),
          static_cast<std::uint8_t>(64 - field.bits), field.is_signed};
}

/// The raw integer that lies there.
[[nodiscard]] constexpr std::int64_t raw_value(BitRange range, std::uint64_t word) {
  const std::uint64_t at_top = word << range.up;
  return range.is_signed ? static_cast<std::int64_t>(at_top) >> range.down
                         : static_cast<std::int64_t>(at_top >> range.down);
}
[[nodiscard]] constexpr std::int64_t raw_value(const Field& field, std::uint64_t word) {
  return raw_value(bit_range(field), word);
}
/// Precondition: `bytes` reaches over the field, which it does when it has at least the message's DLC.
[[nodiscard]] constexpr std::int64_t raw_value(const Field& field, std::span<const std::uint8_t> bytes) {
  return raw_value(field, payload_word(bytes));
}

/// Writes `raw` into its place; other bits stay. Precondition: as raw_value, and field.min() <= raw <= max().
constexpr void put_raw_value(const Field& field, std::int64_t raw, std::span<std::uint8_t> bytes) {
  for (unsigned i = 0; i < field.bits; ++i) {
    const unsigned bit = field.low_bit + i;
    const std::size_t at = field.byte + field.bytes - 1U - bit / 8U;
    const auto mask = static_cast<std::uint8_t>(1U << (bit % 8U));
    const bool set = ((static_cast<std::uint64_t>(raw) >> i) & 1U) != 0;
    bytes[at] = static_cast<std::uint8_t>(set ? (bytes[at] | mask) : (bytes[at] & ~mask));
  }
}

/// Whether `frame` carries all bytes that `message` needs.
[[nodiscard]] inline bool is_short(const Message& message, const Frame& frame) {
  return frame.bytes().size() < message.dlc;
}

/// The name of an enumeration's value; empty where the value has none.
[[nodiscard]] std::string_view choice_name(const Signal& signal, std::int64_t raw);

/// The name of one bit of a flags signal; empty where it has none (shown as "bitN").
[[nodiscard]] std::string_view flag_name(const Signal& signal, unsigned bit);

/// Whether this bit of a flags signal means that something is wrong. One without a name may.
[[nodiscard]] bool is_alarm(const Signal& signal, unsigned bit);

/// `raw` with `decimals` places: (-5, 3) -> "-0.005". Appends.
void append_decimal(std::string& out, std::int64_t raw, unsigned decimals);

/// A value for reading, without its unit: "0.150", "ackermann", "emergency_stop,bit9", "none" (no flag set),
/// an unknown enumeration value as its number.
[[nodiscard]] std::string value_text(const Signal& signal, std::int64_t raw);

/// value_text() with its unit behind it: "0.150 m/s".
[[nodiscard]] std::string value_with_unit(const Signal& signal, std::int64_t raw);

/// The frame of `message` with all bytes zero, ready for set_signal().
[[nodiscard]] Frame empty_frame(const Message& message);

/// Encodes a raw value. Refused when the field cannot hold it, or when a reader would take it for another
/// value (a fine-scaled signal at or below its threshold). Limits of commands are not checked here.
Result<void> set_signal(Frame& frame, const Signal& signal, std::int64_t raw);

/// Text -> raw value, the inverse of value_text(): a decimal number (no more places than the signal has), a
/// choice's name, or flag names (also "bitN") with commas between, or "none". A fine-scaled signal is in its
/// finer unit. The error names what is accepted; status usage.
Result<std::int64_t> parse_value(const Signal& signal, std::string_view text);

}  // namespace rangerctl::protocol
