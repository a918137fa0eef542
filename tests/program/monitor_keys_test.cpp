// The pages and keys of the dashboard, in a real terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>

#include "support/process.hpp"
#include "support/tmux.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A frame every 100 ms for a minute: an emergency stop from 10 s to 20 s.
std::string log_text() {
  std::string text;
  for (int i = 0; i <= 600; ++i) {
    const bool stopped = i >= 100 && i < 200;
    text += "(" + std::to_string(1712345678 + i / 10) + "." + std::to_string(i % 10) + "00000) can0 211#0" +
            (stopped ? "2" : "0") + "0101F10000" + (stopped ? "0080" : "0000") + "\n";
  }
  return text;
}

/// The dashboard, in a folder of its own.
class MonitorKeys : public ::testing::Test {
 protected:
  std::string script(const std::string& arguments, const std::string& environment = "") const {
    return "cd " + shell_quoted(folder_.path().string()) + "; " + environment + " " +
           shell_quoted(rangerctl_binary()) + " monitor " + arguments +
           "; echo \"ended with $?\"; sleep 1000";
  }
  /// The only file there whose name begins so; empty: none.
  std::string file(const std::string& prefix) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().starts_with(prefix)) return entry.path().string();
    }
    return {};
  }

  /// Asks to clear the chosen error and answers as a person does, who reads the question first.
  static void clear(const Tmux& terminal, const char* answer) {
    terminal.send_keys({"c"});
    ASSERT_TRUE(terminal.shows("other keys: no")) << terminal.screen();
    std::this_thread::sleep_for(Milliseconds{500});
    terminal.send_keys({answer});
  }

  Folder folder_;
};

TEST_F(MonitorKeys, EveryPageHasItsKey) {
  struct Row {
    const char* key;
    const char* shows;
  };
  const Tmux terminal(script("sim:drive"));
  ASSERT_TRUE(terminal.shows("Wheels")) << terminal.screen();
  for (const Row& row :
       {Row{"2", "221 motion_feedback"}, Row{"3", "steering_calibration_timeout"}, Row{"4", "motor currents"},
        Row{"?", "every id with its rate and age"}, Row{"Escape", "s across"}, Row{"Tab", "Wheels"},
        Row{"Tab", "221 motion_feedback"}, Row{"Enter", "every 20 ms"}, Row{"Right", "period mean"}}) {
    terminal.send_keys({row.key});
    EXPECT_TRUE(terminal.shows(row.shows)) << row.key << '\n' << terminal.screen();
  }
}

TEST_F(MonitorKeys, TheFilterTakesEveryLetter) {
  const Tmux terminal(script("sim"));
  ASSERT_TRUE(terminal.shows("Wheels"));
  terminal.send_keys({"/", "q", "BSpace", "s", "o", "c"});
  ASSERT_TRUE(terminal.shows("Filter: soc_")) << terminal.screen();
  EXPECT_TRUE(terminal.shows([](const std::string& screen) {
    return screen.find("361>bms_status") != std::string::npos && screen.find("211") == std::string::npos;
  })) << terminal.screen();
  terminal.send_keys({"Enter", "Enter"});
  EXPECT_TRUE(terminal.shows("361 bms_status")) << terminal.screen();
  terminal.send_keys({"Escape", "Escape"});
  EXPECT_TRUE(terminal.shows("211 system_status")) << terminal.screen();
}

TEST_F(MonitorKeys, AFrozenPictureSaysSoAndTheFirstRowGoesOn) {
  const Tmux terminal(script("sim:drive"));
  ASSERT_TRUE(terminal.shows("Wheels"));
  terminal.send_keys({"Space"});
  ASSERT_TRUE(terminal.shows("FROZEN")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("FROZEN 2")) << terminal.screen();
  terminal.send_keys({"Space"});
  EXPECT_TRUE(
      terminal.shows([](const std::string& screen) { return screen.find("FROZEN") == std::string::npos; }));
}

TEST_F(MonitorKeys, RecordsToALogThatDecodeReads) {
  const Tmux terminal(script("sim"));
  ASSERT_TRUE(terminal.shows("Wheels"));
  terminal.send_keys({"r"});
  ASSERT_TRUE(terminal.shows("recording to candump-")) << terminal.screen();
  ASSERT_TRUE(terminal.shows(" REC "));
  terminal.send_keys({"r"});
  ASSERT_TRUE(terminal.shows("frames to candump-")) << terminal.screen();
  const Outcome decoded = run(rangerctl({"decode", "--strict", file("candump-")}));
  EXPECT_EQ(decoded.exit_status, 0) << decoded.err;
  EXPECT_THAT(decoded.out, HasSubstr("system_status vehicle_state=normal"));
}

TEST_F(MonitorKeys, ARecordThatCannotBeMadeSaysWhy) {
  const Tmux terminal(script("sim"));
  ASSERT_TRUE(terminal.shows("Wheels"));
  std::filesystem::remove(folder_.path());  // nothing can be made where no folder is, not even by root
  terminal.send_keys({"r"});
  EXPECT_TRUE(terminal.shows("cannot record to candump-")) << terminal.screen();
  terminal.send_keys({"s"});
  EXPECT_TRUE(terminal.shows("rangerctl-faults-")) << terminal.screen();
  std::filesystem::create_directory(folder_.path());
}

TEST_F(MonitorKeys, SavesAReport) {
  const Tmux terminal(script("sim:estop"));
  ASSERT_TRUE(terminal.shows("emergency_stop"));
  terminal.send_keys({"s"});
  ASSERT_TRUE(terminal.shows("saved rangerctl-faults-")) << terminal.screen();
  EXPECT_THAT(read_file(file("rangerctl-faults-")),
              AllOf(HasSubstr("! ACTIVE emergency_stop"), HasSubstr("release the button")));
}

