// The terminal of the teleop tests itself, on programs that are simpler than teleop.
#include "support/fake_terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Milliseconds kShort{100};

// A program that shows every byte that it reads, as `od` does, but at once: ESC is ^[.
Command show_bytes(const std::string& first = "") {
  return shell("stty raw -echo; printf '" + first + "ready\\r\\n'; exec cat -v");
}

TEST(FakeTerminal, ShowsTheProgramAndItsEnd) {
  FakeTerminal terminal(shell("stty size; tty -s && echo on a terminal; echo $TERM; exit 3"));
  EXPECT_EQ(terminal.wait(), (JobEnd{3, 0}));
  EXPECT_TRUE(terminal.shows("24 80\non a terminal\nxterm-256color\n")) << terminal.screen();
  EXPECT_THAT(terminal.left_behind(), IsEmpty());
}

TEST(FakeTerminal, SaysWhichSignalEndedIt) {
  FakeTerminal terminal(show_bytes());
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.signal(SIGKILL);
  EXPECT_EQ(terminal.wait(), (JobEnd{-1, SIGKILL}));
  EXPECT_THAT(terminal.left_behind(kShort), HasSubstr("settings"));
}

TEST(FakeTerminal, TellsWhatWasLeftOn) {
  FakeTerminal terminal(shell("printf '\\033[?1049h\\033[?25l\\033[?2004h'"));
  ASSERT_TRUE(terminal.wait());
  EXPECT_EQ(terminal.left_behind(kShort), "the cursor is hidden; mode ?1049; mode ?2004; ");
}

TEST(FakeTerminal, TypesForTerminalsOfOld) {
  FakeTerminal terminal(show_bytes(), kPlain);
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.type("wA");
  terminal.tap("Up");
  EXPECT_TRUE(terminal.shows("wA^[[A")) << terminal.screen();
}

TEST(FakeTerminal, TypesWithKittyEventsOnceTheyArePushed) {
  FakeTerminal terminal(show_bytes("\\033[>11u\\033[?u"), kKitty);
  ASSERT_TRUE(terminal.shows("^[[?11u")) << terminal.screen();
  terminal.tap("w");
  EXPECT_TRUE(terminal.shows("^[[119u^[[119;1:3u")) << terminal.screen();
}

TEST(FakeTerminal, RepeatsTheKeyThatIsDown) {
  FakeTerminal terminal(show_bytes(), kPlain);
  terminal.set_repeat(Milliseconds{50}, Milliseconds{10});
  ASSERT_TRUE(terminal.shows("ready"));
  const auto pressed = terminal.press("w");
  EXPECT_TRUE(terminal.shows("wwwww"));
  EXPECT_GT(terminal.last_key(), pressed);
  terminal.press("d");
  EXPECT_TRUE(terminal.shows("ddddd"));
  terminal.release("d");
  terminal.tap(".");
  ASSERT_TRUE(terminal.shows("."));
  const std::string end = terminal.screen();
  EXPECT_FALSE(terminal.shows([&](const std::string& screen) { return screen != end; }, kShort));
}

TEST(FakeTerminal, PastesAndReportsFocusOnlyWhereAskedTo) {
  FakeTerminal plain(show_bytes());
  ASSERT_TRUE(plain.shows("ready"));
  plain.focus(false);
  plain.paste("pasted");
  EXPECT_TRUE(plain.shows("\npasted")) << plain.screen();
  FakeTerminal asked(show_bytes("\\033[?1004h\\033[?2004h"));
  ASSERT_TRUE(asked.shows("ready"));
  asked.focus(false);
  asked.focus(true);
  asked.paste("pasted");
  EXPECT_TRUE(asked.shows("^[[O^[[I^[[200~pasted^[[201~")) << asked.screen();
}

TEST(FakeTerminal, AnswersInOneStreamWithTheKeys) {
  // The program asks, and asks again for each line that it gets.
  FakeTerminal terminal(
      shell("stty -echo -icanon min 1; printf 'ready\\033[5n';"
            "while c=$(dd bs=64 count=1 2>/dev/null); do printf '%s' \"$c\" | cat -v; done"));
  ASSERT_TRUE(terminal.shows("ready^[[0n")) << terminal.screen();
  terminal.stall(Way::to_program, Milliseconds{200});
  terminal.send("a");
  terminal.send("\x1b[0n");
  terminal.send("b");
  EXPECT_TRUE(terminal.shows("ready^[[0na^[[0nb")) << terminal.screen();
  terminal.become_mute();
}

