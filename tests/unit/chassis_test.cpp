#include "rangerctl/sim/chassis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/sim/host_drive.hpp"
#include "rangerctl/sim/scenario.hpp"

namespace rangerctl::sim {
namespace {

using namespace std::chrono_literals;
using protocol::kDefaultCatalogue;

/// A chassis with a host that drives it.
Chassis driven_chassis() {
  Chassis chassis(kDefaultCatalogue, ControlMode::can);
  chassis.schedule(*load_scenario(kDefaultCatalogue, "drive"));
  return chassis;
}

/// What the chassis sends; not what its host does.
void advance(Chassis& chassis, SimTime now, std::vector<TimedFrame>& out) {
  const auto known = static_cast<std::ptrdiff_t>(out.size());
  chassis.advance(now, out);
  out.erase(
      std::remove_if(out.begin() + known, out.end(), [](const TimedFrame& timed) { return timed.from_host; }),
      out.end());
}

std::vector<TimedFrame> frames_until(SimTime end, SimTime step) {
  Chassis chassis = driven_chassis();
  std::vector<TimedFrame> frames;
  for (SimTime now{0}; now < end;) {
    now = std::min(now + step, end);
    advance(chassis, now, frames);
  }
  return frames;
}

std::int64_t raw(const Frame& frame, std::string_view signal) {
  return protocol::raw_value(protocol::find_signal(*kDefaultCatalogue.find(frame), signal)->field,
                             frame.bytes());
}

/// The last frame of every message, by name, as a receiver sees it.
class Receiver {
 public:
  void receive(const TimedFrame& timed) {
    last_[std::string(kDefaultCatalogue.find(timed.frame)->name)] = timed.frame;
  }
  [[nodiscard]] bool complete() const { return last_.size() == 27; }
  [[nodiscard]] std::int64_t get(const std::string& message, std::string_view signal) const {
    return raw(last_.at(message), signal);
  }

 private:
  std::map<std::string, Frame> last_;
};

/// Calls `look(now, receiver)` every 20 ms of simulated time, when all messages have been seen.
template <class Look>
void watch(SimTime end, Look look) {
  Chassis chassis = driven_chassis();
  Receiver receiver;
  std::vector<TimedFrame> frames;
  for (SimTime now{0}; now <= end; now += 20ms) {
    frames.clear();
    advance(chassis, now, frames);
    for (const TimedFrame& timed : frames) receiver.receive(timed);
    if (receiver.complete()) look(now, receiver);
  }
}

TEST(Chassis, SendsEveryFeedbackMessageAtItsPeriod) {
  std::map<std::uint32_t, std::vector<SimTime>> sent;
  for (const TimedFrame& timed : frames_until(10s, 7ms)) sent[timed.frame.id].push_back(timed.at);
  for (const protocol::Message& message : kDefaultCatalogue.messages()) {
    if (message.direction == protocol::Direction::command) {
      EXPECT_FALSE(sent.contains(message.id)) << message.name;
      continue;
    }
    const std::vector<SimTime>& times = sent[message.id];
    ASSERT_EQ(times.size(), 10'000U / message.period_ms) << message.name;
    for (std::size_t i = 1; i < times.size(); ++i) {
      const SimTime nominal = std::chrono::milliseconds(message.period_ms) * static_cast<int>(i);
      EXPECT_LE(std::chrono::abs(times[i] - times[0] - nominal), kMostJitter) << message.name;
    }
  }
}

TEST(Chassis, SendsInOrderOfTimeAndNeverInABurst) {
  const auto frames = frames_until(10s, 10s);
  EXPECT_EQ(frames.size(), 9'340U);
  for (std::size_t i = 1; i < frames.size(); ++i)
    EXPECT_GE(frames[i].at - frames[i - 1].at, 250us) << "a frame of 8 bytes takes up to 0.27 ms on the bus";
}

TEST(Chassis, TheFirstFramesComeAtOnceAndAllWithinHalfASecond) {
  std::set<std::uint32_t> ids;
  for (const TimedFrame& timed : frames_until(500ms, 500ms)) ids.insert(timed.frame.id);
  EXPECT_EQ(ids.size(), 27U);
  EXPECT_FALSE(frames_until(1ms, 1ms).empty());
}

TEST(Chassis, OneLongStepAndManyShortOnesGiveTheSameFrames) {
  const auto same = [](const std::vector<TimedFrame>& a, const std::vector<TimedFrame>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const TimedFrame& x, const TimedFrame& y) {
      return x.at == y.at && x.frame == y.frame;
    });
  };
  const auto once = frames_until(60s, 60s);
  EXPECT_TRUE(same(once, frames_until(60s, 60s)));
  EXPECT_TRUE(same(once, frames_until(60s, 3ms)));
  EXPECT_TRUE(same(once, frames_until(60s, 1'234'567ns)));
}

TEST(Chassis, NextDueIsWhenTheNextFrameComes) {
  Chassis chassis(kDefaultCatalogue);
  std::vector<TimedFrame> frames;
  for (int i = 0; i < 1'000; ++i) {
    const SimTime due = chassis.next_due();
    chassis.advance(due - 1ns, frames);
    ASSERT_TRUE(frames.empty());
    chassis.advance(due, frames);
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].at, due);
    EXPECT_GT(chassis.next_due(), due);
    frames.clear();
  }
}

