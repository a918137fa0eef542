#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/teleop/draw.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using monitor::Screen;
using monitor::Size;
using monitor::Style;

constexpr SteadyTime kNow{100s};
const std::vector<EventLine> kEvents{
    {"14:02:51.003", "link lost: no answer from the terminal for 2003 ms"},
    {"14:03:11.870", "type 47 and Enter to arm"},
    {"14:03:19.240", "ARMED"},
    {"14:03:20.112", "MOVING"},
};

/// A chassis, a link and a program that are all well, at rest and DISARMED.
Status well() {
  Status status;
  status.now = kNow;
  status.since = kNow - 4200ms;
  status.facts.status_age = 8ms;
  status.facts.motion_age = 11ms;
  status.facts.mode_age = 15ms;
  status.facts.bms_age = 240ms;
  status.facts.bound = 61ms;
  status.facts.worst_bound = 84ms;
  status.facts.bound_p95 = 78ms;
  status.limit_mmps = 300;
  status.allowed_mmps = 900;
  status.linear_velocity = 0;
  status.angular_velocity = 0;
  status.steering_angle = 0;
  status.vehicle_state = 0;
  status.control_mode = kControlStandby;
  status.motion_mode = 0;
  status.errors = 0;
  status.soc = 78;
  status.battery_voltage = 497;
  status.key_releases = true;
  status.round_trip = 12ms;
  status.counters = {.ticks = 5012, .late_ticks = 2, .worst_period = 20'300us};
  return status;
}

Status check(Status status) {
  status.findings = check_rules(status.facts);
  return status;
}

Status ready() { return check(well()); }

Status blocked() {
  Status status = well();
  status.key_releases = false;
  status.facts.answers_in_a_row = 7;
  status.facts.remote_lost = true;
  status.errors = 1 << 2;
  return check(status);
}

Status arming() {
  Status status = well();
  status.state = State::arming;
  status.facts.arming = true;
  status.code = 47;
  status.typed = 1;
  status.last_key = U'4';
  status.last_key_age = 310ms;
  return check(status);
}

Status asking() {
  Status status = arming();
  status.code.reset();
  status.typed = 2;
  return status;
}

Status armed() {
  Status status = well();
  status.state = State::armed;
  status.facts.holding = true;
  status.facts.expected_mode = 0;
  status.control_mode = kControlCan;
  status.sending = true;
  status.last_key = terminal::kEnter;
  status.last_key_age = 2100ms;
  status.counters.sent = 12'346;
  status.counters.confirmed = 12'345;
  return check(status);
}

Status moving() {
  Status status = armed();
  status.state = State::moving;
  status.facts.commanding = true;
  status.last_key = U'w';
  status.last_key_age = 28ms;
  status.target_mmps = 300;
  status.target_mrad = 175;
  status.sent = {280, 0, 166};
  status.linear_velocity = 281;
  status.angular_velocity = 127;
  status.steering_angle = 164;
  return check(status);
}

/// Around itself, slowly: the first press of a key on a terminal without releases, behind tmux, with a
/// battery that is low.
Status capped() {
  Status status = moving();
  status.mode = chassis::MotionMode::spin;
  status.motion_mode = 2;
  status.facts.motion_mode = status.facts.expected_mode = 2;
  status.key_releases = false;
  status.facts.nudging = true;
  status.facts.relay = terminal::Relay::tmux;
  status.facts.blind_link_allowed = true;
  status.facts.soc = 14;
  status.soc = 14;
  status.last_key = terminal::kRight;
  status.target_mmps = -100;
  status.target_mrad = 0;
  status.allowed_mmps = 100;
  status.sent = {0, -280, 0};
  status.linear_velocity = 0;
  status.angular_velocity = -261;
  status.steering_angle = 0;
  return check(status);
}

Status stopping() {
  Status status = moving();
  status.state = State::stopping;
  status.since = kNow - 340ms;
  status.facts.bound = 344ms;
  status.facts.worst_bound = 344ms;
  status.allowed_mmps = 290;
  status.sent = {0, 0, 166};
  status.target_mmps = 0;
  status.cause_rule = 7;
  status.cause = {.action = Action::stop, .first = 302};
  return check(status);
}

Status emergency_stop() {
  Status status = armed();
  status.state = State::fault;
  status.since = kNow - 12'300ms;
  status.sending = false;
  status.facts.holding = false;
  status.facts.emergency_stop = true;
  status.facts.vehicle_state = 2;
  status.vehicle_state = 2;
  status.errors = 1 << 7;
  status.cause_rule = 0;
  status.cause = {.action = Action::fault};
  return check(status);
}

Status not_stopping() {
  Status status = moving();
  status.state = State::fault;
  status.since = kNow - 800ms;
  status.sent = {};
  status.facts.holding = false;
  status.facts.commanding = false;
  status.facts.nonzero_after_stop = 1800ms;
  status.cause_rule = 24;
  status.cause = {.action = Action::fault, .second = 1001};
  return check(status);
}

/// The cause of a FAULT that is gone again.
Status over() {
  Status status = emergency_stop();
  status.facts.emergency_stop = false;
  status.facts.vehicle_state = 0;
  status.errors = 0;
  status.vehicle_state = 0;
  return check(status);
}

Status link_lost() {
  Status status = well();
  status.facts.silence = 2310ms;
  status.facts.bound = 2372ms;
  status.facts.worst_bound = 2372ms;
  status.facts.answers_in_a_row = 0;
  status.control_mode = kControlCan;
  status.cause_rule = 7;
  status.cause = {.action = Action::disarm, .first = 603};
  return check(status);
}

Status silent() {
  Status status = well();
  status.facts.status_age.reset();
  status.facts.motion_age.reset();
  status.facts.mode_age.reset();
  status.facts.bms_age.reset();
  status.facts.motion_mode.reset();
  status.facts.bound.reset();
  status.facts.worst_bound.reset();
  status.facts.answers_in_a_row = 0;
  status.linear_velocity.reset();
  status.angular_velocity.reset();
  status.steering_angle.reset();
  status.vehicle_state.reset();
  status.control_mode.reset();
  status.motion_mode.reset();
  status.errors.reset();
  status.soc.reset();
  status.battery_voltage.reset();
  status.round_trip.reset();
  return check(status);
}

Status dry_run() {
  Status status = moving();
  status.dry_run = true;
  status.counters.sent = 0;
  status.counters.confirmed = 0;
  return status;
}

Status leaving() {
  Status status = stopping();
  status.leaving = true;
  status.control_taken = true;
  status.allowed_mmps = 900;
  status.cause_rule = kRuleCount;
  status.facts.bound = 61ms;
  status.facts.worst_bound = 84ms;
  return check(status);
}

Status help() {
  Status status = ready();
  status.show_help = true;
  return status;
}

Status classic_help() {
  Status status = help();
  status.layout = Layout::classic;
  return status;
}

struct Scene {
  std::string_view name;
  Status (*status)();
};
constexpr Scene kScenes[] = {
    {"disarmed_blocked", blocked},
    {"disarmed_ready", ready},
    {"arming", arming},
    {"asking", asking},
    {"armed", armed},
    {"moving", moving},
    {"capped", capped},
    {"stopping", stopping},
    {"fault_estop", emergency_stop},
    {"fault_not_stopping", not_stopping},
    {"fault_over", over},
    {"link_lost", link_lost},
    {"silent", silent},
    {"dry_run", dry_run},
    {"leaving", leaving},
    {"help_wasd", help},
    {"help_classic", classic_help},
};

Screen picture(const Status& status, Size size, bool ascii = true) {
  const DrawOptions options{.ascii = ascii,
                            .address = "can0",
                            .clock = "14:03:21",
                            .recording = status.dry_run,
                            .sent_per_second = status.sending ? std::optional(50.0) : std::nullopt};
  return draw(status, kEvents, size, options, protocol::kDefaultCatalogue);
}

std::string gallery(const Status& status, bool ascii) {
  std::ostringstream text;
  for (const Size size : {Size{24, 80}, Size{8, 40}, Size{50, 160}})
    text << "== " << size.columns << "x" << size.rows << "\n" << to_text(picture(status, size, ascii));
  return text.str();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// RANGERCTL_UPDATE_SCREENS=1 writes the files instead of comparing; then look at every one of them.
TEST(TeleopScreen, LooksAsItDidWhenSomebodyLookedAtIt) {
  for (const Scene& scene : kScenes) {
    for (const bool ascii : {false, true}) {
      const std::string path = std::string(RANGERCTL_TEST_DATA "/screens/teleop_") + std::string(scene.name) +
                               (ascii ? ".ascii.txt" : ".utf8.txt");
      const std::string drawn = gallery(scene.status(), ascii);
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

/// The style in which `text` stands on the screen; nothing when it does not stand there in one row.
std::optional<Style> style_of(const Screen& screen, std::string_view text) {
  for (int row = 0; row < screen.size().rows; ++row) {
    const std::size_t column = row_text(screen, row).find(text);
    if (column != std::string::npos) return screen.at(row, static_cast<int>(column)).style;
  }
  return std::nullopt;
}

/// All rows in one, so that words that were broken into lines can be found.
std::string flat(const Screen& screen) {
  std::string text;
  for (int row = 0; row < screen.size().rows; ++row) {
    text += row_text(screen, row);
    text.erase(text.find_last_not_of(' ') + 1);
  }
  return text;
}

struct StateRow {
  State state;
  std::string_view marked;
  Style style;
};
constexpr StateRow kStates[] = {
    {State::disarmed, "** DISARMED **", Style::title},   {State::arming, "** ARMING **", Style::caution},
    {State::armed, "** ARMED **", Style::title},         {State::moving, "** MOVING **", Style::caution},
    {State::stopping, "** STOPPING **", Style::caution}, {State::fault, "** FAULT **", Style::fault},
};

/// Nothing that is true of one state alone, but all that needs room.
Status crowded(State state) {
  Status status = moving();
  status.state = state;
  status.dry_run = true;
  status.leaving = true;
  status.show_help = true;
  status.code = 10;
  status.facts.emergency_stop = true;
  status.facts.stale_keys = 3;
  status.facts.bms_alarms = 0xFFFF;
  status.facts.errors = 0xFFFFFF7F;
  status.cause_rule = 1;
  status.cause = {.action = Action::fault, .first = 0xFFFFFF7F};
  return check(status);
}

TEST(TeleopScreen, TheFirstRowHasTheStateInEveryWindow) {
  for (const StateRow& row : kStates) {
    for (int rows = 8; rows <= 60; rows += 2) {
      for (const int columns : {40, 41, 47, 53, 59, 60, 61, 70, 79, 80, 81, 100, 120, 160, 199, 200}) {
        const Screen screen = picture(crowded(row.state), {rows, columns});
        ASSERT_EQ(screen.size(), (Size{rows, columns}));
        const std::size_t column = row_text(screen, 0).find(row.marked);
        ASSERT_NE(column, std::string::npos) << rows << 'x' << columns << ' ' << row.marked;
        ASSERT_EQ(screen.at(0, static_cast<int>(column)).style, row.style);
      }
    }
  }
}

TEST(TeleopScreen, BelowTheLeastWindowOneRowSaysSo) {
  for (const StateRow& row : kStates) {
    for (const Size size : {Size{7, 40}, Size{7, 200}, Size{1, 40}}) {
      const std::string word(row.marked.substr(3, row.marked.size() - 6));
      const Screen screen = picture(crowded(row.state), size);
      EXPECT_EQ(to_text(screen), word + " window too small: 40x8 at least\n" +
                                     std::string(static_cast<std::size_t>(size.rows - 1), '\n'));
    }
    EXPECT_TRUE(style_of(picture(crowded(row.state), {60, 39}), "window too small"));
    EXPECT_EQ(picture(crowded(row.state), {0, 0}).size(), (Size{1, 1}));
  }
}

TEST(TeleopScreen, TheWordOfTheStateStaysWhereItIs) {
  for (const Size size : {Size{8, 40}, Size{24, 60}, Size{24, 80}, Size{50, 160}}) {
    const std::size_t place = row_text(picture(ready(), size), 0).find("**");
    for (const auto status : {blocked, arming, asking, armed, moving, capped, stopping, emergency_stop, help})
      EXPECT_EQ(row_text(picture(status(), size), 0).find("**"), place) << size.columns;
  }
}

TEST(TeleopScreen, ThePromptStandsOutUntilTheCodeIsTyped) {
  for (const Size size : {Size{8, 40}, Size{10, 40}, Size{24, 60}, Size{24, 80}, Size{60, 200}}) {
    const Screen prompt = picture(arming(), size);
    EXPECT_EQ(style_of(prompt, "type 47 and Enter to arm  1 of 2 typed"), Style::caution);
    EXPECT_FALSE(style_of(prompt, "asking the chassis for control"));
    const Screen typed = picture(asking(), size);
    EXPECT_EQ(style_of(typed, "asking the chassis for control"), Style::caution);
    EXPECT_FALSE(style_of(typed, "of 2 typed"));
  }
}

TEST(TeleopScreen, DisarmedSaysWhatToDo) {
  for (const Size size : {Size{8, 40}, Size{24, 80}, Size{60, 200}}) {
    EXPECT_TRUE(style_of(picture(ready(), size), "press A to arm"));
    EXPECT_FALSE(style_of(picture(ready(), size), "cannot arm"));
    EXPECT_TRUE(style_of(picture(blocked(), size), "cannot arm - the remote control is"));
    EXPECT_FALSE(style_of(picture(blocked(), size), "press A to arm"));
  }
}

TEST(TeleopScreen, AFaultSaysWhetherItsCauseIsGone) {
  for (const Size size : {Size{8, 40}, Size{12, 40}, Size{24, 80}, Size{60, 200}}) {
    EXPECT_EQ(style_of(picture(emergency_stop(), size), "press c when the cause is gone"), Style::caution);
    EXPECT_EQ(style_of(picture(over(), size), "the cause is gone: press c"), Style::caution);
    EXPECT_EQ(style_of(picture(emergency_stop(), size), "emergency stop:"), Style::fault);
    EXPECT_EQ(style_of(picture(emergency_stop(), size), "ACTIVE"), Style::fault);
  }
  EXPECT_TRUE(style_of(picture(emergency_stop(), {24, 80}), "FAULT 12.3s ago"));
}

TEST(TeleopScreen, NoKeyIsCalledAnEmergencyStop) {
  for (const Scene& scene : kScenes) {
    for (const Size size : {Size{8, 40}, Size{24, 80}, Size{50, 160}}) {
      const Screen screen = picture(scene.status(), size);
      EXPECT_TRUE(style_of(screen, "This is not an emergency stop.")) << scene.name;
    }
  }
  for (const Binding& binding : bindings()) {
    EXPECT_EQ(binding.help.find("mergency"), std::string_view::npos);
    EXPECT_EQ(binding.help.find("E-STOP"), std::string_view::npos);
  }
}

TEST(TeleopScreen, WhatIsNotKnownIsNeitherZeroNorWell) {
  const std::string text = to_text(picture(silent(), {24, 80}));
  for (const std::string_view value :
       {"+0.0", "clear", "normal", "ackermann", " %", " V ", "[ok] control", "[ok] faults", "[ok] feedback"})
    EXPECT_EQ(text.find(value), std::string::npos) << value;
}

TEST(TeleopScreen, LeftIsPositiveInDegrees) {
  struct Row {
    std::int64_t mrad;
    std::string_view text;
  };
  for (const Row& row : {Row{698, " +40.0 left "}, Row{-698, " -40.0 right"}, Row{0, "  +0.0      "},
                         Row{1, "  +0.1 left "}, Row{-175, " -10.0 right"}}) {
    Status status = moving();
    status.sent.steering_angle = row.mrad;
    status.target_mrad = 0;
    status.steering_angle = 0;
    EXPECT_EQ(row_text(picture(status, {24, 80}), 4).substr(25, 12), row.text) << row.mrad;
  }
}

TEST(TeleopScreen, ACapNamesTheRuleThatIsLowest) {
  EXPECT_EQ(style_of(picture(capped(), {24, 80}), "limit 0.30  cap 0.10 m/s: nudge"), Style::dim);
  EXPECT_EQ(style_of(picture(capped(), {24, 80}), "cap 0.10 m/s: nudge"), Style::caution);
  Status status = moving();
  status.limit_mmps = 1500;
  status.allowed_mmps = 1000;
  EXPECT_TRUE(style_of(picture(status, {24, 80}), "limit 1.50  cap 1.00 m/s: steering"));
}

TEST(TeleopScreen, TheHelpNamesEveryKeyAndHidesNothingThatMoves) {
  for (const Layout layout : {Layout::wasd, Layout::classic}) {
    Status status = help();
    status.layout = layout;
    for (const Size size : {Size{24, 40}, Size{24, 80}, Size{50, 160}}) {
      const std::string text = to_text(picture(status, size));
      for (const Binding& binding : bindings()) {
        if (!in_layout(binding, layout) || binding.help.empty()) continue;
        const std::string line =
            " " + std::string(binding.label) + std::string(8 - binding.label.size(), ' ');
        EXPECT_NE(text.find(line + std::string(binding.help.substr(0, 20))), std::string::npos) << line;
      }
    }
  }
  for (auto status : {arming(), moving(), stopping(), emergency_stop()}) {
    const Screen without = picture(status, {24, 80});
    status.show_help = true;
    EXPECT_EQ(picture(status, {24, 80}), without);
  }
}

TEST(TeleopScreen, TheKeysAreThoseOfTheLayout) {
  Status status = ready();
  EXPECT_TRUE(style_of(picture(status, {24, 80}), "w hold to drive forward"));
  status.layout = Layout::classic;
  EXPECT_FALSE(style_of(picture(status, {24, 80}), "w hold to drive forward"));
  EXPECT_TRUE(style_of(picture(status, {24, 80}), "i hold to drive forward"));
}

TEST(TeleopScreen, TheHintNamesAMotionKeyThatMoves) {
  using chassis::MotionMode;
  struct Row {
    MotionMode mode;
    Layout layout;
    std::string_view hint;
  };
  for (const Row& row : {Row{MotionMode::ackermann, Layout::wasd, "hold w: drive"},
                         Row{MotionMode::oblique, Layout::classic, "hold i: drive"},
                         Row{MotionMode::spin, Layout::wasd, "hold a: drive"},
                         Row{MotionMode::spin, Layout::classic, "hold j: drive"}}) {
    Status status = armed();
    status.mode = row.mode;
    status.layout = row.layout;
    EXPECT_TRUE(style_of(picture(status, {24, 80}), row.hint)) << row.hint;
  }
  Status parked = armed();
  parked.mode = MotionMode::park;
  EXPECT_FALSE(style_of(picture(parked, {24, 80}), ": drive"));
  EXPECT_TRUE(style_of(picture(parked, {24, 80}), "M: mode"));
}

TEST(TeleopScreen, AnyNumberOfEventsIsServed) {
  std::vector<EventLine> events;
  for (int i = 0; i < 100; ++i) {
    for (const Size size : {Size{8, 40}, Size{12, 40}, Size{24, 80}, Size{60, 200}}) {
      const Screen screen = draw(armed(), events, size, {.ascii = true}, protocol::kDefaultCatalogue);
      EXPECT_EQ(style_of(screen, "event number " + std::to_string(i - 1) + " ").has_value(), i > 0);
    }
    events.push_back({"14:00:00.000", "event number " + std::to_string(i)});
  }
}

// ---- Reasons ------------------------------------------------------------------------------------------

struct ReasonRow {
  int rule;
  std::string_view words;
  void (*set)(Facts&);
};
/// Every rule, alone.
const ReasonRow kReasons[] = {
    {1, "emergency stop: release the button", [](Facts& facts) { facts.emergency_stop = true; }},
    {2, "errors: driver_fault; what to do: rangerctl explain 0x00000100",
     [](Facts& facts) { facts.errors = 1 << 8; }},
    {2, "motor 3: undervoltage; look with: rangerctl monitor",
     [](Facts& facts) { facts.driver_status[2] = 1; }},
    {2, "vehicle_state is abnormal; look with", [](Facts& facts) { facts.vehicle_state = 2; }},
    {3, "no 0x221 from the chassis for 101 ms", [](Facts& facts) { facts.motion_age = 101ms; }},
    {3, "no 0x211 from the chassis yet: is it on?", [](Facts& facts) { facts.status_age.reset(); }},
    {4, "no motion mode (0x291) from the chassis for 201 ms", [](Facts& facts) { facts.mode_age = 201ms; }},
    {5, "the remote control has control: SWB up hands it over to CAN",
     [](Facts& facts) { facts.control_mode = kControlRemote; }},
    {6, "the remote control is not connected: switch it on, or start with --no-rc",
     [](Facts& facts) { facts.remote_lost = true; }},
    {7, "the chassis has been switching its motion mode for 1.2 s",
     [](Facts& facts) { facts.switching = 1200ms; }},
    {8, "link: a key can be 301 ms old (300 allowed)", [](Facts& facts) { facts.bound = 301ms; }},
    {8, "link lost: no answer from the terminal for 2001 ms", [](Facts& facts) { facts.silence = 2001ms; }},
    {8, "the terminal answered without being asked: something else writes into the keyboard",
     [](Facts& facts) { facts.unasked_answer = true; }},
    {9, "keys dropped because they were older than 300 ms: 2", [](Facts& facts) { facts.stale_keys = 2; }},
    {10, "stale burst: keys came all at once after a pause", [](Facts& facts) { facts.burst = true; }},
    {11, "key released", [](Facts& facts) { facts.released = true; }},
    {12, "the key does not repeat any more", [](Facts& facts) { facts.repeats_ended = true; }},
    {13, "nudge: keep the key down to drive", [](Facts& facts) { facts.nudging = true; }},
    {14, "the held key does not repeat any more: press it again",
     [](Facts& facts) { facts.release_lost = true; }},
    {15, "the terminal window has lost the keyboard", [](Facts& facts) { facts.unfocused = 10ms; }},
    {15, "text was pasted into the terminal", [](Facts& facts) { facts.pasted = true; }},
    {16, "tmux answers, not the terminal: keys may be old; --allow-blind-link drives at 0.2 m/s",
     [](Facts& facts) { facts.relay = terminal::Relay::tmux; }},
    {17, "charge 10 %: charge the battery", [](Facts& facts) { facts.soc = 10; }},
    {18, "battery alarm: ", [](Facts& facts) { facts.bms_alarms = 0x0402; }},
    {19, "the transmit queue is full (ENOBUFS), 1 in a row: the bus takes no frames",
     [](Facts& facts) { facts.full_queues = 1; }},
    {20, "the bus has not acknowledged our frames for 61 ms: check it, take the interface down and up",
     [](Facts& facts) { facts.echo_missing = 61ms; }},
    {21, "the interface is down or gone", [](Facts& facts) { facts.interface_trouble = true; }},
    {21, "the CAN controller is or was bus-off: check the wiring, take it down and up",
     [](Facts& facts) { facts.bus_off = true; }},
    {22, "the CAN controller is error-passive: check the wiring and the termination",
     [](Facts& facts) { facts.error_passive = true; }},
    {23, "another controller commands the chassis (0x111, 0x141 or 0x421): stop it first",
     [](Facts& facts) { facts.foreign_command = 5ms; }},
    {24, "this program was held up for 100 ms", [](Facts& facts) { facts.held_up = 100ms; }},
    {25, "WRONG WAY: it moves against the command: use the red button",
     [](Facts& facts) { facts.wrong_way = 501ms; }},
    {26, "another rangerctl teleop drives on this interface",
     [](Facts& facts) { facts.other_instance = true; }},
    {27, "somebody changed the motion mode from ackermann to spin",
     [](Facts& facts) {
       facts.holding = true;
       facts.motion_mode = 2;
     }},
    {28, "the motion mode changes: no motion until the wheels have settled",
     [](Facts& facts) { facts.mode_change = 100ms; }},
    {29, "the guard process is gone: start teleop again", [](Facts& facts) { facts.guard_alive = false; }},
    {30, "SWA down, SWB up, SWD down: the remote starts a zero calibration of the steering like this",
     [](Facts& facts) { facts.zero_calibration = true; }},
    {31, "no key for 30 s", [](Facts& facts) { facts.idle = 30s; }},
    {32, "link: 500 ms allow 0.20 m/s (0.1 m run-on)", [](Facts& facts) { facts.worst_bound = 500ms; }},
    {33, "parked: M chooses another motion mode",
     [](Facts& facts) {
       facts.holding = true;
       facts.expected_mode = facts.motion_mode = 3;
     }},
    {34, "motion keys count again when all were released", [](Facts& facts) { facts.locked = true; }},
    {34, "a key went down in one read with a release or a stop: press it again",
     [](Facts& facts) { facts.holding = facts.not_counted = true; }},
    {34, "in spin only left and right move", [](Facts& facts) { facts.holding = facts.no_effect = true; }},
    {17, "charge 12 %: at most 0.3 m/s; silent for 6.0 s",
     [](Facts& facts) { facts.soc = 12, facts.bms_age = 6000ms; }},
    {35, "it still moves the other way: waits until it is at rest",
     [](Facts& facts) { facts.held_back = true; }},
};

/// Blanks at the end of a broken line are gone.
std::string without_blanks(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

TEST(TeleopScreen, EveryReasonIsThereInFullLength) {
  for (const ReasonRow& row : kReasons) {
    for (const auto& before : {ready(), armed(), moving(), stopping()}) {
      Status status = before;
      status.facts = Facts{};
      row.set(status.facts);
      status = check(status);
      const std::string text = without_blanks(flat(picture(status, {24, 80})));
      EXPECT_NE(text.find(without_blanks(std::string(row.words))), std::string::npos)
          << row.words << "\n"
          << to_text(picture(status, {24, 80}));
    }
  }
}

TEST(TeleopScreen, EveryRuleHasARowAbove) {
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(std::any_of(std::begin(kReasons), std::end(kReasons), [&](const ReasonRow& row) {
      return row.rule == rule.number;
    })) << rule.number;
  }
}

TEST(TeleopScreen, ASlotShowsTheSeverestOfItsTopicWithItsMark) {
  struct Row {
    void (*set)(Facts&);
    int row;
    int column;
    std::string_view mark;
    Style style;
  };
  const Row rows[] = {
      {[](Facts&) {}, 8, 1, "[ok]", Style::good},
      {[](Facts& facts) { facts.bms_warnings = 1; }, 12, 38, "[--]", Style::normal},
      {[](Facts& facts) { facts.remote_lost = true; }, 9, 38, "[no]", Style::caution},
      {[](Facts& facts) { facts.soc = 14; }, 12, 38, "[<<]", Style::caution},
      {[](Facts& facts) { facts.bms_warnings = 1, facts.soc = 10; }, 12, 38, "[!!]", Style::caution},
      {[](Facts& facts) { facts.bms_alarms = 1, facts.soc = 14; }, 12, 38, "[!!]", Style::caution},
      {[](Facts& facts) { facts.pasted = true; }, 10, 1, "[!!]", Style::caution},
      {[](Facts& facts) { facts.other_instance = true, facts.guard_alive = false; }, 11, 1, "[XX]",
       Style::fault},
  };
  for (const Row& row : rows) {
    Status status = ready();
    row.set(status.facts);
    const Screen screen = picture(check(status), {24, 80});
    EXPECT_EQ(row_text(screen, row.row).substr(static_cast<std::size_t>(row.column), 4), row.mark)
        << to_text(screen);
    EXPECT_EQ(screen.at(row.row, row.column).style, row.style) << to_text(screen);
  }
}

// ---- Whatever is told ---------------------------------------------------------------------------------

TEST(TeleopScreen, NothingThatIsToldPutsAControlCharacterOnTheScreen) {
  const std::string evil = "\x1b[2J\x9b\n\xC2\x9B\xE6\x97\xA5";
  const std::vector<EventLine> events(50, EventLine{evil, evil});
  for (const StateRow& row : kStates) {
    Status status = crowded(row.state);
    for (const char32_t key : {U'\x1b', U'\x9b', U'\u65e5', U'\0', terminal::kUp}) {
      status.last_key = key;
      for (const Size size : {Size{24, 80}, Size{8, 40}, Size{3, 20}}) {
        const Screen screen = draw(status, events, size, {.ascii = true, .address = evil, .clock = evil},
                                   protocol::kDefaultCatalogue);
        for (int y = 0; y < size.rows; ++y) {
          for (int x = 0; x < size.columns; ++x) {
            const char32_t character = screen.at(y, x).character;
            ASSERT_TRUE(character >= 0x20 && character < 0x7F) << y << ' ' << x;
          }
        }
      }
    }
  }
}

TEST(TeleopScreen, NumbersOfAnySizeStayInTheirPlace) {
  Status status = moving();
  status.linear_velocity = -32'768;
  status.angular_velocity = 32'767;
  status.steering_angle = -32'768;
  status.facts.bound = std::chrono::hours(9999);
  status.round_trip = std::chrono::hours(9999);
  status.last_key_age = std::chrono::hours(9999);
  status.counters.sent = status.counters.confirmed = status.counters.late_ticks = 9'999'999;
  const Screen screen = picture(status, {24, 80});
  EXPECT_TRUE(style_of(screen, " -32.768       E-STOP clear"));
  EXPECT_TRUE(style_of(screen, "-1877.5 right MODE ackermann")) << to_text(screen);
  EXPECT_TRUE(style_of(screen, "+32.767 left  SYS normal"));
  EXPECT_TRUE(style_of(screen, "rtt 9999h  bound 9999h/300ms  loop 20.3ms  late 9999k"));
}

}  // namespace
}  // namespace rangerctl::teleop
