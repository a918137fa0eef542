// How teleop ends: whatever happens, the terminal can be used afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <functional>

#include "support/fake_terminal.hpp"
#include "support/teleop_operator.hpp"

namespace rangerctl::support {
namespace {

using ::testing::IsEmpty;

struct Ending {
  std::string_view what;
  std::function<void(FakeTerminal&)> happens;
  JobEnd end;
};

const Ending kEndings[]{
    {"q", [](FakeTerminal& terminal) { terminal.tap("q"); }, {0, 0}},
    {"Ctrl-C", [](FakeTerminal& terminal) { terminal.tap("C-c"); }, {130, 0}},
    {"SIGINT", [](FakeTerminal& terminal) { terminal.signal(SIGINT); }, {130, 0}},
    {"SIGTERM", [](FakeTerminal& terminal) { terminal.signal(SIGTERM); }, {143, 0}},
    {"SIGHUP", [](FakeTerminal& terminal) { terminal.signal(SIGHUP); }, {129, 0}},
    {"SIGKILL", [](FakeTerminal& terminal) { terminal.signal(SIGKILL); }, {-1, SIGKILL}},
    {"SIGSEGV", [](FakeTerminal& terminal) { terminal.signal(SIGSEGV); }, {-1, SIGSEGV}},
    {"SIGABRT", [](FakeTerminal& terminal) { terminal.signal(SIGABRT); }, {-1, SIGABRT}},
    {"SIGSTOP and SIGKILL",
     [](FakeTerminal& terminal) {
       terminal.signal(SIGSTOP);
       terminal.waits_stopped();
       terminal.signal(SIGKILL);
     },
     {-1, SIGKILL}},
};

// In each state that it can be in, on each kind of terminal.
void expect_endings(const TerminalKind& kind, const std::function<bool(TeleopOperator&)>& gets_ready,
                    Milliseconds delay = Milliseconds{0}) {
  for (const Ending& ending : kEndings) {
    FakeTerminal terminal(rangerctl({"teleop", "sim"}), kind);
    terminal.set_delay(Way::both, delay);
    TeleopOperator driver(terminal);
    ASSERT_TRUE(driver.reaches("DISARMED")) << ending.what << '\n' << terminal.screen();
    ASSERT_TRUE(gets_ready(driver)) << ending.what << '\n' << terminal.screen();
    ending.happens(terminal);
    const auto end = terminal.wait();
    ASSERT_TRUE(end) << ending.what << '\n' << terminal.screen();
    EXPECT_EQ(*end, ending.end) << ending.what << '\n' << terminal.screen();
    // After a crash nobody waits for the last answer.
    EXPECT_THAT(ending.end.signal == 0 ? terminal.left_behind() : terminal.left_on(), IsEmpty())
        << ending.what << '\n'
        << terminal.screen();
  }
}

bool is_ready(TeleopOperator&) { return true; }

TEST(TeleopEnd, OfADisarmedOneLeavesTheTerminalAsItWas) {
  expect_endings(kKitty, is_ready);
  expect_endings(kPlain, is_ready);
}

TEST(TeleopEnd, OfAnArmedOneLeavesTheTerminalAsItWas) {
  expect_endings(kKitty, [](TeleopOperator& driver) { return driver.arm(); });
}

TEST(TeleopEnd, LetsNoAnswerThroughToTheShellOnASlowLink) {
  for (const Milliseconds delay : {Milliseconds{30}, Milliseconds{100}}) {
    FakeTerminal terminal(rangerctl({"teleop", "sim"}));
    terminal.set_delay(Way::both, delay);
    ASSERT_TRUE(TeleopOperator(terminal).reaches("DISARMED")) << terminal.screen();
    pass(Milliseconds{500});
    terminal.tap("q");
    EXPECT_EQ(terminal.wait(), (JobEnd{0, 0}));
    pass(4 * delay);
    EXPECT_THAT(terminal.left_behind(), IsEmpty()) << terminal.screen();
  }
}

TEST(TeleopEnd, AKeyThatIsHeldMeanwhileIsTypedAsThatKeyAlone) {
  for (const Milliseconds delay : {Milliseconds{0}, Milliseconds{60}}) {
    FakeTerminal terminal(rangerctl({"teleop", "sim"}));
    terminal.set_delay(Way::both, delay);
    ASSERT_TRUE(TeleopOperator(terminal).arm()) << terminal.screen();
    terminal.press("w");
    ASSERT_TRUE(TeleopOperator(terminal).reaches("MOVING")) << terminal.screen();
    terminal.signal(SIGTERM);
    EXPECT_EQ(terminal.wait(), (JobEnd{143, 0}));
    EXPECT_TRUE(terminal.shows("www")) << terminal.screen();
    EXPECT_THAT(terminal.left_behind(), IsEmpty()) << terminal.screen();
  }
}

TEST(TeleopEnd, WhileItStillAsksWhatTheTerminalCanDo) {
  FakeTerminal terminal(rangerctl({"teleop", "sim"}));
  terminal.set_delay(Way::both, Milliseconds{300});
  pass(Milliseconds{100});
  terminal.signal(SIGTERM);
  EXPECT_EQ(terminal.wait(), (JobEnd{143, 0}));
  EXPECT_THAT(terminal.left_behind(), IsEmpty()) << terminal.screen();
}

TEST(TeleopEnd, ByAHangUp) {
  FakeTerminal terminal(rangerctl({"teleop", "sim"}));
  ASSERT_TRUE(TeleopOperator(terminal).reaches("DISARMED")) << terminal.screen();
  terminal.hang_up();
  EXPECT_EQ(terminal.wait(), (JobEnd{129, 0}));
}

TEST(TeleopEnd, ATerminalThatTakesNothingDoesNotKeepIt) {
  FakeTerminal terminal(rangerctl({"teleop", "sim"}));
  ASSERT_TRUE(TeleopOperator(terminal).arm()) << terminal.screen();
  terminal.stop_reading(true);
  pass(Milliseconds{1000});
  terminal.signal(SIGTERM);
  EXPECT_EQ(terminal.wait(), (JobEnd{143, 0}));
  terminal.stop_reading(false);
  // What it answers only now, nobody reads any more: see the limits in the README.
  EXPECT_THAT(terminal.left_on(), IsEmpty()) << terminal.screen();
}

TEST(TeleopEnd, ASuspendedOneComesBackDisarmed) {
  FakeTerminal terminal(rangerctl({"teleop", "sim"}));
  TeleopOperator driver(terminal);
  ASSERT_TRUE(driver.arm()) << terminal.screen();
  for (const bool by_key : {true, false}) {
    if (by_key) {
      terminal.tap("C-z");
    } else {
      terminal.signal(SIGTSTP);
    }
    ASSERT_TRUE(terminal.waits_stopped()) << terminal.screen();
    EXPECT_THAT(terminal.left_behind(), IsEmpty()) << terminal.screen();
    terminal.resume();
    ASSERT_TRUE(driver.reaches("DISARMED")) << terminal.screen();
    EXPECT_EQ(terminal.kitty_flags(), 11);
    ASSERT_TRUE(driver.arm()) << terminal.screen();
  }
  terminal.tap("q");
  EXPECT_EQ(terminal.wait(), (JobEnd{0, 0}));
  EXPECT_THAT(terminal.left_behind(), IsEmpty());
}

TEST(TeleopEnd, OneThatWasStoppedTakesTheTerminalBack) {
  FakeTerminal terminal(rangerctl({"teleop", "sim"}));
  TeleopOperator driver(terminal);
  ASSERT_TRUE(driver.arm()) << terminal.screen();
  const std::string raw = terminal.settings();
  terminal.signal(SIGSTOP);
  ASSERT_TRUE(terminal.waits_stopped()) << terminal.screen();
  terminal.set_as_before();
  pass(Milliseconds{300});
  terminal.resume();
  ASSERT_TRUE(driver.reaches("DISARMED")) << terminal.screen();
  EXPECT_EQ(terminal.settings(), raw);
  EXPECT_EQ(terminal.kitty_flags(), 11);
  ASSERT_TRUE(driver.arm()) << "keys arrive, and no answer is echoed: " << terminal.screen();
  EXPECT_EQ(terminal.screen().find("^["), std::string::npos) << terminal.screen();
  terminal.tap("q");
  EXPECT_EQ(terminal.wait(), (JobEnd{0, 0}));
  EXPECT_THAT(terminal.left_behind(), IsEmpty());
}

}  // namespace
}  // namespace rangerctl::support
