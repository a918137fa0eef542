#include "io/record_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "io/line_reader.hpp"
#include "temp_folder.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TempFolder;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every line that can be read, whole ones and the last.
std::vector<std::string> lines_in(const std::string& path) {
  LineReader reader(std::move(*open_input(path)));
  std::vector<std::string> lines;
  Line line;
  while (reader.next(line)) lines.emplace_back(line.text);
  return lines;
}

std::vector<std::string> names_in(const TempFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("")))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(RecordSink, FilesEndBeforeTheyAreLargerThanAllowed) {
  const TempFolder folder;
  auto sink = RecordSink::create({.path = folder.file("a.log"), .file_bytes = 10});
  ASSERT_TRUE(sink);
  (*sink)->write("12345\n789\n1\n");
  (*sink)->write("a line that is longer\n");
  (*sink)->write("b\n");
  (*sink)->write("123456\n");
  (*sink)->write("\n");
  (*sink)->finish();
  EXPECT_EQ((*sink)->lines(), 7U);
  EXPECT_THAT(names_in(folder), ElementsAre("a-0001.log", "a-0002.log", "a-0003.log", "a-0004.log"));
  EXPECT_EQ(content(folder.file("a-0001.log")), "12345\n789\n");
  EXPECT_EQ(content(folder.file("a-0002.log")), "1\n");
  EXPECT_EQ(content(folder.file("a-0003.log")), "a line that is longer\n");
  EXPECT_EQ(content(folder.file("a-0004.log")), "b\n123456\n\n");
  EXPECT_EQ((*sink)->bytes(), 12U + 22 + 10);
  EXPECT_EQ((*sink)->files(), 4U);
}

TEST(RecordSink, OnlyOwnFilesMakeRoomForOthers) {
  const TempFolder folder;
  const std::string foreign = folder.write("a-0003.log", "somebody's\n");
  auto sink = RecordSink::create({.path = folder.file("a.log"), .file_bytes = 2, .keep = 2});
  ASSERT_TRUE(sink);
  for (const char* line : {"1\n", "2\n", "3\n", "4\n"}) (*sink)->write(line);
  (*sink)->finish();
  EXPECT_THAT(names_in(folder), ElementsAre("a-0003.log", "a-0004.log", "a-0005.log"));
  EXPECT_EQ(content(foreign), "somebody's\n");
  EXPECT_EQ(content(folder.file("a-0005.log")), "4\n");
}

TEST(RecordSink, AFileThatIsOldEnoughIsFollowedByAnother) {
  const TempFolder folder;
  auto sink = RecordSink::create({.path = folder.file("a.log"), .file_time = 1ms});
  ASSERT_TRUE(sink);
  (*sink)->write("1\n");
  std::this_thread::sleep_for(2ms);
  (*sink)->write("");
  EXPECT_EQ((*sink)->files(), 1U) << "nothing to write";
  (*sink)->write("2\n");
  (*sink)->finish();
  EXPECT_EQ(content(folder.file("a-0002.log")), "2\n");
}

TEST(RecordSink, ACompressedFileCanBeReadUpToTheLastSync) {
  for (const char* name : {"a.log.gz", "a.log.zst"}) {
    const TempFolder folder;
    auto sink = RecordSink::create({.path = folder.file(name), .sync = 0ms});
    ASSERT_TRUE(sink);
    std::vector<std::uintmax_t> safe_at;  // size of the file behind each line
    for (int i = 0; i < 50; ++i) {
      (*sink)->write("line " + std::to_string(i) + "\n");
      safe_at.push_back(std::filesystem::file_size(folder.file(name)));
    }
    (*sink)->finish();
    const std::string whole = content(folder.file(name));
    EXPECT_EQ(lines_in(folder.file(name)).size(), 50U);
    for (std::size_t size = 20; size < whole.size(); ++size) {
      const auto safe =
          static_cast<std::size_t>(std::upper_bound(safe_at.begin(), safe_at.end(), size) - safe_at.begin());
      const auto lines = lines_in(folder.write("cut", whole.substr(0, size)));
      ASSERT_GE(lines.size(), safe) << name << " cut at " << size;
      for (std::size_t i = 0; i < safe; ++i) EXPECT_EQ(lines[i], "line " + std::to_string(i));
    }
  }
}

TEST(RecordSink, WithoutSyncItIsCompressedMuchBetter) {
  const TempFolder folder;
  for (const char* name : {"a.log.gz", "a.log.zst"}) {
    auto sink = RecordSink::create({.path = folder.file(name), .sync = std::nullopt});
    ASSERT_TRUE(sink);
    for (int i = 0; i < 1000; ++i) (*sink)->write("(1712345678.123456) can0 211#000101F100000000\n");
    (*sink)->finish();
    EXPECT_EQ(lines_in(folder.file(name)).size(), 1000U);
    EXPECT_LT((*sink)->bytes(), 1000U);
  }
}

TEST(RecordSink, NothingIsOverwritten) {
  const TempFolder folder;
  const std::string there = folder.write("a.log", "somebody's\n");
  const auto sink = RecordSink::create({there});
  ASSERT_FALSE(sink);
  EXPECT_THAT(sink.error().message, HasSubstr("never overwritten"));
  EXPECT_EQ(content(there), "somebody's\n");
}

TEST(RecordSink, AFullDeviceIsTold) {
  auto sink = RecordSink::create({"/dev/full"});
  ASSERT_TRUE(sink);
  (*sink)->write("1\n2\n");
  EXPECT_TRUE((*sink)->failed());
  EXPECT_EQ((*sink)->lines(), 0U);
  EXPECT_EQ((*sink)->trouble(), "recording ended: No space left on device");
  (*sink)->write("3\n");
}

}  // namespace
}  // namespace rangerctl::io
