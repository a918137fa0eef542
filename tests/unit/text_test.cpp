#include "rangerctl/text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace rangerctl {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json_escaped(out, text);
  return out;
}

TEST(Text, NothingReachesTheTerminalThatWouldSteerIt) {
  EXPECT_EQ(printable("can0"), "can0");
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1B[31mb");
  EXPECT_EQ(printable("a\r\n\t\x7f"), "a\\x0D\\x0A\\x09\\x7F");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xC2\\x9B") << "C1 CSI as UTF-8";
  EXPECT_EQ(printable("\x9B"), "\\x9B") << "C1 CSI as a single byte";
  EXPECT_EQ(printable("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(printable("\xC0\x80\xED\xA0\x80"), "\\xC0\\x80\\xED\\xA0\\x80") << "overlong NUL, surrogate";
  EXPECT_EQ(printable("back\\slash"), "back\\\\slash");
}

TEST(Text, JsonStringsAreAlwaysValid) {
  EXPECT_EQ(json("a\"b\\c"), "a\\\"b\\\\c");
  EXPECT_EQ(json("\x1b\n\x7f"), "\\u001b\\n\\u007f");
  EXPECT_EQ(json("\xC2\x9B"), "\\u009b");
  EXPECT_EQ(json("\xFF"), "\xEF\xBF\xBD");
}

TEST(Text, NearestSuggestsOnlyWhatIsClose) {
  constexpr std::array<std::string_view, 3> names{"motion_feedback", "motion_command", "bms_status"};
  EXPECT_EQ(nearest("motion_feedbak", names), "motion_feedback");
  EXPECT_EQ(nearest("bms_sattus", names), "bms_status");
  EXPECT_EQ(nearest("completely_other", names), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), names), "");
}

}  // namespace
}  // namespace rangerctl
