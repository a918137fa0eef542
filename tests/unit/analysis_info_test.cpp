#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rangerctl/analysis/info.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::analysis {
namespace {

/// A stop button pressed for 0.3 s while the chassis rolls forward and back.
constexpr std::string_view kLog =
    "(1000.000000) can0 211#000101F100000000\n"
    "(1000.000000) can0 221#0000000000000000\n"
    "(1000.000000) can0 361#576401F1FFEC00F5\n"
    "(1000.000000) can0 311#000003E8000003E8\n"
    "(1000.100000) can0 221#0064000000000000\n"
    "(1000.120000) can0 211#010101F100000080\n"
    "(1000.200000) can0 221#0064000000000000\n"
    "(1000.300000) can0 221#FF9C000000000000\n"
    "(1000.400000) can0 361#566401F1FFEC00F5\n"
    "(1000.400000) can0 311#000003FC000003F8\n"
    "(1000.420000) can0 211#000101F100000000\n"
    "(1000.500000) can0 20000040#0000000000000000\n"
    "(1000.500000) can0 7A1#0102\n"
    "(1000.600000) can0 7A1#0103\n"
    "(1000.600000) can0 211#0001\n"
    "nonsense\n"
    "DROPCOUNT: dropped 2 CAN frames on 'can0' socket (total drops 2)\n";

struct Read {
  Analysis analysis{protocol::kDefaultCatalogue};
  output::Summary summary;
};

Read read(std::string_view log) {
  Read read;
  log::CandumpParser parser(protocol::kDefaultCatalogue);
  log::LogFrame frame;
  for (std::uint64_t line = 1; !log.empty(); ++line) {
    const log::LineKind kind = parser.take(log, frame);
    read.summary.add_line(kind, line);
    if (kind == log::LineKind::frame) read.analysis.add(frame);
    if (kind == log::LineKind::drop_count) read.analysis.add_drops(frame.drops);
  }
  return read;
}

/// Worked out by hand: 0.1 s from 0 to 0.1 m/s are 5 mm, 0.1 s at 0.1 m/s 10 mm, and from there to -0.1 m/s
/// none; 20 and 16 mm of two wheels; 49.7 V x 2.0 A over 0.4 s are 0.011 Wh; periods of 120, 300 and 180 ms
/// have a mean of 200 and a deviation of 91.65.
constexpr std::string_view kText = R"(drive.log: 15 frames
  from      1000.000000
  to        1000.600000
  span      0:00:00.600 (h:m:s)
  lost      2 frames, as the log says
  lines     other lines: 1 drop count (line 17)
  lines     1 line not understood: 1 unrecognised line (line 16)

Faults
  emergency_stop                   1 time, 0:00:00.300, from +0.120 to +0.420
      an emergency stop button is pressed or was not cleared: release the
      button, then clear with 0x00 (no code is documented for it), or KEY1 on
      the remote control in remote mode

States, by their time
  vehicle_state     normal 0:00:00.300, emergency_stop 0:00:00.300; 2 changes
  control_mode      can 0:00:00.600; 0 changes

What happened, in seconds from the first frame
        +0.000  vehicle_state is normal
        +0.000  control_mode is can
        +0.120  set: emergency_stop
        +0.120  vehicle_state: emergency_stop
        +0.420  cleared: emergency_stop
        +0.420  vehicle_state: normal

Motion and energy
  distance      0.015 m forward, 0.000 m backward: speed over 0:00:00.300
  speed         -0.100 to 0.100 m/s
  odometer      +0.018 m, mean of 2 wheels
  energy        0.011 Wh taken, 0.000 Wh charged: voltage x current over 0:00:00.400
  battery       86 to 87 %, 49.7 to 49.7 V, -2.0 to -2.0 A

Messages; periods in ms, gaps are periods of more than 3 times the usual one
ID       MESSAGE                    FRAMES     HZ   LEAST    MOST  JITTER  GAPS
211      system_status                   4    5.0   120.0   300.0    91.7     3
         1 frame too short
221      motion_feedback                 4   10.0   100.0   100.0    0.00     3
311      front_odometer                  2    2.5   400.0   400.0    0.00     1
361      bms_status                      2    2.5   400.0   400.0    0.00     0
7A1      unknown                         2   10.0   100.0   100.0    0.00     0
20000040 error: bus_off                  1      -       -       -       -     0
never seen: light_feedback, remote_control_feedback, motor1_high_speed,
            motor2_high_speed, motor3_high_speed, motor4_high_speed,
            motor5_high_speed, motor6_high_speed, motor7_high_speed,
            motor8_high_speed, motor1_low_speed, motor2_low_speed,
            motor3_low_speed, motor4_low_speed, motor5_low_speed,
            motor6_low_speed, motor7_low_speed, motor8_low_speed,
            steering_angle_feedback, wheel_speed_feedback, motion_mode_feedback,
            rear_odometer, bms_alarms

Signals: the least and the most, or everything that was seen
system_status.vehicle_state                 normal, emergency_stop
system_status.control_mode                  can
system_status.battery_voltage               49.7 V
system_status.errors                        emergency_stop
motion_feedback.linear_velocity             -0.100 to 0.100 m/s
motion_feedback.angular_velocity            0.000 rad/s
motion_feedback.steering_angle              0.000 rad
front_odometer.left_wheel                   1.000 to 1.020 m
front_odometer.right_wheel                  1.000 to 1.016 m
bms_status.soc                              86 to 87 %
bms_status.soh                              100 %
bms_status.voltage                          49.7 V
bms_status.current                          -2.0 A
bms_status.temperature                      24.5 degC
)";

