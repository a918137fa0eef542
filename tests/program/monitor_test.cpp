// The dashboard on the simulated chassis and on a log, in a real terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <string>

#include "support/process.hpp"
#include "support/pty.hpp"
#include "support/tmux.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kLog =
    "(1712345678.000000) can0 211#000101F100000000\n"
    "(1712345678.020000) can0 221#00000BB80000FF9C\n"
    "(1712345678.040000) can0 211#0001017700000080\n";

TEST(MonitorSnapshot, JsonOfTheSimulatedChassisHasEveryMessage) {
  const Outcome outcome = run(rangerctl({"monitor", "sim", "--json"}));
  ASSERT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.err, IsEmpty());
  const auto snapshot = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(snapshot["address"], "sim");
  EXPECT_EQ(snapshot["link"]["state"], "up");
  int heard = 0;
  for (const auto& message : snapshot["messages"]) heard += message["count"] > 0 ? 1 : 0;
  EXPECT_GE(heard, 27) << outcome.out;
}

TEST(MonitorSnapshot, OfALogShowsItsLastValues) {
  const Folder folder;
  const Outcome outcome = run(rangerctl({"monitor", "--once", "replay:" + folder.write("drive.log", kLog)}));
  ASSERT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("battery_voltage=37.5 V"), HasSubstr("errors=emergency_stop"),
                                 HasSubstr("angular_velocity=3.000 rad/s"), HasSubstr("soc=----")));
}

