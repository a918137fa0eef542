#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "rangerctl/frame.hpp"

/// The shape of a protocol description. A description is data; everything that rangerctl knows about a
/// robot (decoding, output, export, staleness, the simulator's schedule) is derived from it.
namespace rangerctl::protocol {

/// Who sends a message: the chassis (feedback) or the host (command).
enum class Direction : std::uint8_t { feedback, command };

/// A named value of an enumeration.
struct Choice {
  std::int64_t value;
  std::string_view name;
  std::string_view meaning = {};
};

/// A named bit of a flags word.
struct Flag {
  std::uint8_t bit;  ///< 0 is the least significant bit of the signal
  std::string_view name;
  std::string_view meaning = {};
  std::string_view remedy = {};  ///< what a person can do about it; empty where the sources say nothing
  std::int16_t clear_code = -1;  ///< value of clear_error_command.error that clears this bit; -1: none
  bool harmless = false;         ///< a healthy robot has it set too: never an alarm
};

/// Where a signal lies: `bits` bits, of which the lowest is bit `low_bit` of the big-endian word made of
/// bytes `byte` .. `byte + bytes - 1`.
struct Field {
  std::uint8_t byte = 0;
  std::uint8_t bytes = 1;  ///< 1..4
  std::uint8_t low_bit = 0;
  std::uint8_t bits = 8;
  bool is_signed = false;

  [[nodiscard]] constexpr std::int64_t min() const {
    return is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
  }
  [[nodiscard]] constexpr std::int64_t max() const {
    return (std::int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1;
  }
};

constexpr Field u8(std::uint8_t byte) { return {byte, 1, 0, 8, false}; }
constexpr Field i8(std::uint8_t byte) { return {byte, 1, 0, 8, true}; }
constexpr Field u16(std::uint8_t byte) { return {byte, 2, 0, 16, false}; }
constexpr Field i16(std::uint8_t byte) { return {byte, 2, 0, 16, true}; }
constexpr Field u32(std::uint8_t byte) { return {byte, 4, 0, 32, false}; }
constexpr Field i32(std::uint8_t byte) { return {byte, 4, 0, 32, true}; }
constexpr Field bit_field(std::uint8_t byte, std::uint8_t low_bit, std::uint8_t bits) {
  return {byte, 1, low_bit, bits, false};
}

/// Inclusive bounds of a raw value.
struct Range {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

inline constexpr std::int64_t kNoFineScale = std::numeric_limits<std::int64_t>::max();

/// One value inside a message. Physical value = raw / 10^decimals, so it is exact without floating point.
struct Signal {
  std::string_view name;
  Field field;
  std::uint8_t decimals = 0;
  std::string_view unit = {};
  Range range = {};                      ///< raw limits for a sender; default: what the field can hold
  std::span<const Choice> choices = {};  ///< not empty: an enumeration
  std::span<const Flag> flags = {};      ///< not empty: a set of flags
  /// Raw values above this are in a ten times finer unit (one decimal more). For the one signal of which
  /// two firmware versions disagree about the unit; an encoder always writes the finer one.
  std::int64_t fine_above = kNoFineScale;
  std::string_view meaning = {};
  bool restless =
      false;  ///< changes by itself for long while all is as it should be: no change of it is news

