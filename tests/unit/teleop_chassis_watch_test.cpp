#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/teleop/chassis_watch.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using Frames = std::vector<std::string_view>;

SteadyTime at(milliseconds time) { return SteadyTime(1h + time); }

struct Bench {
  void take(std::string_view text, milliseconds time = 0ms, FrameDirection direction = FrameDirection::rx,
            bool own_echo = false) {
    const Frame frame = *log::parse_written_frame(protocol::kDefaultCatalogue, text);
    watch.take({frame, {}, direction, own_echo}, at(time));
  }
  Facts report(milliseconds time = 0ms, std::optional<std::int64_t> mode = 0, std::uint32_t guard_zeros = 0) {
    Facts facts;
    watch.report(facts, mode, guard_zeros, at(time));
    return facts;
  }

  ChassisWatch watch{protocol::kDefaultCatalogue};
};

/// What two reports say: the first behind `frames`, the second behind nothing more.
template <class T, class Get>
void expect_reports(const Frames& frames, Get get, T first, T second) {
  Bench bench;
  for (const std::string_view frame : frames) bench.take(frame);
  EXPECT_EQ(get(bench.report()), first) << frames.front();
  EXPECT_EQ(get(bench.report()), second) << frames.front();
}

/// Bytes 4 to 7 of 0x211 are the errors: bit 7 is the emergency stop, bit 2 the remote control.
TEST(TeleopChassisWatch, AnErrorOfOneFrameIsReportedOnce) {
  struct Row {
    Frames frames;
    bool emergency_stop, remote_lost;
    std::uint32_t errors;
    bool lasts;
  };
  for (const Row& row :
       {Row{{"211#0001000000000080"}, true, false, 0, true},
        Row{{"211#0001000000000080", "211#0001000000000000"}, true, false, 0, false},
        Row{{"211#0001000000000004", "211#0001000000000000"}, false, true, 0, false},
        Row{{"211#0001000080000000", "211#0001000000000000"}, false, false, 0x80000000, false},
        Row{{"211#0001000000000400", "211#0001000000000200", "211#0001000000000000"},
            false,
            false,
            0x600,
            false},
        Row{{"211#0001000000000000"}, false, false, 0, true}}) {
    expect_reports(
        row.frames, [](const Facts& facts) { return facts.emergency_stop; }, row.emergency_stop,
        row.lasts && row.emergency_stop);
    expect_reports(
        row.frames, [](const Facts& facts) { return facts.remote_lost; }, row.remote_lost, false);
    expect_reports(
        row.frames, [](const Facts& facts) { return facts.errors; }, row.errors, 0U);
  }
}

TEST(TeleopChassisWatch, StateControlAndAlarmsOfOneFrame) {
  struct Row {
    Frames frames;
    std::int64_t (*get)(const Facts& facts);
    std::int64_t first, second;
  };
  const auto state = [](const Facts& facts) { return facts.vehicle_state; };
  const auto control = [](const Facts& facts) { return facts.control_mode; };
  const auto alarms = [](const Facts& facts) { return std::int64_t{facts.bms_alarms}; };
  const auto warnings = [](const Facts& facts) { return std::int64_t{facts.bms_warnings}; };
  for (const Row& row :
       {Row{{"211#0201000000000000", "211#0001000000000000"}, state, 2, 0},
        Row{{"211#0201000000000000"}, state, 2, 2},
        Row{{"211#0201000000000000", "211#0101000000000000"}, state, 1, 1},
        Row{{"211#0000000000000000", "211#0001000000000000"}, control, 0, 1},
        Row{{"211#0003000000000000", "211#0001000000000000"}, control, 3, 1},
        Row{{"211#0003000000000000"}, control, 3, 3}, Row{{"211#0203"}, control, 1, 1},  // incomplete
        Row{{"362#02000000", "362#00000000"}, alarms, 0x0002, 0},
        Row{{"362#00010000", "362#00000000"}, alarms, 0x0100, 0},
        Row{{"362#02000000", "362#00010000"}, alarms, 0x0102, 0x0100},
        Row{{"362#02000000"}, alarms, 0x0002, 0x0002}, Row{{"362#02000000", "362#00000000"}, warnings, 0, 0},
        Row{{"362#00000400", "362#00000001", "362#00000000"}, warnings, 0x0104, 0},
        Row{{"362#00000400"}, warnings, 4, 4}}) {
    expect_reports(row.frames, row.get, row.first, row.second);
  }
}

