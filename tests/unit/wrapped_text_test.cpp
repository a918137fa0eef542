#include "rangerctl/wrapped_text.hpp"

#include <gtest/gtest.h>

namespace rangerctl {
namespace {

std::string hanging(std::string_view label, std::string_view text, std::size_t hang) {
  std::string out;
  append_hanging(out, label, text, hang);
  return out;
}

TEST(WrappedText, StartsAtTheHangAndBreaksAtEightyColumns) {
  EXPECT_EQ(hanging("  a", "one two", 6), "  a   one two\n");
  const std::string word(36, 'x');
  EXPECT_EQ(hanging("ab", word + ' ' + word + ' ' + word, 7),
            "ab     " + word + ' ' + word + "\n       " + word + '\n')
      << "7 + 36 + 1 + 36 is exactly 80";
  EXPECT_EQ(hanging("ab", word + ' ' + word, 8), "ab      " + word + "\n        " + word + '\n');
}

TEST(WrappedText, ALongLabelStandsAlone) {
  EXPECT_EQ(hanging("12345", "x", 6), "12345 x\n");
  EXPECT_EQ(hanging("123456", "x", 6), "123456\n      x\n");
  EXPECT_EQ(hanging("123456", "", 6), "123456\n");
}

TEST(WrappedText, ALongWordIsNotBroken) {
  const std::string word(90, 'x');
  EXPECT_EQ(hanging("", "a " + word + " b", 2), "  a\n  " + word + "\n  b\n");
}

TEST(WrappedText, SpacesDoNotAddUp) { EXPECT_EQ(hanging("", "  a   b  ", 0), "a b\n"); }

}  // namespace
}  // namespace rangerctl