  [[nodiscard]] constexpr std::int64_t min() const { return std::max(range.min, field.min()); }
  [[nodiscard]] constexpr std::int64_t max() const { return std::min(range.max, field.max()); }
  [[nodiscard]] constexpr bool has_fine_scale() const { return fine_above != kNoFineScale; }
  [[nodiscard]] constexpr std::uint8_t decimals_of(std::int64_t raw) const {
    return static_cast<std::uint8_t>(decimals + (raw > fine_above ? 1 : 0));
  }
};

/// A limit of a command's signal that holds only in some situation, within the signal's own range.
struct ConditionalLimit {
  enum class When : std::uint8_t {
    motion_mode_is,   ///< the chassis is in the motion mode `value`
    steering_beyond,  ///< the larger of the commanded and the measured steering angle is `value` or more
                      ///< (raw)
  };
  std::string_view signal;
  Range range;
  When when;
  std::int64_t value;
  std::string_view situation;  ///< in words, to follow the limit: "in ackermann"
};

/// One kind of frame: classic CAN data frame with an 11-bit id.
struct Message {
  std::uint32_t id;
  std::string_view name;
  Direction direction;
  std::uint8_t dlc;              ///< bytes that the signals need; longer frames are decoded, shorter ones not
  std::uint16_t period_ms = 0;   ///< 0: not periodic
  std::uint16_t timeout_ms = 0;  ///< after this long without it the receiver acts on the loss; 0: none
  std::span<const Signal> signals;
  std::string_view meaning;
  std::string_view source;                        ///< where the layout comes from
  std::span<const ConditionalLimit> limits = {};  ///< not empty: a command that moves the chassis

  [[nodiscard]] constexpr bool is_command() const { return direction == Direction::command; }
};

/// An id that the chassis uses and whose content is text or not documented: passed on, never decoded.
struct OpaqueId {
  std::uint32_t id;
  std::uint8_t dlc;
  std::string_view meaning;
};

/// What a robot says and understands beyond its messages.
struct Extras {
  std::span<const Frame> queries = {};      ///< a host may send exactly these besides commands
  std::span<const OpaqueId> feedback = {};  ///< a chassis may send these besides its messages
};

inline constexpr std::uint32_t kStandardIds = 2048;

/// The messages of one robot. A value: pass it by reference, never merge two (ids collide between robots).
/// Does not own the messages; they must outlive it.
class Catalogue {
 public:
  constexpr Catalogue(std::string_view name, std::string_view title, std::span<const Message> messages,
                      Extras extras = {})
      : name_(name), title_(title), messages_(messages), extras_(extras) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
      by_id_[messages[i].id % kStandardIds] = static_cast<std::uint16_t>(i + 1);
    }
  }

  [[nodiscard]] constexpr std::string_view name() const {
    return name_;
  }  ///< for file names: "ranger_mini_3"
  [[nodiscard]] constexpr std::string_view title() const { return title_; }  ///< for people
  [[nodiscard]] constexpr std::span<const Message> messages() const { return messages_; }
  [[nodiscard]] constexpr const Extras& extras() const { return extras_; }

  /// The message with this 11-bit id, or null.
  [[nodiscard]] constexpr const Message* find(std::uint32_t id) const {
    const std::uint16_t index = id < kStandardIds ? by_id_[id] : std::uint16_t{0};
    return index == 0 ? nullptr : &messages_[index - 1U];
  }
  /// Where one of its messages stands in messages().
  [[nodiscard]] constexpr std::size_t index_of(const Message& message) const {
    return static_cast<std::size_t>(&message - messages_.data());
  }
  /// The message that this frame is, or null. 29-bit, remote, FD, XL and error frames are never one: the
  /// robot speaks classic 11-bit data frames alone, and a number that happens to match means nothing.
  [[nodiscard]] constexpr const Message* find(const Frame& frame) const {
    return frame.kind == FrameKind::data && !frame.extended ? find(frame.id) : nullptr;
  }
  /// The message of this name, or null.
  [[nodiscard]] constexpr const Message* find(std::string_view name) const {
    const auto found = std::find_if(messages_.begin(), messages_.end(),
                                    [name](const Message& message) { return message.name == name; });
    return found == messages_.end() ? nullptr : &*found;
  }
  /// What the chassis sends on this id besides its messages, or null.
  [[nodiscard]] constexpr const OpaqueId* find_opaque(std::uint32_t id) const {
    const auto rows = extras_.feedback;
    const auto found =
        std::find_if(rows.begin(), rows.end(), [id](const OpaqueId& row) { return row.id == id; });
    return found == rows.end() ? nullptr : &*found;
  }

