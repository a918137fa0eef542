// Ramps: every one by the clock, every one can be interrupted.
#include <gtest/gtest.h>

#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/teleop/drive.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using chassis::MotionMode;
using std::chrono::milliseconds;

constexpr Wanted kForward{.wheel_mmps = 900, .most_mmps = 900};

/// A drive and its clock.
class Ramp {
 public:
  void follow(const Wanted& wanted, milliseconds time, MotionMode mode = MotionMode::ackermann,
              milliseconds step = 20ms) {
    for (milliseconds passed{0}; passed < time; passed += step) {
      now_ += step;
      drive.follow(wanted, mode, step, now_);
    }
  }
  void release(milliseconds time, int most_mmps = 2000) {
    for (milliseconds passed{0}; passed < time; passed += 20ms) {
      now_ += 20ms;
      drive.release(now_, most_mmps);
    }
  }
  [[nodiscard]] double speed() const { return drive.wheel_mmps(); }

  Drive drive{protocol::kDefaultCatalogue};

 private:
  SteadyTime now_{1h};
};

TEST(TeleopDrive, GainsHalfAMetrePerSecondEachSecondWhateverTheTicks) {
  for (const milliseconds step : {10ms, 20ms, 40ms}) {
    Ramp ramp;
    ramp.follow(kForward, 1000ms, MotionMode::ackermann, step);
    EXPECT_NEAR(ramp.speed(), 500, 0.01) << step.count();
    ramp.follow(kForward, 800ms, MotionMode::ackermann, step);
    EXPECT_NEAR(ramp.speed(), 900, 0.01) << step.count();
  }
}

TEST(TeleopDrive, ALateTickCountsForNoMoreThan40Milliseconds) {
  Ramp ramp;
  ramp.follow({.wheel_mmps = 900, .most_mmps = 900, .steering_rad = 0.6}, 1000ms, MotionMode::ackermann,
              1000ms);
  EXPECT_NEAR(ramp.speed(), 20, 0.01);
  EXPECT_EQ(ramp.drive.motion(MotionMode::ackermann).steering_angle, 40);
}

TEST(TeleopDrive, GainsOneRadianPerSecondEachSecondInSpin) {
  Ramp ramp;
  ramp.follow(kForward, 1000ms, MotionMode::spin);
  EXPECT_NEAR(ramp.speed(), 306.8, 0.1) << "of the wheels";
  const Motion motion = ramp.drive.motion(MotionMode::spin);
  EXPECT_NEAR(static_cast<double>(motion.angular_velocity), 1000, 1);
  EXPECT_EQ(motion.linear_velocity, 0);
  EXPECT_EQ(motion.steering_angle, 0);
}

TEST(TeleopDrive, SlowsDownToALowerWishByOneMetrePerSecondEachSecond) {
  Ramp ramp;
  ramp.follow(kForward, 1800ms);
  ramp.follow({.wheel_mmps = 300, .most_mmps = 900}, 400ms);
  EXPECT_NEAR(ramp.speed(), 500, 0.01);
}

TEST(TeleopDrive, ACapHoldsInTheSameTick) {
  for (const int sign : {1, -1}) {
    Ramp ramp;
    ramp.follow({.wheel_mmps = sign * 900, .most_mmps = 900}, 1800ms);
    ASSERT_NEAR(ramp.speed(), sign * 900, 0.01);
    ramp.follow({.wheel_mmps = sign * 200, .most_mmps = 200}, 20ms);
    EXPECT_NEAR(ramp.speed(), sign * 200, 0.01);
    ramp.release(20ms, 100);
    EXPECT_NEAR(ramp.speed(), sign * 100, 0.01);
    ramp.release(20ms, 0);
    EXPECT_TRUE(ramp.drive.is_zero());
  }
}

TEST(TeleopDrive, AReleaseIsARampOf300MillisecondsAtMost) {
  struct Row {
    milliseconds accelerated, released;
    double speed;
  };
  for (const Row& row :
       {Row{1800ms, 160ms, 480}, Row{1800ms, 280ms, 120}, Row{1800ms, 320ms, 0}, Row{400ms, 100ms, 120},
        Row{400ms, 200ms, 20}, Row{400ms, 220ms, 0}, Row{20ms, 20ms, 10}, Row{20ms, 40ms, 0}}) {
    Ramp ramp;
    ramp.follow(kForward, row.accelerated);
    ramp.release(row.released);
    EXPECT_NEAR(ramp.speed(), row.speed, 0.01) << row.accelerated.count() << ' ' << row.released.count();
  }
}

