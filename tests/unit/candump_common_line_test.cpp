// The quick way through usual lines says of every line what the thorough way says.
#include <gtest/gtest.h>

#include <string>

#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::log {
namespace {

/// What follows in a log, so that there is enough for the quick way.
const std::string kMore =
    "(1712345679.000000) can0 7FF#0011223344556677\n(1712345679.000000) can0 7FF#0011\n";

void expect_same(const std::string& line) {
  CandumpParser quick(protocol::kDefaultCatalogue);
  CandumpParser thorough(protocol::kDefaultCatalogue);
  static LogFrame taken;
  static LogFrame parsed;
  const std::string text = line + '\n' + kMore;
  std::string_view rest = text;
  const LineKind kind = thorough.parse(line, LineEnd::newline, parsed);
  ASSERT_EQ(quick.take(rest, taken), kind) << line;
  ASSERT_EQ(rest, kMore) << line;
  if (kind != LineKind::frame) return;
  ASSERT_EQ(taken.time, parsed.time) << line;
  ASSERT_EQ(taken.bus, parsed.bus) << line;
  ASSERT_EQ(taken.direction, parsed.direction) << line;
  ASSERT_EQ(taken.frame, parsed.frame) << line;
}

const std::vector<std::string> kLines{"(1712345678.123456) can0 211#0001019000000001",
                                      "(0000000009.000001) can0 7FF#FFFFFFFFFFFFFFFF R",
                                      "(9999999999.999999) c 000#89abcdefABCDEF09 T",
                                      "(1712345678.123456) can0 291#000102",
                                      "(1712345678.123456) can0 211#",
                                      "(1712345678.123456) can0 211#0001019000000001_9",
                                      "(1712345678.123456) interface012345 211#00 R",
                                      "(1712345678.123456) interface0123456 211#00 R",
                                      "(1712345678.123456)   can0 211#0001019000000001",
                                      "(1712345678.123456) can0 211#00010190000000010",
                                      "(1712345678.123456) can0 211#000101900000000102"};

TEST(CandumpCommonLine, UsualLinesAreWhatTheyAre) {
  CandumpParser parser(protocol::kDefaultCatalogue);
  LogFrame frame;
  const std::string text = kLines[0] + '\n' + kLines[1] + '\n' + kLines[2] + '\n' + kLines[3] + '\n' + kMore;
  std::string_view rest = text;
  ASSERT_EQ(parser.take(rest, frame), LineKind::frame);
  EXPECT_EQ(frame.time, (Timestamp{1'712'345'678, 123'456'000, 6}));
  EXPECT_EQ(frame.bus, "can0");
  EXPECT_EQ(frame.frame.id, 0x211U);
  EXPECT_EQ(frame.frame.length, 8);
  EXPECT_EQ(frame.frame.data[2], 0x01);
  EXPECT_EQ(frame.frame.data[3], 0x90);
  EXPECT_EQ(frame.frame.data[7], 0x01);
  EXPECT_EQ(frame.direction, FrameDirection::unknown);
  ASSERT_EQ(parser.take(rest, frame), LineKind::frame);
  EXPECT_EQ(frame.time, (Timestamp{9, 1000, 6}));
  EXPECT_EQ(frame.direction, FrameDirection::rx);
  ASSERT_EQ(parser.take(rest, frame), LineKind::frame);
  EXPECT_EQ(frame.time, (Timestamp{9'999'999'999, 999'999'000, 6}));
  EXPECT_EQ(frame.frame.id, 0U);
  const std::array<std::uint8_t, 8> data{0x89, 0xAB, 0xCD, 0xEF, 0xAB, 0xCD, 0xEF, 0x09};
  EXPECT_TRUE(std::equal(data.begin(), data.end(), frame.frame.data.begin()));
  EXPECT_EQ(frame.direction, FrameDirection::tx);
  ASSERT_EQ(parser.take(rest, frame), LineKind::frame);
  EXPECT_EQ(frame.frame.length, 3);
  EXPECT_EQ(frame.frame.data[2], 0x02);
}

TEST(CandumpCommonLine, EveryCharacterAtEveryPlace) {
  for (const std::string& line : kLines) {
    expect_same(line);
    for (std::size_t at = 0; at < line.size(); ++at) {
      for (int value = 0; value < 256; ++value) {
        std::string other = line;
        other[at] = static_cast<char>(value);
        if (other[at] != '\n') expect_same(other);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(CandumpCommonLine, EveryLineThatWasCutOrHasMore) {
  for (const std::string& line : kLines) {
    for (std::size_t size = 0; size < line.size(); ++size) {
      expect_same(line.substr(0, size));
      expect_same(line.substr(0, size) + line.substr(size + 1));
      expect_same(line.substr(0, size) + line[size] + line.substr(size));
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace rangerctl::log
