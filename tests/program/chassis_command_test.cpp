// The commands as a script runs them, on the simulated chassis inside the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Row {
  std::vector<std::string> arguments;
  int status;
  std::string_view text;  // on stdout where the status is 0, else on stderr
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const Outcome outcome = run(rangerctl(row.arguments));
    EXPECT_EQ(outcome.exit_status, row.status) << outcome;
    EXPECT_THAT(row.status == 0 ? outcome.out : outcome.err, HasSubstr(std::string(row.text)));
    if (row.status != 0) {
      EXPECT_THAT(outcome.out, IsEmpty()) << outcome;
    }
  }
}

TEST(ChassisCommand, WhatCannotBeMeantIsUsage) {
  expect_rows({
      {{"mode"}, 2, "MODE"},
      {{"mode", "fly"}, 2, "modes: standby, can, ackermann"},
      {{"mode", "can", "standby"}, 2, "one mode at a time"},
      {{"mode", "can", "--timeout", "5"}, 2, "20ms or 1.5s"},
      {{"-i", "", "mode", "can"}, 2, "empty address"},
      {{"clear-error"}, 2, "--list"},
      {{"clear-error", "0x11"}, 2, "no clear code '0x11'"},
      {{"clear-error", "-1"}, 2, "no clear code '-1'"},
      {{"clear-error", "0x"}, 2, "no clear code '0x'"},
      {{"clear-error", ""}, 2, "no clear code ''"},
      {{"clear-error", "0x09", "extra"}, 2, "no clear code 'extra'"},
      {{"lights"}, 2, "WHAT"},
      {{"lights", "blink"}, 2, "on, off, release"},
      {{"lights", "release", "--for", "1s"}, 2, "--for"},
      {{"send"}, 2, "FRAME"},
      {{"send", "111#0"}, 2, "no frame"},
      {{"send", "motion_command", "linear_velocity=nan"}, 2, "no value"},
      {{"send", "111#0010000000000000", "--every", "20ms"}, 2, "--for 2s or --count N"},
      {{"send", "111#0010000000000000", "--every", "20ms", "--count", "0"}, 2, "--count"},
      {{"send", "111#0010000000000000", "--every", "20ms", "--count", "0x5"}, 2, "--count"},
      {{"send", "111#0010000000000000", "--max-speed", "inf"}, 2, "--max-speed"},
      {{"send", "111#0010000000000000", "--max-speed", ""}, 2, "--max-speed"},
      {{"send", "7FF#00", "--for", "1s", "--unsafe"}, 2, "--every"},
      {{"wait", "system_status.control_mode", "==", "fly"}, 2, "standby, can, remote"},
      {{"wait", "system_status.control_mode", "==", "can", "--for", "20s"}, 2, "--timeout"},
      {{"-i", "sim:nope", "mode", "can"}, 2, "no scenario 'nope'"},
      {{"-i", "replay:" RANGERCTL_TEST_DATA "/candump_zoo/new_lfile.log", "mode", "can"},
       2,
       "takes no commands"},
  });
}

TEST(ChassisCommand, WhatIsNotAllowedIsRefused) {
  expect_rows({
      {{"send", "111#07D1000000000000"}, 5, "2.001 m/s is beyond its limit"},
      {{"send", "111#012D000000000000"}, 5, "--max-speed"},
      {{"send", "211#0000000000000000"}, 5, "feedback of the chassis"},
      {{"clear-error", "emergency_stop"}, 5, "release the button"},
      {{"-i", "sim:remote", "mode", "can"}, 5, "switch SWB up"},
      {{"-i", "sim:standby", "clear-error", "0x09"}, 5, "rangerctl mode can"},
      {{"-i", "sim:standby", "lights", "on"}, 5, "rangerctl mode can"},
      {{"-i", "sim:standby", "mode", "spin"}, 5, "rangerctl mode can"},
      {{"-i", "sim:standby", "send", "111#0010000000000000"}, 5, "rangerctl mode can"},
      {{"-i", "sim", "mode", "voltage"}, 5, "rangerctl mode park"},
      {{"-i", "sim:empty-battery", "mode", "park"}, 5, "charge the battery"},
      {{"-i", "sim:estop", "send", "111#0010000000000000"}, 5, "emergency_stop"},
      {{"-i", "sim", "send", "motion_command", "angular_velocity=0.5", "--for", "1s"},
       5,
       "zero in ackermann"},
      {{"-i", "sim", "send", "motion_command", "steering_angle=0.699", "--for", "1s"}, 5, "0.698"},
  });
}