TEST(Chassis, ACatalogueWithoutFeedbackIsSilent) {
  const protocol::Catalogue nothing("none", "None", {});
  Chassis chassis(nothing);
  std::vector<TimedFrame> frames;
  chassis.advance(1h, frames);
  EXPECT_TRUE(frames.empty());
  EXPECT_EQ(chassis.next_due(), SimTime::max());
}

TEST(Chassis, EveryFrameIsOneOfTheCatalogue) {
  for (const TimedFrame& timed : frames_until(2s, 2s)) {
    const protocol::Message* message = kDefaultCatalogue.find(timed.frame);
    ASSERT_NE(message, nullptr);
    EXPECT_EQ(timed.frame.length, message->dlc) << message->name;
    EXPECT_EQ(message->direction, protocol::Direction::feedback);
  }
}

TEST(Chassis, ReportedSpeedIsTheMeanOfTheWheels) {
  watch(host_drive_length(), [](SimTime now, const Receiver& seen) {
    std::int64_t sum = 0;
    for (const auto* wheel : {"motor1_speed", "motor2_speed", "motor3_speed", "motor4_speed"})
      sum += seen.get("wheel_speed_feedback", wheel);
    EXPECT_NEAR(static_cast<double>(seen.get("motion_feedback", "linear_velocity")),
                static_cast<double>(sum) / 4, 1.01)
        << now.count();
  });
}

TEST(Chassis, YawRateFollowsFromTheWheels) {
  watch(host_drive_length(), [](SimTime now, const Receiver& seen) {
    // Right minus left along the direction of each axle's wheels: (v_right cos - v_left cos) / track.
    const auto forward = [&](const std::string& speed, const std::string& angle) {
      return static_cast<double>(seen.get("wheel_speed_feedback", speed)) *
             std::cos(static_cast<double>(seen.get("steering_angle_feedback", angle)) / 1000);
    };
    const double yaw =
        (forward("motor1_speed", "motor5_angle") - forward("motor4_speed", "motor8_angle")) / 0.364;
    EXPECT_NEAR(static_cast<double>(seen.get("motion_feedback", "angular_velocity")), yaw, 5) << now.count();
  });
}

TEST(Chassis, OdometersIntegrateTheWheelSpeeds) {
  constexpr double kRounding = 0.04;  // 0.0005 m/s for about 80 s
  std::array<double, 4> metres{};
  Receiver last;
  watch(host_drive_length(), [&](SimTime, const Receiver& seen) {
    for (std::size_t i = 0; i < 4; ++i)
      metres[i] +=
          0.02 * 0.001 *
          static_cast<double>(seen.get("wheel_speed_feedback", "motor" + std::to_string(i + 1) + "_speed"));
    last = seen;
  });
  EXPECT_NEAR(static_cast<double>(last.get("front_odometer", "right_wheel")) / 1000, metres[0], kRounding);
  EXPECT_NEAR(static_cast<double>(last.get("rear_odometer", "right_wheel")) / 1000, metres[1], kRounding);
  EXPECT_NEAR(static_cast<double>(last.get("rear_odometer", "left_wheel")) / 1000, metres[2], kRounding);
  EXPECT_NEAR(static_cast<double>(last.get("front_odometer", "left_wheel")) / 1000, metres[3], kRounding);
  EXPECT_GT(metres[0], 15) << "four circles of 5.4 m and a straight run";
}

