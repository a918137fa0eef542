// `log record` on real SocketCAN: beside candump, under a flood, killed, and with a disk that is full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bus/bus.hpp"
#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BusLogRecord : public BusTest {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
  std::unique_ptr<Process> start_recording(const std::string& name, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"log", "record", "vcan0", "-o", file(name)};
    words.insert(words.end(), more.begin(), more.end());
    auto record = start_listening(rangerctl(std::move(words)));
    while (!std::filesystem::exists(file(name))) std::this_thread::sleep_for(Milliseconds(5));
    return record;
  }
  Folder folder_;
};

/// Waits until a file that is written has this in it.
bool comes_to_contain(const std::string& file, std::string_view text) {
  for (int i = 0; i < 500; ++i) {
    if (read_file(file).find(text) != std::string::npos) return true;
    std::this_thread::sleep_for(Milliseconds(20));
  }
  return false;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The number before `words` in a text of the program.
std::uint64_t number_before(const std::string& words, const std::string& text) {
  std::smatch found;
  return std::regex_search(text, found, std::regex("([0-9]+) " + words)) ? std::stoull(found[1]) : 0;
}

TEST_F(BusLogRecord, WritesWhatCandumpWrites) {
  const auto candump = start_candump("vcan0");
  const auto record = start_recording("drive.log");
  EXPECT_EQ(run(shell("cangen vcan0 -g 1 -n 500 -f -m && cangen vcan0 -g 1 -n 300 -R -e && cangen vcan0 -n 1 "
                      "-I 7FF -L 8 "
                      "-D 0102030405060708"))
                .exit_status,
            0);
  ASSERT_TRUE(candump->out_contains("7FF#0102030405060708\n"));
  ASSERT_TRUE(comes_to_contain(file("drive.log"), "7FF#0102030405060708\n"));
  record->signal(SIGINT);
  const Outcome outcome = record->wait();
  EXPECT_EQ(outcome.exit_status, 130) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("recorded 801 frames"));
  // Older candumps and kernels do not set bit 4 of the flags of FD frames.
  std::string expected = candump->out();
  for (std::size_t at = expected.find("##"); at != std::string::npos; at = expected.find("##", at + 2)) {
    if (expected[at + 2] < '4') expected[at + 2] = static_cast<char>(expected[at + 2] + 4);
  }
  EXPECT_EQ(lines_of(read_file(file("drive.log"))), lines_of(expected));
}

TEST_F(BusLogRecord, FramesAndDropsOfAFloodAddUp) {
  const auto record = start_recording("flood.log");
  record->signal(SIGSTOP);  // so that the kernel has to drop some
  EXPECT_EQ(run(shell("cangen vcan0 -g 0 -i -n 100000 -I 7FE -L 8")).exit_status, 0);
  record->signal(SIGCONT);
  std::uint64_t sent = 100'000;
  for (bool there = false; !there && sent < 100'020;
       there = read_file(file("flood.log")).find(" 7FF#") != std::string::npos) {
    cansend("vcan0", "7FF#0102030405060708");  // lost where there is no room yet
    ++sent;
    std::this_thread::sleep_for(Milliseconds(500));
  }
  record->signal(SIGINT);
  const Outcome outcome = record->wait();
  const std::string log = read_file(file("flood.log"));
  const auto written = static_cast<std::uint64_t>(occurrences(" vcan0 7F", log));
  std::uint64_t dropped = 0;
  constexpr std::string_view kDropped = "DROPCOUNT: dropped ";
  for (std::size_t at = log.find(kDropped); at != std::string::npos; at = log.find(kDropped, at + 1))
    dropped += std::stoull(log.substr(at + kDropped.size(), 20));
  EXPECT_GT(dropped, 0U);
  EXPECT_EQ(written + dropped, sent) << outcome;
  EXPECT_EQ(number_before("lost", outcome.err), dropped);
  const Outcome decoded = run(rangerctl({"log", "info", "--strict", file("flood.log")}));
  EXPECT_EQ(decoded.exit_status, 0);
  EXPECT_THAT(decoded.out, HasSubstr("lost      " + std::to_string(dropped) + " frames"));
}

