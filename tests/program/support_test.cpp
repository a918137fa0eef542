// The test support itself: what the other tests conclude from it must be so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "support/process.hpp"
#include "support/tmux.hpp"

namespace rangerctl::support {
namespace {

using ::testing::HasSubstr;

TEST(Run, TellsOutputErrorsAndStatusApart) {
  const Outcome outcome = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(outcome.out, "out\n");
  EXPECT_EQ(outcome.err, "err\n");
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_EQ(outcome.signal, 0);
}

TEST(Run, PassesInputEnvironmentAndDirectory) {
  Command command = shell("cat; echo \"$A-$HOME-\"; pwd");
  command.input = "text\n";
  command.environment = {"A=b=c", "HOME"};
  command.directory = "/usr";
  EXPECT_EQ(run(command).out, "text\nb=c--\n/usr\n");
}

TEST(Run, FeedsMoreThanAPipeHolds) {
  const std::string piece(1'000'000, 'x');
  int left = 5;
  Command command = shell("wc -c");
  command.feed = [&] { return left-- > 0 ? std::string_view(piece) : std::string_view(); };
  EXPECT_THAT(run(command).out, HasSubstr("5000000"));
}

TEST(Run, SurvivesAProgramThatReadsNoInput) {
  Command command = shell("exit 0");
  command.input = std::string(1'000'000, 'x');
  EXPECT_EQ(run(command).exit_status, 0);
}

TEST(Run, SaysWhichSignalEndedIt) {
  const Outcome outcome = run(shell("kill -TERM $$"));
  EXPECT_EQ(outcome.signal, SIGTERM);
  EXPECT_EQ(outcome.exit_status, -1);
}

TEST(Run, KillsWhatDoesNotEnd) {
  Command command = shell("exec sleep 1000");
  command.timeout = Milliseconds{50};
  const Outcome outcome = run(command);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, SIGKILL);
}

TEST(Run, MeasuresTheLargestResidentSet) {
  const Outcome outcome = run(shell("exec dd if=/dev/zero of=/dev/null bs=64M count=1"));
  EXPECT_GT(outcome.peak_kib, 60 * 1024) << outcome;
  EXPECT_LT(outcome.peak_kib, 90 * 1024) << outcome;
}

TEST(Run, ReportsAProgramThatIsNotThere) {
  EXPECT_EQ(run(program({"/nonexistent/program"})).exit_status, 127);
}

TEST(ProcessTest, IsReadWhileItRunsAndSignalled) {
  Process process(shell("trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.01; done"));
  ASSERT_TRUE(process.out_contains("ready"));
  process.signal(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_status, 9);
  EXPECT_THAT(outcome.out, HasSubstr("caught"));
}

TEST(ProcessTest, SeesItsOutputClosed) {
  Process process(shell("echo ready; while echo more; do :; done"));
  ASSERT_TRUE(process.out_contains("ready"));
  process.close_output();
  EXPECT_EQ(process.wait().signal, SIGPIPE);
}

TEST(TmuxTest, ShowsTheScreenTakesKeysAndResizes) {
  Tmux terminal("stty size; read line; echo got $line; stty size; sleep 1000", 80, 24);
  ASSERT_TRUE(terminal.shows("24 80")) << terminal.screen();
  terminal.resize(60, 10);
  terminal.send_keys({"a", "b", "Enter"});
  EXPECT_TRUE(terminal.shows("got ab")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("10 60")) << terminal.screen();
}

TEST(ShellQuoted, KeepsEveryCharacter) {
  const std::string text = "a b'c\"$d\\e\n*";
  EXPECT_EQ(run(shell("printf %s " + shell_quoted(text))).out, text);
}

TEST(FolderTest, HoldsFilesAndIsGoneAfterwards) {
  std::filesystem::path path;
  {
    const Folder folder;
    path = folder.path();
    EXPECT_EQ(read_file(folder.write("name", "content")), "content");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace rangerctl::support