TEST(Chassis, DriveMotorsTurnWithTheirWheelsInTheirOwnSign) {
  watch(host_drive_length(), [](SimTime now, const Receiver& seen) {
    constexpr std::array kSigns{1, 1, -1, -1};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string motor = "motor" + std::to_string(i + 1);
      const auto speed = static_cast<double>(seen.get("wheel_speed_feedback", motor + "_speed")) / 1000;
      EXPECT_NEAR(static_cast<double>(seen.get(motor + "_high_speed", "speed")), kSigns[i] * 495.8 * speed, 1)
          << motor << now.count();
    }
  });
}

TEST(Chassis, SteeringMotorsTurnAgainstTheAngle) {
  double angle = 0;
  double from_rpm = 0;
  watch(70s, [&](SimTime, const Receiver& seen) {
    from_rpm += static_cast<double>(seen.get("motor5_high_speed", "speed")) / -713.0 * 0.02;
    angle = static_cast<double>(seen.get("steering_angle_feedback", "motor5_angle")) / 1000;
    EXPECT_NEAR(from_rpm, angle, 0.003);
  });
}

TEST(Chassis, SteeringIsNoFasterThanTheRealOne) {
  watch(host_drive_length(), [](SimTime, const Receiver& seen) {
    for (const auto* motor :
         {"motor5_high_speed", "motor6_high_speed", "motor7_high_speed", "motor8_high_speed"})
      EXPECT_LE(std::abs(seen.get(motor, "speed")), 2'353) << "713 rpm per rad/s x 3.3 rad/s";
  });
}

TEST(Chassis, PositionsCountTheTurnsOfDriveMotorsAlone) {
  const auto frames = frames_until(30s, 30s);
  Receiver last;
  for (const TimedFrame& timed : frames) last.receive(timed);
  // One turn of the shaft is 1/495.8 min at 1 m/s, so 1 m is 8.263 turns of 4096 pulses.
  const double per_metre = 495.8 / 60 * 4096;
  EXPECT_NEAR(static_cast<double>(last.get("motor1_high_speed", "position")),
              static_cast<double>(last.get("front_odometer", "right_wheel")) / 1000 * per_metre, 20);
  EXPECT_NEAR(static_cast<double>(last.get("motor4_high_speed", "position")),
              static_cast<double>(last.get("front_odometer", "left_wheel")) / -1000 * per_metre, 20);
  EXPECT_EQ(last.get("motor5_high_speed", "position"), 0);
}

TEST(Chassis, ModeChangesAtOnceAndTheWheelsTakeSixTenths) {
  struct Switch {
    SimTime began;
    bool announced;
  };
  std::vector<Switch> switches;
  std::int64_t mode = 0;
  watch(host_drive_length(), [&](SimTime now, const Receiver& seen) {
    const std::int64_t seen_mode = seen.get("motion_mode_feedback", "motion_mode");
    if (seen_mode != mode) switches.push_back({now, false});
    mode = seen_mode;
    if (switches.empty()) return;
    const SimTime age = now - switches.back().began;
    if (seen.get("motion_mode_feedback", "mode_switching") == 1) {
      switches.back().announced = true;
      EXPECT_LE(age, 620ms);
    }
    if (age < 560ms) {
      EXPECT_EQ(seen.get("motion_feedback", "linear_velocity"), 0);
      EXPECT_EQ(seen.get("wheel_speed_feedback", "motor1_speed"), 0);
    }
    if (mode == 2 && age > 640ms) {
      EXPECT_EQ(seen.get("steering_angle_feedback", "motor5_angle"), 936);
    }
    if (mode == 2 && age < 560ms) {
      EXPECT_LT(seen.get("steering_angle_feedback", "motor5_angle"), 936);
    }
    if (mode == 3 && age > 640ms) {
      EXPECT_EQ(seen.get("steering_angle_feedback", "motor5_angle"), -936);
    }
  });
  ASSERT_EQ(switches.size(), 4U) << "spin, oblique, park, ackermann";
  for (std::size_t i = 0; i < switches.size(); ++i) EXPECT_EQ(switches[i].announced, i % 2 == 0) << i;
}

TEST(Chassis, HealthyConstantsAreThoseOfARealOne) {
  Receiver last;
  for (const TimedFrame& timed : frames_until(1s, 1s)) last.receive(timed);
  EXPECT_EQ(last.get("system_status", "vehicle_state"), 0);
  EXPECT_EQ(last.get("system_status", "control_mode"), 1);
  EXPECT_EQ(last.get("system_status", "errors"), 0);
  EXPECT_EQ(last.get("remote_control_feedback", "swb"), 2) << "up: the host may command";
  for (int motor = 1; motor <= 8; ++motor)
    EXPECT_EQ(last.get("motor" + std::to_string(motor) + "_low_speed", "driver_status"), 0x40);
  EXPECT_NEAR(static_cast<double>(last.get("bms_status", "voltage")), 497, 10) << "in 0.1 V";
  EXPECT_NEAR(static_cast<double>(last.get("system_status", "battery_voltage")), 502, 10) << "in 0.1 V";
}

TEST(Chassis, CountersCountFrames) {
  std::int64_t expected = 0;
  for (const TimedFrame& timed : frames_until(6s, 6s)) {
    if (timed.frame.id == 0x241) {
      EXPECT_EQ(raw(timed.frame, "count"), expected++ % 256);
    }
  }
  EXPECT_EQ(expected, 300);
}

TEST(Chassis, LightsGoOnAndOff) {
  std::set<std::int64_t> modes;
  watch(host_drive_length(), [&](SimTime, const Receiver& seen) {
    modes.insert(seen.get("light_feedback", "light_mode"));
    EXPECT_EQ(seen.get("light_feedback", "light_mode"), seen.get("light_feedback", "light_control"));
  });
  EXPECT_EQ(modes, (std::set<std::int64_t>{0, 1}));
}

struct Bounds {
  std::string_view message, signal;
  std::int64_t min, max;
};

constexpr Bounds kHour[] = {
    {"system_status", "battery_voltage", 480, 505},
    {"motion_feedback", "linear_velocity", -480, 920},
    {"motion_feedback", "angular_velocity", -1010, 1010},
    {"motion_feedback", "steering_angle", -300, 940},
    {"motor1_high_speed", "speed", -400, 460},
    {"motor1_high_speed", "current", -35, 45},
    {"motor5_high_speed", "speed", -2353, 2353},
    {"motor5_high_speed", "current", 2, 30},
    {"motor1_low_speed", "driver_voltage", 475, 500},
    {"motor1_low_speed", "driver_temperature", 30, 42},
    {"motor1_low_speed", "motor_temperature", 26, 38},
    {"bms_status", "soc", 60, 88},
    {"bms_status", "current", -100, 5},
    {"bms_status", "temperature", 240, 300},
};

/// The smallest and largest raw value of every signal that was sent.
class Extremes {
 public:
  void look_at(const Frame& frame) {
    const auto& signals = kDefaultCatalogue.find(frame)->signals;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      const std::int64_t value = protocol::raw_value(signals[i].field, frame.bytes());
      auto& [low, high] = seen_[frame.id * kMostSignals + i];
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> of(std::string_view name,
                                                         std::string_view signal) const {
    const protocol::Message& message = *kDefaultCatalogue.find(name);
    const auto index = protocol::find_signal(message, signal) - message.signals.data();
    return seen_[message.id * kMostSignals + static_cast<std::size_t>(index)];
  }

 private:
  static constexpr std::size_t kMostSignals = 16;
  std::vector<std::pair<std::int64_t, std::int64_t>> seen_ = std::vector(
      protocol::kStandardIds * kMostSignals,
      std::pair(std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()));
};

TEST(Chassis, ValuesStayPlausibleForAnHour) {
  Extremes seen;
  Chassis chassis = driven_chassis();
  std::vector<TimedFrame> frames;
  for (SimTime now{0}; now <= 1h; now += 1s) {
    frames.clear();
    advance(chassis, now, frames);
    for (const TimedFrame& timed : frames) seen.look_at(timed.frame);
  }
  for (const Bounds& row : kHour) {
    const auto [low, high] = seen.of(row.message, row.signal);
    EXPECT_GE(low, row.min) << row.message << '.' << row.signal;
    EXPECT_LE(high, row.max) << row.message << '.' << row.signal;
    EXPECT_LT(low, high) << row.message << '.' << row.signal << " never moved";
  }
  EXPECT_EQ(seen.of("bms_status", "soc").second, 87);
  EXPECT_LT(seen.of("bms_status", "soc").first, 80) << "more than 2 A drain more than 2 Ah of 24 Ah";
  EXPECT_EQ(seen.of("bms_alarms", "alarm_1").second, 0);
}

}  // namespace
}  // namespace rangerctl::sim