TEST_F(BusLogRecord, KilledAtAnyMomentItLeavesWholeLines) {
  std::mt19937 random(20261201);
  Process traffic(program({"cangen", "vcan0", "-g", "1", "-I", "211", "-L", "8"}));
  std::uint64_t most = 0;
  for (int i = 0; i < 10; ++i) {
    const std::string name = "killed" + std::to_string(i) + ".log";
    const auto record = start_recording(name);
    std::this_thread::sleep_for(Milliseconds(random() % 150));
    const auto killed = std::chrono::system_clock::now();
    record->signal(SIGKILL);
    record->wait();
    const std::string log = read_file(file(name));
    ASSERT_TRUE(log.empty() || log.back() == '\n') << i;
    if (log.empty()) continue;  // killed before the first write
    const double at = std::stod(log.substr(log.rfind('(') + 1, 17));
    const double now = std::chrono::duration<double>(killed.time_since_epoch()).count();
    most = std::max(most, static_cast<std::uint64_t>(std::max(0.0, (now - at) * 1000)));
  }
  std::vector<std::string> words{"-q", "decode", "--strict"};
  for (int i = 0; i < 10; ++i) words.push_back(file("killed" + std::to_string(i) + ".log"));
  Command decode = rangerctl(words);
  decode.discard_output = true;
  EXPECT_EQ(run(std::move(decode)).exit_status, 0);
  RecordProperty("most_milliseconds_lost", std::to_string(most));
  std::cout << "at most " << most << " ms were lost\n";
}

TEST_F(BusLogRecord, AFullFileSystemEndsItWithWholeLines) {
  const std::string small = (folder_.path() / "small").string();
  std::filesystem::create_directory(small);
  ASSERT_EQ(::mount("tmpfs", small.c_str(), "tmpfs", 0, "size=64k"), 0);
  for (const char* name : {"small/full.log", "small/full.log.gz"}) {
    Process traffic(program({"cangen", "vcan0", "-g", "0", "-i", "-I", "7FE", "-L", "8"}));
    const auto record = start_recording(name);
    const Outcome outcome = record->wait();
    EXPECT_EQ(outcome.exit_status, 1) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr("No space left on device"));
    const Outcome info = run(rangerctl({"log", "info", file(name)}));
    const std::uint64_t there = number_before("frames\n", info.out);
    EXPECT_GE(there, number_before("frames are in it", outcome.err));
    if (std::string(name).ends_with(".log")) {
      EXPECT_EQ(there, number_before("frames are in it", outcome.err));
      EXPECT_EQ(run(rangerctl({"decode", "-q", "--strict", file(name)})).exit_status, 0);
      EXPECT_GT(std::filesystem::file_size(file(name)), 60'000U);
    }
    std::filesystem::remove(file(name));
  }
  EXPECT_EQ(::umount(small.c_str()), 0);
}

TEST_F(BusLogRecord, AReadOnlyFolderIsSaidBeforeAnythingIsReceived) {
  const std::string folder = (folder_.path() / "frozen").string();
  std::filesystem::create_directory(folder);
  ASSERT_EQ(::mount("tmpfs", folder.c_str(), "tmpfs", MS_RDONLY, "size=64k"), 0);
  const Outcome outcome = run(rangerctl({"log", "record", "vcan0", "-o", folder + "/drive.log"}));
  EXPECT_EQ(::umount(folder.c_str()), 0);
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("Read-only file system"), HasSubstr("-o")));
}

TEST_F(BusLogRecord, GoesOnWhenTheInterfaceComesBack) {
  const SpareInterface spare;
  const auto record = start_listening(rangerctl({"log", "record", "vcan1", "-o", file("back.log")}));
  cansend("vcan1", "7FE#01");
  ip("link set vcan1 down");
  ASSERT_TRUE(record->err_contains("went down"));
  ip("link set vcan1 up");
  ASSERT_TRUE(record->err_contains("is back"));
  cansend("vcan1", "7FE#02");
  ASSERT_TRUE(comes_to_contain(file("back.log"), "7FE#02\n"));
  record->signal(SIGINT);
  EXPECT_EQ(record->wait().exit_status, 130);
  EXPECT_EQ(occurrences("7FE#", read_file(file("back.log"))), 2);
}

}  // namespace
}  // namespace rangerctl::support
