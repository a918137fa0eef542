#include <gmock/gmock.h>

#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/replay/selection.hpp"
#include "rangerctl/replay/speed.hpp"

namespace rangerctl::replay {
namespace {

using namespace std::chrono_literals;
using protocol::kDefaultCatalogue;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Verdict judged(std::string_view frame, SelectionOptions options = {}) {
  return judge(kDefaultCatalogue, *log::parse_written_frame(kDefaultCatalogue, frame), options);
}

constexpr SelectionOptions kAll{.all = true};
constexpr SelectionOptions kCommands{.with_commands = true, .max_speed_mmps = 300};

TEST(ReplaySelection, FeedbackLeavesAndNothingElseUnasked) {
  struct Row {
    std::string_view frame;
    LeftOut left_out;
  };
  for (const std::string_view frame :
       {"211#000101F100000000", "221#0000000000000000", "268#0000000000000000"})
    EXPECT_EQ(judged(frame).role, Role::chassis) << frame;
  for (const Row& row : {Row{"111#0000000000000000", LeftOut::command},
                         {"111#00", LeftOut::command},
                         {"111#R8", LeftOut::command},
                         {"111##400", LeftOut::command},
                         {"421#01", LeftOut::command},
                         {"4A1#01", LeftOut::command},
                         {"7FF#00", LeftOut::unknown},
                         {"00000211#000101F100000000", LeftOut::unknown},
                         {"211#R8", LeftOut::unknown},
                         {"211##4000101F100000000", LeftOut::unknown},
                         {"211#0001", LeftOut::beyond_limits},
                         {"20000040#0000000000000000", LeftOut::not_sendable}}) {
    const Verdict verdict = judged(row.frame);
    EXPECT_FALSE(verdict.role || verdict.refusal) << row.frame;
    EXPECT_EQ(verdict.left_out, row.left_out) << row.frame;
  }
}

TEST(ReplaySelection, AllIsWhatTheRobotDoesNotKnow) {
  for (const std::string_view frame : {"7FF#00", "00000111#0096000000000000", "7FF#R8", "7FF##40011"})
    EXPECT_EQ(judged(frame, kAll).role, Role::nobody) << frame;
  EXPECT_EQ(judged("211#000101F100000000", kAll).role, Role::chassis);
  for (const std::string_view frame : {"111#0096000000000000", "111#R8", "111##400", "421#01"})
    EXPECT_EQ(judged(frame, kAll).left_out, LeftOut::command) << frame;
  // What looks like feedback, in another kind of frame or with another length.
  for (const std::string_view frame : {"211#R8", "211##4000101F100000000", "212#00"})
    EXPECT_EQ(judged(frame, kAll).left_out, LeftOut::beyond_limits) << frame;
  EXPECT_EQ(judged("20000040#0000000000000000", kAll).left_out, LeftOut::not_sendable);
}

TEST(ReplaySelection, CommandsThatNobodyMaySendKeepTheWholeLogBack) {
  for (const std::string_view frame : {"111#0096000000000000", "421#01", "441#09", "4A1#01"})
    EXPECT_EQ(judged(frame, kCommands).role, Role::host) << frame;
  EXPECT_THAT(judged("111#0200000000000000", kCommands).refusal->message,
              HasSubstr("--max-speed"));  // 0.512 m/s
  SelectionOptions faster = kCommands;
  faster.max_speed_mmps = 600;
  EXPECT_EQ(judged("111#0200000000000000", faster).role, Role::host);
  for (const std::string_view frame : {"111#0096", "111#R8", "111##40096000000000000", "111#7FFF000000000000",
                                       "421#07", "111#0096000000010000"}) {
    const Verdict verdict = judged(frame, kCommands);
    ASSERT_TRUE(verdict.refusal) << frame;
    EXPECT_EQ(verdict.refusal->status, ExitStatus::refused);
  }
}

TEST(ReplaySelection, CountsSayWhatWasLeftOut) {
  LeftOutCounts counts;
  EXPECT_EQ(counts.text(), "");
  counts.note(LeftOut::command);
  counts.note(LeftOut::unknown);
  counts.note(LeftOut::unknown);
  EXPECT_EQ(counts.text(),
            "1 command (sent only with --with-commands), 2 unknown frames (sent only with --all)");
}

TEST(ReplayBusMap, EveryBusHasAPlace) {
  const auto map = BusMap::parse({"can1=vcan1", "can2=-", "can3=vcan1", "=vcan2"}, "vcan0");
  ASSERT_TRUE(map);
  EXPECT_THAT(map->interfaces(), ElementsAre("vcan0", "vcan1", "vcan2"));
  EXPECT_EQ(map->destination("can0"), 0U);
  EXPECT_EQ(map->destination("can1"), 1U);
  EXPECT_EQ(map->destination("can2"), std::nullopt);
  EXPECT_EQ(map->destination("can3"), 1U);
  EXPECT_EQ(map->destination(""), 2U);
  EXPECT_TRUE(map->names("can2"));
  EXPECT_FALSE(map->names("can0"));
  EXPECT_THAT(BusMap::parse({"can0=vcan0"}, "vcan0")->interfaces(), ElementsAre("vcan0"));
  for (const char* wrong : {"can0", "can0=", ""}) EXPECT_FALSE(BusMap::parse({wrong}, "vcan0")) << wrong;
  EXPECT_FALSE(BusMap::parse({"a=b", "a=c"}, "vcan0"));
}

TEST(ReplaySpeed, IsAnExactDecimal) {
  EXPECT_EQ(Speed::parse("2")->scale(3s), 1500ms);
  EXPECT_EQ(Speed::parse("0.25")->scale(3s), 12s);
  EXPECT_EQ(Speed::parse("3")->scale(1s), 333'333'333ns);
  EXPECT_EQ(Speed::parse("3")->scale(2s), 666'666'667ns);
  EXPECT_EQ(Speed::parse("0.7")->scale(7h), 10h);
  EXPECT_EQ(Speed::parse("100")->scale(1s), 10ms);
  EXPECT_EQ(Speed::parse("0.01")->scale(std::chrono::nanoseconds::max()), 100 * 366 * 24h);
  EXPECT_TRUE(Speed::parse("1.000000")->is_one());
  EXPECT_FALSE(Speed::parse("1.000001")->is_one());
  for (const char* wrong :
       {"", "0", "0.009", "100.1", "1000", "-1", "1e2", "1.", ".5", "1.0000000", "two", "1 "})
    EXPECT_FALSE(Speed::parse(wrong)) << wrong;
}

}  // namespace
}  // namespace rangerctl::replay
