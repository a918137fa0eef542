#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

TEST(CommandLine, VersionIsOneLineOnStdout) {
  const Outcome outcome = run(rangerctl({"--version"}));
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.out, MatchesRegex("rangerctl [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(CommandLine, HelpNamesEveryCommandAndExitStatus) {
  const Outcome outcome = run(rangerctl({"--help"}));
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  for (const char* word :
       {"monitor", "decode", "sim", "explain", "protocol", "130", "143", "sim:SCENARIO", "replay:FILE"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

TEST(CommandLine, EveryCommandHasHelp) {
  for (const char* command : {"monitor", "decode", "sim", "explain", "protocol"}) {
    const Outcome outcome = run(rangerctl({command, "--help"}));
    EXPECT_EQ(outcome.exit_status, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr("Usage:")) << command;
  }
}

TEST(CommandLine, WrongUseIsStatus2AndSaysWhereToLook) {
  const struct {
    std::vector<std::string> arguments;
    const char* message;
  } kRows[] = {
      {{}, "rangerctl --help"},
      {{"monitr"}, "did you mean monitor?"},
      {{"decode", "--formt"}, "rangerctl decode --help"},
      {{"decode", "--format", "xml"}, "text, json, csv"},
      {{"decode", "--only", "sistem_status"}, "did you mean system_status?"},
      {{"decode", "--only", "sys\x1b[31m"}, "\\x1B"},
      {{"decode", "--signal", "system_status.control_mod"}, "control_mode"},
      {{"decode", "--from", "yesterday"}, "yesterday"},
      {{"explain", "sistem_status"}, "system_status"},
      {{"explain", "\x1b[31m"}, "'\\x1B[31m'"},
  };
  for (const auto& row : kRows) {
    const Outcome outcome = run(rangerctl(row.arguments));
    EXPECT_EQ(outcome.exit_status, 2) << outcome;
    EXPECT_THAT(outcome.out, IsEmpty()) << row.message;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("rangerctl: "), HasSubstr(row.message)));
  }
}

TEST(CommandLine, AnInterfaceThatIsNotThereIsStatus3AndSaysWhatToDo) {
  for (const char* command : {"decode", "monitor"}) {
    const Outcome outcome = run(rangerctl({"-i", "nocan7", command}));
    EXPECT_EQ(outcome.exit_status, 3) << outcome;
    EXPECT_THAT(outcome.out, IsEmpty());
    // Depends on this machine's kernel: without CAN, as in most containers, or with it.
    EXPECT_THAT(outcome.err, HasSubstr("nocan7"));
    EXPECT_THAT(outcome.err, ::testing::AnyOf(HasSubstr("no CAN support"), HasSubstr("no such interface")));
  }
}

TEST(CommandLine, TheInterfaceComesFromTheEnvironmentToo) {
  Command command = rangerctl({"monitor"});
  command.environment.emplace_back("RANGERCTL_INTERFACE=nocan8");
  EXPECT_THAT(run(command).err, HasSubstr("nocan8"));
  EXPECT_THAT(run(rangerctl({"monitor"})).err, HasSubstr("can0"));
}

TEST(CommandLine, ClosedStandardStreamsStayClosed) {
  const std::string binary = shell_quoted(rangerctl_binary());
  EXPECT_EQ(run(shell(binary + " protocol >&-")).exit_status, 1);
  EXPECT_EQ(run(shell(binary + " decode <&-")).exit_status, 1);
  EXPECT_EQ(run(shell(binary + " monitor sim --once --timeout 0.1 <&- 2>&-")).exit_status, 0);
}

TEST(Explain, SaysWhatAnErrorWordMeans) {
  const Outcome outcome = run(rangerctl({"explain", "0x00000180"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("emergency_stop"), HasSubstr("driver_fault")));
}

TEST(Protocol, ListsEveryMessageAsATableAndAsADbc) {
  const Outcome table = run(rangerctl({"protocol"}));
  const Outcome dbc = run(rangerctl({"protocol", "--dbc"}));
  EXPECT_EQ(table.exit_status, 0);
  EXPECT_EQ(dbc.exit_status, 0);
  EXPECT_THAT(table.out, AllOf(HasSubstr("211"), HasSubstr("system_status"), HasSubstr("bms_alarms")));
  EXPECT_EQ(dbc.out, read_file(RANGERCTL_TEST_DATA "/ranger_mini_3.dbc"));
}

}  // namespace
}  // namespace rangerctl::support
