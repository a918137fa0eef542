// `log replay` on real SocketCAN: beside candump and canplayer, on a queue that is too short, and with
// commands to a simulated chassis.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bus/bus.hpp"
#include "bus/motion_witness.hpp"
#include "bus/simulated_chassis.hpp"
#include "bus/slcan_device.hpp"
#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Line {
  double time;
  std::string frame;
};
std::vector<Line> lines_of(const std::string& log) {
  std::vector<Line> lines;
  std::istringstream stream(log);
  std::string time;
  std::string bus;
  for (Line line; stream >> time >> bus >> line.frame;) {
    line.time = std::stod(time.substr(1));
    lines.push_back(line);
  }
  return lines;
}
std::vector<std::string> frames_of(const std::string& log) {
  std::vector<std::string> frames;
  for (const Line& line : lines_of(log)) frames.push_back(line.frame);
  return frames;
}

/// Feedback, 4 ms apart, every frame different.
std::string feedback(int frames) {
  std::ostringstream log;
  for (int i = 0; i < frames; ++i) {
    log << '(' << 1000 + i * 4 / 1000 << '.' << std::to_string(1'000'000 + i * 4 % 1000 * 1000).substr(1)
        << ") can0 311#0000" << std::hex << std::uppercase << 0x1000 + i << std::dec << "00000000\n";
  }
  return log.str();
}

/// The mean of how much the times between frames differ from the log's, in milliseconds, and the length of
/// both.
void print_times(const char* name, const std::vector<Line>& log, const std::vector<Line>& seen) {
  double sum = 0;
  for (std::size_t i = 1; i < seen.size(); ++i)
    sum += std::abs((seen[i].time - seen[i - 1].time) - (log[i].time - log[i - 1].time));
  std::cout << name << ": " << 1000 * sum / static_cast<double>(seen.size() - 1) << " ms between frames, "
            << 1000 * ((seen.back().time - seen.front().time) - (log.back().time - log.front().time))
            << " ms over all\n";
}

class BusLogReplay : public BusTest {
 protected:
  std::string write(const std::string& content) { return folder_.write("in.log", content); }

 private:
  Folder folder_;
};

/// The figures that it prints are for people.
TEST_F(BusLogReplay, SendsTheLogAsCanplayerDoes) {
  const std::string log = feedback(500);
  const std::string file = write(log);
  const auto candump = start_candump("vcan0");
  const Outcome outcome = run(rangerctl({"log", "replay", "-i", "vcan0", file}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, HasSubstr("replay: 500 frames sent"));
  const std::string last = frames_of(log).back() + "\n";
  ASSERT_TRUE(candump->out_contains(last));
  EXPECT_EQ(frames_of(candump->out()), frames_of(log));
  print_times("log replay", lines_of(log), lines_of(candump->out()));
  const auto second = start_candump("vcan0");
  ASSERT_EQ(run(shell("canplayer -I " + shell_quoted(file) + " vcan0=can0")).exit_status, 0);
  ASSERT_TRUE(second->out_contains(last));
  print_times("canplayer", lines_of(log), lines_of(second->out()));
}

TEST_F(BusLogReplay, BusesGoWhereTheMapSays) {
  const std::string file = write(
      "(1.000000) can0 311#0000100000000000\n(1.010000) can1 312#0000100000000000\n"
      "(1.020000) can2 312#0000200000000000\n(1.030000) can0 7FF#01\n(1.040000) can0 "
      "20000040#0000000000000000\n");
  const auto first = start_candump("vcan0");
  const auto second = start_candump("vcan1");
  const Outcome outcome = run(rangerctl({"log", "replay", "-i", "vcan0", file, "--all", "--map", "can1=vcan1",
                                         "--map", "can2=-", "--loop=2", "--speed", "0.5"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, HasSubstr("6 frames sent in 2 passes"));
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("1 frame of a bus that goes nowhere"), HasSubstr("1 error or CAN XL frame")));
  ASSERT_TRUE(first->read_until([&] { return occurrences("7FF#01\n", first->out()) == 2; }));
  ASSERT_TRUE(second->read_until([&] { return occurrences("312#", second->out()) == 2; }));
  EXPECT_EQ(occurrences("311#", first->out()), 2);
  EXPECT_EQ(occurrences("312#", first->out()), 0);
  EXPECT_EQ(occurrences("311#", second->out()), 0);
}

TEST_F(BusLogReplay, NeverBesideAChassis) {
  const std::string file = write(feedback(2000));
  {
    SimulatedChassis chassis;
    const Outcome outcome = run(rangerctl({"log", "replay", "-i", "vcan0", file}));
    EXPECT_EQ(outcome.exit_status, 5) << outcome;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("a chassis sends feedback"), HasSubstr("nothing was sent")));
  }
  const auto candump = start_candump("vcan0");
  const auto replay = start_listening(rangerctl({"log", "replay", "-i", "vcan0", file}));
  ASSERT_TRUE(candump->out_contains("311#"));
  cansend("vcan0", "211#000101F100000000");
  const Outcome outcome = replay->wait();
  EXPECT_EQ(outcome.exit_status, 5) << outcome;
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("a chassis sends feedback on vcan0 (0x211)"), HasSubstr("frames sent")));
}

