#include "io/log_frames.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fake_input.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

LogFrames frames_of(const std::string& content, bool fails = false) {
  return {std::make_unique<FakeInput>(content, 1 << 20, fails), protocol::kDefaultCatalogue};
}

std::vector<nanoseconds> offsets_of(const std::string& content) {
  LogFrames frames = frames_of(content);
  std::vector<nanoseconds> offsets;
  while (frames.next()) offsets.push_back(frames.offset());
  EXPECT_EQ(frames.count(), offsets.size());
  EXPECT_EQ(frames.status().state, LinkState::ended);
  EXPECT_FALSE(frames.error());
  return offsets;
}

/// Lines of log format with these times; "" is a line that has none.
std::string log_of(const std::vector<std::string>& times) {
  std::string log;
  for (const std::string& time : times)
    log += time.empty() ? "can0  123   [1]  01\n" : "(" + time + ") can0 123#01\n";
  return log;
}

TEST(LogFrames, OffsetsCountFromTheFirstFrame) {
  struct Row {
    std::vector<std::string> times;
    std::vector<nanoseconds> offsets;
  };
  for (const Row& row : std::vector<Row>{
           {{}, {}},
           {{"1712345678.5"}, {0ns}},
           {{"1712345678.999999999", "1712345679.000000000", "1712345680.5"}, {0ns, 1ns, 1'500'000'001ns}},
           // A step back in time continues at once, and the next time counts from there.
           {{"100.0", "101.5", "50.0", "50.2"}, {0ms, 1500ms, 1500ms, 1700ms}},
           {{"100.0", "99.9", "99.8", "99.8"}, {0ms, 0ms, 0ms, 0ms}},
           // Out of order by less than a tenth of a second: the length of the whole stays.
           {{"100.0", "99.95", "100.1", "100.05", "100.2"}, {0ms, 0ms, 100ms, 100ms, 200ms}},
           {{"100.0", "99.9", "100.0"}, {0ms, 0ms, 100ms}},
           // Without times each frame follows after a millisecond.
           {{"", "", ""}, {0ms, 1ms, 2ms}},
           // A line without a time leaves the time of the one before in place.
           {{"100.0", "", "", "100.5"}, {0ms, 1ms, 2ms, 502ms}},
           // There is nothing that the first time could be compared with.
           {{"", "", "1712345678.0", "1712345678.5"}, {0ms, 1ms, 1ms, 501ms}},
           // What no clock can hold.
           {{"0.0", "9223372036854775807.9"}, {0ms, LogFrames::kMostOffset}},
           {{"0.0", "9000000000.0", "0.0", "9000000000.0"},
            {0ms, LogFrames::kMostOffset, LogFrames::kMostOffset, LogFrames::kMostOffset}},
           {{"0.0", "4000000000.0", "0.0", "4000000000.0"},
            {0ms, 4'000'000'000s, 4'000'000'000s, LogFrames::kMostOffset}},
       }) {
    EXPECT_EQ(offsets_of(log_of(row.times)), row.offsets) << log_of(row.times);
  }
}

TEST(LogFrames, SaysWhatElseWasInTheLog) {
  LogFrames frames = frames_of(
      "# a comment\n"
      "(1.0) can0 123#01\n"
      "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)\n"
      "no frame\n"
      "(1.1) can0 124#02\n"
      "DROPCOUNT: dropped 2 CAN frames on 'can0' socket (total drops 5)\n" +
      std::string(10'000, 'x') + "\n(1.2) can0 125#0");
  ASSERT_TRUE(frames.next());
  EXPECT_EQ(frames.received().frame.id, 0x123U);
  EXPECT_EQ(frames.received().time, (Timestamp{1, 0, 1}));
  EXPECT_EQ(frames.status().dropped, 0U);
  ASSERT_TRUE(frames.next());
  EXPECT_EQ(frames.received().frame.id, 0x124U);
  EXPECT_EQ(frames.status().dropped, 3U);
  EXPECT_EQ(frames.status().unreadable, 1U);
  EXPECT_EQ(frames.status().state, LinkState::up);
  EXPECT_FALSE(frames.next());
  EXPECT_EQ(frames.status().dropped, 5U);
  EXPECT_EQ(frames.status().unreadable, 3U) << "the longest line and the cut one";
  EXPECT_EQ(frames.status().state, LinkState::ended);
  EXPECT_EQ(frames.offset(), 100ms) << "that of the last frame stays";
  EXPECT_FALSE(frames.next());
  EXPECT_EQ(frames.count(), 2U);
}

TEST(LogFrames, WhatCameBeforeAnErrorIsStillThere) {
  LogFrames frames = frames_of("(1.0) can0 123#01\n(1.1) can0 12", true);
  EXPECT_TRUE(frames.next());
  EXPECT_FALSE(frames.error());
  EXPECT_FALSE(frames.next());
  ASSERT_TRUE(frames.error());
  EXPECT_EQ(frames.error()->message, "broken");
  EXPECT_EQ(frames.status().unreadable, 1U);
}

}  // namespace
}  // namespace rangerctl::io
