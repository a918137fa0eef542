#include "rangerctl/output/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rangerctl::output {
namespace {

using ::testing::ElementsAre;

TEST(Summary, EveryFrameIsInExactlyOneClass) {
  Summary summary;
  summary.add_frame({.id = 0x211}, Decoding::decoded);
  summary.add_frame({.id = 0x211}, Decoding::too_short);
  summary.add_frame({.id = 0x7A1}, Decoding::unknown_id);
  summary.add_frame({.id = 0x004, .kind = FrameKind::error}, Decoding::error_frame);
  summary.add_frame({.id = 0x211, .kind = FrameKind::remote}, Decoding::unknown_id);
  summary.add_frame({.id = 0x211, .kind = FrameKind::fd}, Decoding::unknown_id);
  EXPECT_EQ(summary.frames(), 6U);
  EXPECT_THAT(
      summary.text(),
      ElementsAre("summary: 6 frames: 1 decoded, 1 unknown ids, 1 short, 1 error frames, 1 remote, 1 FD"));
}

TEST(Summary, LinesAreToldByKindWithTheirFirstPlace) {
  Summary summary;
  std::uint64_t line = 0;
  const auto add = [&](log::LineKind kind) { summary.add_line(kind, ++line); };
  add(log::LineKind::comment);
  add(log::LineKind::frame);
  add(log::LineKind::bad_data);
  add(log::LineKind::bad_data);
  add(log::LineKind::drop_count);
  add(log::LineKind::cut);
  summary.add_frame({.id = 0x211}, Decoding::decoded);
  summary.add_dropped(3);
  EXPECT_EQ(summary.lines(), 6U);
  EXPECT_EQ(summary.not_understood(), 3U);
  const auto rows = summary.text();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0], "summary: 6 lines, 1 frame: 1 decoded, 0 unknown ids, 0 short, 0 error frames");
  EXPECT_THAT(rows[1], ::testing::AllOf(::testing::HasSubstr("(line 1)"), ::testing::HasSubstr("(line 5)")));
  EXPECT_THAT(rows[2],
              ::testing::AllOf(::testing::StartsWith("3 lines not understood: "),
                               ::testing::HasSubstr("(first at line 3)"), ::testing::HasSubstr("(line 6)")));
  EXPECT_THAT(rows[3], ::testing::StartsWith("3 frames lost"));
}

}  // namespace
}  // namespace rangerctl::output