TEST_F(BusLogReplay, AnInterfaceThatGoesDownEndsIt) {
  const SpareInterface spare;
  const std::string file = write(feedback(2000));
  const auto candump = start_candump("vcan1");
  const auto replay = start_listening(rangerctl({"log", "replay", "-i", "vcan1", file}));
  ASSERT_TRUE(candump->out_contains("311#"));
  ip("link set vcan1 down");
  const Outcome outcome = replay->wait();
  EXPECT_EQ(outcome.exit_status, 3) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("sudo ip link set vcan1 up"));
}

TEST_F(BusLogReplay, AFrameEachTimeThatItIsAskedFor) {
  const std::string file = write(feedback(5));
  const auto candump = start_candump("vcan0");
  Command command = rangerctl({"log", "replay", "-i", "vcan0", file, "--step"});
  command.input = "\n2\nq\n";
  const Outcome outcome = run(std::move(command));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_EQ(occurrences("311 front_odometer", outcome.out), 3) << outcome;
  ASSERT_TRUE(candump->out_contains("311#0000100200000000\n"));
  EXPECT_EQ(occurrences("311#", candump->out()), 3);
}

/// An adapter whose queue takes ten frames, and whose line takes none for a while.
class BusLogReplayAdapter : public AdapterTest {};

TEST_F(BusLogReplayAdapter, AFullTransmitQueueLosesNothing) {
  SlcanDevice adapter("slcan0", 500000);
  for (const char* word : {"C", "S6", "O"}) EXPECT_EQ(adapter.next_line().substr(0, 2), word);
  ip("link set slcan0 txqueuelen 1");
  Folder folder;
  std::ostringstream log;
  for (int i = 0; i < 300; ++i) log << "(1.000000) can0 311#0000" << std::hex << 0x1000 + i << "00000000\n";
  const Outcome outcome =
      run(rangerctl({"log", "replay", "-i", "slcan0", folder.write("in.log", log.str()), "--json"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, HasSubstr("\"frames\":300"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\"waits\":0,"))) << "the queue was never full";
  for (int i = 0; i < 300; ++i) {
    std::ostringstream expected;
    expected << "t31180000" << std::hex << std::uppercase << 0x1000 + i << "00000000";
    ASSERT_EQ(adapter.next_line(), expected.str()) << i;
  }
}

// ---- With commands ----------------------------------------------------------------------------------------

/// Three seconds of 0.15 m/s, and feedback that must not leave.
std::string drive() {
  std::ostringstream log;
  for (int i = 0; i < 150; ++i) {
    const std::string time =
        std::to_string(10 + i * 20 / 1000) + "." + std::to_string(1'000'000 + i * 20 % 1000 * 1000).substr(1);
    log << '(' << time << ") can0 111#0096000000000000\n(" << time << ") can0 221#0096000000000000\n";
  }
  return log.str();
}

TEST_F(BusLogReplay, CommandsMoveTheChassisAndEndWithZeros) {
  SimulatedChassis chassis;
  const std::string file = write(drive());
  const Outcome standby = run(rangerctl({"log", "replay", "-i", "vcan0", file, "--with-commands"}));
  EXPECT_EQ(standby.exit_status, 5) << standby;
  EXPECT_THAT(standby.err, AllOf(HasSubstr("standby"), HasSubstr("nothing was sent")));
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  MotionWitness witness;
  const Moment begin = std::chrono::system_clock::now();
  const Outcome outcome = run(rangerctl({"log", "replay", "-i", "vcan0", file, "--with-commands"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("150 feedback frames, for a chassis is there"),
                                 HasSubstr("stopped with 5 zero frames")));
  const SeenFrames seen = witness.since(begin);
  ASSERT_TRUE(last_motion(seen));
  EXPECT_EQ(zeros_after(seen, *last_motion(seen)), 5);
  EXPECT_GE(std::count_if(seen.begin(), seen.end(), [](const SeenFrame& frame) { return frame.moves(); }),
            140);
}

TEST_F(BusLogReplay, EveryEndingSendsZeros) {
  SimulatedChassis chassis;
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  const std::string file = write(drive());
  MotionWitness witness;
  struct Row {
    const char* name;
    int signal;
    const char* line;
    int status;
  };
  for (const Row& row : {Row{"Ctrl-C", SIGINT, nullptr, 130}, Row{"terminated", SIGTERM, nullptr, 143},
                         Row{"hung up", SIGHUP, nullptr, 129}, Row{"Ctrl-Z", SIGTSTP, nullptr, 130},
                         Row{"e-stop", 0, "set emergency_stop", 5}}) {
    SCOPED_TRACE(row.name);
    const Moment begin = std::chrono::system_clock::now();
    const auto replay = start_listening(rangerctl({"log", "replay", "-i", "vcan0", file, "--with-commands"}));
    ASSERT_TRUE(witness.sees_linear(150, begin));
    if (row.signal != 0) replay->signal(row.signal);
    if (row.line != nullptr) chassis.line(row.line);
    const Outcome outcome = replay->wait();
    EXPECT_EQ(outcome.exit_status, row.status) << outcome;
    EXPECT_THAT(outcome.out + outcome.err, HasSubstr("stopped with 5 zero frames"));
    const SeenFrames seen = witness.since(begin);
    EXPECT_EQ(zeros_after(seen, *last_motion(seen)), 5);
  }
}

}  // namespace
}  // namespace rangerctl::support