TEST_F(MonitorKeys, ClearsAnErrorAfterAQuestion) {
  const Tmux terminal(script("sim:undervoltage"));
  ASSERT_TRUE(terminal.shows("battery_undervoltage"));
  terminal.send_keys({"3"});
  ASSERT_TRUE(terminal.shows("!>battery_undervoltage")) << terminal.screen();
  clear(terminal, "n");
  ASSERT_TRUE(terminal.shows("nothing was sent"));
  terminal.send_keys({"c", "y"});  // as a paste comes
  ASSERT_TRUE(terminal.shows("answered before it was asked")) << terminal.screen();
  clear(terminal, "y");
  EXPECT_TRUE(terminal.shows("battery_undervoltage cleared after")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("cleared battery_undervol")) << terminal.screen();
}

TEST_F(MonitorKeys, RefusesToClearWhereTheCommandDoes) {
  const Tmux terminal(script("sim:remote"));
  ASSERT_TRUE(terminal.shows("CTRL remote")) << terminal.screen();
  terminal.send_keys({"3"});
  clear(terminal, "a");
  EXPECT_TRUE(terminal.shows("remote control")) << terminal.screen();
}

TEST_F(MonitorKeys, ALogIsPausedSoughtAndStepped) {
  folder_.write("drive.log", log_text());
  const Tmux terminal(script("replay:drive.log"));
  ASSERT_TRUE(terminal.shows("of 01:00.000  x1")) << terminal.screen();
  terminal.send_keys({"Space"});
  ASSERT_TRUE(terminal.shows("paused"));
  terminal.send_keys({"g", "1", "2", "Enter"});
  ASSERT_TRUE(terminal.shows("paused  00:12.000")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("! emergency_stop")) << terminal.screen();
  terminal.send_keys({"."});
  EXPECT_TRUE(terminal.shows("00:12.100")) << terminal.screen();
  terminal.send_keys({","});
  EXPECT_TRUE(terminal.shows("00:12.000")) << terminal.screen();
  terminal.send_keys({"<"});
  EXPECT_TRUE(terminal.shows("00:07.000")) << terminal.screen();
  EXPECT_THAT(terminal.screen(),
              AllOf(HasSubstr("Errors 0x211: none"), HasSubstr("seen before none"), HasSubstr("PAUSED")));
  terminal.send_keys({"]", "]"});
  EXPECT_TRUE(terminal.shows("x4")) << terminal.screen();
  terminal.send_keys({"g", "5", "9", ".", "5", "Enter", "Space"});
  EXPECT_TRUE(terminal.shows("REPLAY ENDED")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("01:00.000 of 01:00.000")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("seen before + emergency_stop")) << terminal.screen();
  terminal.send_keys({"{"});
  EXPECT_TRUE(terminal.shows("Errors 0x211: none")) << terminal.screen();
}

TEST_F(MonitorKeys, ALogTakesNoCommands) {
  folder_.write("drive.log", log_text());
  const Tmux terminal(script("replay:drive.log"));
  ASSERT_TRUE(terminal.shows("of 01:00.000"));
  terminal.send_keys({"3", "c"});
  EXPECT_TRUE(terminal.shows("a log takes no commands")) << terminal.screen();
}

TEST_F(MonitorKeys, ALogThatIsNotThereIsStatus1) {
  const Tmux terminal(script("replay:missing.log"));
  EXPECT_TRUE(terminal.shows("ended with 1")) << terminal.screen();
  EXPECT_THAT(terminal.screen(), HasSubstr("missing.log"));
}

TEST_F(MonitorKeys, SurvivesAStormOfSizes) {
  const Tmux terminal(script("sim:drive"));
  ASSERT_TRUE(terminal.shows("Wheels"));
  constexpr std::pair<int, int> kSizes[] = {{200, 60}, {40, 8},   {80, 24}, {1, 1},
                                            {30, 70},  {160, 50}, {20, 3}};
  for (int round = 0; round < 5; ++round) {
    for (const char* page : {"1", "2", "3", "4", "?"}) {
      terminal.send_keys({page});
      for (const auto& [columns, rows] : kSizes) terminal.resize(columns, rows);
    }
  }
  terminal.resize(80, 24);
  terminal.send_keys({"1"});
  EXPECT_TRUE(terminal.shows([](const std::string& screen) {
    return screen.find("Wheels") != std::string::npos && screen.find("q Quit") != std::string::npos;
  })) << terminal.screen();
  terminal.send_keys({"q"});
  EXPECT_TRUE(terminal.shows("ended with 0")) << terminal.screen();
}

TEST_F(MonitorKeys, SpeaksAsciiWhereTheLocaleDoes) {
  const Tmux terminal(script("sim:drive", "LC_ALL=C"));
  ASSERT_TRUE(terminal.shows("Wheels"));
  for (const char* page : {"1", "2", "3", "4", "?"}) {
    terminal.send_keys({page});
    ASSERT_TRUE(terminal.shows("Quit"));
    const std::string screen = terminal.screen();
    for (const char c : screen) ASSERT_LT(static_cast<unsigned char>(c), 0x80) << screen;
  }
}

TEST_F(MonitorKeys, ADumbTerminalGetsASnapshot) {
  const Tmux terminal(script("sim", "TERM=dumb"), 200, 60);
  EXPECT_TRUE(terminal.shows("ended with 0")) << terminal.screen();
  EXPECT_THAT(terminal.screen(), AllOf(HasSubstr("printing one snapshot instead of the screen"),
                                       HasSubstr("bms_status"), Not(HasSubstr("Wheels"))));
}

}  // namespace
}  // namespace rangerctl::support
