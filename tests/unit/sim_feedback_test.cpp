// What the simulated chassis sends, and when.
#include <set>

#include "rangerctl/gate.hpp"
#include "sim_scene.hpp"

namespace rangerctl::sim {
namespace {

using namespace scene;

struct PeriodRow {
  std::uint32_t id;
  SimTime manual;
  SimTime hardware;
};
constexpr SimTime kNever{0};
constexpr PeriodRow kPeriods[] = {
    {0x211, 20ms, 20ms}, {0x221, 20ms, 20ms},   {0x231, 20ms, 20ms},   {0x241, 20ms, 20ms},
    {0x251, 20ms, 20ms}, {0x258, 20ms, 20ms},   {0x261, 100ms, 100ms}, {0x268, 100ms, 100ms},
    {0x271, 20ms, 20ms}, {0x281, 20ms, 20ms},   {0x291, 20ms, 20ms},   {0x311, 20ms, 20ms},
    {0x312, 20ms, 20ms}, {0x361, 500ms, 240ms}, {0x362, 500ms, 240ms}, {0x212, kNever, 2000ms},
};

void expect_period(Robot& robot, std::uint32_t id, SimTime period) {
  const auto frames = robot.frames_of(id);
  ASSERT_EQ(frames.empty(), period == kNever) << std::hex << id;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    const SimTime nominal = period * static_cast<int>(i);
    EXPECT_LE(std::chrono::abs(frames[i].at - frames[0].at - nominal), 200us) << std::hex << id;
  }
  const auto expected = period == kNever ? 0 : 24s / period;
  EXPECT_NEAR(static_cast<double>(frames.size()), static_cast<double>(expected), 1) << std::hex << id;
}

TEST(SimFeedback, KeepsThePeriodsOfTheManualAndOfHardware) {
  for (const auto& scenario : {"normal", "hardware"}) {
    Robot robot{std::string_view(scenario)};
    robot.run(24s);
    for (const PeriodRow& row : kPeriods)
      expect_period(robot, row.id, scenario == std::string("normal") ? row.manual : row.hardware);
  }
}

TEST(SimFeedback, TheManualsVariantIsTheManuals) {
  Robot robot;
  robot.run(1s);
  const Frame bms = robot.frames_of(0x361)[0].frame;
  EXPECT_NEAR(bms.data[2] << 8 | bms.data[3], 497, 10) << "0.1 V";
  EXPECT_EQ(robot.frames_of(0x362)[0].frame, data_frame(0x362, {0, 0, 0, 0}));
}

TEST(SimFeedback, TheHardwareVariantSendsWhatARealOneSends) {
  Robot robot("hardware");
  robot.run(3s);
  const Frame bms = robot.frames_of(0x361)[0].frame;
  EXPECT_NEAR(bms.data[2] << 8 | bms.data[3], 4970, 100) << "0.01 V";
  EXPECT_EQ(bms.data[1], 100) << "state of health";
  EXPECT_EQ(robot.frames_of(0x362)[0].frame, data_frame(0x362, {0, 0, 0, 0, 0, 0, 0x08, 0x06}));
  EXPECT_EQ(robot.frames_of(0x212)[0].frame, data_frame(0x212, {0x00, 0x07, 0x01, 0x02}));
}

TEST(SimFeedback, TheVariantChangesWhileItRuns) {
  Robot robot;
  robot.run(1234ms);
  robot.say("variant hardware");
  robot.forget_frames();
  robot.run(24s);
  for (const PeriodRow& row : kPeriods) expect_period(robot, row.id, row.hardware);
  robot.say("variant manual");
  robot.forget_frames();
  robot.run(24s);
  for (const PeriodRow& row : kPeriods) expect_period(robot, row.id, row.manual);
}

TEST(SimFeedback, OneMessageFallsSilentAndComesBackWithItsCounterGoingOn) {
  Robot robot;
  robot.run(100ms);
  const std::int64_t count = robot.get("remote_control_feedback", "count");
  robot.say("silence 0x241");
  robot.forget_frames();
  robot.run(1s);
  EXPECT_TRUE(robot.frames_of(0x241).empty());
  EXPECT_EQ(robot.frames_of(0x231).size(), 50U);
  robot.say("unsilence remote_control_feedback");
  robot.run(1s);
  EXPECT_EQ(robot.frames_of(0x241).size(), 50U) << "none of the missed ones";
  EXPECT_EQ(robot.frames_of(0x241)[0].frame.data[7], count + 1);
}

TEST(SimFeedback, EverythingFallsSilent) {
  Robot robot("silent");
  robot.run(10s);
  EXPECT_TRUE(robot.frames().empty());
  robot.say("unsilence all");
  robot.run(1s);
  EXPECT_GT(robot.frames().size(), 900U);
}

TEST(SimFeedback, ASilentChassisStillObeys) {
  Robot robot("silent");
  robot.send(motion_mode(2));
  robot.run(1s);
  robot.say("unsilence all");
  robot.run(100ms);
  EXPECT_EQ(robot.mode(), 2);
}

TEST(SimFeedback, AnswersTheVersionQueryInElevenFrames) {
  for (const ControlMode mode : {ControlMode::standby, ControlMode::can}) {
    Robot robot(mode);
    robot.run(100ms);
    robot.send(data_frame(0x4A1, {0x01}));
    robot.run(100ms);
    const auto answer = robot.frames_of(0x4A1);
    ASSERT_EQ(answer.size(), 11U);
    std::string text;
    for (const TimedFrame& one : answer) {
      EXPECT_EQ(one.frame.length, 8);
      text.append(one.frame.data.begin(), one.frame.data.begin() + 8);
    }
    EXPECT_EQ(text,
              "RANGER MINI 3.0 simulated by rangerctl. This is no real chassis and has no firmware.    ");
  }
}

TEST(SimFeedback, AnswersNothingElseOnThatId) {
  Robot robot;
  Frame extended = data_frame(0x4A1, {0x01});
  extended.extended = true;
  for (const Frame& frame : {data_frame(0x4A1, {0x01, 0, 0, 0, 0, 0, 0, 0}), data_frame(0x4A1, {0x02}),
                             data_frame(0x4A1, {}), data_frame(0x411, {0x01}), extended})
    robot.send(frame);
  robot.run(1s);
  EXPECT_TRUE(robot.frames_of(0x4A1).empty());
}

TEST(SimFeedback, LeavesInOrderOfTimeWhateverHappens) {
  Robot robot("drive");
  for (const char* line : {"variant hardware", "silence 0x211", "unsilence all", "variant manual", "reset"}) {
    robot.run(333ms);
    robot.say(line);
    robot.send(data_frame(0x4A1, {0x01}));
  }
  robot.run(1s);
  for (std::size_t i = 1; i < robot.frames().size(); ++i)
    ASSERT_LE(robot.frames()[i - 1].at, robot.frames()[i].at) << i;
}

TEST(SimFeedback, EverythingThatAChassisSendsPassesTheGate) {
  for (const Scenario& scenario : scenarios()) {
    Robot robot(scenario.name);
    robot.send(data_frame(0x4A1, {0x01}));
    robot.run(3s);
    for (const TimedFrame& one : robot.frames()) {
      const auto role = one.from_host ? Role::host : Role::chassis;
      ASSERT_TRUE(check_table(kDefaultCatalogue, role, one.frame))
          << scenario.name << std::hex << one.frame.id;
    }
  }
}

}  // namespace
}  // namespace rangerctl::sim
