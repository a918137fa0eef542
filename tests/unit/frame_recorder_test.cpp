#include "io/frame_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "temp_folder.hpp"

namespace rangerctl::io {
namespace {

using testing::TempFolder;

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(FrameRecorder, EveryFrameIsInTheLogOrCounted) {
  const TempFolder folder;
  auto recorder = FrameRecorder::create({folder.file("a.log")}, "can0", log::DirectionColumn::no);
  ASSERT_TRUE(recorder);
  Received received;
  received.time = {1'712'345'678, 123'456'000, 6};
  received.frame.id = 0x7FF;
  constexpr std::uint64_t kFrames = 60'000;  // in no time, so that not all of them find room
  constexpr std::uint64_t kDrops = 7;        // said by the kernel for every thousandth frame
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    if (i % 1000 == 0) (*recorder)->take_drops(kDrops);
    (*recorder)->take(received);
  }
  (*recorder)->finish();
  EXPECT_GT((*recorder)->lost(), 0U);
  const std::string log = content(folder.file("a.log"));
  std::uint64_t frames = 0;
  std::uint64_t dropped = 0;
  std::uint64_t total = 0;
  std::istringstream lines(log);
  const std::regex drop_count(
      R"(DROPCOUNT: dropped (\d+) CAN frames on 'can0' socket \(total drops (\d+)\))");
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line == "(1712345678.123456) can0 7FF#") {
      ++frames;
    } else if (std::regex_match(line, found, drop_count)) {
      dropped += std::stoull(found[1]);
      total = std::stoull(found[2]);
    } else {
      ADD_FAILURE() << line;
    }
  }
  EXPECT_EQ(frames + (*recorder)->lost(), kFrames);
  EXPECT_EQ(dropped, (*recorder)->lost() + kDrops * kFrames / 1000);
  EXPECT_EQ(total, dropped);
}

}  // namespace
}  // namespace rangerctl::io
