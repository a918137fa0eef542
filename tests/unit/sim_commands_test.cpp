// Who commands the simulated chassis, what it obeys, and what happens when commands stay away.
#include <set>

#include "sim_scene.hpp"

namespace rangerctl::sim {
namespace {

using namespace scene;

const Frame kCommands[] = {motion(100),     lights(1, 1),  motion_mode(2),
                           control_mode(1), drive_mode(1), clear_error(0)};

/// For each of kCommands why it is ignored when the chassis is in this state; nothing: it is obeyed.
struct RefusalRow {
  const char* state;
  std::vector<const char*> lines;
  std::optional<Ignored> motion, lights, motion_mode, control_mode, drive_mode, clear_error;
};

constexpr auto kObeyed = std::nullopt;
constexpr auto kPark = Ignored::not_in_park;

TEST(SimCommands, EachStateRefusesWhatTheManualSays) {
  using I = Ignored;
  const RefusalRow rows[] = {
      {"can", {}, kObeyed, kObeyed, kObeyed, kObeyed, kPark, kObeyed},
      {"standby", {"reset"}, I::standby, I::standby, I::standby, kObeyed, I::standby, I::standby},
      {"remote", {"remote on"}, I::remote, I::remote, I::remote, I::remote, I::remote, I::remote},
      {"remote in standby",
       {"reset", "remote on"},
       I::remote,
       I::remote,
       I::remote,
       I::remote,
       I::remote,
       I::remote},
      {"remote was lost",
       {"remote on", "remote lost"},
       kObeyed,
       kObeyed,
       kObeyed,
       kObeyed,
       kPark,
       I::cause_remains},
      {"e-stop",
       {"set emergency_stop"},
       I::emergency_stop,
       kObeyed,
       I::emergency_stop,
       kObeyed,
       I::emergency_stop,
       I::cause_remains},
      {"e-stop released",
       {"set emergency_stop", "release emergency_stop"},
       I::emergency_stop,
       kObeyed,
       I::emergency_stop,
       kObeyed,
       I::emergency_stop,
       kObeyed},
      {"error",
       {"set over_current"},
       I::critical_error,
       kObeyed,
       I::critical_error,
       kObeyed,
       I::critical_error,
       I::cause_remains},
      {"unknown error",
       {"set bit25", "release bit25"},
       I::critical_error,
       kObeyed,
       I::critical_error,
       kObeyed,
       I::critical_error,
       kObeyed},
      {"15 %", {"soc 15"}, kObeyed, kObeyed, kObeyed, kObeyed, kPark, kObeyed},
      {"10 %", {"soc 10"}, kObeyed, kObeyed, kObeyed, kObeyed, kPark, kObeyed},
      {"9 %",
       {"soc 9"},
       I::low_charge,
       I::low_charge,
       I::low_charge,
       I::low_charge,
       I::low_charge,
       I::low_charge},
      {"battery alarm", {"set alarm_1.overvoltage"}, kObeyed, kObeyed, kObeyed, kObeyed, kPark, kObeyed},
  };
  for (const RefusalRow& row : rows) {
    const std::optional<Ignored> expected[] = {row.motion,       row.lights,     row.motion_mode,
                                               row.control_mode, row.drive_mode, row.clear_error};
    for (std::size_t i = 0; i < std::size(kCommands); ++i) {
      Robot robot;
      for (const char* line : row.lines) robot.say(line);
      robot.run(40ms);
      EXPECT_EQ(robot.send(kCommands[i]), expected[i]) << row.state << ' ' << i;
    }
  }
}

TEST(SimCommands, AnIgnoredOneChangesNothing) {
  for (const char* line : {"reset", "remote on", "soc 9"}) {
    Robot robot;
    robot.say(line);
    robot.run(40ms);
    const std::int64_t control = robot.control();
    for (const Frame& command : kCommands) robot.send(command);
    robot.run(1s);
    EXPECT_EQ(robot.control(), line == std::string("reset") ? 1 : control) << line;
    EXPECT_EQ(robot.speed(), 0) << line;
    EXPECT_EQ(robot.mode(), 0) << line;
    EXPECT_EQ(robot.get("light_feedback", "light_control"), 0) << line;
  }
}

TEST(SimCommands, FramesLongerThanTheTableAreReadAndShorterOnesIgnored) {
  Robot robot;
  EXPECT_EQ(robot.send(data_frame(0x421, {0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})), kObeyed);
  robot.run(40ms);
  EXPECT_EQ(robot.control(), 0) << "ugv_sdk pads to 8 bytes";
  EXPECT_EQ(robot.send(data_frame(0x421, {})), Ignored::short_frame);
  robot.send(control_mode(1));
  EXPECT_EQ(robot.send(data_frame(0x111, {0x01, 0xF4, 0, 0, 0, 0, 0})), Ignored::short_frame);
  EXPECT_EQ(robot.send(data_frame(0x121, {1, 1})), Ignored::short_frame);
  EXPECT_EQ(robot.send(data_frame(0x141, {2, 0, 0, 0, 0, 0, 0, 0})), kObeyed);
  EXPECT_EQ(robot.send(data_frame(0x441, {0, 0, 0, 0, 0, 0, 0, 0})), kObeyed);
}

TEST(SimCommands, OtherKindsOfFramesAreNone) {
  Frame extended = control_mode(1);
  extended.extended = true;
  Frame remote = control_mode(1);
  remote.kind = FrameKind::remote;
  Frame fd = control_mode(1);
  fd.kind = FrameKind::fd;
  for (const Frame& frame : {extended, remote, fd, data_frame(0x422, {1}), data_frame(0x211, {0, 1})}) {
    Chassis chassis(kDefaultCatalogue);
    EXPECT_EQ(chassis.apply(frame).command, nullptr);
    std::vector<TimedFrame> out;
    chassis.advance(40ms, out);
    EXPECT_EQ(out[0].frame.data[1], 0) << "still in standby";
  }
}

TEST(SimCommands, UnknownValuesAreIgnored) {
  Robot robot;
  for (const Frame& frame : {control_mode(2), control_mode(3), motion_mode(4), clear_error(0x11),
                             drive_mode(2), lights(2, 0), lights(1, 3)})
    EXPECT_EQ(robot.send(frame), Ignored::unknown_value) << frame.id;
}

TEST(SimCommands, StandbyAtPowerUpUntilTheHostTakesControl) {
  Robot robot(ControlMode::standby);
  robot.run(40ms);
  EXPECT_EQ(robot.control(), 0);
  EXPECT_EQ(robot.send(motion(100)), Ignored::standby);
  EXPECT_EQ(robot.send(control_mode(1)), kObeyed);
  robot.run(40ms);
  EXPECT_EQ(robot.control(), 1);
  EXPECT_EQ(robot.send(motion(100)), kObeyed);
}

TEST(SimCommands, StandbyStopsTheChassisAndItsLights) {
  Robot robot;
  robot.send(lights(1, 1));
  robot.hold(motion(500), 400ms);
  EXPECT_EQ(robot.get("light_feedback", "light_mode"), 1);
  robot.send(control_mode(0));
  robot.send(control_mode(1));
  robot.run(40ms);
  EXPECT_EQ(robot.get("light_feedback", "light_mode"), 0);
  robot.run(460ms);
  EXPECT_EQ(robot.speed(), 0);
}

// ---- Timeouts -----------------------------------------------------------------------------------------

/// What the electronics ask of the body, to the millisecond.
TEST(SimCommands, MotionEndsAfter500MillisecondsWithoutACommand) {
  Controller controller(kDefaultCatalogue, ControlMode::can);
  const Body body;
  controller.take(motion(500), 100ms, body);
  EXPECT_EQ(controller.set_points(599ms, body).order, Order::follow);
  EXPECT_DOUBLE_EQ(controller.set_points(599ms, body).motion.speed_mps, 0.5);
  EXPECT_EQ(controller.set_points(600ms, body).order, Order::stop);
  controller.take(motion(500), 601ms, body);
  EXPECT_EQ(controller.set_points(601ms, body).order, Order::follow);
}

TEST(SimCommands, LightsEndAfter500MillisecondsWithoutACommand) {
  Controller controller(kDefaultCatalogue, ControlMode::can);
  const Body body;
  controller.take(lights(1, 1), 100ms, body);
  EXPECT_TRUE(controller.set_points(599ms, body).lights);
  EXPECT_FALSE(controller.set_points(600ms, body).lights);
}

TEST(SimCommands, EachTimeoutIsItsOwn) {
  Controller controller(kDefaultCatalogue, ControlMode::can);
  const Body body;
  controller.take(motion(500), 0ms, body);
  for (const SimTime now : {SimTime(0ms), SimTime(300ms), SimTime(600ms)})
    controller.take(lights(1, 1), now, body);
  EXPECT_TRUE(controller.set_points(700ms, body).lights);
  EXPECT_EQ(controller.set_points(700ms, body).order, Order::stop);
}

TEST(SimCommands, AfterTheTimeoutItDeceleratesToRest) {
  Robot robot;
  robot.hold(motion(800), 2s);
  EXPECT_EQ(robot.speed(), 800);
  robot.run(460ms);  // the last command came 20 ms ago
  EXPECT_EQ(robot.speed(), 800);
  robot.run(220ms);  // 2.0 m/s2 for about 0.2 s
  EXPECT_NEAR(static_cast<double>(robot.speed()), 400, 60);
  robot.run(600ms);
  EXPECT_EQ(robot.speed(), 0);
}

TEST(SimCommands, TheSteeringStaysWhereItIsWhenCommandsStayAway) {
  Robot robot;
  robot.hold(motion(500, 0, 300), 1s);
  robot.run(3s);
  EXPECT_EQ(robot.speed(), 0);
  EXPECT_EQ(robot.get("steering_angle_feedback", "motor8_angle"), 300);
}

TEST(SimCommands, LightsNeedControlAndMode) {
  const struct {
    int control, mode, expected_control, expected_mode;
  } rows[] = {{1, 1, 1, 1}, {1, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}};
  for (const auto& row : rows) {
    Robot robot;
    robot.send(lights(row.control, row.mode));
    robot.run(60ms);
    EXPECT_EQ(robot.get("light_feedback", "light_control"), row.expected_control);
    EXPECT_EQ(robot.get("light_feedback", "light_mode"), row.expected_mode);
    robot.run(600ms);
    EXPECT_EQ(robot.get("light_feedback", "light_control"), 0);
    EXPECT_EQ(robot.get("light_feedback", "light_mode"), 0);
  }
}

// ---- Remote control -----------------------------------------------------------------------------------

TEST(SimCommands, TheRemoteControlTakesControlAndHandsItOverToTheHost) {
  for (const int before : {0, 1}) {
    Robot robot(before == 1 ? ControlMode::can : ControlMode::standby);
    robot.run(40ms);
    EXPECT_EQ(robot.get("remote_control_feedback", "swb"), 2) << "up";
    robot.say("remote on");
    robot.run(60ms);
    EXPECT_EQ(robot.control(), 3);
    EXPECT_EQ(robot.get("remote_control_feedback", "swb"), 1) << "middle";
    EXPECT_EQ(robot.send(control_mode(1 - before)), Ignored::remote);
    robot.say("remote off");
    robot.run(60ms);
    EXPECT_EQ(robot.control(), 1) << "SWB up is CAN, whoever had it before";
    EXPECT_EQ(robot.get("remote_control_feedback", "swb"), 2);
  }
}

TEST(SimCommands, TheRemoteControlStopsWhatTheHostStarted) {
  Robot robot;
  robot.hold(motion(800), 2s);
  robot.say("remote on");
  robot.hold(motion(800), 1s);
  EXPECT_LT(robot.speed(), 100);
  robot.say("remote off");
  robot.run(200ms);
  EXPECT_EQ(robot.speed(), 0) << "the old command does not come back";
  robot.hold(motion(800), 200ms);
  EXPECT_GT(robot.speed(), 100);
}

TEST(SimCommands, ControlModeTouchesStandbyForOneFrameBetweenHostAndRemote) {
  Robot robot;
  robot.run(95ms);
  robot.say("remote on");
  robot.run(100ms);
  robot.say("remote off");
  robot.run(100ms);
  std::string seen;
  for (const TimedFrame& status : robot.frames_of(0x211))
    seen += static_cast<char>('0' + status.frame.data[1]);
  EXPECT_EQ(seen, "111110333301111");
}

TEST(SimCommands, ALostRemoteControlGivesControlBackAndTakesItWhenFound) {
  Robot robot;
  robot.say("remote on");
  robot.run(60ms);
  robot.say("remote lost");
  robot.run(60ms);
  EXPECT_EQ(robot.control(), 1);
  EXPECT_EQ(robot.errors(), 4);
  EXPECT_EQ(robot.state(), 0);
  robot.say("remote found");
  robot.run(60ms);
  EXPECT_EQ(robot.control(), 3);
  EXPECT_EQ(robot.errors(), 4) << "until it is cleared";
}

TEST(SimCommands, Key1ClearsErrorsInRemoteAlone) {
  Robot robot;
  for (const char* line : {"set emergency_stop", "release emergency_stop", "set over_current", "remote key1"})
    robot.say(line);
  robot.run(40ms);
  EXPECT_EQ(robot.errors(), 0x8080);
  robot.say("remote on");
  robot.say("remote key1");
  robot.run(40ms);
  EXPECT_EQ(robot.errors(), 0x8000) << "over_current has its cause still";
}

// ---- Modes --------------------------------------------------------------------------------------------

TEST(SimCommands, MotionIsIgnoredWhileTheWheelsTurnToAnotherMode) {
  Robot robot;
  EXPECT_EQ(robot.send(motion_mode(2)), kObeyed);
  EXPECT_EQ(robot.send(motion(0, 500)), Ignored::switching) << "at once";
  robot.run(40ms);
  EXPECT_EQ(robot.mode(), 2) << "the number changes at once";
  robot.run(520ms);
  EXPECT_EQ(robot.send(motion(0, 500)), Ignored::switching);
  robot.run(80ms);
  EXPECT_EQ(robot.send(motion(0, 500)), kObeyed);
}

TEST(SimCommands, AModeWhileMovingBrakesFirst) {
  Robot robot;
  robot.hold(motion(800), 2s);
  robot.send(motion_mode(2));
  robot.hold(motion(800), 300ms);
  EXPECT_EQ(robot.mode(), 0);
  EXPECT_GT(robot.speed(), 0);
  robot.hold(motion(800), 200ms);
  EXPECT_EQ(robot.mode(), 2);
  EXPECT_EQ(robot.speed(), 0);
}

TEST(SimCommands, TheSameModeAgainDisturbsNothing) {
  Robot robot;
  robot.hold(motion(500), 1s);
  robot.send(motion_mode(0));
  robot.run(100ms);
  EXPECT_EQ(robot.speed(), 500);
}

TEST(SimCommands, AnotherModeMeanwhileTakesOverAtOnce) {
  Robot robot;
  robot.send(motion_mode(2));
  robot.run(300ms);
  robot.send(motion_mode(0));
  robot.run(40ms);
  EXPECT_EQ(robot.mode(), 0);
  robot.run(700ms);
  EXPECT_EQ(robot.get("steering_angle_feedback", "motor5_angle"), 0);
}

TEST(SimCommands, DriveModeChangesOnlyInPark) {
  Robot robot;
  EXPECT_EQ(robot.send(drive_mode(1)), Ignored::not_in_park);
  robot.send(motion_mode(3));
  robot.run(40ms);
  EXPECT_EQ(robot.send(drive_mode(1)), kObeyed);
  robot.run(40ms);
  EXPECT_EQ(robot.get("motion_mode_feedback", "drive_mode"), 1);
  EXPECT_EQ(robot.send(drive_mode(0)), kObeyed);
  robot.run(40ms);
  EXPECT_EQ(robot.get("motion_mode_feedback", "drive_mode"), 0);
}

TEST(SimCommands, ModeSwitchingIsSetAsChosen) {
  const struct {
    const char* line;
    std::vector<int> announced;
  } rows[] = {{"switching alternate", {1, 0, 1, 0}},
              {"switching always", {1, 1, 1, 1}},
              {"switching never", {0, 0, 0, 0}}};
  for (const auto& row : rows) {
    Robot robot;
    robot.say(row.line);
    for (std::size_t i = 0; i < row.announced.size(); ++i) {
      robot.send(motion_mode(i % 2 == 0 ? 2 : 0));
      robot.run(300ms);
      EXPECT_EQ(robot.get("motion_mode_feedback", "mode_switching"), row.announced[i]) << row.line << i;
      robot.run(500ms);
      EXPECT_EQ(robot.get("motion_mode_feedback", "mode_switching"), 0) << row.line << i;
    }
  }
}

// ---- Battery ------------------------------------------------------------------------------------------

TEST(SimCommands, BelowFifteenPercentTheLightsFlash) {
  for (const auto& [line, flashes] : {std::pair("soc 15", false), {"soc 14", true}, {"soc 8", true}}) {
    Robot robot;
    robot.say(line);
    std::set<std::int64_t> seen;
    for (int i = 0; i < 100; ++i) {
      robot.run(20ms);
      if (i > 2) seen.insert(robot.get("light_feedback", "light_mode"));
    }
    EXPECT_EQ(seen.size(), flashes ? 2U : 1U) << line;
  }
}

TEST(SimCommands, BelowTenPercentItStopsAndTheOldCommandStaysDead) {
  Robot robot;
  robot.hold(motion(500), 1s);
  robot.say("soc 9");
  robot.say("soc 80");
  robot.run(1s);
  EXPECT_EQ(robot.speed(), 0);
  EXPECT_EQ(robot.get("bms_status", "soc"), 80);
}

TEST(SimCommands, ResetIsAPowerCycle) {
  Robot robot;
  for (const char* line : {"set over_current", "release over_current", "set emergency_stop", "remote on",
                           "silence 0x221", "soc 50"})
    robot.say(line);
  robot.run(100ms);
  robot.say("remote off");
  robot.say("reset");
  robot.forget_frames();
  robot.run(600ms);
  EXPECT_EQ(robot.errors(), 0x80) << "the button is still pressed";
  EXPECT_EQ(robot.control(), 0);
  EXPECT_EQ(robot.get("bms_status", "soc"), 50);
  EXPECT_FALSE(robot.frames_of(0x221).empty()) << "silence ends";
}

TEST(SimCommands, ResetReturnsToAckermannAndCurrentDriveAndKeepsTheOdometers) {
  Robot robot;
  robot.hold(motion(1000), 3s);
  robot.run(3s);
  robot.send(motion_mode(3));
  robot.run(1s);
  robot.send(drive_mode(1));
  robot.run(100ms);
  const std::int64_t odometer = robot.get("front_odometer", "left_wheel");
  EXPECT_GT(odometer, 2000);
  robot.say("reset");
  robot.run(1s);
  EXPECT_EQ(robot.mode(), 0);
  EXPECT_EQ(robot.get("motion_mode_feedback", "drive_mode"), 0);
  EXPECT_EQ(robot.get("steering_angle_feedback", "motor5_angle"), 0);
  EXPECT_EQ(robot.get("front_odometer", "left_wheel"), odometer);
}

TEST(SimCommands, TheRemoteControlStaysAsItIsThroughAReset) {
  Robot robot("remote");
  robot.say("reset");
  robot.run(60ms);
  EXPECT_EQ(robot.control(), 3);
  robot.say("remote off");
  robot.run(60ms);
  EXPECT_EQ(robot.control(), 1);
}

}  // namespace
}  // namespace rangerctl::sim
