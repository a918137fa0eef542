#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>

#include "monitor_scene.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/draw.hpp"

namespace rangerctl::monitor {
namespace {

using namespace scene;

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

// ---- Meaning ------------------------------------------------------------------------------------------

std::string row_text(const Screen& screen, int row) {
  std::string text;
  for (int column = 0; column < screen.size().columns; ++column) {
    text += static_cast<char>(screen.at(row, column).character);
  }
  return text;
}

/// The style in which `text` stands on the screen; nothing when it does not stand there.
std::optional<Style> style_of(const Screen& screen, std::string_view text) {
  for (int row = 0; row < screen.size().rows; ++row) {
    const std::size_t column = row_text(screen, row).find(text);
    if (column != std::string::npos) return screen.at(row, static_cast<int>(column)).style;
  }
  return std::nullopt;
}

Screen overview(const State& state, SteadyTime now, Size size = {24, 80}) {
  return draw(state, now, size, {Page::overview, true, "can0", "22:13:23"});
}

TEST(Screens, WhatMattersStandsOut) {
  const Screen screen = overview(faults(), kLater);
  EXPECT_EQ(style_of(screen, "ACTIVE"), Style::fault);
  EXPECT_EQ(style_of(screen, "abnormal"), Style::fault);
  EXPECT_EQ(style_of(screen, "CRITICAL"), Style::fault);
  EXPECT_EQ(style_of(screen, "! undervoltage"), Style::fault);
  EXPECT_EQ(style_of(screen, "..C..F.."), Style::fault);
  EXPECT_EQ(style_of(screen, "up, ERROR-PASSIVE"), Style::caution);
  EXPECT_EQ(style_of(screen, "12  22:13:23"), Style::caution) << "lost frames";
  EXPECT_EQ(screen.at(0, 0), (Cell{U'!', Style::fault}));
}

TEST(Screens, TheEnableBitOfADriverIsNoAlarm) {
  const Screen screen = overview(normal(), kLater);
  EXPECT_EQ(style_of(screen, "......e."), Style::normal);
  EXPECT_EQ(screen.at(0, 0), (Cell{U'+', Style::good}));
}

TEST(Screens, WhatCannotBeTrueIsShoutedAndEveryValueIsGone) {
  struct Row {
    LinkStatus link;
    SteadyTime::duration after;
    std::string_view words;
  };
  const Row rows[] = {
      {{LinkState::gone, 0, 0, 1}, 2s, "INTERFACE GONE  2.0s"},
      {{LinkState::down, 0, 0, 1}, 2s, "INTERFACE DOWN  2.0s"},
      {{LinkState::ended, 0, 0, 0}, 2s, "REPLAY ENDED"},
      {{LinkState::up, 0, 0, 0}, 2s, "BUS SILENT  2.0s"},
  };
  for (const Row& row : rows) {
    State state = normal();
    take_link(state, row.link, kLater);
    for (const Size size : {Size{24, 80}, Size{8, 40}}) {
      const Screen screen = overview(state, kLater + row.after, size);
      std::string words(row.words);
      if (const auto blanks = words.find("  "); blanks != std::string::npos) words.erase(blanks, 1);
      EXPECT_EQ(style_of(screen, words), Style::fault) << to_text(screen);
      EXPECT_EQ(screen.at(0, 0), (Cell{U'!', Style::fault}));
      for (const std::string_view value : {"0.463", "78", "50.23", "can ", "normal", "ackermann", "clear"}) {
        EXPECT_EQ(style_of(screen, value), std::nullopt) << value << "\n" << to_text(screen);
      }
    }
  }
}

TEST(Screens, OtherTrafficIsNotAChassis) {
  State state = normal();
  for (int i = 0; i < 100; ++i) reduce(state, data_frame(0x111, {0, 0, 0, 0, 0, 0, 0, 0}), kLater + i * 20ms);
  EXPECT_EQ(style_of(overview(state, kLater + 2s), "CHASSIS SILENT"), Style::fault);
}

TEST(Screens, ALongAddressHidesNothing) {
  const std::string address =
      "replay:/home/somebody/logs/2024/a-very-long-name-for-a-log-of-a-robot/drive.log";
  for (const Size size : {Size{24, 80}, Size{24, 40}, Size{8, 40}, Size{3, 20}}) {
    const Screen screen = draw(gone(), kLater + 2s, size, {Page::overview, true, address, "22:13:23"});
    EXPECT_EQ(style_of(screen, "INTERFACE GONE"), Style::fault) << to_text(screen);
  }
  EXPECT_TRUE(style_of(draw(normal(), kLater, {24, 80}, {Page::overview, true, address, "22:13:23"}),
                       "/drive.log up"));
}

TEST(Screens, BusOffIsShouted) {
  State state = normal();
  reduce(state, error_frame(kErrorBusOff), kLater);
  EXPECT_EQ(style_of(overview(state, kLater), "BUS-OFF"), Style::fault);
}

TEST(Screens, ChargeIsJudgedByTheManualsLimits) {
  struct Row {
    int soc;
    std::optional<Style> low;
    std::optional<Style> critical;
  };
  const Row rows[] = {{15, std::nullopt, std::nullopt},
                      {14, Style::caution, std::nullopt},
                      {10, Style::caution, std::nullopt},
                      {9, std::nullopt, Style::fault}};
  for (const Row& row : rows) {
    State state = new_state();
    Traffic traffic = driving();
    traffic.set("bms_status", "soc", row.soc);
    traffic.run(state, kStart, kLater);
    const Screen screen = overview(state, kLater);
    EXPECT_EQ(style_of(screen, "LOW"), row.low) << row.soc;
    EXPECT_EQ(style_of(screen, "CRITICAL"), row.critical) << row.soc;
  }
}

TEST(Screens, AngleInDegrees) {
  State state = new_state();
  Traffic traffic;
  traffic.set("motion_feedback", "steering_angle", 698);
  traffic.run(state, kStart, kLater);
  EXPECT_TRUE(style_of(overview(state, kLater), "+0.698 rad    +40.0 deg"));
}

TEST(Screens, MotorTemperatureIsNotShown) {
  State state = new_state();
  Traffic traffic = driving();
  for (int motor = 1; motor <= 8; ++motor) {
    traffic.set("motor" + std::to_string(motor) + "_low_speed", "motor_temperature", 111);
  }
  traffic.run(state, kStart, kLater);
  EXPECT_EQ(overview(state, kLater), overview(normal(), kLater));
}

TEST(Screens, SlowAndOldMessagesAreMarked) {
  const auto marked = [](const State& state, SteadyTime now) {
    const Screen screen = draw(state, now, {24, 80}, {Page::frames, true, "can0", ""});
    return style_of(screen, "!281 wheel_speed").has_value();
  };
  struct Row {
    std::chrono::milliseconds period;
    std::chrono::milliseconds age;
    bool marked;
  };
  const Row rows[] = {
      {20ms, 60ms, false},
      {20ms, 61ms, true},  // three periods
      {25ms, 0ms, false},
      {26ms, 0ms, true},  // 80 % of 50 a second is one every 25 ms
  };
  for (const Row& row : rows) {
    State state = new_state();
    SteadyTime now = kStart;
    for (; now < kLater; now += row.period) reduce(state, data_frame(0x281, {0, 0, 0, 0, 0, 0, 0, 0}), now);
    EXPECT_EQ(marked(state, now - row.period + row.age), row.marked)
        << row.period.count() << ' ' << row.age.count();
  }
}

// ---- Whatever arrives ---------------------------------------------------------------------------------

Received random_frame(std::mt19937& random) {
  const auto number = [&random](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
  Received received;
  Frame& frame = received.frame;
  const auto messages = Traffic::catalogue().messages();
  frame.kind = static_cast<FrameKind>(number(10) < 7 ? 0 : number(5));
  frame.extended = frame.kind != FrameKind::error && frame.kind != FrameKind::xl && number(20) == 0;
  frame.id = number(3) == 0 ? number(frame.extended ? 1U << 29U : 2048) : messages[number(33)].id;
  frame.length = static_cast<std::uint8_t>(frame.kind == FrameKind::fd ? number(65) : number(9));
  for (std::size_t i = 0; i < frame.bytes().size(); ++i)
    frame.data[i] = static_cast<std::uint8_t>(number(256));
  return received;
}

bool is_shown_as_it_is(char32_t character, bool ascii) {
  return character >= 0x20 && character != 0x7F && !(character >= 0x80 && character < 0xA0) &&
         (!ascii || character < 0x7F);
}

TEST(Screens, NoFrameAndNoAddressPutsAControlCharacterOnTheScreen) {
  std::mt19937 random(7);
  State state = new_state();
  for (int round = 0; round < 60; ++round) {
    const SteadyTime now = kStart + round * 100ms;
    for (int i = 0; i < 200; ++i) reduce(state, random_frame(random), now);
    take_link(state, {static_cast<LinkState>(random() % 4), random(), random(), 0}, now);
    const Size size{static_cast<int>(random() % 60) - 1, static_cast<int>(random() % 200) - 1};
    const bool ascii = round % 2 == 0;
    const Page page = static_cast<Page>(round % 3);
    const Screen screen = draw(state, now, size, {page, ascii, "\x1b[2J\x9b\n\xC2\x9B\xE6\x97\xA5", "\a"});
    for (int row = 0; row < screen.size().rows; ++row) {
      for (int column = 0; column < screen.size().columns; ++column) {
        ASSERT_TRUE(is_shown_as_it_is(screen.at(row, column).character, ascii)) << row << ' ' << column;
      }
    }
  }
}

TEST(Screens, EverySizeIsServed) {
  const State state = faults();
  for (int rows = 1; rows <= 60; rows += 1) {
    for (int columns = 1; columns <= 200; columns += 7) {
      for (const Page page : {Page::overview, Page::frames, Page::help}) {
        const Screen screen = draw(state, kLater, {rows, columns}, {page, false, "can0", "22:13:23"});
        ASSERT_EQ(screen.size(), (Size{rows, columns}));
        ASSERT_EQ(screen.at(0, 0).character, U'!') << rows << 'x' << columns;
      }
    }
  }
}

TEST(Screens, AnEightRowTerminalShowsTheStopTheSpeedAndTheCharge) {
  const Screen screen = overview(normal(), kLater, {8, 40});
  for (const std::string_view text : {"E-STOP clear", "SYS normal", "v  +0.463 m/s", "SOC   78 %"}) {
    EXPECT_TRUE(style_of(screen, text)) << text;
  }
}

}  // namespace
}  // namespace rangerctl::monitor
