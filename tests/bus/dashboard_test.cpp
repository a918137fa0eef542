// The dashboard's health line, recording and clearing on a real bus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>

#include "bus/bus.hpp"
#include "bus/simulated_chassis.hpp"
#include "bus/slcan_device.hpp"
#include "support/process.hpp"
#include "support/tmux.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// The dashboard, in a folder of its own; the file `pid` there names its process.
template <class Base>
class DashboardTest : public Base {
 protected:
  std::string script(const std::string& arguments) const {
    return "cd " + shell_quoted(folder_.path().string()) + "; sh -c " +
           shell_quoted("echo $$ >pid; exec " + shell_quoted(rangerctl_binary()) + " monitor " + arguments) +
           "; echo \"ended with $?\"; sleep 1000";
  }
  int pid() const { return std::stoi(read_file(folder_.path() / "pid")); }
  std::string file(const std::string& prefix) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().starts_with(prefix)) return entry.path().string();
    }
    return {};
  }

  Folder folder_;
};

class BusDashboard : public DashboardTest<BusTest> {};
class BusDashboardOfAdapter : public DashboardTest<AdapterTest> {};

TEST_F(BusDashboardOfAdapter, ShowsItsBitRateAndItsController) {
  SlcanDevice device("can9", 500'000);
  const Tmux terminal(script("can9"));
  ASSERT_TRUE(terminal.shows("can9 500k error-active NOTHING RECEIVED")) << terminal.screen();
  device.receive("211#000101F100000000");
  EXPECT_TRUE(terminal.shows("can9 500k error-active")) << terminal.screen();
  const auto hears = [&](const char* text) {
    return terminal.shows([&](const std::string& screen) {
      device.receive("211#000101F100000000");
      return screen.find(text) != std::string::npos;
    });
  };
  device.tell_state("error-passive");
  EXPECT_TRUE(hears("can9 500k ERROR-PASSIVE")) << terminal.screen();
  device.tell_state("error-active");
  EXPECT_TRUE(hears("can9 500k error-active")) << terminal.screen();
  device.unplug();
  EXPECT_TRUE(terminal.shows("can9 INTERFACE GONE")) << terminal.screen();
}

TEST_F(BusDashboardOfAdapter, ShoutsAWrongBitRate) {
  const SlcanDevice device("can9", 250'000);
  const Tmux terminal(script("can9"));
  // Such an adapter receives nothing, and this is why.
  EXPECT_TRUE(terminal.shows("can9 250k error-active NOTHING RECEIVED")) << terminal.screen();
  EXPECT_TRUE(terminal.shows(", the robot has 500k")) << terminal.screen();
}

TEST_F(BusDashboard, AVirtualInterfaceSaysThatItIsOne) {
  const Tmux terminal(script("vcan0"));
  EXPECT_TRUE(terminal.shows([](const std::string& screen) {
    cansend("vcan0", "211#000101F100000000");
    return screen.find("vcan0 up, virtual") != std::string::npos;
  })) << terminal.screen();
}

TEST_F(BusDashboard, RecordsWhatCandumpSees) {
  const SimulatedChassis chassis;
  // To a file: a witness that waits for its reader loses frames itself.
  const std::string seen = (folder_.path() / "witness.log").string();
  Process witness(shell("exec candump -L vcan0 >" + shell_quoted(seen)));
  const Tmux terminal(script("vcan0"));
  ASSERT_TRUE(terminal.shows("Wheels")) << terminal.screen();
  terminal.send_keys({"r"});
  ASSERT_TRUE(terminal.shows("recording to candump-")) << terminal.screen();
  witness.read_until([] { return false; }, Milliseconds{2000});
  terminal.send_keys({"r"});
  ASSERT_TRUE(terminal.shows("frames to candump-")) << terminal.screen();
  witness.signal(SIGINT);
  witness.wait();

  // Every line of the record is the next line of the witness: nothing is missing, doubled or out of order.
  const std::string all = read_file(seen);
  std::istringstream record(read_file(file("candump-")));
  std::string line;
  std::size_t at = std::string::npos;
  int lines = 0;
  while (std::getline(record, line)) {
    const std::string frame = line.substr(0, line.size() - 2) + '\n';  // without the direction
    if (at == std::string::npos) at = all.find(frame);
    ASSERT_NE(at, std::string::npos) << frame;
    ASSERT_EQ(all.substr(at, frame.size()), frame) << "line " << lines;
    at += frame.size();
    ++lines;
  }
  EXPECT_GT(lines, 500);
}

TEST_F(BusDashboard, ClearsAnErrorOnTheBus) {
  const SimulatedChassis chassis("undervoltage");
  ASSERT_EQ(on_bus({"mode", "can"}).exit_status, 0);
  Process witness(program({"candump", "-L", "vcan0,441:7FF"}));
  const Tmux terminal(script("vcan0"));
  terminal.send_keys({"3"});
  ASSERT_TRUE(terminal.shows("!>battery_undervoltage")) << terminal.screen();
  terminal.send_keys({"c"});
  ASSERT_TRUE(terminal.shows("Clear battery_undervoltage (0x09)?"));
  witness.read_until([] { return false; }, Milliseconds{500});
  EXPECT_EQ(witness.out(), "") << "nothing is sent before the answer";
  terminal.send_keys({"y"});
  EXPECT_TRUE(terminal.shows("cleared after")) << terminal.screen();
  EXPECT_TRUE(witness.out_contains("441#09"));
}

TEST_F(BusDashboard, CountsTheFramesThatTheKernelLost) {
  const Tmux terminal(script("vcan0"));
  ASSERT_TRUE(terminal.shows("vcan0 NOTHING RECEIVED")) << terminal.screen();
  const std::string id = std::to_string(pid());
  run(program({"kill", "-STOP", id}));
  run(program({"cangen", "vcan0", "-g", "0", "-i", "-n", "60000", "-I", "123", "-L", "8"}));
  run(program({"kill", "-CONT", id}));
  cansend("vcan0", "123#00");  // the kernel says it with the next frame that it can deliver
  EXPECT_TRUE(terminal.shows([](const std::string& screen) {
    const auto lost = screen.find("lost ");
    return lost != std::string::npos && screen[lost + 5] >= '1' && screen[lost + 5] <= '9';
  })) << terminal.screen();
  terminal.send_keys({"3", "Enter"});
  EXPECT_TRUE(terminal.shows("frames lost by this host")) << terminal.screen();
}

TEST_F(BusDashboard, SaysForHowLongTheInterfaceWasAway) {
  const SpareInterface spare;
  const Tmux terminal(script("vcan1"), 100, 30);
  ASSERT_TRUE(terminal.shows("vcan1 NOTHING RECEIVED"));
  ip("link set vcan1 down");
  ASSERT_TRUE(terminal.shows("vcan1 INTERFACE DOWN"));
  ip("link set vcan1 up");
  EXPECT_TRUE(terminal.shows([](const std::string& screen) {
    cansend("vcan1", "211#000101F100000000");
    return screen.find("back ") != std::string::npos && screen.find(" after ") != std::string::npos;
  })) << terminal.screen();
  terminal.send_keys({"3", "Enter"});
  EXPECT_TRUE(terminal.shows("interface down")) << terminal.screen();
  EXPECT_THAT(terminal.screen(), HasSubstr("interface up"));
}

TEST_F(BusDashboard, ShowsErrorFramesAndUnknownIdsLikeTheRest) {
  const Tmux terminal(script("vcan0"), 100, 50);
  ASSERT_TRUE(terminal.shows("vcan0 NOTHING RECEIVED"));
  terminal.send_keys({"2"});
  cansend("vcan0", "212#00070102");
  cansend("vcan0", "20000004#0010000000000000");
  EXPECT_TRUE(terminal.shows("ERR 004")) << terminal.screen();
  EXPECT_THAT(terminal.screen(), AllOf(HasSubstr("212 (unknown)"), HasSubstr("[4] 00 07 01 02")));
}

}  // namespace
}  // namespace rangerctl::support