TEST(MonitorSnapshot, AFrameAfterALongPauseIsFresh) {
  const Folder folder;
  const std::string log = folder.write("slow.log",
                                       "(1712345678.000000) can0 211#000101F100000000\n"
                                       "(1712345679.300000) can0 211#000101F100000000\n");
  const Outcome outcome = run(rangerctl({"monitor", "--once", "replay:" + log}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, HasSubstr("battery_voltage=49.7 V"));
}

TEST(MonitorSnapshot, IsPrintedWhereStdoutIsNoTerminal) {
  const Outcome outcome = run(rangerctl({"monitor", "sim"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("system_status"), HasSubstr("bms_status"), Not(HasSubstr("\x1b"))));
}

TEST(MonitorSnapshot, OfSilenceIsStatus4) {
  const Folder folder;
  const std::string log = folder.write("drive.log", "(1.000000) can0 7FF#00\n");
  const Outcome outcome = run(rangerctl({"monitor", "--json", "replay:" + log}));
  EXPECT_EQ(outcome.exit_status, 4) << outcome;
}

/// The dashboard with the terminal's settings before and after it, and its exit status.
class MonitorScreen : public ::testing::Test {
 protected:
  std::string script(const std::string& arguments, const std::string& environment = "") const {
    const std::string before = shell_quoted((folder_.path() / "before").string());
    const std::string after = shell_quoted((folder_.path() / "after").string());
    return "trap : INT; stty -g >" + before + "; " + environment + " " + shell_quoted(rangerctl_binary()) +
           " monitor " + arguments + "; echo \"ended with $?\"; stty -g >" + after +
           "; echo compared; sleep 1000";
  }
  void expect_restored(const Tmux& terminal, int status) const {
    ASSERT_TRUE(terminal.shows("compared")) << terminal.screen();
    EXPECT_THAT(terminal.screen(), HasSubstr("ended with " + std::to_string(status)));
    EXPECT_THAT(terminal.screen(),
                Not(HasSubstr("sim")));  // the dashboard is gone, what was there before is back
    EXPECT_EQ(read_file(folder_.path() / "before"), read_file(folder_.path() / "after"));
  }

  Folder folder_;
};

TEST_F(MonitorScreen, ShowsTheChassisAndQuitsOnQ) {
  const Tmux terminal(script("sim"));
  ASSERT_TRUE(terminal.shows("sim")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("V")) << terminal.screen();
  terminal.send_keys({"q"});
  expect_restored(terminal, 0);
}

TEST_F(MonitorScreen, RestoresTheTerminalAfterControlC) {
  const Tmux terminal(script("sim"));
  ASSERT_TRUE(terminal.shows("sim")) << terminal.screen();
  terminal.send_keys({"C-c"});
  expect_restored(terminal, 130);
}

TEST_F(MonitorScreen, FollowsEverySizeDownToOneCell) {
  const Tmux terminal(script("sim"));
  ASSERT_TRUE(terminal.shows("sim")) << terminal.screen();
  for (const auto& [columns, rows] : {std::pair{200, 60}, {40, 12}, {1, 1}, {80, 24}}) {
    terminal.resize(columns, rows);
  }
  EXPECT_TRUE(terminal.shows("sim")) << terminal.screen();
  terminal.send_keys({"q"});
  expect_restored(terminal, 0);
}

TEST_F(MonitorScreen, UsesNoColourWhereNobodyWantsIt) {
  const auto sgr_colours = [](const std::string& screen) {
    for (const char* colour : {"\x1b[3", "\x1b[9", "\x1b[4"}) {
      for (auto at = screen.find(colour); at != std::string::npos; at = screen.find(colour, at + 1)) {
        if (screen[at + 3] >= '0' && screen[at + 3] <= '8') return true;
      }
    }
    return false;
  };
  const Tmux coloured(script("sim"));
  const Tmux plain(script("sim", "NO_COLOR=1"));
  ASSERT_TRUE(coloured.shows("sim"));
  ASSERT_TRUE(plain.shows("sim"));
  EXPECT_TRUE(
      coloured.shows([&](const std::string&) { return sgr_colours(coloured.screen_with_colours()); }));
  EXPECT_FALSE(sgr_colours(plain.screen_with_colours()));
}

/// The dashboard in a terminal that takes nothing any more.
class MonitorStalled : public ::testing::Test {
 protected:
  MonitorStalled() : monitor_(command(terminal_.slave())) {}

  static Command command(int terminal) {
    Command command = rangerctl({"monitor", "sim:drive"});
    command.terminal = terminal;
    command.environment.emplace_back("TERM=xterm-256color");
    return command;
  }
  void pass(Milliseconds time) {
    monitor_.read_until([] { return false; }, time);
  }
  // Nobody reads, and every signal asks for a full picture; the kernel holds a dozen or two.
  void stall() {
    for (int i = 0; i < 200; ++i) {
      monitor_.signal(SIGWINCH);
      pass(Milliseconds{10});
    }
  }
  void expect_orderly_end(int status) {
    const Outcome outcome = monitor_.wait();
    EXPECT_EQ(outcome.exit_status, status) << outcome;
    EXPECT_TRUE(terminal_.has_settings(before_));
    EXPECT_TRUE(terminal_.shows("\x1b[?1049l")) << "the screen from before is not back";
  }

  Pty terminal_;
  const termios before_ = terminal_.settings();
  Process monitor_;
};

TEST_F(MonitorStalled, EndsOnATermSignalWhileNobodyReads) {
  ASSERT_TRUE(terminal_.shows("sim:drive"));
  stall();
  monitor_.signal(SIGTERM);
  expect_orderly_end(143);
}

TEST_F(MonitorStalled, EndsOnATermSignalAfterControlS) {
  ASSERT_TRUE(terminal_.shows("sim:drive"));
  ASSERT_TRUE(terminal_.type("\x13"));
  pass(Milliseconds{1000});
  monitor_.signal(SIGTERM);
  expect_orderly_end(143);
}

TEST_F(MonitorStalled, ShowsTheWholePictureOnceItIsReadAgain) {
  ASSERT_TRUE(terminal_.shows("sim:drive"));
  stall();
  ASSERT_TRUE(terminal_.type("?"));
  EXPECT_TRUE(terminal_.show_until([&] {
    monitor_.signal(SIGWINCH);
    return terminal_.shown().find("every id with its rate and age") != std::string::npos;
  }));
  ASSERT_TRUE(terminal_.type("q"));
  expect_orderly_end(0);
}

TEST_F(MonitorStalled, EndsWhenTheTerminalIsClosed) {
  ASSERT_TRUE(terminal_.shows("sim:drive"));
  terminal_.hang_up();
  EXPECT_EQ(monitor_.wait().exit_status, 129);
}

}  // namespace
}  // namespace rangerctl::support
