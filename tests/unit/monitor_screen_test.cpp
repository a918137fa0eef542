#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "monitor_scene.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/draw.hpp"

namespace rangerctl::monitor {
namespace {

using namespace testing;

struct Scene {
  std::string_view name;
  State (*state)();
  SteadyTime now;
};

State new_state() { return {Traffic::catalogue(), 500'000, kStart}; }

Traffic driving() {
  Traffic traffic;
  traffic.set("system_status", "control_mode", 1);
  traffic.set("system_status", "battery_voltage", 497);
  traffic.set("motion_feedback", "linear_velocity", 463);
  traffic.set("motion_feedback", "angular_velocity", -3);
  traffic.set("motion_feedback", "steering_angle", -182);
  traffic.set("remote_control_feedback", "swa", 2);
  traffic.set("remote_control_feedback", "swb", 2);
  traffic.set("remote_control_feedback", "swc", 1);
  traffic.set("remote_control_feedback", "swd", 3);
  traffic.set("remote_control_feedback", "left_stick_x", -100);
  traffic.set("light_feedback", "light_control", 1);
  for (int motor = 1; motor <= 8; ++motor) {
    const std::string fast = "motor" + std::to_string(motor) + "_high_speed";
    const std::string slow = "motor" + std::to_string(motor) + "_low_speed";
    traffic.set(fast, "speed", motor > 4 ? -motor : motor < 3 ? 1950 + motor : -1950 - motor);
    traffic.set(fast, "current", 22 - motor);
    traffic.set(fast, "position", motor * 1'000'000 + 13'001);
    traffic.set(slow, "driver_voltage", 500 + motor);
    traffic.set(slow, "driver_temperature", 38 + motor);
    traffic.set(slow, "driver_status", 0x40);
  }
  for (int motor = 1; motor <= 4; ++motor) {
    traffic.set("wheel_speed_feedback", "motor" + std::to_string(motor) + "_speed", 450 + motor);
    traffic.set("steering_angle_feedback", "motor" + std::to_string(motor + 4) + "_angle",
                motor % 2 == 0 ? 178 : -182);
  }
  traffic.set("front_odometer", "left_wheel", 1'236'125);
  traffic.set("front_odometer", "right_wheel", 1'237'125);
  traffic.set("rear_odometer", "left_wheel", -12'345);
  traffic.set("rear_odometer", "right_wheel", 1'239'125);
  traffic.set("bms_status", "soc", 78);
  traffic.set("bms_status", "soh", 97);
  traffic.set("bms_status", "voltage", 5023);
  traffic.set("bms_status", "current", -35);
  traffic.set("bms_status", "temperature", 275);
  return traffic;
}

constexpr SteadyTime kLater = kStart + 3s;

State normal() {
  State state = new_state();
  driving().run(state, kStart, kLater);
  return state;
}

State faults() {
  State state = new_state();
  Traffic traffic = driving();
  traffic.set("system_status", "errors", 1 << 15);
  traffic.run(state, kStart, kStart + 500ms);
  traffic.set("system_status", "vehicle_state", 2);
  traffic.set("system_status", "errors", (1 << 7) | (1 << 11) | (1 << 9));
  traffic.set("bms_status", "soc", 8);
  traffic.set("bms_alarms", "alarm_1", 0x84);
  traffic.set("motor3_low_speed", "driver_status", 0x24);
  traffic.run(state, kStart + 500ms, kLater);
  reduce(state, data_frame(0x212, {0x00, 0x07, 0x01, 0x02}), kLater - 700ms);
  reduce(state, data_frame(0x221, {1, 2, 3}), kLater - 600ms);
  Received foreign = data_frame(0x18FF1234, {0xAA, 0xBB});
  foreign.frame.extended = true;
  reduce(state, foreign, kLater - 500ms);
  Received remote = data_frame(0x211, {});
  remote.frame.kind = FrameKind::remote;
  reduce(state, remote, kLater - 400ms);
  reduce(state, error_frame(kErrorController, 0x10), kLater - 300ms);
  take_link(state, {LinkState::up, 12, 0, 0}, kLater);
  return state;
}

State stale() {
  State state = new_state();
  Traffic traffic = driving();
  traffic.run(state, kStart, kStart + 1s);
  traffic.silence("system_status");
  traffic.silence("bms_status");
  traffic.silence("motor2_high_speed");
  traffic.silence("motor5_high_speed");
  traffic.silence("motor5_low_speed");
  traffic.run(state, kStart + 1s, kLater);
  return state;
}

State gone() {
  State state = normal();
  take_link(state, {LinkState::gone, 0, 0, 1}, kLater);
  return state;
}

const Scene kScenes[] = {
    {"normal", normal, kLater},    {"faults", faults, kLater},
    {"stale", stale, kLater},      {"nothing", new_state, kStart + 1400ms},
    {"gone", gone, kLater + 20ms},
};

constexpr Size kSizes[] = {{24, 80}, {30, 100}, {8, 40}, {24, 40}, {3, 20}, {1, 1}, {50, 160}};

std::string gallery(const Scene& scene, bool ascii) {
  const State state = scene.state();
  std::ostringstream text;
  for (const Page page : {Page::overview, Page::frames}) {
    for (const Size size : kSizes) {
      text << "== " << (page == Page::overview ? "overview " : "frames ") << size.columns << "x" << size.rows
           << "\n"
           << to_text(draw(state, scene.now, size, {page, ascii, "can0", "22:13:23"}));
    }
  }
  return text.str();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// RANGERCTL_UPDATE_SCREENS=1 writes the files instead of comparing; then look at every one of them.
TEST(Screens, LookAsTheyDidWhenSomebodyLookedAtThem) {
  for (const Scene& scene : kScenes) {
    for (const bool ascii : {false, true}) {
      const std::string path = std::string(RANGERCTL_TEST_DATA "/screens/") + std::string(scene.name) +
                               (ascii ? ".ascii.txt" : ".utf8.txt");
      const std::string drawn = gallery(scene, ascii);
      if (std::getenv("RANGERCTL_UPDATE_SCREENS") != nullptr) std::ofstream(path, std::ios::binary) << drawn;
      EXPECT_EQ(drawn, read_file(path)) << path;
    }
  }
}

}  // namespace
}  // namespace rangerctl::monitor
