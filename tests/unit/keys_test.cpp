#include "tui/keys.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace rangerctl::tui {
namespace {

std::string keys(std::string_view bytes) {
  KeyParser parser;
  std::string keys;
  for (const char byte : bytes) {
    if (const char key = parser.take(byte); key != 0) keys += key;
  }
  return keys;
}

TEST(Keys, PlainCharactersAreKeys) { EXPECT_EQ(keys("1q\t?"), "1q\t?"); }

TEST(Keys, EscapeSequencesAreNoKeys) {
  EXPECT_EQ(keys("\x1b[A2"), "2") << "arrow";
  EXPECT_EQ(keys("\x1b[1~2"), "2") << "home: the 1 inside is no key";
  EXPECT_EQ(keys("\x1b[1;5Cq"), "q") << "with a modifier";
  EXPECT_EQ(keys("\x1bOP1"), "1") << "function key";
  EXPECT_EQ(keys("\x1bq1"), "1") << "Alt";
  EXPECT_EQ(keys("\x1b[\x1b[Bq"), "q") << "a sequence that another one interrupts";
}

}  // namespace
}  // namespace rangerctl::tui
