// What every scenario looks like from outside, and what can be cleared in it.
#include "rangerctl/sim/command_log.hpp"
#include "sim_scene.hpp"

namespace rangerctl::sim {
namespace {

using namespace scene;

struct ScenarioRow {
  const char* name;
  std::int64_t state, control, errors;  ///< after one second
  std::int64_t errors_after_clear;      ///< 0x441 with 0x00
  std::optional<Ignored> motion;        ///< why 0x111 is ignored before that
};
constexpr ScenarioRow kScenarios[] = {
    {"normal", 0, 1, 0, 0, {}},
    {"standby", 0, 0, 0, 0, Ignored::standby},
    {"drive", 0, 1, 0, 0, {}},
    {"estop", 1, 1, 0x80, 0x80, Ignored::emergency_stop},
    {"estop-released", 1, 1, 0x80, 0, Ignored::emergency_stop},
    {"remote", 0, 3, 0, 0, Ignored::remote},
    {"remote-lost", 0, 1, 0x04, 0x04, {}},
    {"remote-found", 0, 1, 0x04, 0, {}},
    {"low-battery", 0, 1, 0, 0, {}},
    {"empty-battery", 0, 1, 0, 0, Ignored::low_charge},
    {"undervoltage", 2, 1, 0x01, 0, Ignored::critical_error},
    {"motor3-communication", 2, 1, 0x20, 0, Ignored::critical_error},
    {"motor3-dead", 2, 1, 0x20, 0x20, Ignored::critical_error},
    {"over-current", 2, 1, 0x8000, 0, Ignored::critical_error},
    {"over-temperature", 2, 1, 0x4000, 0x4000, Ignored::critical_error},
    {"driver-fault", 2, 1, 0x100, 0x100, Ignored::critical_error},
    {"bms-alarm", 0, 1, 0, 0, {}},
    {"uncalibrated", 2, 1, 0xF0000, 0xF0000, Ignored::critical_error},
    {"hardware", 0, 1, 0, 0, {}},
};

TEST(SimScenario, EachIsWhatItsNameSays) {
  EXPECT_EQ(std::size(kScenarios) + 1, scenarios().size()) << "and silent, of which nothing is seen";
  for (const ScenarioRow& row : kScenarios) {
    Robot robot{std::string_view(row.name)};
    robot.run(1s);
    EXPECT_EQ(robot.state(), row.state) << row.name;
    EXPECT_EQ(robot.control(), row.control) << row.name;
    EXPECT_EQ(robot.errors(), row.errors) << row.name;
    EXPECT_EQ(robot.send(motion(0)), row.motion) << row.name;
    robot.send(clear_error(0));
    robot.run(40ms);
    EXPECT_EQ(robot.errors(), row.errors_after_clear) << row.name;
  }
}

TEST(SimScenario, TheBatteriesAreAsLowAsTheyShouldBe) {
  for (const auto& [name, soc] : {std::pair("normal", 87), {"low-battery", 12}, {"empty-battery", 8}}) {
    Robot robot{std::string_view(name)};
    robot.run(1s);
    EXPECT_EQ(robot.get("bms_status", "soc"), soc) << name;
  }
}

TEST(SimScenario, TheHotMotorCoolsDown) {
  Robot robot("over-temperature");
  robot.run(1s);
  EXPECT_EQ(robot.get("motor2_low_speed", "driver_status"), 0x42);
  robot.run(9100ms);
  EXPECT_EQ(robot.get("motor2_low_speed", "driver_status"), 0x40);
  EXPECT_EQ(robot.send(clear_error(0x10)), std::nullopt);
  robot.run(40ms);
  EXPECT_EQ(robot.errors(), 0);
}

TEST(SimScenario, TheHotBatteryIsNoErrorOfTheChassis) {
  Robot robot("bms-alarm");
  robot.run(1s);
  EXPECT_EQ(robot.get("bms_alarms", "alarm_1"), 0x08);
  EXPECT_EQ(robot.get("bms_alarms", "warning_1"), 0x08);
}

TEST(SimScenario, TheHostOfDriveSendsRealCommands) {
  Robot robot("drive");
  robot.run(3s);
  EXPECT_EQ(robot.frames_of(0x111).size(), 150U);
  EXPECT_EQ(robot.frames_of(0x121).size(), 150U);
  EXPECT_EQ(robot.frames_of(0x421)[0].frame, control_mode(1));
  EXPECT_EQ(robot.frames_of(0x141)[0].frame, motion_mode(0));
  for (const TimedFrame& one : robot.frames())
    EXPECT_EQ(one.from_host, kDefaultCatalogue.find(one.frame)->is_command());
  EXPECT_EQ(robot.frames_of(0x111).back().frame, motion(600, 0, 350));
  EXPECT_GT(robot.speed(), 500);
}

TEST(SimScenario, TheHostOfDriveStopsAndGoesOnAsItIsTold) {
  Robot robot("drive");
  robot.run(3s);
  robot.say("drive off");
  robot.run(3s);
  EXPECT_EQ(robot.speed(), 0);
  robot.say("reset");
  robot.say("drive on");
  robot.run(3s);
  EXPECT_GT(robot.speed(), 500) << "it takes control again";
}

// ---- What is said about commands ----------------------------------------------------------------------

Verdict verdict(std::string_view command, std::optional<Ignored> ignored) {
  return {kDefaultCatalogue.find(command), ignored};
}

TEST(CommandLog, SaysEachTroubleOnceUntilItChanges) {
  CommandLog log;
  using I = Ignored;
  const struct {
    Verdict verdict;
    std::optional<std::string> words;
  } steps[] = {
      {verdict("motion_command", I::standby), "0x111 ignored: standby; send 0x421 first"},
      {verdict("motion_command", I::standby), std::nullopt},
      {verdict("light_command", I::standby), "0x121 ignored: standby; send 0x421 first"},
      {verdict("motion_command", I::remote),
       "0x111 ignored: remote control; it has priority; here: remote off"},
      {verdict("control_mode_command", std::nullopt), std::nullopt},
      {verdict("motion_command", std::nullopt), std::nullopt},
      {verdict("motion_command", I::remote),
       "0x111 ignored: remote control; it has priority; here: remote off"},
      {{}, std::nullopt},
  };
  for (const auto& step : steps) EXPECT_EQ(log.note(step.verdict), step.words);
  EXPECT_EQ(log.summary(), "commands: 2 obeyed, 5 ignored (2 remote control, 3 standby)");
}

TEST(CommandLog, CountsNothingWhereNothingCame) {
  EXPECT_EQ(CommandLog().summary(), "commands: 0 obeyed, 0 ignored");
}

}  // namespace
}  // namespace rangerctl::sim
