#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

/// Text put together at the speed of memory: the caller asks for room once and then places characters without
/// checks.
namespace rangerctl::output {

/// Copies `text` and returns where the next character goes. Precondition of every put_...(): there is room.
inline char* put(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

inline char* put(char* to, char c) {
  *to = c;
  return to + 1;
}

/// A text that is usually short and then copied as one block of fixed size, which costs a few instructions
/// instead of a call. put() writes up to room() characters, of which only the text's own count.
class Fragment {
 public:
  static constexpr std::size_t kBlock = 48;

  Fragment() = default;
  explicit Fragment(std::string text) : text_(std::move(text)), size_(text_.size()) {
    std::memcpy(block_.data(), text_.data(), std::min(size_, kBlock));
  }

  [[nodiscard]] char* put(char* to) const {
    if (size_ > kBlock) return output::put(to, text_);
    std::memcpy(to, block_.data(), kBlock);
    return to + size_;
  }
  /// Room that put() needs.
  [[nodiscard]] std::size_t room() const { return std::max(size_, kBlock); }

 private:
  std::array<char, kBlock> block_{};
  std::string text_;
  std::size_t size_ = 0;
};

namespace detail {

/// "00" .. "99" behind each other.
inline constexpr auto kDecimalPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

/// "00" .. "FF" behind each other.
inline constexpr auto kHexPairs = [] {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::array<char, 512> pairs{};
  for (std::size_t i = 0; i < 256; ++i) {
    pairs[2 * i] = kDigits[i / 16];
    pairs[2 * i + 1] = kDigits[i % 16];
  }
  return pairs;
}();

/// The last `width` digits of `value`.
inline char* put_digits(char* to, std::uint64_t value, unsigned width) {
  unsigned left = width;
  for (; left >= 2; value /= 100) {
    left -= 2;
    std::memcpy(to + left, &kDecimalPairs[2 * (value % 100)], 2);
  }
  if (left == 1) *to = static_cast<char>('0' + value % 10);
  return to + width;
}

/// 100 and more.
char* put_large(char* to, std::uint64_t value);

}  // namespace detail

/// At most 20 characters.
inline char* put_unsigned(char* to, std::uint64_t value) {
  if (value >= 100) return detail::put_large(to, value);
  return detail::put_digits(to, value, value < 10 ? 1 : 2);
}

/// `width` digits with leading zeros; at most 9.
inline char* put_padded(char* to, std::uint32_t value, unsigned width) {
  return detail::put_digits(to, value, width);
}

/// `raw` / 10^decimals, exact: (-5, 3) -> "-0.005". At most 32 characters; decimals at most 9.
inline char* put_decimal(char* to, std::int64_t raw, unsigned decimals) {
  auto magnitude = static_cast<std::uint64_t>(raw);
  if (raw < 0) {
    to = put(to, '-');
    magnitude = 0 - magnitude;
  }
  std::uint64_t whole = magnitude;
  for (unsigned i = 0; i < decimals; ++i) whole /= 10;  // by a constant: cheaper than by a power from a table
  to = put_unsigned(to, whole);
  if (decimals == 0) return to;
  return detail::put_digits(put(to, '.'), magnitude, decimals);
}

/// Two upper-case hex digits a byte.
inline char* put_hex(char* to, const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(to + 2 * i, &detail::kHexPairs[std::size_t{2} * bytes[i]], 2);
  return to + 2 * count;
}

/// `width` upper-case hex digits; at most 8.
inline char* put_hex_number(char* to, std::uint32_t value, unsigned width) {
  for (unsigned i = width; i-- > 0; value >>= 4) to[i] = detail::kHexPairs[2 * (value & 0xFU) + 1];
  return to + width;
}

/// Growing memory for output that is written out in large pieces.
class TextBuffer {
 public:
  /// Room for `count` more characters behind what is there; valid until the next call.
  [[nodiscard]] char* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return memory_.get() + size_;
  }
  /// Says how far the characters placed since room() reach.
  void advance_to(const char* end) { size_ = static_cast<std::size_t>(end - memory_.get()); }
  void append(std::string_view text) { advance_to(put(room(text.size()), text)); }

  [[nodiscard]] std::string_view view() const { return {memory_.get(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

 private:
  void grow(std::size_t count);

  std::unique_ptr<char[]> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace rangerctl::output
