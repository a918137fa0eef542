#include "tui/painter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <string>

namespace rangerctl::tui {
namespace {

using monitor::Screen;
using monitor::Size;
using monitor::Style;
using ::testing::HasSubstr;
using ::testing::Not;

class PainterTest : public ::testing::Test {
 protected:
  PainterTest() { setenv("TERM", "xterm-256color", 1); }

  static std::unique_ptr<Painter> open(Size size, bool colors = true) {
    auto painter = Painter::open(colors, size);
    EXPECT_TRUE(painter) << painter.error().message;
    return std::move(*painter);
  }
  static Screen picture(Size size) {
    Screen screen(size);
    screen.put_text(0, 0, "title", Style::title);
    screen.put_text(4, 10, "speed 0.3 m/s");
    screen.put_text(5, 0, "bad", Style::fault);
    return screen;
  }
};

constexpr Size kSize{10, 40};

TEST_F(PainterTest, EntersAndLeavesAsTheTerminalNeedsIt) {
  struct Row {
    const char* term;
    std::string_view enter;
    std::string_view leave;
  };
  // From infocmp: neither smkx, for keys are not its business, nor a palette, for none is changed.
  for (const Row& row :
       {Row{"xterm-256color",
            "\x1b[?1049h\x1b[22;0;0t\x1b[1;10r\x1b(B\x1b[m\x1b[4l\x1b[?7h\x1b[39;49m\x1b[?25l",
            "\x1b(B\x1b[m\x1b[39;49m\x1b[10;1H\x1b[?12l\x1b[?25h\x1b[?1049l\x1b[23;0;0t\r"},
        Row{"linux", "\x1b)0\x1b[1;10r\x1b[m\x0f\x1b[4l\x1b[?7h\x1b[39;49m\x1b[?25l\x1b[?1c",
            "\x1b[m\x0f\x1b[39;49m\x1b[10;1H\x1b[?25h\x1b[?0c\r"},
        Row{"vt100", "\x1b(B\x1b)0\x1b[1;10r\x1b[m\x0f\x1b[?7h", "\x1b[m\x0f\x1b[10;1H\r"}}) {
    setenv("TERM", row.term, 1);
    const auto painter = open(kSize);
    EXPECT_EQ(painter->enter(), row.enter) << row.term;
    EXPECT_EQ(painter->leave(), row.leave) << row.term;
  }
}

TEST_F(PainterTest, TheFirstPictureClearsAndNothingElseCameBefore) {
  const auto painter = open(kSize);
  const std::string bytes(painter->paint(picture(kSize)));
  EXPECT_EQ(bytes.substr(0, 7), "\x1b[H\x1b[2J");
  EXPECT_THAT(bytes, HasSubstr("title"));
  EXPECT_THAT(bytes, HasSubstr("\x1b[5;11H\x1b(B\x1b[0mspeed 0.3 m/s"));
  EXPECT_THAT(bytes, HasSubstr("\x1b[31mbad"));
}

TEST_F(PainterTest, OnlyWhatChangedIsWritten) {
  const auto painter = open(kSize);
  Screen screen = picture(kSize);
  painter->paint(screen);
  EXPECT_EQ(painter->paint(screen), "");
  screen.put_text(4, 18, "4");
  EXPECT_EQ(painter->paint(screen), "\x1b[5;19H4\x1b(B\x1b[m");
  EXPECT_EQ(painter->paint(screen), "");
}

TEST_F(PainterTest, RepaintSaysEverythingOnceMore) {
  const auto painter = open(kSize);
  const std::string first(painter->paint(picture(kSize)));
  painter->repaint();
  EXPECT_EQ(painter->paint(picture(kSize)), first);
  EXPECT_EQ(painter->paint(picture(kSize)), "");
}

TEST_F(PainterTest, AnotherSizeIsPaintedInFull) {
  const auto painter = open(kSize);
  painter->paint(picture(kSize));
  const Size larger{30, 100};
  painter->resize(larger);
  EXPECT_EQ(painter->size(), larger);
  Screen screen = picture(larger);
  screen.put_text(29, 90, "corner");
  const std::string bytes(painter->paint(screen));
  EXPECT_THAT(bytes, HasSubstr("\x1b[2J"));
  EXPECT_THAT(bytes, HasSubstr("speed 0.3 m/s"));
  EXPECT_THAT(bytes, HasSubstr("\x1b[30;91H\x1b(B\x1b[0mcorner"));
  EXPECT_THAT(painter->leave(), HasSubstr("\x1b[30;1H"));

  painter->resize({1, 1});
  EXPECT_THAT(std::string(painter->paint(screen)), Not(HasSubstr("it")));
}

TEST_F(PainterTest, WithoutColoursAFaultStillStandsOut) {
  const auto painter = open(kSize, false);
  const std::string bytes(painter->paint(picture(kSize)));
  EXPECT_THAT(bytes, HasSubstr("\x1b[0;1;7mbad"));
  EXPECT_THAT(bytes, Not(HasSubstr("\x1b[3")));
}

TEST_F(PainterTest, SignalHandlersStayAsTheyAre) {
  for (const int number : {SIGINT, SIGTERM, SIGTSTP, SIGWINCH}) {
    const auto painter = open(kSize);
    painter->paint(picture(kSize));
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL) << number;
  }
}

}  // namespace
}  // namespace rangerctl::tui
