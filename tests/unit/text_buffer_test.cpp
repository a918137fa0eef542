#include "rangerctl/output/text_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace rangerctl::output {
namespace {

template <class Put>
std::string placed(Put put_something) {
  std::array<char, 256> memory{};
  return std::string(memory.data(), put_something(memory.data()));
}

TEST(TextBuffer, NumbersOfEveryLength) {
  std::uint64_t value = 0;
  for (unsigned digits = 1; digits <= 19; ++digits) {
    value = value * 10 + digits % 10;
    EXPECT_EQ(placed([&](char* to) { return put_unsigned(to, value); }), std::to_string(value));
  }
  constexpr auto kLargest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(placed([](char* to) { return put_unsigned(to, 0); }), "0");
  EXPECT_EQ(placed([](char* to) { return put_unsigned(to, 999'999'999); }), "999999999");
  EXPECT_EQ(placed([](char* to) { return put_unsigned(to, 1'000'000'000); }), "1000000000");
  EXPECT_EQ(placed([](char* to) { return put_unsigned(to, 10'000'000'000); }), "10000000000");
  EXPECT_EQ(placed([](char* to) { return put_unsigned(to, kLargest); }), "18446744073709551615");
}

TEST(TextBuffer, DecimalsHexAndPadding) {
  EXPECT_EQ(placed([](char* to) { return put_decimal(to, -5, 3); }), "-0.005");
  EXPECT_EQ(placed([](char* to) { return put_decimal(to, std::numeric_limits<std::int64_t>::min(), 0); }),
            "-9223372036854775808");
  EXPECT_EQ(placed([](char* to) { return put_padded(to, 56, 6); }), "000056");
  EXPECT_EQ(placed([](char* to) { return put_padded(to, 7, 1); }), "7");
  EXPECT_EQ(placed([](char* to) { return put_hex_number(to, 0x1F, 3); }), "01F");
  EXPECT_EQ(placed([](char* to) { return put_hex_number(to, 0xDEADBEEF, 8); }), "DEADBEEF");
  constexpr std::array<std::uint8_t, 3> kBytes{0x00, 0xA5, 0xFF};
  EXPECT_EQ(placed([&](char* to) { return put_hex(to, kBytes.data(), kBytes.size()); }), "00A5FF");
}

TEST(TextBuffer, FragmentsShortAndLong) {
  const std::string long_text(100, 'x');
  EXPECT_EQ(placed([](char* to) { return Fragment("abc").put(to); }), "abc");
  EXPECT_EQ(placed([&](char* to) { return Fragment(long_text).put(to); }), long_text);
  EXPECT_EQ(Fragment("abc").room(), Fragment::kBlock);
  EXPECT_EQ(Fragment(long_text).room(), 100U);
}

TEST(TextBuffer, GrowsAndKeepsWhatIsThere) {
  TextBuffer buffer;
  for (int i = 0; i < 1000; ++i) buffer.append("0123456789");
  ASSERT_EQ(buffer.size(), 10'000U);
  EXPECT_EQ(buffer.view().substr(9'990), "0123456789");
  buffer.clear();
  EXPECT_EQ(buffer.size(), 0U);
}

}  // namespace
}  // namespace rangerctl::output