 private:
  std::string_view name_;
  std::string_view title_;
  std::span<const Message> messages_;
  Extras extras_;
  std::array<std::uint16_t, kStandardIds> by_id_{};  ///< index into messages_ + 1; 0: none
};

/// The signal of this name in `message`, or null.
constexpr const Signal* find_signal(const Message& message, std::string_view name) {
  const auto found = std::find_if(message.signals.begin(), message.signals.end(),
                                  [name](const Signal& signal) { return signal.name == name; });
  return found == message.signals.end() ? nullptr : &*found;
}

namespace detail {

constexpr bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

template <class Row, class Key>
constexpr bool all_different(std::span<const Row> rows, Key key) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      if (key(rows[i]) == key(rows[j])) return false;
    }
  }
  return true;
}

/// The bits of a frame's eight bytes that a field covers, bit 0 = lowest bit of byte 7.
constexpr std::uint64_t occupied_bits(const Field& field) {
  const std::uint64_t ones = (std::uint64_t{1} << field.bits) - 1;
  const int shift = (8 - field.byte - field.bytes) * 8 + field.low_bit;
  return ones << shift;
}

constexpr bool well_formed(const Signal& signal, const Message& message) {
  const Field& field = signal.field;
  if (!is_name(signal.name)) return false;
  if (field.bytes < 1 || field.bytes > 4 || field.byte + field.bytes > message.dlc) return false;
  if (field.bits < 1 || field.low_bit + field.bits > field.bytes * 8) return false;
  if (signal.decimals > 8 || signal.min() > signal.max()) return false;
  if (!signal.choices.empty() && !signal.flags.empty()) return false;
  if ((!signal.choices.empty() || !signal.flags.empty()) && (signal.decimals != 0 || field.is_signed))
    return false;
  for (const Choice& choice : signal.choices) {
    if (!is_name(choice.name) || choice.value < signal.min() || choice.value > signal.max()) return false;
  }
  for (const Flag& flag : signal.flags) {
    if (!is_name(flag.name) || flag.bit >= field.bits) return false;
  }
  return all_different(signal.choices, [](const Choice& row) { return row.name; }) &&
         all_different(signal.choices, [](const Choice& row) { return row.value; }) &&
         all_different(signal.flags, [](const Flag& row) { return row.name; }) &&
         all_different(signal.flags, [](const Flag& row) { return row.bit; });
}

constexpr bool well_formed(const ConditionalLimit& limit, const Message& message) {
  const auto holds_it = [&limit](const Signal& signal) {
    return signal.name == limit.signal && limit.range.min >= signal.min() && limit.range.max <= signal.max();
  };
  return limit.range.min <= limit.range.max && !limit.situation.empty() &&
         std::any_of(message.signals.begin(), message.signals.end(), holds_it);
}

constexpr bool well_formed(const Message& message) {
  if (!is_name(message.name) || message.id >= kStandardIds || message.dlc < 1 || message.dlc > 8)
    return false;
  if (message.signals.empty() || message.source.empty() || message.meaning.empty()) return false;
  std::uint64_t taken = 0;
  for (const Signal& signal : message.signals) {
    if (!well_formed(signal, message) || (taken & occupied_bits(signal.field)) != 0) return false;
    taken |= occupied_bits(signal.field);
  }
  for (const ConditionalLimit& limit : message.limits) {
    if (!message.is_command() || !well_formed(limit, message)) return false;
  }
  return all_different(message.signals, [](const Signal& row) { return row.name; });
}

}  // namespace detail

/// Ids and names unique, names snake_case, every field inside its frame, no two fields overlapping.
constexpr bool well_formed(std::span<const Message> messages) {
  return std::all_of(messages.begin(), messages.end(),
                     [](const Message& m) { return detail::well_formed(m); }) &&
         detail::all_different(messages, [](const Message& row) { return row.id; }) &&
         detail::all_different(messages, [](const Message& row) { return row.name; });
}

}  // namespace rangerctl::protocol
