#include "rangerctl/output/text_buffer.hpp"

#include <algorithm>

namespace rangerctl::output {
namespace {

constexpr auto kPowersOfTen = [] {
  std::array<std::uint64_t, 20> powers{1};  // the last one is the largest that 64 bits hold
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// "00" .. "99" behind each other.
constexpr auto kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

/// "00" .. "FF" behind each other.
constexpr auto kHexPairs = [] {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::array<char, 512> pairs{};
  for (std::size_t i = 0; i < 256; ++i) {
    pairs[2 * i] = kDigits[i / 16];
    pairs[2 * i + 1] = kDigits[i % 16];
  }
  return pairs;
}();

unsigned digit_count(std::uint64_t value) {
  unsigned count = 1;
  while (count < kPowersOfTen.size() && value >= kPowersOfTen[count]) ++count;
  return count;
}

/// The last `width` digits of `value`.
char* put_digits(char* to, std::uint64_t value, unsigned width) {
  unsigned left = width;
  while (left >= 2) {
    left -= 2;
    std::memcpy(to + left, &kPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (left == 1) *to = static_cast<char>('0' + value % 10);
  return to + width;
}

}  // namespace

char* put_unsigned(char* to, std::uint64_t value) { return put_digits(to, value, digit_count(value)); }

char* put_padded(char* to, std::uint32_t value, unsigned width) { return put_digits(to, value, width); }

char* put_decimal(char* to, std::int64_t raw, unsigned decimals) {
  std::uint64_t magnitude = static_cast<std::uint64_t>(raw);
  if (raw < 0) {
    *to++ = '-';
    magnitude = 0 - magnitude;
  }
  if (decimals == 0) return put_unsigned(to, magnitude);
  const std::uint64_t whole = magnitude / kPowersOfTen[decimals];
  to = put_unsigned(to, whole);
  *to++ = '.';
  return put_digits(to, magnitude - whole * kPowersOfTen[decimals], decimals);
}

char* put_hex(char* to, const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) std::memcpy(to + 2 * i, &kHexPairs[std::size_t{2} * bytes[i]], 2);
  return to + 2 * count;
}

char* put_hex_number(char* to, std::uint32_t value, unsigned width) {
  for (unsigned i = width; i-- > 0; value >>= 4) to[i] = kHexPairs[2 * (value & 0xFU) + 1];
  return to + width;
}

void TextBuffer::grow(std::size_t count) {
  const std::size_t capacity = std::max(2 * capacity_, size_ + count);
  std::unique_ptr<char[]> memory(new char[capacity]);
  if (size_ != 0) std::memcpy(memory.get(), memory_.get(), size_);
  memory_ = std::move(memory);
  capacity_ = capacity;
}

}  // namespace rangerctl::output
