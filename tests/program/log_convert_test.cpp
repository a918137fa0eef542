// `log convert`, and every other command on logs of other tools. The formats themselves have unit tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view kLog =
    "(1712345678.123456) can0 211#000101F100000000\n(1712345678.223456) can0 221#0096000000000000\n";

/// In UTC, in the folder.
Outcome convert(const Folder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"log", "convert"});
  Command command = rangerctl(std::move(arguments));
  command.directory = folder.path();
  command.environment = {"TZ=UTC"};
  return run(std::move(command));
}

/// As log2asc and python-can write them; what a log becomes through all of them is the same as before.
TEST(LogConvert, ThroughEveryFormatThatIsWritten) {
  const Folder folder;
  folder.write("0.log", kLog);
  std::string before = "0.log";
  for (const char* format :
       {"asc", "trc", "gvret-csv", "candump-long", "trc-1.1", "python-can-csv", "candump"}) {
    const std::string after = std::string(format) + ".log";
    const Outcome outcome = convert(folder, {before, after, "--format", format});
    EXPECT_EQ(outcome.exit_status, 0) << outcome;
    before = after;
  }
  // Tenths of milliseconds are what PEAK TRC 1.1 has.
  EXPECT_EQ(read_file(folder.path() / "candump.log"),
            "(1712345678.123400) can0 211#000101F100000000\n(1712345678.223400) can0 221#0096000000000000\n");
}

TEST(LogConvert, TheSuffixSaysTheFormat) {
  const Folder folder;
  folder.write("in.log", kLog);
  EXPECT_EQ(convert(folder, {"in.log", "out.asc.gz"}).exit_status, 0);
  EXPECT_THAT(read_file(folder.path() / "out.asc.gz"), StartsWith("\x1F\x8B"));
  EXPECT_EQ(convert(folder, {"out.asc.gz", "out.jsonl"}).exit_status, 0);
  EXPECT_THAT(read_file(folder.path() / "out.jsonl"),
              StartsWith("{\"time\":1712345678.123456,\"bus\":\"can0\",\"dir\":\"rx\",\"id\":\"211\","));
}

TEST(LogConvert, DecodedAsATable) {
  const Folder folder;
  folder.write("in.log", kLog);
  const Outcome outcome =
      convert(folder, {"in.log", "-", "--format", "wide", "--grid", "50ms", "--signal",
                       "system_status.battery_voltage", "--signal", "motion_feedback.linear_velocity"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_EQ(outcome.out,
            "time,system_status.battery_voltage,motion_feedback.linear_velocity\n1712345678.150,49.7,\n"
            "1712345678.200,49.7,\n1712345678.250,49.7,0.150\n");
}

TEST(LogConvert, SaysOnceWhatIsLost) {
  const Folder folder;
  folder.write("in.log",
               "(1.000000) vcan7 123##400\n(2.000000) vcan7 124##400\n"
               "DROPCOUNT: dropped 3 CAN frames on 'vcan7' socket (total drops 3)\n");
  const Outcome outcome = convert(folder, {"in.log", "-", "--format", "gvret-csv"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("2 FD frames were left out: SavvyCAN (GVRET) CSV has none"),
                    HasSubstr("1 note of lost frames was left out: SavvyCAN (GVRET) CSV has none"),
                    HasSubstr("3 frames lost")));
}

TEST(LogConvert, NothingIsOverwrittenUnasked) {
  const Folder folder;
  folder.write("in.log", kLog);
  folder.write("out.asc", "precious");
  const Outcome refused = convert(folder, {"in.log", "out.asc"});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(read_file(folder.path() / "out.asc"), "precious");
  EXPECT_EQ(convert(folder, {"in.log", "out.asc", "--force"}).exit_status, 0);
  EXPECT_THAT(read_file(folder.path() / "out.asc"), StartsWith("date Fri Apr 05 07:34:38.000 pm 2024\n"));
  EXPECT_EQ(convert(folder, {"in.log", "in.log", "--force"}).exit_status, 0) << "into itself";
  EXPECT_EQ(read_file(folder.path() / "in.log"), kLog);
  EXPECT_THAT(folder.names(), ElementsAre("in.log", "out.asc"));
}

TEST(LogConvert, AFileThatIsNotCompleteDoesNotAppear) {
  const Folder folder;
  folder.write("bad.log", "nonsense\n" + std::string(kLog));
  const Outcome strict = convert(folder, {"bad.log", "out.asc", "--strict"});
  EXPECT_EQ(strict.exit_status, 6) << strict;
  EXPECT_THAT(strict.err, HasSubstr("out.asc was not written"));

  Command command = rangerctl({"log", "convert", "-", "stopped.asc"});
  command.directory = folder.path();
  command.input = kLog;
  command.keep_input_open = true;
  Process process(std::move(command));
  for (int i = 0; i < 2000 && folder.names().size() < 2; ++i) std::this_thread::sleep_for(Milliseconds(10));
  process.signal(SIGINT);
  EXPECT_EQ(process.wait().exit_status, 130);
  EXPECT_THAT(folder.names(), ElementsAre("bad.log"));
}

TEST(LogConvert, WhatCanBeReadOfADamagedLogIsKept) {
  const Folder folder;
  folder.write("in.log", kLog);
  ASSERT_EQ(convert(folder, {"in.log", "whole.trc.gz"}).exit_status, 0);
  const std::string whole = read_file(folder.path() / "whole.trc.gz");
  folder.write("cut.trc.gz", std::string_view(whole).substr(0, whole.size() - 8));
  const Outcome outcome = convert(folder, {"cut.trc.gz", "out.log"});
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("cut short"));
  EXPECT_EQ(read_file(folder.path() / "out.log"),
            "(1712345678.123456) can0 211#000101F100000000 R\n"
            "(1712345678.223456) can0 221#0096000000000000 R\n");
}

TEST(LogConvert, WrongWordsAreSaidBeforeAnythingIsMade) {
  const Folder folder;
  folder.write("in.log", kLog);
  struct Row {
    std::vector<std::string> words;
    int status;
    const char* says;
  };
  const std::vector<Row> rows{
      {{"in.log"}, 2, "OUT"},
      {{"in.log", "out.csv"}, 2, "--format csv, wide, python-can-csv or gvret-csv"},
      {{"in.log", "out"}, 2, "use --format with one of: candump, "},
      {{"in.log", "-"}, 2, "use --format with one of: candump, "},
      {{"in.log", "out", "--format", "pcapng"}, 2, "no format 'pcapng'"},
      {{"in.log", "out.log", "--signal", "bms_status.soc"}, 2, "--signal is for decoded output"},
      {{"in.log", "out.json", "--grid", "20ms"}, 2, "--grid is for --format wide"},
      {{"in.log", "out.json", "--signal", "bms_status.sock"}, 2, "no signal 'sock'"},
      {{"in.log", "out.asc", "--only", "nothing"}, 2, "no message"},
      {{"no.log", "out.asc"}, 1, "cannot open no.log"},
      {{"in.log", "no/out.asc"}, 1, "its folder does not exist"},
      {{"in.log", "/dev/full", "--format", "asc"}, 1, "No space left on device"},
  };
  for (const Row& row : rows) {
    const Outcome outcome = convert(folder, row.words);
    EXPECT_EQ(outcome.exit_status, row.status) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr(row.says));
  }
  EXPECT_THAT(folder.names(), ElementsAre("in.log"));
}

