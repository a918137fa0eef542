// What `decode` needs does not depend on how much it reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMostKib = std::int64_t{32} * 1024;

TEST(DecodeMemory, ALineOfAGigabyte) {
  const std::string piece(1 << 20, 'A');
  int pieces = 1000;
  Command command = rangerctl({"decode"});
  command.feed = [&] {
    if (--pieces >= 0) return std::string_view(piece);
    return pieces == -1 ? std::string_view("\n(1.000000) can0 123#11\n") : std::string_view();
  };
  const Outcome outcome = run(std::move(command));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_LE(outcome.peak_kib, kMostKib);
  EXPECT_THAT(outcome.out, HasSubstr("1.000000 can0 123 "));
  EXPECT_THAT(outcome.err, HasSubstr("2 lines, 1 frame"));
}

TEST(DecodeMemory, AHalfMillionFramesInEveryFormat) {
  std::string piece;
  for (int i = 0; i < 1000; ++i) piece += "(1712345678.123456) can0 211#000101F100000000\n";
  for (const char* format : {"text", "json", "csv"}) {
    int pieces = 500;
    Command command = rangerctl(
        {"decode", "--format", format, "--signal", "system_status.control_mode", "--to", "1712345679"});
    command.feed = [&] { return --pieces >= 0 ? std::string_view(piece) : std::string_view(); };
    command.discard_output = true;
    const Outcome outcome = run(std::move(command));
    EXPECT_EQ(outcome.exit_status, 0) << format;
    EXPECT_LE(outcome.peak_kib, kMostKib) << format;
    EXPECT_THAT(outcome.err, HasSubstr("500000 lines, 500000 frames: 500000 decoded")) << format;
  }
}

/// What a crash can leave of a log: as long as it was, and no block of it on the disk.
TEST(DecodeMemory, AFileOfFourGigabytesOfNothing) {
  const Folder folder;
  const std::string file = folder.write("sparse.log", "(1.000000) can0 123#11\n");
  std::filesystem::resize_file(file, std::uintmax_t{4} * 1024 * 1024 * 1024);
  const Outcome outcome = run(rangerctl({"log", "info", file}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_LE(outcome.peak_kib, kMostKib);
  EXPECT_THAT(outcome.out, HasSubstr("1 line not understood: 1 too long line (line 2)"));
}

TEST(DecodeMemory, TenMillionFramesSummedUpAndConverted) {
  std::string piece;
  for (int i = 0; i < 10'000; ++i) piece += "(1712345678.123456) can0 211#000101F100000000\n";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"log", "info", "-"}, {"log", "convert", "-", "-", "--format", "pcap"}}) {
    int pieces = 1000;
    Command command = rangerctl(words);
    command.feed = [&] { return --pieces >= 0 ? std::string_view(piece) : std::string_view(); };
    command.discard_output = true;
    const Outcome outcome = run(std::move(command));
    EXPECT_EQ(outcome.exit_status, 0) << outcome;
    EXPECT_LE(outcome.peak_kib, kMostKib) << words[1];
  }
}

TEST(DecodeMemory, FilesOfAByteAndOfNone) {
  const Folder folder;
  for (const char* content : {"", "(", "L", "\n", ";", "d"}) {
    for (const char* command : {"info", "convert"}) {
      const std::string file = folder.write("small.log", content);
      std::vector<std::string> words{"log", command, file};
      if (words[1] == "convert") words.insert(words.end(), {"-", "--format", "asc"});
      const Outcome outcome = run(rangerctl(words));
      EXPECT_EQ(outcome.exit_status, 0) << outcome;
      EXPECT_THAT(outcome.err, HasSubstr("no frame found"));
    }
  }
}

}  // namespace
}  // namespace rangerctl::support
