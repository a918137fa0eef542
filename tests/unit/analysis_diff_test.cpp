#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rangerctl/analysis/diff.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::analysis {
namespace {

using Kind = Difference::Kind;

Analysis analysis_of(std::string_view log) {
  Analysis analysis(protocol::kDefaultCatalogue);
  log::CandumpParser parser(protocol::kDefaultCatalogue);
  log::LogFrame frame;
  while (!log.empty()) {
    EXPECT_EQ(parser.take(log, frame), log::LineKind::frame);
    analysis.add(frame);
  }
  return analysis;
}

/// What stands below the heads of both logs.
std::string body(std::string_view a, std::string_view b) {
  const std::string text = diff_text(analysis_of(a), analysis_of(b), "off.log", "on.log");
  return text.substr(text.find("\n\n") + 1);
}

TEST(AnalysisDiff, ALogDoesNotDifferFromItself) {
  constexpr const char* kLog = "(1.0) can0 211#000101F100000000\n(2.0) can0 7A1#0102\n(2.0) can0 7A1#R2\n";
  EXPECT_EQ(body(kLog, kLog), "\nno differences beyond noise\n");
  EXPECT_EQ(body("", ""), "\nno differences beyond noise\n");
}

TEST(AnalysisDiff, TheBitThatMeansLight) {
  EXPECT_EQ(body("(1.0) can0 231#0100000000000001\n(1.1) can0 231#0100000000000002\n",
                 "(5.0) can0 231#0101000000000001\n(5.1) can0 231#0101000000000002\n"),
            "\nBits that are fixed in both logs, and differ\n"
            "  231      light_feedback         byte 1 bit 0 (light_mode): A 0; B 1\n"
            "\nValues that one log only has\n"
            "  231      light_feedback         light_mode: only in A off; only in B on\n");
}

TEST(AnalysisDiff, IdsOnlyInOneLog) {
  EXPECT_EQ(body("(1.0) can0 7A1#00\n(1.0) can0 211#000101F100000000\n",
                 "(1.0) can0 211#000101F100000000\n(1.0) can0 7A1#R1\n(1.0) can0 000007A1#00\n(2.0) can0 "
                 "000007A1#00\n"),
            "\nIds only in one log\n"
            "  7A1                             only in A: 1 frame\n"
            "  000007A1                        only in B: 2 frames\n"
            "  7A1 rtr                         only in B: 1 frame\n");
}

TEST(AnalysisDiff, BitsThatChangeInOneLog) {
  const auto found = differences(analysis_of("(1.0) can0 7A1#0050\n(2.0) can0 7A1#0070\n"),
                                 analysis_of("(1.0) can0 7A1#0070\n(2.0) can0 7A1#0071\n"));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].kind, Kind::moving);
  EXPECT_EQ(found[0].byte, 1U);
  EXPECT_EQ(found[0].mask, 0x20);
  EXPECT_EQ(found[0].bits, 0x20);  // always 1 in B
  EXPECT_EQ(found[0].side, 'A');
  EXPECT_EQ(found[1].mask, 0x01);
  EXPECT_EQ(found[1].bits, 0x00);  // always 0 in A
  EXPECT_EQ(found[1].side, 'B');
  EXPECT_EQ(found[2].kind, Kind::values);
  EXPECT_EQ(found[2].in_a, "50");
  EXPECT_EQ(found[2].in_b, "71");
}

/// A frame that was too short says nothing, and hides nothing.
TEST(AnalysisDiff, ShortFramesHideNoBit) {
  EXPECT_EQ(
      body("(1.0) can0 211#000101F100000000\n(2.0) can0 211#0001\n", "(1.0) can0 211#000101F100000080\n"),
      "\nBits that are fixed in both logs, and differ\n"
      "  211      system_status          byte 7 bit 7 (errors): A 0; B 1\n"
      "\nValues that one log only has\n"
      "  211      system_status          errors: only in B emergency_stop\n"
      "\nData lengths that differ\n"
      "  211      system_status          A 2 to 8 bytes; B 8 bytes\n");
}

TEST(AnalysisDiff, SeveralBitsOfOneByte) {
  EXPECT_EQ(body("(1.0) can0 7A1#00A5\n", "(1.0) can0 7A1#0085\n"),
            "\nBits that are fixed in both logs, and differ\n"
            "  7A1                             byte 1 bit 5: A 1; B 0\n");
  EXPECT_EQ(body("(1.0) can0 7A1#00\n", "(1.0) can0 7A1#82\n"),
            "\nBits that are fixed in both logs, and differ\n"
            "  7A1                             byte 0 bits 7, 1: A 0, 0; B 1, 1\n");
}

