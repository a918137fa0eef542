#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <random>
#include <span>
#include <sstream>

#include "monitor_scene.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/draw.hpp"

namespace rangerctl::monitor {
namespace {

using namespace scene;

/// What a person has before the eyes: what is known, what was chosen, and what else the first and last rows
/// say.
struct Case {
  std::string_view name;
  Watched (*watched)();
  SteadyTime::duration after;  ///< kLater
  void (*choose)(DrawOptions&) = nullptr;
  bool frozen = false;
};

Watched new_state() { return {Traffic::catalogue(), 500'000, kStart}; }

struct Look {
  Page page = Page::overview;
  bool ascii = true;
  std::string_view address = "can0";
  std::string_view clock = "22:13:23";
};

Screen picture(const Watched& watched, SteadyTime now, Size size, const Look& look = {}) {
  DrawOptions options{.ascii = look.ascii, .address = look.address, .clock = look.clock};
  Choices choices;
  choices.page = look.page;
  const Scene scene{watched, now};
  return draw(scene, scene, size, choices, options);
}

void link(Watched& watched, const LinkStatus& status, SteadyTime now) {
  take_link(watched, status, {time_of(now), now});
}

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

Watched normal() {
  Watched state = new_state();
  driving().run(state, kStart, kLater);
  return state;
}

Watched faults() {
  Watched state = new_state();
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
  link(state, {LinkState::up, 12, 0, 0}, kLater);
  return state;
}

Watched stale() {
  Watched state = new_state();
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

Watched gone() {
  Watched state = normal();
  link(state, {LinkState::gone, 0, 0, 1}, kLater);
  return state;
}

/// With a bit rate and a controller, as an adapter has them.
Watched adapter() {
  Watched state = faults();
  InterfaceFacts facts;
  facts.kind = "can";
  facts.bit_rate = 500'000;
  facts.controller = ControllerState::error_passive;
  take_interface(state.state, facts);
  return state;
}

/// The interface was away for two seconds and is back.
Watched back() {
  Watched state = normal();
  link(state, {LinkState::down, 0, 0, 1}, kLater);
  look_for_silence(state, {time_of(kLater + 1s), kLater + 1s});
  link(state, {LinkState::up, 0, 0, 1}, kLater + 2s);
  driving().run(state, kLater + 2s, kLater + 5s);
  return state;
}

void replaying(DrawOptions& options) {
  options.replay = ReplayView{3s, std::chrono::nanoseconds(61s), "x2", true, false};
  options.address = "replay:drive.log";
}
void recording(DrawOptions& options) { options.record = RecordView{1234, 0, false}; }

const Case kCases[] = {
    {"normal", normal, 0s},
    {"faults", faults, 0s},
    {"stale", stale, 0s},
    {"nothing", new_state, -1600ms},
    {"gone", gone, 20ms},
    {"adapter", adapter, 0s, recording},
    {"back", back, 5s},
    {"frozen", stale, 2s, nullptr, true},
    {"replay", normal, 0s, replaying},
};

/// The first three for every page, all for the one that everybody sees first.
constexpr Size kSizes[] = {{24, 80}, {10, 40}, {50, 160}, {30, 100}, {8, 40},
                           {24, 40}, {50, 80}, {3, 20},   {1, 1}};
constexpr std::size_t kSizesOfAPage = 3;

struct NamedPage {
  std::string_view name;
  Choices choices;
};
Choices on(Page page) {
  Choices choices;
  choices.page = page;
  return choices;
}
std::vector<NamedPage> pages() {
  std::vector<NamedPage> rows{{"overview", on(Page::overview)}, {"frames", on(Page::frames)},
                              {"frame", on(Page::frames)},      {"faults", on(Page::faults)},
                              {"events", on(Page::faults)},     {"plots", on(Page::plots)}};
  rows[2].choices.opened = true;
  rows[2].choices.selected = IdKey{FrameKind::data, false, 0x211};
  rows[4].choices.events = true;
  return rows;
}

std::string gallery(const Case& scene, bool ascii) {
  const Watched watched = scene.watched();
  const SteadyTime now = kLater + scene.after;
  // Frozen: two seconds ago, and everything has fallen silent since.
  const Watched live = watched;
  const Scene shown{watched, scene.frozen ? now - 2s : now};
  const Scene of_now{scene.frozen ? live : watched, now};
  DrawOptions options{.ascii = ascii, .address = "can0", .clock = "22:13:23"};
  if (scene.choose != nullptr) scene.choose(options);
  std::ostringstream text;
  for (const NamedPage& page : pages()) {
    const std::span<const Size> all(kSizes);
    for (const Size size : page.choices.page == Page::overview ? all : all.first(kSizesOfAPage)) {
      text << "== " << page.name << ' ' << size.columns << "x" << size.rows << "\n"
           << to_text(draw(of_now, shown, size, page.choices, options));
    }
  }
  return text.str();
}

/// Blocks instead of dots, and the help, which look the same whatever happens.
std::string gallery_of_the_rest() {
  const Watched watched = normal();
  const Scene now{watched, kLater};
  const DrawOptions options{.graph = Graph::block, .address = "can0", .clock = "22:13:23"};
  std::string text;
  for (const Page page : {Page::plots, Page::help}) {
    for (const Size size : std::span(kSizes).first(kSizesOfAPage))
      text += to_text(draw(now, now, size, on(page), options));
  }
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// RANGERCTL_UPDATE_SCREENS=1 writes the files instead of comparing; then look at every one of them.
void expect_golden(const std::string& name, const std::string& drawn) {
  const std::string path = RANGERCTL_TEST_DATA "/screens/" + name + ".txt";
  if (std::getenv("RANGERCTL_UPDATE_SCREENS") != nullptr) std::ofstream(path, std::ios::binary) << drawn;
  EXPECT_EQ(drawn, read_file(path)) << path;
}

TEST(Screens, LookAsTheyDidWhenSomebodyLookedAtThem) {
  for (const Case& scene : kCases) {
    for (const bool ascii : {false, true})
      expect_golden(std::string(scene.name) + (ascii ? ".ascii" : ".utf8"), gallery(scene, ascii));
  }
  expect_golden("rest.utf8", gallery_of_the_rest());
}

/// As they stand in the README, where every row is indented.
TEST(Screens, TheReadmeShowsTwoOfThem) {
  const std::string readme = read_file(RANGERCTL_TEST_DATA "/../../README.md");
  struct Row {
    Watched (*watched)();
    Page page;
  };
  for (const Row& row : {Row{normal, Page::overview}, Row{faults, Page::faults}}) {
    std::istringstream screen(
        to_text(picture(row.watched(), kLater, {24, 80}, {.page = row.page, .ascii = false})));
    std::string block, line;
    while (std::getline(screen, line)) block += line.empty() ? "\n" : "    " + line + '\n';
    EXPECT_NE(readme.find(block), std::string::npos) << block;
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

Screen overview(const Watched& state, SteadyTime now, Size size = {24, 80}) {
  return picture(state, now, size);
}

TEST(Screens, WhatMattersStandsOut) {
  const Screen screen = overview(faults(), kLater);
  EXPECT_EQ(style_of(screen, "ACTIVE"), Style::fault);
  EXPECT_EQ(style_of(screen, "abnormal"), Style::fault);
  EXPECT_EQ(style_of(screen, "CRITICAL"), Style::fault);
  EXPECT_EQ(style_of(screen, "! undervoltage"), Style::fault);
  EXPECT_EQ(style_of(screen, "..C..F.."), Style::fault);
  EXPECT_EQ(style_of(screen, "up, ERROR-PASSIVE"), Style::caution);
  EXPECT_EQ(style_of(screen, "12 err"), Style::caution) << "lost frames";
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
    Watched state = normal();
    link(state, row.link, kLater);
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
  Watched state = normal();
  for (int i = 0; i < 100; ++i) reduce(state, data_frame(0x111, {0, 0, 0, 0, 0, 0, 0, 0}), kLater + i * 20ms);
  EXPECT_EQ(style_of(overview(state, kLater + 2s), "CHASSIS SILENT"), Style::fault);
}

TEST(Screens, ALongAddressHidesNothing) {
  const std::string address =
      "replay:/home/somebody/logs/2024/a-very-long-name-for-a-log-of-a-robot/drive.log";
  for (const Size size : {Size{24, 80}, Size{24, 40}, Size{8, 40}, Size{3, 20}}) {
    const Screen screen = picture(gone(), kLater + 2s, size, {.address = address});
    EXPECT_EQ(style_of(screen, "INTERFACE GONE"), Style::fault) << to_text(screen);
  }
  EXPECT_TRUE(style_of(picture(normal(), kLater, {24, 80}, {.address = address}), "/drive.log up"));
}

TEST(Screens, BusOffIsShouted) {
  Watched state = normal();
  reduce(state, error_frame(kErrorBusOff), kLater);
  EXPECT_EQ(style_of(overview(state, kLater), "BUS-OFF"), Style::fault);
}

std::string first_row(const Watched& watched, SteadyTime now, void (*choose)(DrawOptions&) = nullptr,
                      int columns = 80) {
  DrawOptions options{.ascii = true, .address = "can0"};
  if (choose != nullptr) choose(options);
  const Scene scene{watched, now};
  return row_text(draw(scene, scene, {24, columns}, {}, options), 0);
}

Watched with_driver(std::uint32_t bit_rate, ControllerState controller, Watched watched) {
  InterfaceFacts facts;
  facts.kind = "can";
  facts.bit_rate = bit_rate;
  facts.controller = controller;
  take_interface(watched, facts, {time_of(kLater), kLater});
  return watched;
}

TEST(Screens, TheFirstRowSaysTheWorstAndWhatTheDriverSays) {
  struct Row {
    Watched watched;
    SteadyTime now;
    void (*choose)(DrawOptions&);
    std::string_view row;
  };
  const auto active = ControllerState::error_active;
  const Row rows[] = {
      {with_driver(500'000, active, normal()), kLater, nullptr, "+ can0 500k error-active "},
      {with_driver(500'000, active, normal()), kLater + 2s, nullptr,
       "! can0 500k error-active BUS SILENT 2.0s "},
      {with_driver(500'000, ControllerState::error_warning, normal()), kLater, nullptr,
       "? can0 500k error-warning "},
      {with_driver(500'000, ControllerState::bus_off, normal()), kLater, nullptr, "! can0 500k BUS-OFF "},
      {with_driver(250'000, active, new_state()), kStart + 1s, nullptr,
       "! can0 250k error-active NOTHING RECEIVED 1.0s, the robot has 500k "},
      {back(), kLater + 9s, nullptr, "! can0 BUS SILENT 4.0s, back 7.0s after 2.0s "},
      {back(), kLater + 5s, nullptr, "+ can0 up, back 3.0s after 2.0s "},
      {normal(), kLater, replaying, "+ replay:drive.log PAUSED "},
      {normal(), kLater + 2s, replaying, "! replay:drive.log BUS SILENT 2.0s, PAUSED "},
  };
  for (const Row& row : rows) {
    const std::string text = first_row(row.watched, row.now, row.choose);
    EXPECT_EQ(text.substr(0, row.row.size()), row.row) << text;
  }
}

TEST(Screens, InANarrowFirstRowTroubleComesBeforeTheDriver) {
  const Watched watched = with_driver(500'000, ControllerState::error_active, normal());
  EXPECT_EQ(first_row(watched, kLater + 2s, nullptr, 30).substr(0, 24), "! can0 BUS SILENT 2.0s  ");
}

TEST(Screens, OldErrorFramesDoNotWorryForEver) {
  Watched watched = normal();
  reduce(watched, error_frame(kErrorNoAcknowledge), kLater);
  EXPECT_EQ(first_row(watched, kLater)[0], '?');
  driving().run(watched, kLater, kLater + 11s);
  EXPECT_EQ(first_row(watched, kLater + 11s)[0], '+');
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
    Watched state = new_state();
    Traffic traffic = driving();
    traffic.set("bms_status", "soc", row.soc);
    traffic.run(state, kStart, kLater);
    const Screen screen = overview(state, kLater);
    EXPECT_EQ(style_of(screen, "LOW"), row.low) << row.soc;
    EXPECT_EQ(style_of(screen, "CRITICAL"), row.critical) << row.soc;
  }
}

TEST(Screens, AngleInDegrees) {
  Watched state = new_state();
  Traffic traffic;
  traffic.set("motion_feedback", "steering_angle", 698);
  traffic.run(state, kStart, kLater);
  EXPECT_TRUE(style_of(overview(state, kLater), "+0.698 rad    +40.0 deg"));
}

TEST(Screens, MotorTemperatureIsNotShown) {
  Watched state = new_state();
  Traffic traffic = driving();
  for (int motor = 1; motor <= 8; ++motor) {
    traffic.set("motor" + std::to_string(motor) + "_low_speed", "motor_temperature", 111);
  }
  traffic.run(state, kStart, kLater);
  EXPECT_EQ(overview(state, kLater), overview(normal(), kLater));
}

TEST(Screens, SlowAndOldMessagesAreMarked) {
  const auto marked = [](const Watched& state, SteadyTime now) {
    const Screen screen = picture(state, now, {24, 80}, {.page = Page::frames, .clock = ""});
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
    Watched state = new_state();
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
  Watched state = new_state();
  for (int round = 0; round < 60; ++round) {
    const SteadyTime now = kStart + round * 100ms;
    for (int i = 0; i < 200; ++i) reduce(state, random_frame(random), now);
    link(state, {static_cast<LinkState>(random() % 4), random(), random(), 0}, now);
    const Size size{static_cast<int>(random() % 60) - 1, static_cast<int>(random() % 200) - 1};
    const bool ascii = round % 2 == 0;
    const Page page = static_cast<Page>(round % 5);
    const Screen screen = picture(state, now, size, {page, ascii, "\x1b[2J\x9b\n\xC2\x9B\xE6\x97\xA5", "\a"});
    for (int row = 0; row < screen.size().rows; ++row) {
      for (int column = 0; column < screen.size().columns; ++column) {
        ASSERT_TRUE(is_shown_as_it_is(screen.at(row, column).character, ascii)) << row << ' ' << column;
      }
    }
  }
}

TEST(Screens, EverySizeIsServed) {
  const Watched state = faults();
  const Scene now{state, kLater};
  DrawOptions options{
      .address = "can0", .clock = "22:13:23", .notice = "something long that needs more than a row"};
  std::vector<NamedPage> all = pages();
  all.push_back({"help", on(Page::help)});
  all.push_back({"question", on(Page::faults)});
  all.back().choices.prompt = Prompt::clear_error;
  all.push_back({"filter", on(Page::frames)});
  all.back().choices.prompt = Prompt::filter;
  for (const bool replay : {false, true}) {
    if (replay) replaying(options);
    for (NamedPage& page : all) {
      page.choices.scroll = replay ? 1'000'000 : 0;
      for (int rows = 1; rows <= 60; rows += rows < 12 ? 1 : 4) {
        for (int columns = 1; columns <= 200; columns += 9) {
          const Screen screen = draw(now, now, {rows, columns}, page.choices, options);
          ASSERT_EQ(screen.size(), (Size{rows, columns}));
          const bool asks = rows == 1 && page.choices.prompt != Prompt::none;
          ASSERT_TRUE(asks || screen.at(0, 0).character == U'!') << page.name << rows << 'x' << columns;
        }
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
