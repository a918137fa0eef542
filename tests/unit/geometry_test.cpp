#include "rangerctl/chassis/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::chassis {
namespace {

void expect_wheels(const PerWheel& wheels, const PerWheel& expected, const std::string& what) {
  for (std::size_t i = 0; i < kWheels; ++i)
    EXPECT_NEAR(wheels[i], expected[i], 0.0005) << what << ", motor " << i + 1;
}

struct AckermannRow {
  double inner_rad, outer_rad, radius_m, reported_rad;
  double inner_share, outer_share;  ///< wheel speed / speed of the centre
};

// R = 0.247/tan(inner) + 0.182; outer = atan(0.247/(R + 0.182)); shares: hypot(R -+ 0.182, 0.247)/R.
constexpr AckermannRow kAckermann[] = {
    {0.100, 0.0872, 2.6438, 0.0936, 0.9358, 1.0729},
    {0.400, 0.2548, 0.7662, 0.3274, 0.8278, 1.2788},
    {0.698, 0.3589, 0.4764, 0.5284, 0.8067, 1.4760},
};

TEST(Geometry, AckermannMirrorsFrontAndRear) {
  for (const AckermannRow& row : kAckermann) {
    const double in = row.inner_rad;
    const double out = row.outer_rad;
    EXPECT_NEAR(turning_radius_m(in), row.radius_m, 0.0005);
    EXPECT_NEAR(outer_angle_rad(in), out, 0.0005);
    expect_wheels(wheel_angles_rad(MotionMode::ackermann, in), {out, -out, -in, in}, "left");
    expect_wheels(wheel_angles_rad(MotionMode::ackermann, -in), {-in, in, out, -out}, "right");
  }
}

TEST(Geometry, AckermannWheelsGoRoundOneCentre) {
  for (const AckermannRow& row : kAckermann) {
    const double in = row.inner_share;
    const double out = row.outer_share;
    const Motion left{.speed_mps = 1, .steering_rad = row.inner_rad};
    const Motion right{.speed_mps = -1, .steering_rad = -row.inner_rad};
    expect_wheels(wheel_speeds_mps(left), {out, out, in, in}, "left");
    expect_wheels(wheel_speeds_mps(right), {-in, -in, -out, -out}, "right, backwards");
    EXPECT_NEAR(yaw_rate_radps(left), 1 / row.radius_m, 0.001);
    EXPECT_NEAR(yaw_rate_radps(right), 1 / row.radius_m, 0.001) << "backwards to the right turns left";
  }
}

TEST(Geometry, FullLockIsTheManuals) {
  EXPECT_NEAR(turning_radius_m(0.698), 0.476, 0.001);
  EXPECT_NEAR(turning_radius_m(-0.698), -0.476, 0.001);
  EXPECT_NEAR(outer_angle_rad(0.698), 0.359, 0.0005);
  EXPECT_NEAR(outer_angle_rad(-0.698), -0.359, 0.0005);
  EXPECT_NEAR(reported_speed_mps(wheel_speeds_mps({.speed_mps = 1, .steering_rad = 0.698})), 1.14, 0.005);
}

TEST(Geometry, StraightAheadHasNoTurningCentre) {
  EXPECT_TRUE(std::isinf(turning_radius_m(0)));
  expect_wheels(wheel_angles_rad(MotionMode::ackermann, 0), {0, 0, 0, 0}, "angles");
  expect_wheels(wheel_speeds_mps({.speed_mps = 0.5}), {0.5, 0.5, 0.5, 0.5}, "speeds");
  EXPECT_EQ(yaw_rate_radps({.speed_mps = 0.5}), 0);
  EXPECT_NEAR(yaw_rate_radps({.speed_mps = 0.5, .steering_rad = 1e-9}), 0, 1e-6);
}

TEST(Geometry, SpinTurnsOnTheSpot) {
  EXPECT_NEAR(spin_angle_rad(), 0.936, 0.0005);
  EXPECT_NEAR(spin_radius_m(), 0.3068, 0.00005);
  const Motion motion{.mode = MotionMode::spin, .speed_mps = 9, .yaw_radps = 2};
  expect_wheels(wheel_angles_rad(motion.mode, 0.3), {0.936, -0.936, 0.936, -0.936}, "spin");
  expect_wheels(wheel_speeds_mps(motion), {0.6136, 0.6136, -0.6136, -0.6136}, "counter-clockwise");
  EXPECT_EQ(yaw_rate_radps(motion), 2);
}

TEST(Geometry, ObliqueMovesAllWheelsAlike) {
  const Motion motion{.mode = MotionMode::oblique, .speed_mps = -0.5, .yaw_radps = 9, .steering_rad = 1.2};
  expect_wheels(wheel_angles_rad(motion.mode, 1.2), {1.2, 1.2, 1.2, 1.2}, "oblique");
  expect_wheels(wheel_speeds_mps(motion), {-0.5, -0.5, -0.5, -0.5}, "oblique");
  EXPECT_EQ(yaw_rate_radps(motion), 0);
}

TEST(Geometry, ParkCrossesTheWheelsAndStands) {
  const Motion motion{.mode = MotionMode::park, .speed_mps = 1, .yaw_radps = 1};
  expect_wheels(wheel_angles_rad(motion.mode, 0), {-0.936, 0.936, -0.936, 0.936}, "park");
  expect_wheels(wheel_speeds_mps(motion), {0, 0, 0, 0}, "park");
  EXPECT_EQ(yaw_rate_radps(motion), 0);
}

TEST(Geometry, ReportsWhatTheManualSaysOfEachMode) {
  for (const AckermannRow& row : kAckermann) {
    const auto reported = [](double inner) {
      return reported_steering_rad(MotionMode::ackermann, wheel_angles_rad(MotionMode::ackermann, inner));
    };
    EXPECT_NEAR(reported(row.inner_rad), row.reported_rad, 0.0005);
    EXPECT_NEAR(reported(-row.inner_rad), -row.reported_rad, 0.0005);
  }
  EXPECT_NEAR(reported_steering_rad(MotionMode::oblique, {-1.2, -1.0, -1.1, -1.1}), -1.1, 1e-9);
  EXPECT_NEAR(reported_steering_rad(MotionMode::spin, {0.936, -0.936, 0.936, -0.936}), 0.936, 1e-9);
  EXPECT_NEAR(reported_speed_mps({1, 2, 3, 4}), 2.5, 1e-9);
}

TEST(Geometry, MotionModesHaveTheCataloguesNumbers) {
  const auto& mode = protocol::kDefaultCatalogue.find("motion_mode_feedback")->signals[0];
  const auto name = [&](MotionMode value) { return protocol::choice_name(mode, static_cast<int>(value)); };
  EXPECT_EQ(name(MotionMode::ackermann), "ackermann");
  EXPECT_EQ(name(MotionMode::oblique), "oblique");
  EXPECT_EQ(name(MotionMode::spin), "spin");
  EXPECT_EQ(name(MotionMode::park), "park");
}

}  // namespace
}  // namespace rangerctl::chassis