TEST(TeleopDrive, AReleaseCanBeInterrupted) {
  Ramp ramp;
  ramp.follow(kForward, 1800ms);
  ramp.release(160ms);
  ramp.follow(kForward, 40ms);
  EXPECT_NEAR(ramp.speed(), 500, 0.01);
  ramp.release(20ms);
  EXPECT_NEAR(ramp.speed(), 500, 0.01) << "the next one begins anew";
  ramp.release(160ms);
  EXPECT_NEAR(ramp.speed(), 500 * (1 - 160.0 / 300), 0.01);
}

TEST(TeleopDrive, NothingWantedIsARelease) {
  Ramp ramp;
  ramp.follow(kForward, 1800ms);
  ramp.follow({.most_mmps = 900}, 320ms);
  EXPECT_TRUE(ramp.drive.is_zero());
}

TEST(TeleopDrive, TheOtherWayBeginsAtZeroAndOnlyWhenItMayStart) {
  Ramp ramp;
  ramp.follow(kForward, 1800ms);
  const Wanted held_back{.wheel_mmps = -900, .most_mmps = 900, .may_start = false};
  ramp.follow(held_back, 160ms);
  EXPECT_NEAR(ramp.speed(), 480, 0.01);
  ramp.follow(held_back, 1000ms);
  EXPECT_TRUE(ramp.drive.is_zero());
  ramp.follow({.wheel_mmps = -900, .most_mmps = 900}, 20ms);
  EXPECT_NEAR(ramp.speed(), -10, 0.01);
  ramp.follow(held_back, 20ms);
  EXPECT_NEAR(ramp.speed(), -20, 0.01) << "what has started goes on";
}

TEST(TeleopDrive, AHaltIsZeroAtOnceAndHoldsTheSteering) {
  Ramp ramp;
  ramp.follow({.wheel_mmps = 900, .most_mmps = 900, .steering_rad = -0.5}, 1000ms);
  EXPECT_EQ(ramp.drive.motion(MotionMode::ackermann), (Motion{500, 0, -500}));
  ramp.drive.halt();
  EXPECT_EQ(ramp.drive.motion(MotionMode::ackermann), (Motion{0, 0, -500}));
  ramp.drive.reset();
  EXPECT_EQ(ramp.drive.motion(MotionMode::ackermann), Motion());
}

TEST(TeleopDrive, SteersOneRadianPerSecondUpToTheLimitOfTheMode) {
  Ramp ramp;
  ramp.follow({.most_mmps = 900, .steering_rad = 3}, 300ms);
  EXPECT_EQ(ramp.drive.motion(MotionMode::ackermann).steering_angle, 300);
  ramp.follow({.most_mmps = 900, .steering_rad = 3}, 3000ms);
  for (const MotionMode mode : {MotionMode::ackermann, MotionMode::oblique}) {
    EXPECT_EQ(static_cast<double>(ramp.drive.motion(mode).steering_angle),
              ramp.drive.most_steering_rad(mode) * 1000);
  }
  EXPECT_EQ(ramp.drive.motion(MotionMode::park), Motion());
}

TEST(TeleopDrive, TheManualsLimitsOfSpeed) {
  const Drive drive(protocol::kDefaultCatalogue);
  EXPECT_EQ(drive.most_wheel_mmps(MotionMode::ackermann, 0), 2000);
  EXPECT_EQ(drive.most_wheel_mmps(MotionMode::ackermann, 0.349), 2000) << "20 degrees are 0.349 rad";
  EXPECT_EQ(drive.most_wheel_mmps(MotionMode::ackermann, 0.3495), 1000);
  EXPECT_EQ(drive.most_wheel_mmps(MotionMode::ackermann, -0.5), 1000);
  EXPECT_EQ(drive.most_wheel_mmps(MotionMode::park, 0), 0);
  EXPECT_EQ(drive.most_wheel_mmps(MotionMode::spin, 0), 999) << "3.259 rad/s at 0.3068 m";
}

TEST(TeleopDrive, AFrameCarriesTheThreeValuesInTheirPlaces) {
  EXPECT_EQ(log::written_frame(motion_frame(protocol::kDefaultCatalogue, {300, -977, 698})),
            "111#012CFC2F000002BA");
}

}  // namespace
}  // namespace rangerctl::teleop
