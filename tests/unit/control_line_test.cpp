// The lines that control the simulated chassis, typed and in scripts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/sim/control.hpp"
#include "rangerctl/sim/scenario.hpp"
#include "rangerctl/sim/script.hpp"

namespace rangerctl::sim {
namespace {

using namespace std::chrono_literals;
using protocol::kDefaultCatalogue;
using ::testing::HasSubstr;

TEST(ControlLine, SaysWhatToDo) {
  const struct {
    const char* line;
    Control control;
  } rows[] = {
      {"set emergency_stop", ChangeFlags{{0, 0x80}, true}},
      {"release emergency_stop", ChangeFlags{{0, 0x80}, false}},
      {"set bit9", ChangeFlags{{0, 0x200}, true}},
      {"set bit31", ChangeFlags{{0, 0x80000000}, true}},
      {"set alarm_1.overvoltage", ChangeFlags{{1, 0x02}, true}},
      {"set alarm_2.charge_overcurrent", ChangeFlags{{2, 0x01}, true}},
      {"release warning_1.undervoltage", ChangeFlags{{3, 0x04}, false}},
      {"set warning_2.charge_overcurrent", ChangeFlags{{4, 0x01}, true}},
      {"set motor1.over_current", ChangeFlags{{5, 0x04}, true}},
      {"set motor8.driver_fault", ChangeFlags{{12, 0x20}, true}},
      {"set motor3_communication", ChangeFlags{{0, 0x20}, true}},
      {"remote on", UseRemote{RemoteAction::on}},
      {"remote off", UseRemote{RemoteAction::off}},
      {"remote lost", UseRemote{RemoteAction::lost}},
      {"remote found", UseRemote{RemoteAction::found}},
      {"remote key1", UseRemote{RemoteAction::key1}},
      {"silence 0x211", Silence{0x211, true}},
      {"silence 211", Silence{0x211, true}},
      {"silence system_status", Silence{0x211, true}},
      {"silence 0x212", Silence{0x212, true}},
      {"silence all", Silence{std::nullopt, true}},
      {"unsilence bms_status", Silence{0x361, false}},
      {"unsilence all", Silence{std::nullopt, false}},
      {"soc 12", SetCharge{12}},
      {"soc 0", SetCharge{0}},
      {"soc 100", SetCharge{100}},
      {"soc 9.5", SetCharge{9.5}},
      {"reset", PowerCycle{}},
      {"variant hardware", ChooseVariant{Variant::hardware}},
      {"variant manual", ChooseVariant{Variant::manual}},
      {"switching always", ReportSwitching{SwitchReport::always}},
      {"switching never", ReportSwitching{SwitchReport::never}},
      {"switching alternate", ReportSwitching{SwitchReport::alternate}},
      {"drive on", Drive{true}},
      {"drive off", Drive{false}},
      {"  soc \t 12 \r", SetCharge{12}},
  };
  for (const auto& row : rows) {
    const auto live = parse_live_line(kDefaultCatalogue, row.line);
    ASSERT_TRUE(live && *live) << row.line;
    EXPECT_EQ(**live, row.control) << row.line;
    const auto timed = parse_script_line(kDefaultCatalogue, std::string("2.5 ") + row.line);
    ASSERT_TRUE(timed && *timed) << row.line;
    EXPECT_EQ((*timed)->control, row.control) << row.line;
    EXPECT_EQ((*timed)->at, 2500ms) << row.line;
  }
}

TEST(ControlLine, BlankOnesAndCommentsSayNothing) {
  for (const char* line : {"", " ", "\t\r", "# set emergency_stop", "  # 2.0 reset"}) {
    const auto live = parse_live_line(kDefaultCatalogue, line);
    const auto timed = parse_script_line(kDefaultCatalogue, line);
    ASSERT_TRUE(live && timed) << line;
    EXPECT_FALSE(*live) << line;
    EXPECT_FALSE(*timed) << line;
  }
}

TEST(ControlLine, WrongOnesSayWhatWouldBeRight) {
  const struct {
    const char* line;
    const char* message;
  } rows[] = {
      {"foo", "no 'foo'; "},
      {"foo", "use one of: set, release, remote, silence, unsilence, soc, reset, variant, switching, drive"},
      {"reset now", "write: reset"},
      {"stop emergency_stop", "no 'stop'"},
      {"relase emergency_stop", "did you mean release?"},
      {"SET emergency_stop", "no 'SET'"},
      {"set", "write: set NAME"},
      {"set emergency_stop over_current", "write: set NAME"},
      {"set emergncy_stop", "did you mean emergency_stop?"},
      {"set bit32", "no flag 'bit32'"},
      {"set none", "no flag 'none'"},
      {"set alarm_1.overvolt", "did you mean alarm_1.overvoltage?"},
      {"set alarm_2.overvoltage", "did you mean alarm_1.overvoltage?"},
      {"set motor9.over_current", "did you mean motor"},
      {"set .", "no flag '.'"},
      {"remote", "write: remote on|off|lost|found|key1"},
      {"remote maybe", "use one of: on, off, lost, found, key1"},
      {"silence 0x111", "'0x111' is no feedback"},
      {"silence motion_command", "no feedback"},
      {"silence 0x7FF", "no feedback"},
      {"silence 250:7F0", "no feedback"},
      {"silence sistem_status", "did you mean system_status?"},
      {"soc", "write: soc PERCENT"},
      {"soc -1", "0 to 100"},
      {"soc 101", "0 to 100"},
      {"soc nan", "0 to 100"},
      {"soc 12%", "0 to 100"},
      {"soc 1e1", "0 to 100"},
      {"variant real", "use one of: manual, hardware"},
      {"switching", "write: switching alternate|always|never"},
      {"drive home", "use one of: on, off"},
      {"\x1b[31m", "no '\x1b[31m'"},
  };
  for (const auto& row : rows) {
    const auto live = parse_live_line(kDefaultCatalogue, row.line);
    ASSERT_FALSE(live) << row.line;
    EXPECT_EQ(live.error().status, ExitStatus::usage) << row.line;
    EXPECT_THAT(live.error().message, HasSubstr(row.message));
    const auto timed = parse_script_line(kDefaultCatalogue, std::string("0 ") + row.line);
    ASSERT_FALSE(timed) << row.line;
    EXPECT_EQ(timed.error().message, live.error().message);
  }
}

TEST(ControlLine, ALineThatIsTypedHasNoTime) {
  for (const char* line : {"2.0 reset", "2 reset", "0 reset"}) {
    const auto live = parse_live_line(kDefaultCatalogue, line);
    ASSERT_FALSE(live) << line;
    EXPECT_THAT(live.error().message, HasSubstr("acts at once"));
    EXPECT_THAT(live.error().message, HasSubstr("write: reset"));
  }
}

TEST(ControlLine, ALineOfAScriptBeginsWithItsTime) {
  for (const char* line : {"reset", "-1 reset", "x2 reset", "1e3 reset", "inf reset", "2.0.1 reset",
                           "+1 reset", "999999999999 reset"}) {
    const auto timed = parse_script_line(kDefaultCatalogue, line);
    ASSERT_FALSE(timed) << line;
    EXPECT_THAT(timed.error().message, HasSubstr("begins with its time"));
  }
  EXPECT_FALSE(parse_script_line(kDefaultCatalogue, "2.0"));
}

TEST(ControlLine, TimesAreSeconds) {
  const struct {
    const char* line;
    SimTime at;
  } rows[] = {
      {"0 reset", 0ms}, {"2 reset", 2s}, {"2.25 reset", 2250ms}, {".5 reset", 500ms}, {"0.001 reset", 1ms}};
  for (const auto& row : rows)
    EXPECT_EQ((*parse_script_line(kDefaultCatalogue, row.line))->at, row.at) << row.line;
}

TEST(ControlLine, EveryVerbIsExplained) {
  std::set<std::string_view> names;
  for (const Verb& verb : control_verbs()) {
    EXPECT_TRUE(names.insert(verb.name).second) << verb.name;
    EXPECT_FALSE(verb.meaning.empty()) << verb.name;
  }
}

TEST(ControlLine, EveryWordOfTheHelpIsUnderstood) {
  for (const Verb& verb : control_verbs()) {
    std::istringstream words{std::string(verb.argument)};
    for (std::string word; std::getline(words, word, '|');) {
      const std::string line = std::string(verb.name) + ' ' + word;
      const bool stands_for_others = word[0] >= 'A' && word[0] <= 'Z';
      EXPECT_TRUE(stands_for_others || parse_live_line(kDefaultCatalogue, line)) << line;
    }
  }
}

// ---- Scripts and scenarios ----------------------------------------------------------------------------

TimedControl at(SimTime time, double percent) { return {time, SetCharge{percent}, "soc"}; }

std::vector<double> take_all(Script& script, SimTime now) {
  std::vector<double> taken;
  while (const auto line = script.take(now)) taken.push_back(std::get<SetCharge>(line->control).percent);
  return taken;
}

TEST(Script, ActsInOrderOfTimeAndAtTheSameTimeInOrderOfTheLines) {
  Script script;
  EXPECT_EQ(script.next_at(), SimTime::max());
  script.add({at(3s, 1), at(1s, 2), at(2s, 3), at(1s, 4)});
  script.add({at(1s, 5), at(0s, 6)});
  EXPECT_EQ(script.next_at(), 0s);
  EXPECT_EQ(take_all(script, 999ms), (std::vector<double>{6}));
  EXPECT_EQ(take_all(script, 2s), (std::vector<double>{2, 4, 5, 3}));
  EXPECT_EQ(script.next_at(), 3s);
  EXPECT_EQ(take_all(script, 1h), (std::vector<double>{1}));
  EXPECT_EQ(script.next_at(), SimTime::max());
}

TEST(Scenario, EachHasLinesThatAreUnderstood) {
  std::set<std::string_view> names;
  for (const Scenario& row : scenarios()) {
    EXPECT_TRUE(load_scenario(kDefaultCatalogue, row.name)) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
    EXPECT_THAT(scenario_table(), HasSubstr(std::string(row.name) + ' '));
  }
}

TEST(Scenario, WithoutANameItIsTheNormalOne) {
  const auto lines = load_scenario(kDefaultCatalogue, "");
  ASSERT_TRUE(lines);
  EXPECT_TRUE(lines->empty());
}

TEST(Scenario, AnUnknownOneSaysTheNearestAndAll) {
  const auto lines = load_scenario(kDefaultCatalogue, "estpo");
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().status, ExitStatus::usage);
  EXPECT_THAT(lines.error().message,
              HasSubstr("did you mean estop? scenarios: normal, standby, drive, estop,"));
}

}  // namespace
}  // namespace rangerctl::sim