TEST(LogConvert, AClosedPipeEndsItQuietly) {
  Process process(shell("yes '(1712345678.123456) can0 211#000101F100000000' | " +
                        shell_quoted(rangerctl_binary()) + " log convert - - --format asc"));
  ASSERT_TRUE(process.out_contains("Start of measurement"));
  process.close_output();
  EXPECT_THAT(process.wait().err, IsEmpty());
}

// ---- Other commands -------------------------------------------------------------------------------------

/// As can-utils' log2asc writes it.
constexpr std::string_view kAsc =
    "date Fri Apr  5 19:34:38 2024\nbase hex  timestamps absolute\nno internal events logged\n"
    "   0.000000 1  211             Rx   d 8 00 01 01 F1 00 00 00 00\n"
    "   0.100000 1  221             Rx   d 8 00 96 00 00 00 00 00 00\n";

TEST(OtherLogs, AreReadByEveryCommand) {
  const Folder folder;
  const std::string log = folder.write("in.asc", kAsc);
  const Outcome decoded = run(rangerctl({"decode", "--only", "221", log}));
  EXPECT_THAT(decoded.out, HasSubstr("221 motion_feedback linear_velocity=0.150 m/s")) << decoded;
  EXPECT_THAT(decoded.err, HasSubstr("3 header line"));
  EXPECT_THAT(run(rangerctl({"log", "info", log})).out, HasSubstr("2 frames\n"));
  EXPECT_THAT(run(rangerctl({"monitor", "--once", "replay:" + log})).out, HasSubstr("49.7"));
}

/// Whoever writes may be slow: a frame is there as soon as its line is.
TEST(OtherLogs, ArriveLineByLineOutOfAPipe) {
  Command command = rangerctl({"decode"});
  command.input = kAsc;
  command.keep_input_open = true;
  Process process(std::move(command));
  EXPECT_TRUE(process.out_contains("0.150 m/s"));
  process.close_input();
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("5 lines, 2 frames"));
}

/// The next record has begun, and nobody knows when it goes on.
TEST(OtherLogs, WhatIsWholeOfABinaryLogArrivesAtOnce) {
  const std::string whole = read_file(RANGERCTL_TEST_DATA "/logs/dumpcap_any.pcap");
  Command command = rangerctl({"decode"});
  command.input = whole.substr(0, 24 + 16 + 32 + 1);
  command.keep_input_open = true;
  Process process(std::move(command));
  EXPECT_TRUE(process.out_contains("211 system_status"));
  process.close_input();
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("cut short"), HasSubstr("1 line, 1 frame")));
}

/// More than are taken at once: lines are counted through.
TEST(OtherLogs, LineNumbersCountFromTheBeginningOfTheFile) {
  std::string log(kAsc);
  for (int i = 0; i < 10'000; ++i) log += "   0.200000 1  211             Rx   d 8 00 01 01 F1 00 00 00 00\n";
  const Folder folder;
  const Outcome outcome = run(rangerctl({"decode", folder.write("in.asc", log + "nonsense\n")}));
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("10006 lines, 10002 frames"), HasSubstr("1 unrecognised line (line 10006)")));
}

}  // namespace
}  // namespace rangerctl::support
