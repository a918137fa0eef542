// Every error bit of the simulated chassis, and every code that clears one.
#include "sim_scene.hpp"

namespace rangerctl::sim {
namespace {

using namespace scene;

/// User manual V1.0.1, table of 0x211 and table of 0x441; code -1: none.
struct ErrorRow {
  int bit;
  const char* name;
  int code;
};
constexpr ErrorRow kErrors[] = {
    {0, "battery_undervoltage", 0x09},
    {1, "overvoltage", -1},
    {2, "remote_control_lost", 0x0A},
    {3, "motor1_communication", 0x01},
    {4, "motor2_communication", 0x02},
    {5, "motor3_communication", 0x03},
    {6, "motor4_communication", 0x04},
    {7, "emergency_stop", -1},
    {8, "driver_fault", -1},
    {9, "bit9", -1},
    {10, "motor5_communication", 0x05},
    {11, "motor6_communication", 0x06},
    {12, "motor7_communication", 0x07},
    {13, "motor8_communication", 0x08},
    {14, "over_temperature", 0x10},
    {15, "over_current", 0x0F},
    {16, "steering_zero_right_front", 0x0B},
    {17, "steering_zero_right_rear", 0x0C},
    {18, "steering_zero_left_rear", 0x0D},
    {19, "steering_zero_left_front", 0x0E},
    {20, "steering_calibration_timeout", -1},
    {31, "bit31", -1},
};
constexpr int kLastCode = 0x10;

std::int64_t bit(const ErrorRow& row) { return std::int64_t{1} << row.bit; }

TEST(SimErrors, EachIsRaisedAloneAndShownInTheVehicleState) {
  for (const ErrorRow& row : kErrors) {
    Robot robot;
    robot.say(std::string("set ") + row.name);
    robot.run(40ms);
    EXPECT_EQ(robot.errors(), bit(row)) << row.name;
    const int state = row.bit == 7 ? 1 : row.bit == 2 ? 0 : 2;
    EXPECT_EQ(robot.state(), state) << row.name;
  }
}

TEST(SimErrors, AnEmergencyStopIsShownBeforeOtherErrors) {
  Robot robot;
  robot.say("set over_current");
  robot.say("set emergency_stop");
  robot.run(40ms);
  EXPECT_EQ(robot.state(), 1);
}

TEST(SimErrors, EachStaysWhenItsCauseIsGone) {
  for (const ErrorRow& row : kErrors) {
    Robot robot;
    robot.say(std::string("set ") + row.name);
    robot.say(std::string("release ") + row.name);
    robot.run(10s);
    EXPECT_EQ(robot.errors(), bit(row)) << row.name;
  }
}

TEST(SimErrors, EachCodeClearsItsBitAndNoOther) {
  for (int code = 0; code <= kLastCode; ++code) {
    Robot robot;
    std::int64_t left = 0;
    for (const ErrorRow& row : kErrors) {
      robot.say(std::string("set ") + row.name);
      robot.say(std::string("release ") + row.name);
      if (code != 0 && row.code != code) left |= bit(row);
    }
    EXPECT_EQ(robot.send(clear_error(code)), std::nullopt) << code;
    robot.run(40ms);
    EXPECT_EQ(robot.errors(), left) << code;
  }
}

TEST(SimErrors, NoCodeClearsABitWhoseCauseLasts) {
  for (const ErrorRow& row : kErrors) {
    for (int code = 0; code <= kLastCode; ++code) {
      Robot robot;
      robot.say(std::string("set ") + row.name);
      const auto ignored = robot.send(clear_error(code));
      EXPECT_EQ(ignored.has_value(), code == 0 || code == row.code) << row.name << ' ' << code;
      if (ignored) {
        EXPECT_EQ(*ignored, Ignored::cause_remains);
      }
      robot.run(40ms);
      EXPECT_EQ(robot.errors(), bit(row)) << row.name << ' ' << code;
    }
  }
}

TEST(SimErrors, CodeZeroClearsWhatItCanAndSaysThatSomethingIsLeft) {
  Robot robot;
  robot.say("set over_current");
  robot.say("set over_temperature");
  robot.say("release over_current");
  EXPECT_EQ(robot.send(clear_error(0)), Ignored::cause_remains);
  robot.run(40ms);
  EXPECT_EQ(robot.errors(), 0x4000);
}

TEST(SimErrors, AnEmergencyStopNeedsReleaseAndThenClear) {
  Robot robot("estop");
  robot.run(40ms);
  EXPECT_EQ(robot.send(clear_error(0)), Ignored::cause_remains);
  robot.say("release emergency_stop");
  robot.run(40ms);
  EXPECT_EQ(robot.errors(), 0x80);
  EXPECT_EQ(robot.send(motion(500)), Ignored::emergency_stop);
  EXPECT_EQ(robot.send(clear_error(0)), std::nullopt);
  EXPECT_EQ(robot.send(motion(500)), std::nullopt);
  robot.run(40ms);
  EXPECT_EQ(robot.errors(), 0);
  EXPECT_EQ(robot.state(), 0);
}

TEST(SimErrors, EveryCriticalOneStopsAndTheOldCommandStaysDead) {
  for (const ErrorRow& row : kErrors) {
    Robot robot;
    robot.hold(motion(500), 2s);
    EXPECT_EQ(robot.speed(), 500);
    robot.say(std::string("set ") + row.name);
    robot.say(std::string("release ") + row.name);
    if (row.bit == 2) continue;  // the one that is not critical
    robot.send(clear_error(0));
    robot.run(1s);
    EXPECT_EQ(robot.speed(), 0) << row.name;
    EXPECT_EQ(robot.send(motion(500)), std::nullopt) << row.name;
    robot.hold(motion(500), 1s);
    EXPECT_EQ(robot.speed(), 500) << row.name;
  }
}

TEST(SimErrors, ALostRemoteControlThatIsNotUsedStopsNothing) {
  Robot robot("remote-lost");
  robot.hold(motion(500), 2s);
  EXPECT_EQ(robot.errors(), 4);
  EXPECT_EQ(robot.speed(), 500);
}

TEST(SimErrors, AnEmergencyStopBrakesHarderThanAnErrorDoes) {
  // From 1.6 m/s: 2.0 m/s2 leaves 0.6 after 0.5 s; 3.0 m/s2 leaves 0.1.
  for (const auto& [name, least, most] :
       {std::tuple("over_current", 580, 700), {"emergency_stop", 80, 180}}) {
    Robot robot;
    robot.hold(motion(1600), 3s);
    robot.say(std::string("set ") + name);
    robot.run(500ms);
    EXPECT_GE(robot.speed(), least) << name;
    EXPECT_LE(robot.speed(), most) << name;
    robot.run(2s);
    EXPECT_EQ(robot.speed(), 0) << name;
  }
}

TEST(SimErrors, AnEmergencyStopHoldsTheWheelsOnTheirWayToAnotherMode) {
  Robot robot;
  robot.send(motion_mode(2));
  robot.run(300ms);
  robot.say("set emergency_stop");
  robot.run(20ms);
  const std::int64_t angle = robot.get("steering_angle_feedback", "motor5_angle");
  EXPECT_GT(angle, 100);
  EXPECT_LT(angle, 900);
  robot.run(2s);
  EXPECT_EQ(robot.get("steering_angle_feedback", "motor5_angle"), angle);
  robot.say("release emergency_stop");
  robot.send(clear_error(0));
  robot.run(1s);
  EXPECT_EQ(robot.get("steering_angle_feedback", "motor5_angle"), 936);
}

struct FollowingFlag {
  const char* name;
  const char* message;
  const char* signal;
  std::int64_t healthy;
  std::int64_t raised;
};
constexpr FollowingFlag kFollowing[] = {
    {"alarm_1.overvoltage", "bms_alarms", "alarm_1", 0, 0x02},
    {"alarm_1.discharge_overcurrent", "bms_alarms", "alarm_1", 0, 0x80},
    {"alarm_2.charge_overcurrent", "bms_alarms", "alarm_2", 0, 0x01},
    {"warning_1.low_temperature", "bms_alarms", "warning_1", 0, 0x10},
    {"warning_2.charge_overcurrent", "bms_alarms", "warning_2", 0, 0x01},
    {"motor1.undervoltage", "motor1_low_speed", "driver_status", 0x40, 0x41},
    {"motor3.over_current", "motor3_low_speed", "driver_status", 0x40, 0x44},
    {"motor8.driver_fault", "motor8_low_speed", "driver_status", 0x40, 0x60},
    {"motor8.bit7", "motor8_low_speed", "driver_status", 0x40, 0xC0},
};

TEST(SimErrors, FlagsOfTheBatteryAndOfDriversComeAndGoWithTheirCause) {
  for (const FollowingFlag& row : kFollowing) {
    Robot robot;
    robot.say(std::string("set ") + row.name);
    robot.run(600ms);
    EXPECT_EQ(robot.get(row.message, row.signal), row.raised) << row.name;
    EXPECT_EQ(robot.errors(), 0) << row.name;
    robot.say(std::string("release ") + row.name);
    robot.run(600ms);
    EXPECT_EQ(robot.get(row.message, row.signal), row.healthy) << row.name;
  }
}

}  // namespace
}  // namespace rangerctl::sim
