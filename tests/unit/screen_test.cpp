#include "rangerctl/monitor/screen.hpp"

#include <gtest/gtest.h>

namespace rangerctl::monitor {
namespace {

TEST(Screen, CutsOffWhatIsOutside) {
  Screen screen({2, 4});
  EXPECT_EQ(screen.put_text(0, 2, "abc"), 5);
  EXPECT_EQ(screen.put_text(1, -1, "xyz", Style::good), 2);
  screen.put_text(2, 0, "no");
  screen.put_text(-1, 0, "no");
  EXPECT_EQ(to_text(screen), "  ab\nyz\n");
  EXPECT_EQ(screen.at(1, 0), (Cell{U'y', Style::good}));
  EXPECT_EQ(Screen({0, -3}).size(), (Size{1, 1}));
}

TEST(Screen, TakesNothingThatIsNotOneColumnWide) {
  struct Row {
    std::string_view text;
    std::string_view shown;
  };
  const Row rows[] = {
      {"a\x1b[31m\n\x7f", "a?[31m??"},
      {"gr\xC3\xBC\xC3\x9F", "gr\xC3\xBC\xC3\x9F"},
      {"\xE2\x94\x80\xE2\x96\x88", "\xE2\x94\x80\xE2\x96\x88"},
      {"\xE6\x97\xA5", "?"},         // a wide character
      {"e\xCC\x81", "e?"},           // a combining one
      {"\xC2\x9B", "?"},             // C1 control
      {"\xFF\xC3", "??"},            // no UTF-8
      {"\xC0\x80", "??"},            // overlong
      {"\xF0\x9F\x98\x80", "????"},  // beyond the basic plane
  };
  for (const Row& row : rows) {
    Screen screen({1, 12});
    screen.put_text(0, 0, row.text);
    EXPECT_EQ(to_text(screen), std::string(row.shown) + "\n");
  }
}

TEST(Screen, HasAnAsciiFormOfEverything) {
  Screen screen({1, 8});
  screen.put_text(0, 0,
                  "\xE2\x94\x80\xE2\x96\x88\xE2\x96\x91\xE2\x80\xA6\xC3\xBC"
                  "a");
  screen.reduce_to_ascii();
  EXPECT_EQ(to_text(screen), "-#.~?a\n");
}

}  // namespace
}  // namespace rangerctl::monitor