TEST(TeleopChassisWatch, AMotionModeThatIsNotExpected) {
  using Mode = std::optional<std::int64_t>;
  struct Row {
    Frames frames;
    Mode expected, first, second;
  };
  for (const Row& row :
       {Row{{"291#000000"}, 0, 0, 0}, Row{{"291#020000"}, 0, 2, 2},
        Row{{"291#020000", "291#000000"}, 0, 2, 0}, Row{{"291#000000", "291#020000", "291#000000"}, 0, 2, 0},
        Row{{"291#020000", "291#000000"}, 2, 0, 0}, Row{{"291#280000", "291#000000"}, 0, 40, 0},
        Row{{"291#1F0000"}, 0, 31, 31}, Row{{"291#0200", "291#000000"}, 0, 0, 0},
        Row{{"291#000000"}, {}, 0, 0}}) {
    Bench bench;
    for (const std::string_view frame : row.frames) bench.take(frame);
    EXPECT_EQ(bench.report(0ms, row.expected).motion_mode, row.first) << row.frames.front();
    EXPECT_EQ(bench.report(0ms, row.expected).motion_mode, row.second) << row.frames.front();
  }
  EXPECT_EQ(Bench().report().motion_mode, Mode());
}

TEST(TeleopChassisWatch, SwitchingCountsFromItsFirstFrame) {
  Bench bench;
  EXPECT_EQ(bench.report(0ms).switching, std::nullopt);
  for (const milliseconds time : {0ms, 20ms, 40ms}) bench.take("291#000100", time);
  EXPECT_EQ(bench.report(50ms).switching, 50ms);
  bench.take("291#000000", 60ms);
  EXPECT_EQ(bench.report(70ms).switching, std::nullopt);
  bench.take("291#000100", 80ms);
  EXPECT_EQ(bench.report(90ms).switching, 10ms);
}

TEST(TeleopChassisWatch, SwitchingOfOneFrameIsReportedOnce) {
  Bench bench;
  bench.take("291#000100", 0ms);
  bench.take("291#000000", 10ms);
  EXPECT_EQ(bench.report(20ms).switching, 0ms);
  EXPECT_EQ(bench.report(40ms).switching, std::nullopt);
}

TEST(TeleopChassisWatch, AMotorIsInTroubleInThreeFramesInARow) {
  struct Row {
    Frames frames;
    std::uint8_t motor5;
  };
  constexpr std::string_view kWell = "265#0000000000400000", kHot = "265#0000000000420000",
                             kHotAndMore = "265#0000000000630000", kOther = "266#0000000000420000";
  for (const Row& row :
       {Row{{kHot, kHot}, 0}, Row{{kHot, kHot, kHot}, 2}, Row{{kHot, kHot, kWell, kHot}, 0},
        Row{{kHot, kHotAndMore, kHot}, 2}, Row{{kHot, kHot, kOther}, 0}, Row{{kWell, kWell, kWell}, 0},
        Row{{kHotAndMore, kHotAndMore, kHotAndMore}, 0x23}, Row{{kHot, kHot, kHot, kWell}, 0}}) {
    Bench bench;
    for (const std::string_view frame : row.frames) bench.take(frame);
    const Facts facts = bench.report();
    for (std::size_t i = 0; i < kMotors; ++i) EXPECT_EQ(facts.driver_status[i], i == 4 ? row.motor5 : 0) << i;
  }
}

TEST(TeleopChassisWatch, EachOfTheEightMotorsIsWatched) {
  for (std::uint32_t motor = 0; motor < kMotors; ++motor) {
    Bench bench;
    Frame frame{.id = 0x261 + motor, .length = 8};
    frame.data[5] = 0x04;
    for (int i = 0; i < 3; ++i) bench.watch.take({frame, {}, FrameDirection::rx, false}, at(0ms));
    const Facts facts = bench.report();
    for (std::size_t i = 0; i < kMotors; ++i)
      EXPECT_EQ(facts.driver_status[i], i == motor ? 0x04 : 0) << motor << ' ' << i;
  }
}

/// Byte 0 of 0x241: swa down, swb up and swd down are 0b11'00'10'11.
TEST(TeleopChassisWatch, TheSwitchesOfAZeroCalibration) {
  struct Row {
    Frames frames;
    bool calibration;
  };
  for (const Row& row :
       {Row{{"241#CB00000000000000"}, true}, Row{{"241#CA00000000000000"}, false},
        Row{{"241#CF00000000000000"}, false}, Row{{"241#8B00000000000000"}, false},
        Row{{"241#CB00000000000000", "241#0000000000000000"}, false}, Row{{"241#CB"}, false}}) {
    expect_reports(
        row.frames, [](const Facts& facts) { return facts.zero_calibration; }, row.calibration,
        row.calibration);
  }
}

TEST(TeleopChassisWatch, BusOffIsReportedOnce) {
  struct Row {
    std::uint32_t id;
    bool bus_off;
  };
  for (const Row& row : {Row{0x040, true}, Row{0x100, true}, Row{0x004, false}, Row{0x2BF, false}}) {
    Bench bench;
    bench.watch.take({{.id = row.id, .kind = FrameKind::error, .length = 8}, {}}, at(0ms));
    EXPECT_EQ(bench.report().bus_off, row.bus_off) << row.id;
    EXPECT_FALSE(bench.report().bus_off) << row.id;
  }
}

}  // namespace
}  // namespace rangerctl::teleop
