// `log replay` without a bus: everything that is refused before one is opened. What it sends is a matter of
// the tests on a bus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kLog =
    "(1.000000) can0 211#000101F100000000\n(1.020000) can0 111#0096000000000000\n(1.040000) can1 7FF#00\n";

Outcome replay(std::vector<std::string> arguments, const std::string& input = "") {
  arguments.insert(arguments.begin(), {"log", "replay"});
  Command command = rangerctl(std::move(arguments));
  command.input = input;
  command.environment = {"RANGERCTL_INTERFACE=vcan0"};  // which does not count here
  return run(std::move(command));
}

TEST(LogReplay, WrongWordsAreSaidFirst) {
  const Folder folder;
  const std::string log = folder.write("in.log", kLog);
  struct Row {
    std::vector<std::string> words;
    const char* says;
  };
  const std::vector<Row> rows{
      {{log}, "needs the CAN interface to send to"},
      {{log, "-i", "sim"}, "needs the CAN interface to send to"},
      {{log, "-i", "replay:" + log}, "needs the CAN interface to send to"},
      {{"-i", "nosuch0"}, "FILE"},
      {{log, "-i", "nosuch0", "--speed", "0"}, "from 0.01 to 100"},
      {{"-", "-i", "nosuch0", "--step"}, "give it as a file"},
      {{log, "-i", "nosuch0", "--loop=-1"}, "no number of passes"},
      {{log, "-i", "nosuch0", "--map", "can1"}, "no BUS=INTERFACE"},
      {{log, "-i", "nosuch0", "--only", "nothing"}, "no message"},
      {{log, "-i", "nosuch0", "--not", "nothing"}, "no message"},
      {{log, "-i", "nosuch0", "--from", "noon"}, "is no time"},
      {{log, "-i", "nosuch0", "--max-speed", "0.5"}, "is for --with-commands"},
      {{log, "-i", "nosuch0", "--with-commands", "--max-speed", "fast"}, "no speed in m/s"},
      {{log, "-i", "nosuch0", "--with-commands", "--speed", "2"}, "neither --speed, --loop nor --step"},
      {{log, "-i", "nosuch0", "--with-commands", "--loop"}, "neither --speed, --loop nor --step"},
      {{log, "-i", "nosuch0", "--with-commands", "--step"}, "neither --speed, --loop nor --step"},
      {{log, "-i", "nosuch0", "--with-commands", "--map", "can1=nosuch1"}, "one interface only"},
      {{log, "-i", "nosuch0", "--all"},
       "frames of 2 buses; say where each goes, for example: --map can0=nosuch0 --map can1=-"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = replay(row.words);
    EXPECT_EQ(outcome.exit_status, 2) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr(row.says));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(LogReplay, AMalformedLogIsRefusedBeforeAnythingIsOpened) {
  const Folder folder;
  const std::string good(kLog.substr(0, kLog.find("(1.04")));
  struct Row {
    std::string content;
    int status;
    const char* says;
  };
  const std::vector<Row> rows{
      {good + "nonsense\n" + good + "(x) can0 211#00\n", 6,
       "line 3 is not understood (unrecognised line), and 1 more"},
      {good + "(1.060000) can0 211#000101F1000000\n(1.080000) can0 211#0\n", 6,
       "line 4 is not understood (bad data)"},
      {std::string("\0\0\0\0", 4), 6, "line 1 is not understood"},
      {"", 1, "has no frame"},
      {"(1.000000) can0 111#0096000000000000\n", 1, "1 command (sent only with --with-commands)"},
      {"(1.000000) can0 7FF#00\n", 1, "1 unknown frame (sent only with --all)"},
      {good, 3, "nosuch0"},
      {good + "(1.060000) can0 211#0001", 3, "nosuch0"},  // cut by a power failure, for example
  };
  for (const Row& row : rows) {
    const Outcome outcome = replay({folder.write("in.log", row.content), "-i", "nosuch0"});
    EXPECT_EQ(outcome.exit_status, row.status) << row.content << outcome;
    EXPECT_THAT(outcome.err, HasSubstr(row.says));
  }
  EXPECT_EQ(replay({"/nonexistent.log", "-i", "nosuch0"}).exit_status, 1);
}

TEST(LogReplay, ACompressedLogThatIsCutIsRefused) {
  const Folder folder;
  const std::string log = folder.write("in.log", kLog);
  ASSERT_EQ(run(shell("gzip -k " + shell_quoted(log) + " && truncate -s -6 " + shell_quoted(log + ".gz")))
                .exit_status,
            0);
  const Outcome outcome = replay({log + ".gz", "-i", "nosuch0"});
  EXPECT_EQ(outcome.exit_status, 6) << outcome;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("cut short"), HasSubstr("nothing was sent")));
}

TEST(LogReplay, ACommandThatNothingMaySendKeepsTheLogBack) {
  const Folder folder;
  const std::string log =
      folder.write("in.log", std::string(kLog) + "(2.000000) can0 111#0200000000000000\n");  // 0.512 m/s
  const Outcome slow = replay({log, "-i", "nosuch0", "--with-commands"});
  EXPECT_EQ(slow.exit_status, 5) << slow;
  EXPECT_THAT(slow.err, AllOf(HasSubstr("frame 4"), HasSubstr("--max-speed")));
  EXPECT_EQ(replay({log, "-i", "nosuch0", "--with-commands", "--max-speed", "0.6"}).exit_status, 3);
}

TEST(LogReplay, AMotionWithoutATimeIsRefused) {
  const Folder folder;
  const std::string log = folder.write("in.log", "  can0  111   [8]  00 96 00 00 00 00 00 00\n");
  const Outcome outcome = replay({log, "-i", "nosuch0", "--with-commands"});
  EXPECT_EQ(outcome.exit_status, 5) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("a motion without a time"));
}

TEST(LogReplay, StandardInputIsReadToItsEndFirst) {
  EXPECT_EQ(replay({"-", "-i", "nosuch0"}, std::string(kLog)).exit_status, 3);
  EXPECT_EQ(replay({"-", "-i", "nosuch0"}, std::string(kLog) + "nonsense\n").exit_status, 6);
}

TEST(LogReplay, FailuresAreObjectsWithJson) {
  const Folder folder;
  const Outcome outcome = replay({folder.write("in.log", "nonsense\n"), "-i", "nosuch0", "--json"});
  EXPECT_EQ(outcome.exit_status, 6);
  EXPECT_THAT(
      outcome.out,
      HasSubstr("\"command\":\"replay\",\"address\":\"nosuch0\",\"result\":\"not_sent\",\"exit_status\":6"));
}

}  // namespace
}  // namespace rangerctl::support
