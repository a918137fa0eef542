// The dashboard on a bus with traffic that canplayer makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "bus/bus.hpp"
#include "support/process.hpp"
#include "support/tmux.hpp"

namespace rangerctl::support {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two frames every 20 ms, again and again: 49.7 V, 0.463 m/s.
class Traffic {
 public:
  explicit Traffic(const std::string& interface)
      : log_(folder_.write("drive.log",
                           "(1.000000) can0 211#000101F100000000\n"
                           "(1.010000) can0 221#01CFFFFD0000FF4A\n"
                           "(1.020000) can0 211#000101F100000000\n"
                           "(1.030000) can0 221#01CFFFFD0000FF4A\n")),
        player_(program({"canplayer", "-l", "i", "-I", log_, interface + "=can0"})) {}

 private:
  Folder folder_;
  std::string log_;
  Process player_;
};

const json* message_of(const json& snapshot, const std::string& name) {
  for (const json& message : snapshot["messages"]) {
    if (message["message"] == name) return &message;
  }
  return nullptr;
}

class BusMonitor : public BusTest {};

TEST_F(BusMonitor, JsonSnapshotShowsWhatCanplayerSends) {
  const Traffic traffic("vcan0");
  const Outcome outcome = run(rangerctl({"monitor", "vcan0", "--json"}));
  ASSERT_EQ(outcome.exit_status, 0) << outcome;
  const json snapshot = json::parse(outcome.out);
  EXPECT_EQ(snapshot["address"], "vcan0");
  EXPECT_EQ(snapshot["link"]["state"], "up");
  const json* status = message_of(snapshot, "system_status");
  const json* motion = message_of(snapshot, "motion_feedback");
  const json* battery = message_of(snapshot, "bms_status");
  ASSERT_TRUE(status != nullptr && motion != nullptr && battery != nullptr) << outcome.out;
  EXPECT_EQ((*status)["signals"]["battery_voltage"], 49.7);
  EXPECT_EQ((*motion)["signals"]["linear_velocity"], 0.463);
  EXPECT_GT((*motion)["count"], 1);
  EXPECT_EQ((*battery)["count"], 0);
}

TEST_F(BusMonitor, TextSnapshotShowsTheSame) {
  const Traffic traffic("vcan0");
  const Outcome outcome = run(rangerctl({"monitor", "--once", "vcan0"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("battery_voltage=49.7 V"), HasSubstr("linear_velocity=0.463 m/s"),
                                 HasSubstr("soc=----")));
}

TEST_F(BusMonitor, SilenceIsStatus4) {
  const Outcome outcome = run(rangerctl({"monitor", "--json", "vcan1"}));
  EXPECT_EQ(outcome.exit_status, 4) << outcome;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("vcan1"), HasSubstr("nothing received")));
}

/// The dashboard in a terminal, with the terminal's settings before and after it.
class BusScreen : public BusTest {
 protected:
  std::string script(const std::string& arguments) const {
    return "trap : INT; stty -g >" + quoted("before") + "; " + shell_quoted(rangerctl_binary()) +
           " monitor " + arguments + "; echo \"ended with $?\"; stty -g >" + quoted("after") +
           "; echo compared; sleep 1000";
  }
  void expect_restored(const Tmux& terminal, int status) const {
    ASSERT_TRUE(terminal.shows("compared")) << terminal.screen();
    EXPECT_THAT(terminal.screen(),
                AllOf(HasSubstr("ended with " + std::to_string(status)), Not(HasSubstr("Battery"))));
    EXPECT_EQ(read_file(folder_.path() / "before"), read_file(folder_.path() / "after"));
  }

 private:
  std::string quoted(const char* name) const { return shell_quoted((folder_.path() / name).string()); }

  Folder folder_;
};

TEST_F(BusScreen, ShowsTheTrafficFollowsTheSizeAndQuits) {
  const Traffic traffic("vcan0");
  const Tmux terminal(script("vcan0"), 80, 24);
  ASSERT_TRUE(terminal.shows("+0.463 m/s")) << terminal.screen();
  EXPECT_THAT(terminal.screen(), AllOf(HasSubstr("vcan0 up"), HasSubstr("49.7 V"), HasSubstr("CTRL can"),
                                       HasSubstr("SOC ---- %"), HasSubstr("Quit")));
  terminal.resize(40, 8);
  EXPECT_TRUE(terminal.shows([](const std::string& screen) {
    return screen.find("Motion") == std::string::npos && screen.find("+0.463 m/s") != std::string::npos;
  })) << terminal.screen();
  terminal.resize(100, 30);
  EXPECT_TRUE(terminal.shows("29-bit")) << terminal.screen();
  terminal.send_keys({"q"});
  expect_restored(terminal, 0);
}

TEST_F(BusScreen, RestoresTheTerminalAfterControlC) {
  const Tmux terminal(script("vcan0"));
  ASSERT_TRUE(terminal.shows("vcan0 NOTHING RECEIVED")) << terminal.screen();
  terminal.send_keys({"C-c"});
  expect_restored(terminal, 130);
}

TEST_F(BusScreen, NeverLeavesAValueStandingThatStoppedArriving) {
  auto traffic = std::make_unique<Traffic>("vcan0");
  const Tmux terminal(script("vcan0"));
  ASSERT_TRUE(terminal.shows("+0.463 m/s")) << terminal.screen();
  traffic.reset();
  EXPECT_TRUE(terminal.shows([](const std::string& screen) {
    return screen.find("vcan0 BUS SILENT") != std::string::npos &&
           screen.find("0.463") == std::string::npos && screen.find("49.7 V") == std::string::npos;
  })) << terminal.screen();
}

TEST_F(BusScreen, SaysThatTheInterfaceIsGoneAndRecovers) {
  const SpareInterface spare;
  const Tmux terminal(script("vcan1"));
  ASSERT_TRUE(terminal.shows("vcan1 NOTHING RECEIVED")) << terminal.screen();
  ip("link set vcan1 down");
  EXPECT_TRUE(terminal.shows("vcan1 INTERFACE DOWN")) << terminal.screen();
  ip("link del vcan1");
  EXPECT_TRUE(terminal.shows("vcan1 INTERFACE GONE")) << terminal.screen();
  ip("link add dev vcan1 type vcan");
  ip("link set vcan1 up");
  const Traffic traffic("vcan1");
  EXPECT_TRUE(terminal.shows("+0.463 m/s")) << terminal.screen();
  EXPECT_THAT(terminal.screen(), HasSubstr("vcan1 up"));
}

TEST_F(BusScreen, CountsErrorFramesInWords) {
  const Tmux terminal(script("vcan0"), 100, 30);
  ASSERT_TRUE(terminal.shows("error frames 0")) << terminal.screen();
  cansend("vcan0", "20000004#0004000000000000");
  EXPECT_TRUE(terminal.shows("error frames 1")) << terminal.screen();
}

}  // namespace
}  // namespace rangerctl::support
