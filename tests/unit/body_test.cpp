#include "rangerctl/sim/body.hpp"

#include <gtest/gtest.h>

namespace rangerctl::sim {
namespace {

using chassis::Motion;
using chassis::MotionMode;

constexpr double kStep = 0.02;

void run(Body& body, const Motion& wanted, double seconds) {
  for (double t = 0; t < seconds - kStep / 2; t += kStep) step(body, {.motion = wanted}, kStep);
}

TEST(Body, AcceleratesToTheSetPointAndNoFurther) {
  Body body;
  run(body, {.speed_mps = 1}, 0.5);
  EXPECT_NEAR(body.motion.speed_mps, 0.4, 1e-9) << "0.8 m/s2";
  run(body, {.speed_mps = 1}, 2);
  EXPECT_DOUBLE_EQ(body.motion.speed_mps, 1);
  EXPECT_DOUBLE_EQ(body.wheel_speed_mps[2], 1);
}

TEST(Body, BrakesToRestBeforeItChangesTheMode) {
  Body body;
  run(body, {.speed_mps = 0.8, .steering_rad = 0.3}, 3);
  run(body, {.mode = MotionMode::spin, .yaw_radps = 1}, 0.2);  // 2.0 m/s2
  EXPECT_EQ(body.motion.mode, MotionMode::ackermann);
  EXPECT_NEAR(body.motion.speed_mps, 0.4, 1e-9);
  EXPECT_NEAR(body.motion.steering_rad, 0.3, 1e-9) << "it keeps its track while braking";
  run(body, {.mode = MotionMode::spin, .yaw_radps = 1}, 0.3);
  EXPECT_EQ(body.motion.mode, MotionMode::spin);
  EXPECT_EQ(body.motion.yaw_radps, 0) << "the wheels are still turning";
  run(body, {.mode = MotionMode::spin, .yaw_radps = 1}, 2);
  EXPECT_DOUBLE_EQ(body.motion.yaw_radps, 1);
}

TEST(Body, AFartherWayOfTheWheelsTakesLonger) {
  Body body;
  run(body, {.mode = MotionMode::oblique, .steering_rad = 1.571}, 3);
  const Motion spin{.mode = MotionMode::spin};
  run(body, spin, 0.70);  // from 1.571 to -0.936 rad at 3.3 rad/s: 0.76 s
  EXPECT_GT(body.switch_remaining_s, 0);
  run(body, spin, 0.10);
  EXPECT_EQ(body.switch_remaining_s, 0);
  EXPECT_NEAR(body.wheel_angle_rad[1], -0.936, 0.0005);
}

TEST(Body, AStopKeepsTheTrackAndStillTakesUpANewMode) {
  Body body;
  run(body, {.speed_mps = 0.8, .steering_rad = 0.3}, 3);
  const SetPoints stop{.motion = {.mode = MotionMode::spin}, .order = Order::stop};
  step(body, stop, kStep);
  EXPECT_NEAR(body.motion.speed_mps, 0.76, 1e-9);
  EXPECT_NEAR(body.motion.steering_rad, 0.3, 1e-9);
  for (int i = 0; i < 100; ++i) step(body, stop, kStep);
  EXPECT_EQ(body.motion.mode, MotionMode::spin);
}

TEST(Body, SteersAtItsSlew) {
  Body body;
  run(body, {.steering_rad = -0.698}, 0.1);
  EXPECT_NEAR(body.motion.steering_rad, -0.33, 1e-9);
  EXPECT_NEAR(body.motors[4].speed_rpm, 713 * 3.3, 1) << "right front is the inner wheel";
}

TEST(Body, DrivingDrainsTheBatteryAndWarmsTheMotors) {
  Body idle;
  Body driven;
  run(idle, {}, 600);
  run(driven, {.speed_mps = 2}, 600);
  EXPECT_LT(driven.battery.charge_ah, idle.battery.charge_ah - 0.3);
  EXPECT_LT(driven.battery.current_a, idle.battery.current_a) << "discharging is negative";
  EXPECT_GT(driven.motors[0].driver_temperature_c, idle.motors[0].driver_temperature_c + 1);
}

TEST(Body, TheBatteryDrainsToTheLastAndNoFurther) {
  Body body;
  body.battery.charge_ah = 0.001;
  run(body, {}, 60);
  EXPECT_DOUBLE_EQ(body.battery.charge_ah, 0);
  EXPECT_EQ(body.battery.percent(), 0);
}

}  // namespace
}  // namespace rangerctl::sim
