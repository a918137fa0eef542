#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/record/names.hpp"
#include "rangerctl/record/trigger.hpp"
#include "rangerctl/size.hpp"

namespace rangerctl::record {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kStop = "211#010101F100000080";  // errors: emergency_stop (bit 7)
constexpr const char* kNoError = "211#000101F100000000";
constexpr const char* kFiller = "7FF#00";

Received at(int milliseconds, std::string_view frame) {
  Received received;
  received.time = {100 + milliseconds / 1000, static_cast<std::uint32_t>(milliseconds % 1000) * 1'000'000, 6};
  received.frame = *log::parse_written_frame(protocol::kDefaultCatalogue, frame);
  return received;
}

Trigger trigger(std::string_view text, std::chrono::nanoseconds before,
                std::optional<std::chrono::nanoseconds> after) {
  auto condition = parse_trigger(protocol::kDefaultCatalogue, text);
  EXPECT_TRUE(condition) << text;
  return {protocol::kDefaultCatalogue, {*condition, before, after}};
}

/// Milliseconds of the frames that are recorded with the one at `milliseconds`.
std::vector<int> recorded(Trigger& trigger, int milliseconds, std::string_view frame) {
  std::vector<int> times;
  for (const Received& one : trigger.take(at(milliseconds, frame)))
    times.push_back(static_cast<int>((one.time.seconds - 100) * 1000 + one.time.nanoseconds / 1'000'000));
  return times;
}

TEST(RecordTrigger, StartsAndGoesOn) {
  Trigger start = trigger("emergency_stop", 0s, std::nullopt);
  EXPECT_THAT(recorded(start, 0, kFiller), IsEmpty());
  EXPECT_THAT(recorded(start, 10, kNoError), IsEmpty());
  EXPECT_THAT(recorded(start, 20, kStop), ElementsAre(20));
  EXPECT_THAT(recorded(start, 30, kNoError), ElementsAre(30));
  EXPECT_THAT(recorded(start, 3'600'000, kFiller), ElementsAre(3'600'000));
  EXPECT_EQ(start.count(), 1U);
}

TEST(RecordTrigger, BeforeAndAfterAndAgain) {
  Trigger window = trigger("system_status.errors has emergency_stop", 100ms, 50ms);
  for (const int time : {0, 99, 100, 150}) EXPECT_THAT(recorded(window, time, kFiller), IsEmpty());
  EXPECT_THAT(recorded(window, 199, kStop), ElementsAre(99, 100, 150, 199)) << "bounds are inside";
  EXPECT_THAT(recorded(window, 249, kStop), ElementsAre(249)) << "an error that stays is no other one";
  EXPECT_THAT(recorded(window, 250, kNoError), IsEmpty());
  EXPECT_THAT(recorded(window, 260, kStop), ElementsAre(250, 260))
      << "what was recorded is not recorded again";
  EXPECT_THAT(recorded(window, 300, kNoError), ElementsAre(300));
  EXPECT_THAT(recorded(window, 305, kStop), ElementsAre(305)) << "longer";
  EXPECT_THAT(recorded(window, 355, kFiller), ElementsAre(355));
  EXPECT_THAT(recorded(window, 356, kFiller), IsEmpty());
  EXPECT_EQ(window.count(), 3U);
  EXPECT_EQ(window.incomplete(), 0U);
}

TEST(RecordTrigger, AMessageTriggersEachTime) {
  Trigger message = trigger("system_status", 0s, 10ms);
  EXPECT_THAT(recorded(message, 0, kNoError), ElementsAre(0));
  EXPECT_THAT(recorded(message, 10, kNoError), ElementsAre(10));
  EXPECT_THAT(recorded(message, 20, kFiller), ElementsAre(20));
  EXPECT_THAT(recorded(message, 21, kFiller), IsEmpty());
  Trigger id = trigger("7F0:7F0", 0s, 0s);
  EXPECT_THAT(recorded(id, 0, kNoError), IsEmpty());
  EXPECT_THAT(recorded(id, 1, kFiller), ElementsAre(1));
}

TEST(RecordTrigger, ShortFramesSayNothingAboutASignal) {
  Trigger voltage = trigger("system_status.battery_voltage < 48", 0s, std::nullopt);
  EXPECT_THAT(recorded(voltage, 0, "211#0001"), IsEmpty());
  EXPECT_THAT(recorded(voltage, 1, "211#000101DF00000000"), ElementsAre(1));
}

TEST(RecordTrigger, TimesThatGoBackOrAreMissingDoNotMatter) {
  Trigger window = trigger("emergency_stop", 100ms, 50ms);
  EXPECT_THAT(recorded(window, 500, kFiller), IsEmpty());
  EXPECT_THAT(recorded(window, 0, kFiller), IsEmpty());
  Received timeless = at(0, kFiller);
  timeless.time = {};
  EXPECT_THAT(window.take(timeless), IsEmpty());
  EXPECT_THAT(recorded(window, 10, kStop), ElementsAre(500, 0, -100'000, 10));
}

TEST(RecordTrigger, TheMemoryOfWhatWasBeforeIsBounded) {
  Trigger window = trigger("emergency_stop", 1h, std::nullopt);
  for (std::size_t i = 0; i < Trigger::kMostKept; ++i) EXPECT_THAT(window.take(at(1, kFiller)), IsEmpty());
  EXPECT_EQ(window.take(at(2, kStop)).size(), Trigger::kMostKept + 1);
  EXPECT_EQ(window.incomplete(), 0U);
  Trigger full = trigger("emergency_stop", 1h, std::nullopt);
  for (std::size_t i = 0; i <= Trigger::kMostKept; ++i) EXPECT_THAT(full.take(at(1, kFiller)), IsEmpty());
  EXPECT_EQ(full.take(at(2, kStop)).size(), Trigger::kMostKept + 1);
  EXPECT_EQ(full.incomplete(), 1U);
}

TEST(RecordTrigger, WrongConditionsSayWhatIsRight) {
  for (const auto& [text, says] : {std::pair<std::string, std::string>{"", "three words"},
                                   {"emergency_stopp", "name of an error bit"},
                                   {"system_status.errors emergency_stop", "three words"},
                                   {"system_status.control_mode == bluetooth", "can"},
                                   {"system_status.nothing == 1", "no signal"}}) {
    const auto parsed = parse_trigger(protocol::kDefaultCatalogue, text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().status, ExitStatus::usage);
    EXPECT_THAT(parsed.error().message, HasSubstr(says)) << text;
  }
}

TEST(RecordNames, TheNumberStandsBeforeTheEndings) {
  for (const auto& [path, name] : {std::pair<std::string, std::string>{"drive.log", "drive-0007.log"},
                                   {"drive.log.zst", "drive-0007.log.zst"},
                                   {"drive.gz", "drive-0007.gz"},
                                   {"drive", "drive-0007"},
                                   {"drive.v2.log", "drive.v2-0007.log"},
                                   {"/a.b/drive", "/a.b/drive-0007"},
                                   {"logs.d/.hidden", "logs.d/.hidden-0007"}}) {
    EXPECT_EQ(numbered_name(path, 7), name);
  }
}

TEST(Size, IsReadInBothKindsOfUnits) {
  for (const auto& [text, bytes] : {std::pair<std::string, std::uint64_t>{"1", 1},
                                    {"500B", 500},
                                    {"64kB", 64'000},
                                    {"64KiB", 65'536},
                                    {"1.5MB", 1'500'000},
                                    {"2GiB", 2'147'483'648},
                                    {"100m", 100'000'000}}) {
    const auto size = parse_size(text);
    ASSERT_TRUE(size) << text;
    EXPECT_EQ(*size, bytes) << text;
  }
  for (const char* text : {"", "0", "-1", "MB", "1XB", "1 MB", "0.1", "1e30", "inf", "99999999999GB"})
    EXPECT_FALSE(parse_size(text)) << text;
}

TEST(Size, IsShownInAFewDigits) {
  for (const auto& [bytes, text] : {std::pair<std::uint64_t, std::string>{0, "0 B"},
                                    {999, "999 B"},
                                    {1000, "1.0 kB"},
                                    {999'949, "999.9 kB"},
                                    {999'950, "1.0 MB"},
                                    {12'345'678'901, "12.3 GB"}})
    EXPECT_EQ(size_text(bytes), text);
}

}  // namespace
}  // namespace rangerctl::record
