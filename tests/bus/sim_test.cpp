// `rangerctl sim` as a chassis for other programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>
#include <sstream>

#include "bus/bus.hpp"
#include "bus/simulated_chassis.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class BusSim : public BusTest {};

TEST_F(BusSim, SendsEveryFeedbackMessageAndNothingElse) {
  SimulatedChassis chassis;
  const Outcome outcome = run(shell("timeout 3 candump -L vcan0"));
  std::set<std::string> ids;
  std::istringstream lines(outcome.out);
  for (std::string time, bus, frame; lines >> time >> bus >> frame;)
    ids.insert(frame.substr(0, frame.find('#')));
  EXPECT_EQ(ids, (std::set<std::string>{"211", "221", "231", "241", "251", "252", "253", "254", "255",
                                        "256", "257", "258", "261", "262", "263", "264", "265", "266",
                                        "267", "268", "271", "281", "291", "311", "312", "361", "362"}));
}

TEST_F(BusSim, ObeysWhatOtherProgramsSend) {
  SimulatedChassis chassis;
  cansend("vcan0", "111#0064000000000000");
  EXPECT_TRUE(chassis.process().err_contains("standby")) << chassis.process().err();
  cansend("vcan0", "421#0100000000000000");  // padded to eight bytes, as some drivers do
  EXPECT_EQ(on_bus({"wait", "system_status.control_mode", "==", "can"}).exit_status, 0);
  Process driver(program({"cangen", "vcan0", "-g", "20", "-I", "111", "-L", "8", "-D", "0064000000000000"}));
  EXPECT_EQ(on_bus({"wait", "motion_feedback.linear_velocity", "==", "0.1"}).exit_status, 0);
  driver.signal(SIGKILL);
  EXPECT_EQ(on_bus({"wait", "motion_feedback.linear_velocity", "==", "0"}).exit_status, 0);
}

TEST_F(BusSim, AnswersTheVersionQuery) {
  SimulatedChassis chassis;
  const auto candump = start_listening(program({"candump", "-L", "vcan0,4A1:7FF"}));
  cansend("vcan0", "4A1#01");
  candump->read_until([&] { return occurrences("4A1#", candump->out()) >= 12; });
  candump->read_until([] { return false; }, Milliseconds{300});
  EXPECT_EQ(occurrences("4A1#", candump->out()), 12) << candump->out();
}

TEST_F(BusSim, LinesActAtOnceAndTheirEndEndsNothing) {
  Command command = rangerctl({"sim", "-i", "vcan0"});
  command.input = "soc 12\nnonsense\nset over_current\n";
  const auto sim = start_listening(std::move(command));
  EXPECT_TRUE(sim->err_contains("line 2: ")) << sim->err();
  EXPECT_EQ(on_bus({"wait", "system_status.errors", "has", "over_current"}).exit_status, 0);
  EXPECT_EQ(on_bus({"wait", "bms_status.soc", "==", "12"}).exit_status, 0);
  sim->signal(SIGTERM);
  const Outcome outcome = sim->wait();
  EXPECT_EQ(outcome.exit_status, 143) << outcome;
  EXPECT_EQ(outcome.out, "");
}

TEST_F(BusSim, RefusesABusThatHasAChassis) {
  SimulatedChassis chassis;
  const Outcome second = run(rangerctl({"sim", "-i", "vcan0"}));
  EXPECT_EQ(second.exit_status, 5) << second;
  EXPECT_THAT(second.err, HasSubstr("another chassis"));
  cansend("vcan0", "221#0000000000000000");
  const Outcome first = chassis.process().wait();
  EXPECT_EQ(first.exit_status, 5) << first;
}

TEST_F(BusSim, IsSilentWhenToldTo) {
  SimulatedChassis chassis("silent");
  const Outcome outcome = run(rangerctl({"monitor", "--json", "vcan0"}));
  EXPECT_EQ(outcome.exit_status, 4) << outcome;
  chassis.line("unsilence all");
  EXPECT_EQ(on_bus({"wait", "system_status.control_mode", "==", "standby"}).exit_status, 0);
}

}  // namespace
}  // namespace rangerctl::support
