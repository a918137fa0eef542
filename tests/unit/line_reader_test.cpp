#include "io/line_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fake_input.hpp"

namespace rangerctl::io {
namespace {

struct Taken {
  std::string text;
  bool at_eof;
  bool too_long;
  bool operator==(const Taken&) const = default;
};

std::vector<Taken> all_lines(LineReader& reader) {
  std::vector<Taken> lines;
  Line line;
  while (reader.next(line)) {
    EXPECT_EQ(line.number, lines.size() + 1);
    lines.push_back({std::string(line.text), line.end == log::LineEnd::eof, line.too_long});
  }
  return lines;
}

std::vector<Taken> lines_of(const std::string& content, std::size_t step = 1 << 20) {
  LineReader reader(std::make_unique<FakeInput>(content, step));
  auto lines = all_lines(reader);
  EXPECT_FALSE(reader.error());
  return lines;
}

const std::string kLongest(log::kLongestLine, 'x');

TEST(LineReader, LinesAreTheSameHoweverTheyArrive) {
  const std::string content = "first\n\nthird\r\nlast";
  const std::vector<Taken> expected{
      {"first", false, false}, {"", false, false}, {"third\r", false, false}, {"last", true, false}};
  for (std::size_t step = 1; step <= content.size(); ++step)
    EXPECT_EQ(lines_of(content, step), expected) << step;
  EXPECT_EQ(lines_of(""), std::vector<Taken>{});
  EXPECT_EQ(lines_of("\n"), (std::vector<Taken>{{"", false, false}}));
}

TEST(LineReader, TheLongestLineIsWholeAndOneByteMoreIsTooLong) {
  for (const std::size_t step :
       {std::size_t{1000}, std::size_t{8192}, std::size_t{8193}, std::size_t{1} << 20}) {
    EXPECT_EQ(lines_of(kLongest + "\nnext\n", step),
              (std::vector<Taken>{{kLongest, false, false}, {"next", false, false}}));
    const auto longer = lines_of(kLongest + "x\nnext\n", step);
    ASSERT_EQ(longer.size(), 2U);
    EXPECT_TRUE(longer[0].too_long);
    EXPECT_EQ(longer[1], (Taken{"next", false, false}));
  }
}

TEST(LineReader, HugeLinesAreReadOverInFixedMemory) {
  const std::string huge(3'000'000, 'x');
  for (const std::size_t step : {std::size_t{4096}, std::size_t{100'000}, std::size_t{1} << 20}) {
    const auto lines = lines_of("before\n" + huge + "\nafter\n" + huge, step);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], (Taken{"before", false, false}));
    EXPECT_EQ(lines[1], (Taken{kLongest, false, true}));
    EXPECT_EQ(lines[2], (Taken{"after", false, false}));
    EXPECT_EQ(lines[3], (Taken{kLongest, true, true}));
  }
}

TEST(LineReader, WhatCameBeforeAnErrorIsStillTaken) {
  LineReader reader(std::make_unique<FakeInput>("whole\ncut", 4, true));
  EXPECT_EQ(all_lines(reader), (std::vector<Taken>{{"whole", false, false}, {"cut", true, false}}));
  ASSERT_TRUE(reader.error());
  EXPECT_EQ(reader.error()->message, "broken");
}

}  // namespace
}  // namespace rangerctl::io
