// How the simulated chassis moves when it is commanded: literals from the manual and from hardware.
#include "sim_scene.hpp"

namespace rangerctl::sim {
namespace {

using namespace scene;

constexpr const char* kAngles[] = {"motor5_angle", "motor6_angle", "motor7_angle", "motor8_angle"};
constexpr const char* kSpeeds[] = {"motor1_speed", "motor2_speed", "motor3_speed", "motor4_speed"};

/// In the order of the motors: right front, right rear, left rear, left front. Raw, so in 0.001.
struct MotionRow {
  const char* name;
  int mode;
  Frame command;
  std::array<int, 4> angles;
  std::array<int, 4> speeds;
  int linear_velocity, angular_velocity, steering_angle;
};

void expect_motion(const MotionRow& row) {
  Robot robot;
  robot.send(motion_mode(row.mode));
  robot.run(1s);
  robot.hold(row.command, 5s);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(static_cast<double>(robot.get("steering_angle_feedback", kAngles[i])), row.angles[i], 1)
        << row.name << i;
    EXPECT_NEAR(static_cast<double>(robot.get("wheel_speed_feedback", kSpeeds[i])), row.speeds[i], 2)
        << row.name << i;
  }
  EXPECT_NEAR(static_cast<double>(robot.speed()), row.linear_velocity, 2) << row.name;
  EXPECT_NEAR(static_cast<double>(robot.get("motion_feedback", "angular_velocity")), row.angular_velocity, 2)
      << row.name;
  EXPECT_NEAR(static_cast<double>(robot.get("motion_feedback", "steering_angle")), row.steering_angle, 1)
      << row.name;
}

/// Full lock: R = (0.247 / tan 0.698) + 0.182 = 0.4765 m; outer = atan(0.247 / 0.6585) = 0.359. At 0.5 m/s
/// yaw = 1.049 rad/s; the left wheels go round with a radius of 0.3842 m, the right ones with 0.7033 m.
TEST(SimMotion, FollowsTheGeometryInEveryMode) {
  const MotionRow rows[] = {
      {"straight", 0, motion(500), {0, 0, 0, 0}, {500, 500, 500, 500}, 500, 0, 0},
      {"backwards", 0, motion(-500), {0, 0, 0, 0}, {-500, -500, -500, -500}, -500, 0, 0},
      {"full lock left",
       0,
       motion(500, 0, 698),
       {359, -359, -698, 698},
       {738, 738, 403, 403},
       571,
       1049,
       529},
      {"full lock right",
       0,
       motion(500, 0, -698),
       {-698, 698, 359, -359},
       {403, 403, 738, 738},
       571,
       -1049,
       -529},
      {"oblique", 1, motion(500, 0, 1571), {1571, 1571, 1571, 1571}, {500, 500, 500, 500}, 500, 0, 1571},
      {"spin left", 2, motion(0, 1000), {936, -936, 936, -936}, {307, 307, -307, -307}, 0, 1000, 936},
      {"spin right", 2, motion(0, -3259), {936, -936, 936, -936}, {-1000, -1000, 1000, 1000}, 0, -3259, 936},
      {"park", 3, motion(0), {-936, 936, -936, 936}, {0, 0, 0, 0}, 0, 0, 936},
  };
  for (const MotionRow& row : rows) expect_motion(row);
}

struct LimitRow {
  const char* name;
  int mode;
  Frame command;
  int speed;     ///< of the first wheel: right front
  int steering;  ///< of the left front wheel
};

/// A chassis cuts what is beyond its limits to them, and what the mode does not use to zero.
TEST(SimMotion, KeepsTheLimitsOfTheCommandTable) {
  const LimitRow rows[] = {
      {"fastest", 0, motion(2000), 2000, 0},
      {"too fast", 0, motion(3000), 2000, 0},
      {"too fast backwards", 0, motion(-32768), -2000, 0},
      {"20 degrees", 1, motion(2000, 0, 349), 2000, 349},
      {"beyond 20 degrees", 1, motion(2000, 0, 350), 1000, 350},
      {"beyond 20 degrees to the right", 1, motion(-2000, 0, -350), -1000, -350},
      {"farther than ackermann steers", 0, motion(0, 0, 1571), 0, 698},
      {"farther than oblique steers", 1, motion(0, 0, 2000), 0, 1571},
      {"ackermann turns by steering", 0, motion(0, 1000), 0, 0},
      {"spin does not drive", 2, motion(1000), 0, -936},
      {"faster than it spins", 2, motion(0, 32767), 1000, -936},
      {"park does not move", 3, motion(1000, 1000, 300), 0, 936},
  };
  for (const LimitRow& row : rows) {
    Robot robot;
    robot.send(motion_mode(row.mode));
    robot.run(1s);
    robot.hold(row.command, 5s);
    EXPECT_NEAR(static_cast<double>(robot.get("wheel_speed_feedback", "motor1_speed")), row.speed, 1)
        << row.name;
    EXPECT_NEAR(static_cast<double>(robot.get("steering_angle_feedback", "motor8_angle")), row.steering, 1)
        << row.name;
  }
}

TEST(SimMotion, TheMeasuredSteeringLimitsTheSpeedToo) {
  Robot robot;
  robot.hold(motion(500, 0, 600), 1s);
  robot.send(motion(2000, 0, 0));  // the wheels are still turned
  robot.run(480ms);
  EXPECT_LE(robot.speed(), 1000);
}

TEST(SimMotion, WheelsTakeThePublishedTimesToSteer) {
  // Hardware: 0.2, 0.5, 1.0, 1.57 rad in 0.114, 0.206, 0.359, 0.534 s; here at 3.3 rad/s in rounds of 20 ms.
  for (const auto& [angle, done] : {std::pair(500, 180ms), {1000, 340ms}, {1570, 520ms}}) {
    Robot robot;
    robot.send(motion_mode(1));
    robot.run(1s);
    robot.hold(motion(0, 0, angle), done - 40ms);
    EXPECT_LT(robot.get("steering_angle_feedback", "motor5_angle"), angle) << angle;
    robot.hold(motion(0, 0, angle), 40ms);
    EXPECT_EQ(robot.get("steering_angle_feedback", "motor5_angle"), angle) << angle;
  }
}

TEST(SimMotion, SpinIsReachedAfterSixTenthsOfASecond) {
  Robot robot;
  robot.send(motion_mode(2));
  robot.run(310ms);
  EXPECT_NEAR(static_cast<double>(robot.get("steering_angle_feedback", "motor5_angle")), 480, 60);
  robot.run(200ms);
  EXPECT_LT(robot.get("steering_angle_feedback", "motor5_angle"), 930);
  robot.run(130ms);
  EXPECT_EQ(robot.get("steering_angle_feedback", "motor5_angle"), 936);
}

TEST(SimMotion, MotorSignsAreLocalToEachMotor) {
  struct Row {
    int mode;
    Frame command;
    std::array<int, 4> signs;
  };
  const Row rows[] = {{0, motion(500), {1, 1, -1, -1}},
                      {0, motion(-500), {-1, -1, 1, 1}},
                      {2, motion(0, 1000), {1, 1, 1, 1}},
                      {2, motion(0, -1000), {-1, -1, -1, -1}}};
  constexpr const char* kMotors[] = {"motor1_high_speed", "motor2_high_speed", "motor3_high_speed",
                                     "motor4_high_speed"};
  for (const Row& row : rows) {
    Robot robot;
    robot.send(motion_mode(row.mode));
    robot.run(1s);
    robot.hold(row.command, 3s);
    for (std::size_t i = 0; i < 4; ++i) {
      // 495.8 rpm per m/s: 0.5 m/s straight, 0.3068 m/s in spin.
      const double rpm = row.mode == 0 ? 247.9 : 152.1;
      EXPECT_NEAR(static_cast<double>(robot.get(kMotors[i], "speed")), rpm * row.signs[i], 1) << i;
      EXPECT_EQ(robot.get(kMotors[i], "position") > 0, row.signs[i] > 0) << i;
    }
  }
}

TEST(SimMotion, OdometersCountEachWheel) {
  Robot robot;
  robot.hold(motion(500), 10s);
  const std::int64_t straight = robot.get("front_odometer", "left_wheel");
  EXPECT_NEAR(static_cast<double>(straight), 10'000 * 0.5 - 156, 15) << "it needs 0.625 s to reach its speed";
  EXPECT_EQ(robot.get("rear_odometer", "right_wheel"), straight);
  robot.hold(motion(-500), 3s);
  EXPECT_LT(robot.get("front_odometer", "left_wheel"), straight);
}

}  // namespace
}  // namespace rangerctl::sim
