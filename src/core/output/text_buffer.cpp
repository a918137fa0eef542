#include "rangerctl/output/text_buffer.hpp"

#include <algorithm>
#include <bit>

namespace rangerctl::output {
namespace {

constexpr auto kPowersOfTen = [] {
  std::array<std::uint64_t, 20> powers{1};  // the last one is the largest that 64 bits hold
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// Precondition: value > 0.
unsigned digit_count(std::uint64_t value) {
  const auto at_least = static_cast<unsigned>(std::bit_width(value) * 1233 / 4096);  // times log10(2)
  return at_least + (value >= kPowersOfTen[at_least] ? 1 : 0);
}

}  // namespace

char* detail::put_large(char* to, std::uint64_t value) { return put_digits(to, value, digit_count(value)); }

void TextBuffer::grow(std::size_t count) {
  const std::size_t capacity = std::max(2 * capacity_, size_ + count);
  std::unique_ptr<char[]> memory(new char[capacity]);
  if (size_ != 0) std::memcpy(memory.get(), memory_.get(), size_);
  memory_ = std::move(memory);
  capacity_ = capacity;
}

}  // namespace rangerctl::output