TEST(AnalysisDiff, ValuesOfAByteThatCountsAreNoise) {
  std::string a, b;
  for (int i = 0; i < 256; ++i) a += fmt::format("({}.0) can0 7A1#{:02X}\n", i, i);
  for (int i = 0; i < 255; ++i) b += fmt::format("({}.0) can0 7A1#{:02X}\n", i, i);
  EXPECT_EQ(body(a, b), "\nno differences beyond noise\n");
}

TEST(AnalysisDiff, RangesOfSignals) {
  struct Row {
    int a_least, a_most, b_least, b_most;
    bool differs;
  };
  constexpr Row kRows[] = {
      {0, 99, 0, 99, false},   {0, 99, 50, 149, true},  // 50 of 150 in common
      {0, 99, 30, 129, false},                          // 70 of 130
      {0, 2, 1, 3, false},                              // half
      {0, 99, 200, 300, true}, {5, 5, 5, 5, false},    {5, 5, 6, 6, true},
  };
  for (const Row& row : kRows) {
    const auto log = [](int least, int most) {
      return analysis_of(
          fmt::format("(1.0) can0 221#{:04X}000000000000\n(1.1) can0 221#{:04X}000000000000\n", least, most));
    };
    const auto found = differences(log(row.a_least, row.a_most), log(row.b_least, row.b_most));
    EXPECT_EQ(std::any_of(found.begin(), found.end(),
                          [](const Difference& one) { return one.kind == Kind::range; }),
              row.differs)
        << row.a_least << ' ' << row.a_most << ' ' << row.b_least << ' ' << row.b_most;
  }
  EXPECT_THAT(
      body("(1.0) can0 361#64640000000000FA\n", "(1.0) can0 361#64640000000001C2\n"),
      ::testing::HasSubstr("  361      bms_status             temperature: A 25.0 degC; B 45.0 degC\n"));
}

TEST(AnalysisDiff, RatesAndLengths) {
  std::string a, b;
  for (int i = 0; i < 12; ++i) {
    a += fmt::format("({}.0) can0 7A1#0000\n({}.0) can0 7A2#00\n", i, i);
    b += fmt::format("({}.5) can0 7A1#000000\n({}.0) can0 7A2#00\n", 2 * i, i);
  }
  EXPECT_EQ(body(a, b),
            "\nRates that differ by more than a tenth\n"
            "  7A1                             A 1.0 a second; B 0.5 a second\n"
            "\nData lengths that differ\n"
            "  7A1                             A 2 bytes; B 3 bytes\n");
}

/// Of the greater one: 10.0 and 9.05 a second.
TEST(AnalysisDiff, RatesWithinATenthAreNoise) {
  std::string a, b;
  for (int i = 0; i < 12; ++i) {
    a += fmt::format("({}.{:03}) can0 7A1#00\n", i * 100 / 1000, i * 100 % 1000);
    b += fmt::format("({}.{:06}) can0 7A1#00\n", i * 110'500 / 1'000'000, i * 110'500 % 1'000'000);
  }
  EXPECT_EQ(body(a, b), "\nno differences beyond noise\n");
}

TEST(AnalysisDiff, Json) {
  const Analysis a = analysis_of("(1.0) can0 231#0100000000000001\n(1.0) can0 7A1#00\n");
  const Analysis b = analysis_of("(1.0) can0 231#0101000000000001\n");
  const auto json = nlohmann::json::parse(diff_json(a, b, "of\"f.log", "on.log"));
  EXPECT_EQ(json["a"]["file"], "of\"f.log");
  EXPECT_EQ(json["a"]["frames"], 2);
  const auto& found = json["differences"];
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0]["kind"], "only_in");
  EXPECT_EQ(found[0]["side"], "A");
  EXPECT_EQ(found[1]["kind"], "fixed");
  EXPECT_EQ(found[1]["byte"], 1);
  EXPECT_EQ(found[1]["bit_numbers"], nlohmann::json::array({0}));
  EXPECT_EQ(found[1]["mask"], "01");
  EXPECT_EQ(found[2]["signal"], "light_mode");
  EXPECT_EQ(found[2]["b"], "on");
}

}  // namespace
}  // namespace rangerctl::analysis