TEST(FakeTerminal, HoldsEverythingInAStallAndHandsItOverInOnePiece) {
  // One read() shows how much came at once.
  FakeTerminal terminal(shell("stty raw -echo; printf ready; dd bs=4096 count=1 2>/dev/null | wc -c"),
                        kPlain);
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.set_repeat(Milliseconds{10}, Milliseconds{10});
  terminal.stall(Way::to_program, Milliseconds{400});
  terminal.hold("w", Milliseconds{200});
  EXPECT_FALSE(terminal.shows([](const std::string& screen) { return screen.size() > 30; }, kShort));
  EXPECT_TRUE(terminal.wait());
  int count = 0;
  EXPECT_TRUE(terminal.shows([&](const std::string& screen) {
    return sscanf(screen.c_str(), "ready%d", &count) == 1;
  })) << terminal.screen();
  EXPECT_GT(count, 5);
}

TEST(FakeTerminal, TearsASequenceWithoutLettingAnythingBetween) {
  FakeTerminal terminal(show_bytes(), kPlain);
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.send_torn("abcd", 2, Milliseconds{300});
  terminal.send("e");
  EXPECT_TRUE(terminal.shows([](const std::string& screen) { return screen.find("\nab\n") != screen.npos; }));
  EXPECT_TRUE(terminal.shows("\nabcde\n")) << terminal.screen();
}

TEST(FakeTerminal, DelaysBothWays) {
  FakeTerminal terminal(show_bytes(), kPlain);
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.set_delay(Way::both, Milliseconds{200});
  const auto typed = terminal.tap("x");
  ASSERT_TRUE(terminal.shows("\nx"));
  EXPECT_GE(std::chrono::system_clock::now() - typed, Milliseconds{400});
}

TEST(FakeTerminal, ResizesAndTellsTheProgram) {
  FakeTerminal terminal(shell("trap 'stty size' WINCH; echo ready; while :; do sleep 0.02; done"));
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.resize({40, 8});
  EXPECT_TRUE(terminal.shows("8 40")) << terminal.screen();
}

TEST(FakeTerminal, StopsAndResumesAsAShellDoes) {
  FakeTerminal terminal(shell("trap 'echo again' CONT; echo ready; while :; do read line; done"));
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.tap("C-z");
  ASSERT_TRUE(terminal.waits_stopped());
  EXPECT_FALSE(terminal.wait(Milliseconds{0}));
  terminal.resume();
  EXPECT_TRUE(terminal.shows("again")) << terminal.screen();
  terminal.tap("C-c");
  EXPECT_EQ(terminal.wait(), (JobEnd{-1, SIGINT}));
}

TEST(FakeTerminal, HangsUp) {
  const Folder folder;
  const std::string path = (folder.path() / "word").string();
  FakeTerminal terminal(shell("trap 'echo hung up >" + shell_quoted(path) +
                              "; exit 9' HUP; echo ready; while :; do sleep 0.02; done"));
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.hang_up();
  EXPECT_EQ(terminal.wait(), (JobEnd{9, 0}));
  EXPECT_EQ(read_file(path), "hung up\n");
}

TEST(FakeTerminal, MayStopReadingAltogether) {
  FakeTerminal terminal(shell("echo ready; read line; while :; do i=$((i + 1)); echo $i; done"));
  ASSERT_TRUE(terminal.shows("ready"));
  terminal.tap("Enter");
  ASSERT_TRUE(terminal.shows("100"));
  terminal.stop_reading(true);
  pass(kShort);
  const std::string frozen = terminal.screen();
  const auto differs = [&](const std::string& screen) { return screen != frozen; };
  EXPECT_FALSE(terminal.shows(differs, kShort));
  terminal.stop_reading(false);
  EXPECT_TRUE(terminal.shows(differs));
}

TEST(FakeTerminal, TheDashboardLeavesNothingBehind) {
  FakeTerminal terminal(rangerctl({"monitor", "sim:drive"}));
  ASSERT_TRUE(terminal.shows("sim:drive")) << terminal.screen();
  EXPECT_TRUE(terminal.mode(1049));
  EXPECT_THAT(terminal.left_behind(Milliseconds{0}), AllOf(HasSubstr("settings"), HasSubstr("?1049")));
  terminal.tap("q");
  EXPECT_EQ(terminal.wait(), (JobEnd{0, 0}));
  EXPECT_THAT(terminal.left_behind(), IsEmpty());
  EXPECT_THAT(terminal.screen(), Not(HasSubstr("sim:drive")));
}

TEST(FakeTerminal, ShowsWhatIsPaintedInDifferences) {
  FakeTerminal terminal(rangerctl({"monitor", "sim"}));
  EXPECT_TRUE(terminal.shows("Errors 0x211: none")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("CTRL can      MODE ackermann")) << terminal.screen();
}

}  // namespace
}  // namespace rangerctl::support
