// The simulated chassis as far as it needs no bus: its command line, and as an address.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Sim, ListsItsScenarios) {
  const Outcome outcome = run(rangerctl({"sim", "--list"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, StartsWith("NAME"));
  for (const char* name :
       {"MEANING", "\nnormal ", "\nestop ", "\nremote ", "\nlow-battery ", "\nmotor3-communication ",
        "\nover-temperature ", "\nbms-alarm ", "\nsilent ", "\nhardware ", "\ndrive "})
    EXPECT_THAT(outcome.out, HasSubstr(name));
}

TEST(Sim, HelpNamesTheLinesThatControlIt) {
  const Outcome outcome = run(rangerctl({"sim", "--help"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  for (const char* words :
       {"set NAME", "release NAME", "remote on|off|lost|found|key1", "silence ID|MESSAGE|all", "soc PERCENT",
        "reset", "variant manual|hardware", "--script", "--real-bus"})
    EXPECT_THAT(outcome.out, HasSubstr(words));
}

TEST(Sim, NeedsItsInterfaceOnTheCommandLine) {
  Command from_environment = rangerctl({"sim"});
  from_environment.environment.emplace_back("RANGERCTL_INTERFACE=vcan0");
  for (const Command& command :
       {rangerctl({"sim"}), rangerctl({"sim", "estop"}), from_environment, rangerctl({"sim", "-i", "sim"}),
        rangerctl({"sim", "-i", "sim:estop"}), rangerctl({"sim", "-i", "replay:drive.log"})}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_status, 2) << outcome;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("rangerctl sim -i vcan0"));
  }
}

TEST(Sim, AnUnknownScenarioIsStatus2AndSaysTheNearest) {
  for (const Command& command :
       {rangerctl({"sim", "-i", "vcan0", "estpo"}), rangerctl({"monitor", "sim:estpo"})}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_status, 2) << outcome;
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("did you mean estop?"), HasSubstr("low-battery")));
  }
}

TEST(Sim, AnInterfaceThatIsNotThereIsStatus3) {
  const Outcome outcome = run(rangerctl({"sim", "-i", "nocan7"}));
  EXPECT_EQ(outcome.exit_status, 3) << outcome;
  EXPECT_THAT(outcome.err, AnyOf(HasSubstr("no CAN support"), HasSubstr("no such interface")));
}

TEST(Sim, AScriptThatIsNotThereIsStatus1) {
  const Outcome outcome = run(rangerctl({"sim", "-i", "nocan7", "--script", "/nonexistent/script"}));
  EXPECT_EQ(outcome.exit_status, 1) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("/nonexistent/script"));
}

TEST(Sim, MalformedLinesOfAScriptAreSaidWithTheirNumberAndTheRestGoesOn) {
  const Folder folder;
  const std::string path =
      folder.write("script", "# test\n1.0 set emergency_stop\nset emergency_stop\n2.0 foo\n3.0 reset\n");
  const Outcome outcome = run(rangerctl({"sim", "-i", "nocan7", "--script", path}));
  EXPECT_EQ(outcome.exit_status, 3) << outcome;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("line 3: a line of a script begins with its time"),
                                 HasSubstr("line 4: no 'foo'"), HasSubstr("nocan7")));
  EXPECT_THAT(outcome.err,
              AllOf(Not(HasSubstr("line 1:")), Not(HasSubstr("line 2:")), Not(HasSubstr("line 5:"))));
}

nlohmann::json signals_of(const nlohmann::json& snapshot, const std::string& name) {
  for (const auto& message : snapshot["messages"]) {
    if (message["message"] == name) return message["signals"];
  }
  return {};
}

TEST(Sim, AScenarioIsAnAddress) {
  const Outcome outcome = run(rangerctl({"monitor", "sim:estop", "--json"}));
  ASSERT_EQ(outcome.exit_status, 0) << outcome;
  const auto snapshot = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(snapshot["address"], "sim:estop");
  const auto status = signals_of(snapshot, "system_status");
  EXPECT_EQ(status["vehicle_state"], "emergency_stop") << outcome.out;
  EXPECT_EQ(status["control_mode"], "can");
  EXPECT_EQ(status["errors"], nlohmann::json::array({"emergency_stop"}));
}

TEST(Sim, ASilentChassisGivesNoAnswer) {
  const Outcome outcome = run(rangerctl({"monitor", "sim:silent", "--once", "--timeout", "0.2"}));
  EXPECT_EQ(outcome.exit_status, 4) << outcome;
}

TEST(Sim, ADrivenChassisShowsItsHostToo) {
  const Outcome outcome = run(rangerctl({"monitor", "sim:drive", "--once"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("motion_command"), HasSubstr("motion_feedback")));
}

}  // namespace
}  // namespace rangerctl::support
