// `log record` and `log info`, without a bus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// In the folder, which is where files go without another name.
Outcome run_in(const Folder& folder, std::vector<std::string> arguments) {
  Command command = rangerctl(std::move(arguments));
  command.directory = folder.path();
  return run(std::move(command));
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(LogRecord, ANameByTimeAndCandumpsFormat) {
  const Folder folder;
  const Outcome outcome = run_in(folder, {"log", "record", "sim", "--count", "100"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("recorded 100 frames in "));
  const auto names = folder.names();
  ASSERT_THAT(names, SizeIs(1));
  EXPECT_THAT(names[0], ContainsRegex("^candump-20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]_[0-9]{6}\\.log$"));
  const std::string log = read_file(folder.path() / names[0]);
  EXPECT_EQ(lines_in(log), 100U);
  EXPECT_THAT(log, ContainsRegex("^\\([0-9]{10}\\.[0-9]{6}\\) sim 211#[0-9A-F]{16}\n"));
  EXPECT_THAT(log, Not(HasSubstr(" R"))) << "only with --direction";
}

TEST(LogRecord, StandardOutputAndDirections) {
  const Outcome outcome = run(rangerctl({"log", "record", "sim", "--count", "5", "-o", "-", "--direction"}));
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_EQ(lines_in(outcome.out), 5U);
  EXPECT_THAT(outcome.out, ContainsRegex("^\\([0-9.]*\\) sim 211#[0-9A-F]{16} R\n"));
}

TEST(LogRecord, AClosedPipeEndsItQuietly) {
  Process record(rangerctl({"log", "record", "sim", "-o", "-"}));
  ASSERT_TRUE(record.out_contains("211#"));
  record.close_output();
  const Outcome outcome = record.wait();
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(LogRecord, ControlCEndsItInOrder) {
  const Folder folder;
  for (const auto& [signal, status] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    const std::string name = (folder.path() / ("drive" + std::to_string(signal) + ".log.gz")).string();
    Process record(rangerctl({"log", "record", "sim", "-v", "-o", name}));
    ASSERT_TRUE(record.err_contains("recording to "));
    record.signal(signal);
    const Outcome outcome = record.wait();
    EXPECT_EQ(outcome.exit_status, status) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr("recorded "));
    const Outcome decoded = run(rangerctl({"decode", "--strict", name}));
    EXPECT_EQ(decoded.exit_status, 0) << "whole: " << decoded;
  }
}

/// The figure that it prints is for people: how long before the kill the last frame in the file was received.
TEST(LogRecord, KilledAHundredTimesItLeavesWholeLines) {
  const Folder folder;
  std::mt19937 random(20261201);
  std::vector<std::string> decode{"-q", "decode", "--strict"};
  double most = 0;
  for (int i = 0; i < 100; ++i) {
    const std::string name = (folder.path() / ("drive" + std::to_string(i) + ".log")).string();
    Process record(rangerctl({"log", "record", "sim", "-v", "-o", name}));
    ASSERT_TRUE(record.err_contains("recording to "));
    std::this_thread::sleep_for(Milliseconds(random() % 200));
    record.signal(SIGKILL);
    const double killed =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    record.wait();
    decode.push_back(name);
    const std::string log = read_file(name);
    if (log.empty()) continue;  // before the first write
    ASSERT_EQ(log.back(), '\n') << i;
    most = std::max(most, killed - std::stod(log.substr(log.rfind('(') + 1, 17)));
  }
  std::cout << "at most " << most << " s were lost\n";
  Command all = rangerctl(decode);
  all.discard_output = true;
  EXPECT_EQ(run(std::move(all)).exit_status, 0);
}

TEST(LogRecord, FilesOfALimitedSizeOfWhichTheLastAreKept) {
  const Folder folder;
  const Outcome outcome = run_in(folder, {"log", "record", "sim", "-o", "a.log", "--rotate-size", "5kB",
                                          "--keep", "2", "--count", "500"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  const auto names = folder.names();
  ASSERT_THAT(names, SizeIs(2));
  EXPECT_THAT(names, Each(StartsWith("a-000")));
  EXPECT_LE(std::filesystem::file_size(folder.path() / names[0]), 5000U);
  EXPECT_GT(std::filesystem::file_size(folder.path() / names[0]), 4900U);
}

TEST(LogRecord, AFullDiskIsALoudEnd) {
  const Outcome outcome = run(rangerctl({"log", "record", "sim", "-o", "/dev/full"}));
  EXPECT_EQ(outcome.exit_status, 1) << outcome;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("No space left on device"), HasSubstr("0 frames are in it")));
}

TEST(LogRecord, WhatCannotBeIsSaidBeforeAnythingIsMade) {
  const Folder folder;
  struct Row {
    std::vector<std::string> words;
    int status;
    const char* says;
  };
  const std::vector<Row> rows{
      {{"--keep", "3"}, 2, "--rotate-size"},
      {{"--before", "1s"}, 2, "--trigger"},
      {{"-o", "-", "--rotate-every", "1s"}, 2, "-o FILE"},
      {{"--trigger", "emergency_stopp"}, 2, "no trigger"},
      {{"--rotate-size", "large"}, 2, "is no size"},
      {{"--only", "nothing"}, 2, "no message"},
      {{"-o", "no/such/folder.log"}, 1, "does not exist"},
      {{"-o", "/proc/x.log"}, 1, "cannot record to /proc/x.log"},
  };
  for (const Row& row : rows) {
    std::vector<std::string> words{"log", "record", "sim"};
    words.insert(words.end(), row.words.begin(), row.words.end());
    const Outcome outcome = run_in(folder, words);
    EXPECT_EQ(outcome.exit_status, row.status) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr(row.says));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
  EXPECT_EQ(run_in(folder, {"log", "record", "nosuch0"}).exit_status, 3);
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(LogRecord, ATriggerRecordsWhatIsAroundIt) {
  const Folder folder;
  const std::string log = folder.write("in.log",
                                       "(1.000000) can0 211#000101F100000000\n(1.100000) can0 7FF#01\n"
                                       "(1.200000) can0 211#010101F100000080\n(1.300000) can0 7FF#02\n"
                                       "(1.400000) can0 7FF#03\n");
  const Outcome outcome = run(rangerctl({"log", "record", "replay:" + log, "-o", "-", "--trigger",
                                         "emergency_stop", "--before", "100ms", "--after", "100ms"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_EQ(outcome.out,
            "(0000000001.100000) replay 7FF#01\n(0000000001.200000) replay 211#010101F100000080\n"
            "(0000000001.300000) replay 7FF#02\n");
  EXPECT_THAT(outcome.err, HasSubstr("triggered 1 time"));
}

TEST(LogInfo, FaultsModesAndMessages) {
  const Folder folder;
  const std::string log =
      folder.write("in.log",
                   "(1.000000) can0 211#000101F100000000\n(1.020000) can0 211#010101F100000080\n"
                   "(1.520000) can0 211#000101F100000000\nnonsense\n"
                   "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)\n"
                   "(1.540000) can0 7FF#00\n");
  const Outcome outcome = run(rangerctl({"log", "info", log}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, HasSubstr(log + ": 4 frames\n"));
  EXPECT_THAT(outcome.out, HasSubstr("span      0:00:00.540 (h:m:s)\n"));
  EXPECT_THAT(outcome.out, HasSubstr("lost      3 frames, as the log says\n"));
  EXPECT_THAT(outcome.out, HasSubstr("1 line not understood: 1 unrecognised line (line 4)"));
  EXPECT_THAT(outcome.out,
              HasSubstr("emergency_stop                   1 time, 0:00:00.500, from +0.020 to +0.520\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("vehicle_state     normal 0:00:00.040, emergency_stop 0:00:00.500; 2 changes\n"));
  EXPECT_THAT(outcome.out, HasSubstr("  +0.020  set: emergency_stop\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("211      system_status                   3    3.8    20.0   500.0   339.4     1\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("7FF      unknown                         1      -       -       -       -     0\n"));
  EXPECT_THAT(outcome.out, HasSubstr("never seen: motion_feedback"));
  EXPECT_EQ(run(rangerctl({"log", "info", "--strict", log})).exit_status, 6);
}

TEST(LogInfo, WhatIsNoLog) {
  const Folder folder;
  const Outcome empty = run(rangerctl({"log", "info", folder.write("empty.log", "")}));
  EXPECT_EQ(empty.exit_status, 0);
  EXPECT_THAT(empty.out, HasSubstr("0 frames"));
  EXPECT_THAT(empty.err, HasSubstr("no frame found"));
  EXPECT_EQ(run(rangerctl({"log", "info", "/nonexistent.log"})).exit_status, 1);
}

TEST(LogInfo, AnObjectALog) {
  const Folder folder;
  const std::string log = folder.write("in.log", "(1.000000) can0 211#000101F100000000\n");
  const Outcome outcome = run(rangerctl({"log", "info", "--json", log, log}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_EQ(lines_in(outcome.out), 2U);
  EXPECT_THAT(outcome.out, StartsWith("{\"file\":\"" + log + "\",\"frames\":1,"));
}

TEST(LogDiff, NamesTheBitThatDiffers) {
  const Folder folder;
  const std::string off = folder.write("off.log", "(1.000000) can0 231#0100000000000000\n");
  const std::string on = folder.write("on.log", "(1.000000) can0 231#0101000000000000\n");
  const Outcome outcome = run(rangerctl({"log", "diff", off, on}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out,
              HasSubstr("  231      light_feedback         byte 1 bit 0 (light_mode): A 0; B 1\n"));
  EXPECT_THAT(run(rangerctl({"log", "diff", off, off})).out, HasSubstr("no differences"));
  EXPECT_THAT(run(rangerctl({"log", "diff", off, on, "--not", "light_feedback"})).out,
              HasSubstr("no differences"));
  EXPECT_THAT(run(rangerctl({"log", "diff", off, on, "--json"})).out, HasSubstr("\"kind\":\"fixed\""));
  EXPECT_EQ(run(rangerctl({"log", "diff", off})).exit_status, 2);
  EXPECT_EQ(run(rangerctl({"log", "diff", "-", "-"})).exit_status, 2);
  EXPECT_EQ(run(rangerctl({"log", "diff", off, "/nonexistent.log"})).exit_status, 1);
}

TEST(Log, TheGroupNeedsACommand) {
  EXPECT_EQ(run(rangerctl({"log"})).exit_status, 2);
  const Outcome unknown = run(rangerctl({"log", "recrod"}));
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean record?"));
}

/// One processor: no threads beside the one that reads.
TEST(DecodeThreads, OneProcessorAndAllGiveTheSameBytes) {
  const Folder folder;
  std::string log;
  for (int i = 0; log.size() < 2'000'000; ++i)
    log += i % 97 == 0 ? "nonsense\n"
                       : "(17123456" + std::to_string(10 + i % 80) + ".123456) can0 221#00" +
                             std::to_string(10 + i % 90) + "000000000000\n";
  const std::string file = folder.write("in.log", log);
  for (const char* format : {"json", "text", "csv"}) {
    const Outcome all = run(rangerctl({"decode", "--format", format, "--from", "+1", file}));
    Command alone = rangerctl({"decode", "--format", format, "--from", "+1", file});
    alone.argv.insert(alone.argv.begin(), {"taskset", "-c", "0"});
    const Outcome one = run(std::move(alone));
    EXPECT_EQ(all.exit_status, 0);
    EXPECT_TRUE(all.out == one.out) << format;
    EXPECT_EQ(all.err, one.err);
    EXPECT_GT(all.out.size(), 1'000'000U);
  }
}

}  // namespace
}  // namespace rangerctl::support
