#include "rangerctl/output/filter.hpp"

#include <gtest/gtest.h>

#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::output {
namespace {

using protocol::kDefaultCatalogue;

bool passes(std::string_view filter, const Frame& frame) {
  return parse_id_filter(filter, kDefaultCatalogue)->matches(frame);
}

const Frame kMotor1{.id = 0x251, .length = 8};
const Frame kMotor8{.id = 0x258, .length = 8};
const Frame kExtended{.id = 0x251, .extended = true, .length = 8};
const Frame kError{.id = 0x004, .kind = FrameKind::error, .length = 8};

TEST(IdFilter, NamesIdsAndMasks) {
  EXPECT_TRUE(passes("motor1_high_speed", kMotor1));
  EXPECT_FALSE(passes("motor1_high_speed", kMotor8));
  EXPECT_TRUE(passes("251", kMotor1));
  EXPECT_TRUE(passes("0x251", kMotor1));
  EXPECT_TRUE(passes("250:7F0", kMotor1));
  EXPECT_TRUE(passes("250:7F0", kMotor8));
  EXPECT_FALSE(passes("260:7F0", kMotor8));
}

TEST(IdFilter, ThreeAndEightDigitsAreDifferentIds) {
  EXPECT_FALSE(passes("251", kExtended));
  EXPECT_TRUE(passes("00000251", kExtended));
  EXPECT_FALSE(passes("00000251", kMotor1));
  EXPECT_FALSE(passes("004", kError));
  EXPECT_TRUE(passes("20000004", kError));
  EXPECT_TRUE(passes("20000000:20000000", kError)) << "every error frame";
  EXPECT_FALSE(passes("20000000:20000000", kExtended));
}

TEST(IdFilter, GarbageIsAUsageErrorWithAHint) {
  for (const char* text : {"", "800", "2511", "123456789", "251:", "251:xyz", "FFFFFFFF"}) {
    const auto filter = parse_id_filter(text, kDefaultCatalogue);
    ASSERT_FALSE(filter) << text;
    EXPECT_EQ(filter.error().status, ExitStatus::usage);
  }
  EXPECT_NE(parse_id_filter("motion_feedbak", kDefaultCatalogue)
                .error()
                .message.find("did you mean motion_feedback?"),
            std::string::npos);
}

TEST(SignalChoice, NeedsBothNames) {
  const auto choice = parse_signal_choice("bms_status.soc", kDefaultCatalogue);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->message->id, 0x361U);
  EXPECT_EQ(choice->signal->name, "soc");
  EXPECT_FALSE(parse_signal_choice("bms_status", kDefaultCatalogue));
  EXPECT_NE(
      parse_signal_choice("bms_status.sco", kDefaultCatalogue).error().message.find("did you mean soc?"),
      std::string::npos);
  EXPECT_NE(parse_signal_choice("bms_sttus.soc", kDefaultCatalogue)
                .error()
                .message.find("did you mean bms_status?"),
            std::string::npos);
}

std::int64_t fake_utc(int year, int month, int day, int hour, int minute, int second) {
  return ((((year * 100LL + month) * 100 + day) * 100 + hour) * 100 + minute) * 100 + second;
}

TEST(TimeBound, SecondsOffsetsAndDates) {
  const auto parsed = [](std::string_view text) { return parse_time_bound(text, fake_utc); };
  EXPECT_EQ(parsed("1712345678.5")->time, (Timestamp{1712345678, 500'000'000, 9}));
  EXPECT_EQ(parsed("7")->time, (Timestamp{7, 0, 9}));
  EXPECT_TRUE(parsed("+2.25")->relative);
  EXPECT_EQ(parsed("+2.25")->time, (Timestamp{2, 250'000'000, 9}));
  EXPECT_EQ(parsed("2024-04-05 19:34:38.5")->time, (Timestamp{20240405193438, 500'000'000, 9}));
  EXPECT_EQ(parsed("2024-04-05T19:34")->time, (Timestamp{20240405193400, 0, 9}));
  for (const char* text : {"", "+", "abc", "1.", "-1", "1.0000000001", "2024-13-05 19:34", "2024-04-05 24:00",
                           "2024-04-05 19:34:", "2024-04-05 19:34x38", "2024-04-05", "+2024-04-05 19:34"}) {
    EXPECT_FALSE(parsed(text)) << text;
  }
}

TEST(TimeWindow, BoundsAreInclusiveAndOffsetsCountFromTheFirstFrame) {
  TimeWindow window(TimeBound{true, {1, 0, 9}}, TimeBound{true, {2, 500'000'000, 9}});
  EXPECT_FALSE(window.contains({100, 600'000'000, 6})) << "the first frame, at +0";
  EXPECT_FALSE(window.contains({101, 599'999'999, 6}));
  EXPECT_TRUE(window.contains({101, 600'000'000, 6}));
  EXPECT_TRUE(window.contains({103, 100'000'000, 6})) << "the fraction carries";
  EXPECT_FALSE(window.contains({103, 100'000'001, 6}));
}

TEST(TimeWindow, ASumOfWholeSecondsIsAWholeSecond) {
  TimeWindow window({}, TimeBound{true, {0, 400'000'000, 9}});
  EXPECT_TRUE(window.contains({100, 600'000'000, 6}));
  EXPECT_TRUE(window.contains({101, 0, 6}));
  EXPECT_FALSE(window.contains({101, 1, 9}));
}

}  // namespace
}  // namespace rangerctl::output
