#include "rangerctl/analysis/analysis.hpp"

#include <gtest/gtest.h>

#include <random>

#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::analysis {
namespace {

using namespace std::chrono_literals;

struct Given {
  double milliseconds;  ///< below zero: without a time
  std::string_view frame;
};

std::vector<log::LogFrame> log_of(const std::vector<Given>& rows) {
  std::vector<log::LogFrame> frames;
  for (const Given& row : rows) {
    log::LogFrame frame;
    const auto micros = static_cast<std::int64_t>(row.milliseconds * 1000);
    if (row.milliseconds >= 0)
      frame.time = {1000 + micros / 1'000'000, static_cast<std::uint32_t>(micros % 1'000'000) * 1000, 6};
    frame.frame = *log::parse_written_frame(protocol::kDefaultCatalogue, row.frame);
    frames.push_back(frame);
  }
  return frames;
}

Analysis analysis_of(std::span<const log::LogFrame> log) {
  Analysis analysis(protocol::kDefaultCatalogue);
  for (const log::LogFrame& frame : log) analysis.add(frame);
  return analysis;
}

Analysis analysis_of(const std::vector<Given>& rows) { return analysis_of(log_of(rows)); }

const MessageStatistics& of(const Analysis& analysis, std::string_view name) {
  const auto* const message = protocol::kDefaultCatalogue.find(name);
  return analysis
      .messages()[static_cast<std::size_t>(message - protocol::kDefaultCatalogue.messages().data())];
}

TEST(Analysis, AnEmptyLog) {
  const Analysis empty = analysis_of(std::vector<Given>{});
  EXPECT_EQ(empty.frames(), 0U);
  EXPECT_FALSE(empty.first().known());
  EXPECT_EQ(of(empty, "system_status").id.periods.mean(), 0);
  EXPECT_EQ(of(empty, "system_status").id.periods.jitter(), 0);
  EXPECT_EQ(empty.speed().covered(), 0us);
}

/// From 1.5 m on to 2.0 m, switched off and on, on to 0.2 m.
TEST(Analysis, AnOdometerThatBeginsAtZeroAgainIsNoWayBack) {
  const std::vector<Given> rows{{0, "311#000005DC000005DC"},
                                {20, "311#000007D0000007D0"},
                                {5000, "311#0000000000000000"},
                                {5020, "311#000000C800000000"}};
  const auto check = [](const Analysis& analysis) {
    EXPECT_EQ(analysis.travels()[0].sum(), 700);
    EXPECT_EQ(analysis.travels()[1].sum(), 500);
    EXPECT_EQ(analysis.travels()[2].sum(), std::nullopt);
    EXPECT_EQ(analysis.travels()[0].resets(), 1U);
  };
  const auto log = log_of(rows);
  check(analysis_of(rows));
  for (std::size_t cut = 0; cut <= log.size(); ++cut) {
    Analysis begin = analysis_of(std::span(log).first(cut));
    begin.append(analysis_of(std::span(log).subspan(cut)));
    check(begin);
  }
}

TEST(Analysis, AnOdometerCountsAroundItsEnd) {
  const Analysis analysis = analysis_of({{0, "311#7FFFFFFF80000000"}, {20, "311#800000097FFFFFF6"}});
  EXPECT_EQ(analysis.travels()[0].sum(), 10);
  EXPECT_EQ(analysis.travels()[1].sum(), -10);
  const Analysis over_zero = analysis_of({{0, "311#FFFFFFCE00000032"}, {20, "311#0000000000000000"}});
  EXPECT_EQ(over_zero.travels()[0].sum(), 50);
  EXPECT_EQ(over_zero.travels()[1].sum(), -50);
}

TEST(Analysis, Periods) {
  // 20, 10, 30 and 100 ms: mean 40, squared distances 400 + 900 + 100 + 3600 = 5000, / 3, root: 40.825 ms.
  const Analysis analysis = analysis_of({{0, "211#0001019000000000"},
                                         {20, "211#0001019000000000"},
                                         {30, "211#0001019000000000"},
                                         {60, "211#0001019000000000"},
                                         {160, "211#0001019000000000"}});
  const IdStatistics& id = of(analysis, "system_status").id;
  EXPECT_EQ(id.count, 5U);
  EXPECT_EQ(id.periods.count, 4U);
  EXPECT_EQ(id.periods.least, 10ms);
  EXPECT_EQ(id.periods.most, 100ms);
  EXPECT_EQ(id.periods.most_from, (Timestamp{1000, 60'000'000, 6}));
  EXPECT_DOUBLE_EQ(id.periods.mean(), 40e6);
  EXPECT_NEAR(id.periods.jitter(), 40.8248e6, 100);
  EXPECT_EQ(id.gaps, 1U) << "more than three times 20 ms";
  EXPECT_EQ(id.changes, 0U);
}

TEST(Analysis, TimesThatGoBackAreNoPeriods) {
  const Analysis analysis = analysis_of({{500, "211#0001019000000000"},
                                         {100, "211#0001019000000000"},
                                         {120, "211#0001019000000000"},
                                         {-1, "211#0001019000000000"}});
  EXPECT_EQ(of(analysis, "system_status").id.periods.count, 1U);
  EXPECT_EQ(of(analysis, "system_status").id.backward, 1U);
  EXPECT_EQ(analysis.backward(), 1U);
  EXPECT_EQ(analysis.first(), (Timestamp{1000, 500'000'000, 6}));
  EXPECT_EQ(analysis.last(), (Timestamp{1000, 120'000'000, 6}));
  EXPECT_EQ(analysis.earliest(), (Timestamp{1000, 100'000'000, 6}));
  EXPECT_EQ(analysis.latest(), (Timestamp{1000, 500'000'000, 6}));
}

TEST(Analysis, TheSameTimeIsNotBack) {
  const Analysis analysis = analysis_of({{500, "211#0001019000000000"}, {500, "211#0001019000000000"}});
  EXPECT_EQ(analysis.backward(), 0U);
  EXPECT_EQ(of(analysis, "system_status").id.backward, 0U);
  EXPECT_EQ(of(analysis, "system_status").id.periods.least, 0ns);
}

TEST(Analysis, BitsAndRanges) {
  const Analysis analysis =
      analysis_of({{0, "221#FF6A000000000000"}, {20, "221#0096000000000000"}, {40, "221#0096000000000000"}});
  const MessageStatistics& motion = of(analysis, "motion_feedback");
  EXPECT_EQ(motion.signals[0].least, -150);
  EXPECT_EQ(motion.signals[0].most, 150);
  EXPECT_EQ(motion.id.changes, 1U);
  EXPECT_EQ(motion.id.moving(), 0xFFFC'0000'0000'0000U);  // FF6A ^ 0096
  EXPECT_EQ(motion.id.values[0].count(), 2U);
  EXPECT_TRUE(motion.id.values[1].test(0x96) && motion.id.values[1].test(0x6A));
}

TEST(Analysis, ShortFramesSayNothing) {
  const Analysis analysis = analysis_of({{0, "221#0096"}, {20, "221#0096000000000000"}});
  const MessageStatistics& motion = of(analysis, "motion_feedback");
  EXPECT_EQ(motion.short_frames, 1U);
  EXPECT_EQ(motion.id.count, 2U);
  EXPECT_EQ(motion.id.words, 1U);
  EXPECT_EQ(motion.id.least_length, 2);
  EXPECT_EQ(motion.signals[0].least, 150);
}

TEST(Analysis, ChangesOfFlagsAndEnumerations) {
  const Analysis analysis = analysis_of({{0, "211#0001019000000000"},
                                         {20, "211#0001019100000000"},  // the voltage is no state
                                         {40, "211#0101019100000080"},
                                         {60, "211#0001019100000000"}});
  ASSERT_EQ(analysis.changes().size(), 3U);
  EXPECT_TRUE(analysis.changes()[0].is_first);
  EXPECT_EQ(analysis.changes()[1].time, (Timestamp{1000, 40'000'000, 6}));
  EXPECT_EQ(analysis.changes()[1].before, 0x0001'0000'0000'0000U);
  EXPECT_EQ(analysis.changes()[1].after, 0x0101'0000'0000'0080U);
  EXPECT_EQ(analysis.changes()[2].after, 0x0001'0000'0000'0000U);
}

TEST(Analysis, DistanceAndEnergy) {
  // 0.150 m/s for 0.2 s is 30 mm; then back at 0.050 for 0.1 s after a step over zero, which counts by its
  // mean.
  const Analysis analysis = analysis_of({{0, "221#0096000000000000"},
                                         {200, "221#0096000000000000"},
                                         {300, "221#FFCE000000000000"},
                                         {400, "221#FFCE000000000000"},
                                         {5000, "221#0096000000000000"}});
  EXPECT_EQ(static_cast<std::uint64_t>(analysis.speed().twice_above()), 2U * 150 * 200'000 + 100 * 100'000);
  EXPECT_EQ(static_cast<std::uint64_t>(analysis.speed().twice_below()), 2U * 50 * 100'000);
  EXPECT_EQ(analysis.speed().covered(), 400ms) << "the gap is not bridged";
  // 50.0 V in either unit, -2.0 A: 100 W.
  for (const auto* frame : {"361#323201F4FFEC00C8", "361#32321388FFEC00C8"}) {
    const Analysis battery = analysis_of({{0, frame}, {500, frame}, {1000, frame}});
    EXPECT_EQ(static_cast<std::uint64_t>(battery.power().twice_below()), 200'000'000'000U) << frame;
    EXPECT_EQ(static_cast<std::uint64_t>(battery.power().twice_above()), 0U);
  }
}

TEST(Analysis, OtherIdsAreEachOnTheirOwn) {
  const Analysis analysis =
      analysis_of({{0, "7FF#00"}, {1, "211#R"}, {2, "00000211#00"}, {3, "7FF#01"}, {4, "7FF##400"}});
  const auto others = analysis.others();
  ASSERT_EQ(others.size(), 4U);
  EXPECT_EQ(others[0].id, (OtherId{0x7FF, FrameKind::data, false}));
  EXPECT_EQ(others[0].statistics.count, 2U);
  EXPECT_EQ(others[1].id, (OtherId{0x211, FrameKind::data, true}));
}

TEST(Analysis, TooManyOtherIdsAreCounted) {
  Analysis analysis(protocol::kDefaultCatalogue);
  log::LogFrame frame;
  frame.frame.extended = true;
  for (std::uint32_t id = 0; id < Analysis::kMostOtherIds + 10; ++id) {
    frame.frame.id = id;
    analysis.add(frame);
    analysis.add(frame);
  }
  EXPECT_EQ(analysis.others().size(), Analysis::kMostOtherIds);
  EXPECT_EQ(analysis.more_others(), 20U);
}

/// Frames of every kind at random, with few values, so that much is as it was.
std::vector<log::LogFrame> random_log(std::mt19937& random, std::size_t count) {
  const auto pick = [&random](std::uint32_t most) {
    return static_cast<std::uint32_t>(random() % (most + 1));
  };
  const auto messages = protocol::kDefaultCatalogue.messages();
  std::vector<log::LogFrame> log(count);
  std::int64_t micros = 0;
  for (log::LogFrame& frame : log) {
    micros += pick(30) == 0 ? static_cast<std::int64_t>(pick(9'000'000)) - 3'000'000 : pick(5000);
    if (pick(20) != 0)
      frame.time = {1000 + micros / 1'000'000,
                    static_cast<std::uint32_t>((micros % 1'000'000 + 1'000'000) % 1'000'000) * 1000, 6};
    const protocol::Message& message = messages[pick(static_cast<std::uint32_t>(messages.size()) - 1)];
    frame.frame.id = pick(5) == 0 ? 0x700 + pick(3) : message.id;
    frame.frame.length = static_cast<std::uint8_t>(pick(9) == 0 ? pick(8) : 8);
    for (std::size_t i = 0; i < frame.frame.length; ++i)
      frame.frame.data[i] = static_cast<std::uint8_t>(pick(2) == 0 ? pick(3) : 0);
  }
  return log;
}

void expect_same(const Analysis& one, const Analysis& other) {
  EXPECT_EQ(one.frames(), other.frames());
  EXPECT_EQ(one.first(), other.first());
  EXPECT_EQ(one.last(), other.last());
  EXPECT_EQ(one.earliest(), other.earliest());
  EXPECT_EQ(one.latest(), other.latest());
  EXPECT_EQ(one.backward(), other.backward());
  for (std::size_t i = 0; i < one.messages().size(); ++i) {
    EXPECT_EQ(one.messages()[i].id, other.messages()[i].id) << i;
    EXPECT_EQ(one.messages()[i].short_frames, other.messages()[i].short_frames);
    EXPECT_EQ(one.messages()[i].signals, other.messages()[i].signals);
  }
  const auto others = one.others();
  ASSERT_EQ(others.size(), other.others().size());
  for (std::size_t i = 0; i < others.size(); ++i)
    EXPECT_EQ(others[i].statistics, other.others()[i].statistics);
  EXPECT_EQ(one.changes(), other.changes());
  EXPECT_EQ(one.more_changes(), other.more_changes());
  for (const auto integral : {&Analysis::speed, &Analysis::power}) {
    EXPECT_TRUE((one.*integral)().twice_above() == (other.*integral)().twice_above());
    EXPECT_TRUE((one.*integral)().twice_below() == (other.*integral)().twice_below());
    EXPECT_EQ((one.*integral)().covered(), (other.*integral)().covered());
  }
}

TEST(Analysis, PartsInOrderGiveTheWhole) {
  std::mt19937 random(20261201);
  for (int round = 0; round < 60; ++round) {
    const auto log = random_log(random, 400);
    const Analysis whole = analysis_of(log);
    Analysis parts(protocol::kDefaultCatalogue);
    for (std::span<const log::LogFrame> rest = log; !rest.empty();) {
      const std::size_t size =
          std::min<std::size_t>(rest.size(), random() % (static_cast<unsigned>(round) + 2));
      parts.append(analysis_of(rest.first(size)));
      rest = rest.subspan(size);
    }
    expect_same(whole, parts);
    if (HasFailure()) break;
  }
}

TEST(Analysis, PartsMayBePutTogetherInAnyGrouping) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    const auto log = random_log(random, 120);
    const std::span<const log::LogFrame> all = log;
    const std::size_t cut = random() % 60;
    Analysis end = analysis_of(all.subspan(cut, 40));
    end.append(analysis_of(all.subspan(cut + 40)));
    Analysis parts = analysis_of(all.first(cut));
    parts.append(end);
    expect_same(analysis_of(log), parts);
    if (HasFailure()) break;
  }
}

TEST(Analysis, ALimitOfChangesIsTheSameInParts) {
  std::vector<log::LogFrame> log = log_of({{0, "211#0001019000000000"}, {20, "211#0101019100000080"}});
  for (std::size_t i = 0; i < Analysis::kMostChanges; ++i) log.push_back(log[i % 2]);
  const Analysis whole = analysis_of(log);
  EXPECT_EQ(whole.changes().size(), Analysis::kMostChanges);
  EXPECT_EQ(whole.more_changes(), 2U);
  const std::span<const log::LogFrame> all = log;
  for (const std::size_t cut : {std::size_t{1}, std::size_t{10'001}, log.size() - 1}) {
    Analysis parts = analysis_of(all.first(cut));
    parts.append(analysis_of(all.subspan(cut)));
    expect_same(whole, parts);
  }
}

}  // namespace
}  // namespace rangerctl::analysis