TEST(AnalysisInfo, TheWholeText) {
  const Read log = read(kLog);
  EXPECT_EQ(info_text(log.analysis, {"drive.log", log.summary}, Detail::all), kText);
  const std::string overview = info_text(log.analysis, {"drive.log", log.summary}, Detail::overview);
  EXPECT_EQ(overview + std::string(kText.substr(kText.find("\nSignals:"))), kText);
}

TEST(AnalysisInfo, TheSameAsJson) {
  const Read log = read(kLog);
  const std::string text = info_json(log.analysis, {"dri\"ve.log", log.summary, "cut short"});
  EXPECT_EQ(text.back(), '\n');
  EXPECT_THAT(text, ::testing::HasSubstr("\"time\":{\"first\":1000.000000,\"last\":1000.600000,"))
      << "digits as they were";
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["file"], "dri\"ve.log");
  EXPECT_EQ(json["trouble"], "cut short");
  EXPECT_EQ(json["frames"], 15);
  EXPECT_EQ(json["lost"], 2);
  EXPECT_EQ(json["time"]["span"], 0.6);
  EXPECT_EQ(json["lines"]["not_understood"], 1);
  ASSERT_EQ(json["faults"].size(), 1U);
  EXPECT_EQ(json["faults"][0]["name"], "emergency_stop");
  EXPECT_EQ(json["faults"][0]["seconds"], 0.3);
  EXPECT_EQ(json["faults"][0]["intervals"][0]["to"], 1000.42);
  EXPECT_EQ(json["states"][0]["seconds"]["emergency_stop"], 0.3);
  EXPECT_EQ(json["events"][2]["text"], "set: emergency_stop");
  EXPECT_EQ(json["distance"]["forward_m"], 0.015);
  EXPECT_EQ(json["odometer"]["mean_m"], 0.018);
  EXPECT_EQ(json["energy"]["taken_wh"], 0.011);
  const auto& status = json["messages"][0];
  EXPECT_EQ(status["id"], "211");
  EXPECT_EQ(status["short"], 1);
  EXPECT_EQ(status["jitter_ms"], 91.652);
  EXPECT_EQ(status["most_after"], 1000.12);
  EXPECT_EQ(status["changing_bits"], "0100000000000080");
  EXPECT_EQ(status["signals"][0]["seen"], nlohmann::json({"normal", "emergency_stop"}));
  EXPECT_EQ(json["messages"][1]["signals"][0]["least"], -0.1);
  EXPECT_EQ(json["others"][1]["kind"], "error");
  EXPECT_EQ(json["others"][1]["rate_hz"], nullptr);
  EXPECT_EQ(json["never_seen"].size(), 23U);
}

TEST(AnalysisInfo, AnEmptyLog) {
  const Read log = read("");
  EXPECT_EQ(info_text(log.analysis, {"a.log", log.summary}, Detail::all), "a.log: 0 frames\n");
  const auto json = nlohmann::json::parse(info_json(log.analysis, {"a.log", log.summary}));
  EXPECT_EQ(json["time"]["first"], nullptr);
  EXPECT_EQ(json["frames"], 0);
  EXPECT_FALSE(json.contains("distance"));
}

TEST(AnalysisInfo, ALogWithoutTimes) {
  const Read log =
      read("  can0  211   [8]  00 01 01 F1 00 00 00 00\n  can0  211   [8]  00 01 01 F2 00 00 00 00\n");
  EXPECT_THAT(info_text(log.analysis, {"a.log", log.summary}, Detail::overview),
              ::testing::HasSubstr("this log has none: no rates, no gaps, no distance"));
  const auto json = nlohmann::json::parse(info_json(log.analysis, {"a.log", log.summary}));
  EXPECT_EQ(json["messages"][0]["rate_hz"], nullptr);
  EXPECT_EQ(json["messages"][0]["frames"], 2);
}

}  // namespace
}  // namespace rangerctl::analysis
