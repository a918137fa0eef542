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

/// At most 20 characters.
char* put_unsigned(char* to, std::uint64_t value);
/// `width` digits with leading zeros; at most 9.
char* put_padded(char* to, std::uint32_t value, unsigned width);
/// `raw` / 10^decimals, exact: (-5, 3) -> "-0.005". At most 32 characters; decimals at most 9.
char* put_decimal(char* to, std::int64_t raw, unsigned decimals);
/// Two upper-case hex digits a byte.
char* put_hex(char* to, const std::uint8_t* bytes, std::size_t count);
/// `width` upper-case hex digits; at most 8.
char* put_hex_number(char* to, std::uint32_t value, unsigned width);

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