TEST(ChassisCommand, OneLineOfResult) {
  expect_rows({
      {{"-i", "sim", "mode", "spin"}, 0, "mode spin: confirmed, wheels settled after "},
      {{"-i", "sim:undervoltage", "clear-error", "0x09"},
       0,
       "clear-error 0x09: battery_undervoltage cleared after "},
      {{"-i", "sim:motor3-communication", "clear-error", "all"}, 0, "motor3_communication cleared"},
      {{"-i", "sim", "lights", "on", "--for", "300ms"}, 0, "held for 0.30 s; given back"},
      {{"-i", "sim", "send", "motion_command", "linear_velocity=0.2", "--for", "300ms"},
       0,
       "15 frames; stopped with 5 zero frames"},
      {{"-i", "sim", "wait", "bms_status.soc", "gt", "50"}, 0, "bms_status.soc > 50: true after "},
      {{"-i", "sim:hardware", "wait", "bms_status.voltage", "gt", "45"}, 0, "true after "},
      {{"send", "motion_command", "linear_velocity=0.15", "--dry-run"},
       0,
       "111#0096000000000000\n  can0  111   [8]  00 96 00 00 00 00 00 00\n"},
  });
}

TEST(ChassisCommand, JsonSaysTheSame) {
  const auto result = [](std::vector<std::string> arguments) {
    arguments.emplace_back("--json");
    const Outcome outcome = run(rangerctl(std::move(arguments)));
    const json object = json::parse(outcome.out);
    EXPECT_EQ(object["exit_status"], outcome.exit_status);
    return object;
  };
  const json cleared = result({"-i", "sim:undervoltage", "clear-error", "0x09"});
  EXPECT_EQ(cleared["command"], "clear-error");
  EXPECT_EQ(cleared["address"], "sim:undervoltage");
  EXPECT_EQ(cleared["result"], "confirmed");
  EXPECT_EQ(cleared["cleared"], json::array({"battery_undervoltage"}));
  EXPECT_TRUE(cleared["after"].is_number());
  const json refused = result({"-i", "sim:remote", "mode", "can"});
  EXPECT_EQ(refused["result"], "not_sent");
  EXPECT_EQ(refused["exit_status"], 5);
  EXPECT_EQ(result({"send", "111#07D1000000000000"})["exit_status"], 5);
  const json sent = result({"-i", "sim", "send", "111#0010000000000000", "--count", "5"});
  EXPECT_EQ(sent["frames"], 5);
  EXPECT_EQ(sent["dropped"], 0);
  EXPECT_EQ(result({"-i", "sim", "wait", "bms_status.soc", "lt", "5", "--timeout", "100ms"})["result"],
            "not_true");
}

TEST(ChassisCommand, SignalsEndItInOrder) {
  for (const auto& [signal, status] : {std::pair{SIGINT, 130},
                                       {SIGTERM, 143},
                                       {SIGHUP, 129},
                                       {SIGQUIT, 143},
                                       {SIGUSR1, 143},
                                       {SIGTSTP, 130}}) {
    Process lights(rangerctl({"-i", "sim", "lights", "on"}));
    ASSERT_TRUE(lights.err_contains("held until Ctrl-C"));
    lights.signal(signal);
    const Outcome outcome = lights.wait();
    EXPECT_EQ(outcome.exit_status, status) << outcome;
    EXPECT_THAT(outcome.out, HasSubstr("given back"));
  }
}

TEST(ChassisCommand, AClosedPipeIsNoFailure) {
  const Outcome outcome = run(shell(shell_quoted(rangerctl_binary()) + " -i sim send 421#01 | true"));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(ChassisCommand, AnotherControllerIsSeenInsideToo) {
  const Outcome outcome =
      run(rangerctl({"-i", "sim:drive", "wait", "motion_feedback.linear_velocity", "gt", "0.1"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
}

TEST(ChassisCommand, UnsafeSaysSo) {
  const Outcome outcome = run(rangerctl({"-i", "sim", "send", "7FF#00", "--unsafe"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("--unsafe: no limit is checked"));
}

TEST(ChassisCommand, ControlCharactersOfArgumentsStayOut) {
  const Outcome outcome = run(rangerctl({"send", "\x1B[31m=1"}));
  EXPECT_EQ(outcome.exit_status, 2) << outcome;
  EXPECT_THAT(outcome.err, Not(HasSubstr("\x1B")));
  EXPECT_THAT(outcome.err, StartsWith("rangerctl: "));
}

}  // namespace
}  // namespace rangerctl::support
