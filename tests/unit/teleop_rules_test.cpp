#include <gmock/gmock.h>

#include <functional>
#include <ostream>
#include <set>

#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/teleop/rules.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;

struct Row {
  int rule;
  const char* what;
  std::function<void(Facts&)> change;
  Action action;
  bool blocks = false;  // arming
  int cap_mmps = Finding::kNoCap;
};
void PrintTo(const Row& row, std::ostream* out) { *out << "rule " << row.rule << ", " << row.what; }

Finding of(int rule, const Facts& facts) {
  const Findings findings = check_rules(facts);
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    if (rules()[i].number == rule) return findings[i];
  }
  ADD_FAILURE() << "no rule " << rule;
  return {};
}

// ARMED, everything well.
Facts armed() {
  Facts facts;
  facts.holding = true;
  return facts;
}

class TeleopRule : public ::testing::TestWithParam<Row> {};

TEST_P(TeleopRule, FindsWhatItIsThereFor) {
  Facts facts = armed();
  GetParam().change(facts);
  const Finding found = of(GetParam().rule, facts);
  EXPECT_EQ(found.action, GetParam().action);
  EXPECT_EQ(found.blocks_arming, GetParam().blocks);
  EXPECT_EQ(found.cap_mmps, GetParam().cap_mmps);
}

constexpr auto kNone = Action::none;
constexpr auto kNote = Action::note;
constexpr auto kCap = Action::cap;
constexpr auto kRelease = Action::release;
constexpr auto kZero = Action::zero;
constexpr auto kStop = Action::stop;
constexpr auto kDisarm = Action::disarm;
constexpr auto kSilence = Action::silence;
constexpr auto kFault = Action::fault;

INSTANTIATE_TEST_SUITE_P(
    OfTheChassis, TeleopRule,
    ::testing::Values(
        Row{1, "no e-stop", [](Facts&) {}, kNone},
        Row{1, "e-stop", [](Facts& f) { f.emergency_stop = true; }, kFault},
        Row{2, "no error", [](Facts& f) { f.errors = 0; }, kNone},
        Row{2, "one error bit", [](Facts& f) { f.errors = 1; }, kFault},
        Row{2, "an unknown error bit", [](Facts& f) { f.errors = 0x80000000; }, kFault},
        Row{2, "vehicle state 1", [](Facts& f) { f.vehicle_state = 1; }, kFault},
        Row{2, "vehicle state 2", [](Facts& f) { f.vehicle_state = 2; }, kFault},
        Row{2, "an unknown vehicle state", [](Facts& f) { f.vehicle_state = 77; }, kFault},
        Row{2, "a driver's bit", [](Facts& f) { f.driver_status[7] = 0x01; }, kFault},
        Row{3, "0x211 100 ms old", [](Facts& f) { f.status_age = 100ms; }, kNone},
        Row{3, "0x211 101 ms old", [](Facts& f) { f.status_age = 101ms; }, kStop},
        Row{3, "0x211 200 ms old", [](Facts& f) { f.status_age = 200ms; }, kStop},
        Row{3, "0x211 201 ms old", [](Facts& f) { f.status_age = 201ms; }, kFault},
        Row{3, "0x221 100 ms old", [](Facts& f) { f.motion_age = 100ms; }, kNone},
        Row{3, "0x221 101 ms old", [](Facts& f) { f.motion_age = 101ms; }, kStop},
        Row{3, "0x221 201 ms old", [](Facts& f) { f.motion_age = 201ms; }, kFault},
        Row{3, "0x211 never seen", [](Facts& f) { f.status_age.reset(); }, kNote, true},
        Row{3, "0x221 never seen", [](Facts& f) { f.motion_age.reset(); }, kNote, true},
        Row{4, "0x291 200 ms old", [](Facts& f) { f.mode_age = 200ms; }, kNone},
        Row{4, "0x291 201 ms old", [](Facts& f) { f.mode_age = 201ms; }, kDisarm},
        Row{4, "0x291 never seen", [](Facts& f) { f.mode_age.reset(); }, kNote, true},
        Row{5, "CAN control", [](Facts& f) { f.control_mode = 1; }, kNone},
        Row{5, "standby", [](Facts& f) { f.control_mode = 0; }, kSilence},
        Row{5, "remote", [](Facts& f) { f.control_mode = 3; }, kSilence},
        Row{5, "unknown", [](Facts& f) { f.control_mode = 9; }, kSilence},
        Row{5, "standby, not armed", [](Facts& f) { f.holding = false, f.control_mode = 0; }, kNone},
        Row{5, "remote, not armed", [](Facts& f) { f.holding = false, f.control_mode = 3; }, kNote, true},
        Row{6, "remote control lost", [](Facts& f) { f.remote_lost = true; }, kNote, true},
        Row{6, "the same with --no-rc", [](Facts& f) { f.remote_lost = f.ignore_remote_lost = true; }, kNote,
            false},
        Row{7, "switching", [](Facts& f) { f.switching = 0ms; }, kStop},
        Row{7, "switching for 5 s", [](Facts& f) { f.switching = 5000ms; }, kStop},
        Row{7, "switching for longer", [](Facts& f) { f.switching = 5001ms; }, kFault},
        Row{17, "15 %", [](Facts& f) { f.soc = 15; }, kNone},
        Row{17, "14 %", [](Facts& f) { f.soc = 14; }, kCap, false, 300},
        Row{17, "11 %", [](Facts& f) { f.soc = 11; }, kCap, false, 300},
        Row{17, "10 %", [](Facts& f) { f.soc = 10; }, kDisarm},
        Row{17, "0x361 2 s old", [](Facts& f) { f.bms_age = 2000ms; }, kNone},
        Row{17, "0x361 older", [](Facts& f) { f.bms_age = 2001ms; }, kNote},
        Row{17, "0x361 5 s old", [](Facts& f) { f.bms_age = 5000ms; }, kNote},
        Row{17, "0x361 older still", [](Facts& f) { f.bms_age = 5001ms; }, kNote, true},
        Row{17, "0x361 never seen", [](Facts& f) { f.bms_age.reset(); }, kNote, true},
        Row{17, "10 % and silent", [](Facts& f) { f.soc = 10, f.bms_age = 9000ms; }, kDisarm},
        Row{17, "14 % and silent for 5 s", [](Facts& f) { f.soc = 14, f.bms_age = 5000ms; }, kCap, false,
            300},
        Row{17, "14 % and silent for longer", [](Facts& f) { f.soc = 14, f.bms_age = 5001ms; }, kCap, true,
            300},
        Row{17, "15 % and silent for longer", [](Facts& f) { f.soc = 15, f.bms_age = 5001ms; }, kNote, true},
        Row{34, "keys locked", [](Facts& f) { f.locked = true; }, kNote},
        Row{34, "a key that did not count", [](Facts& f) { f.not_counted = true; }, kNote},
        Row{34, "the same while not armed", [](Facts& f) { f.not_counted = true, f.holding = false; }, kNone},
        Row{34, "a key without an effect", [](Facts& f) { f.no_effect = true; }, kNote},
        Row{18, "warning", [](Facts& f) { f.bms_warnings = 0x0002; }, kNote},
        Row{18, "alarm", [](Facts& f) { f.bms_alarms = 0x0100; }, kDisarm},
        Row{25, "moves on 1 s", [](Facts& f) { f.nonzero_after_stop = 1000ms; }, kNone},
        Row{25, "moves on longer", [](Facts& f) { f.nonzero_after_stop = 1001ms; }, kFault},
        Row{25, "wrong way 0.5 s", [](Facts& f) { f.wrong_way = 500ms; }, kNone},
        Row{25, "wrong way longer", [](Facts& f) { f.wrong_way = 501ms; }, kFault},
        Row{25, "stopping 2 s", [](Facts& f) { f.stopping = 2000ms; }, kNone},
        Row{25, "stopping longer", [](Facts& f) { f.stopping = 2001ms; }, kFault},
        Row{27, "another motion mode", [](Facts& f) { f.motion_mode = 2; }, kDisarm},
        Row{27, "while ours changes", [](Facts& f) { f.motion_mode = 2, f.expected_mode.reset(); }, kNone},
        Row{27, "not armed", [](Facts& f) { f.motion_mode = 2, f.holding = false; }, kNone},
        Row{28, "our change runs", [](Facts& f) { f.mode_change = 0ms; }, kStop},
        Row{28, "for 5 s", [](Facts& f) { f.mode_change = 5000ms; }, kStop},
        Row{28, "for longer", [](Facts& f) { f.mode_change = 5001ms; }, kDisarm},
        Row{30, "switches for a zero calibration", [](Facts& f) { f.zero_calibration = true; }, kNote},
        Row{33, "oblique", [](Facts& f) { f.expected_mode = f.motion_mode = 1; }, kNone},
        Row{33, "park", [](Facts& f) { f.expected_mode = f.motion_mode = 3; }, kCap, false, 0}));

INSTANTIATE_TEST_SUITE_P(
    OfTheBus, TeleopRule,
    ::testing::Values(Row{19, "one full queue", [](Facts& f) { f.full_queues = 1; }, kNote},
                      Row{19, "two in a row", [](Facts& f) { f.full_queues = 2; }, kFault},
                      Row{20, "an echo after 60 ms", [](Facts& f) { f.echo_missing = 60ms; }, kNone},
                      Row{20, "not yet", [](Facts& f) { f.echo_missing = 61ms; }, kStop},
                      Row{20, "after 200 ms", [](Facts& f) { f.echo_missing = 200ms; }, kStop},
                      Row{20, "not at all", [](Facts& f) { f.echo_missing = 201ms; }, kFault},
                      Row{20, "left over, not armed", [](Facts& f) { f.holding = false, f.unconfirmed = 1; },
                          kNote, true},
                      Row{20, "on the way, armed", [](Facts& f) { f.unconfirmed = 3; }, kNone},
                      Row{21, "interface", [](Facts& f) { f.interface_trouble = true; }, kFault},
                      Row{21, "bus-off", [](Facts& f) { f.bus_off = true; }, kFault},
                      Row{22, "error-passive", [](Facts& f) { f.error_passive = true; }, kDisarm},
                      Row{23, "a foreign command", [](Facts& f) { f.foreign_command = 0ms; }, kFault},
                      Row{26, "a second instance", [](Facts& f) { f.other_instance = true; }, kFault}));

INSTANTIATE_TEST_SUITE_P(
    OfTheLink, TeleopRule,
    ::testing::Values(
        Row{8, "a bound of 300 ms", [](Facts& f) { f.bound = 300ms; }, kNone},
        Row{8, "more", [](Facts& f) { f.bound = 300'001us; }, kStop},
        Row{8, "600 ms", [](Facts& f) { f.bound = 600ms; }, kStop},
        Row{8, "more", [](Facts& f) { f.bound = 600'001us; }, kDisarm},
        Row{8, "silent for 2 s", [](Facts& f) { f.silence = 2000ms, f.bound = 300ms; }, kNone},
        Row{8, "for longer", [](Facts& f) { f.silence = 2001ms, f.bound = 300ms; }, kDisarm},
        Row{8, "no answer yet", [](Facts& f) { f.bound.reset(); }, kNote, true},
        Row{8, "an answer that nobody asked for", [](Facts& f) { f.unasked_answer = true; }, kDisarm},
        Row{8, "19 answers in a row", [](Facts& f) { f.holding = false, f.answers_in_a_row = 19; }, kNote,
            true},
        Row{8, "20", [](Facts& f) { f.holding = false, f.answers_in_a_row = 20; }, kNone},
        Row{8, "percentile 250 ms", [](Facts& f) { f.holding = false, f.bound_p95 = 250ms; }, kNone},
        Row{8, "more", [](Facts& f) { f.holding = false, f.bound_p95 = 250'001us; }, kNote, true},
        Row{8, "no terminal that answers", [](Facts& f) { f.answers = false, f.bound.reset(); }, kNone},
        Row{9, "a stale key", [](Facts& f) { f.stale_keys = 1; }, kStop},
        Row{10, "a burst", [](Facts& f) { f.burst = true; }, kDisarm},
        Row{10, "60 keys in a second", [](Facts& f) { f.keys_per_second = 60; }, kNone},
        Row{10, "61", [](Facts& f) { f.keys_per_second = 61; }, kDisarm},
        Row{11, "a release", [](Facts& f) { f.released = true; }, kRelease},
        Row{12, "no more repeats", [](Facts& f) { f.repeats_ended = true; }, kRelease},
        Row{13, "a nudge", [](Facts& f) { f.nudging = true; }, kCap, false, 100},
        Row{14, "a lost release", [](Facts& f) { f.release_lost = true; }, kStop},
        Row{15, "focus lost", [](Facts& f) { f.unfocused = 0ms; }, kStop},
        Row{15, "for 1999 ms", [](Facts& f) { f.unfocused = 1999ms; }, kStop},
        Row{15, "for 2 s", [](Facts& f) { f.unfocused = 2000ms; }, kDisarm},
        Row{15, "a paste", [](Facts& f) { f.pasted = true; }, kStop},
        Row{15, "a paste without an end", [](Facts& f) { f.paste_too_long = true; }, kDisarm},
        Row{15, "a window too small", [](Facts& f) { f.window_too_small = 0ms; }, kStop},
        Row{15, "for 2 s", [](Facts& f) { f.window_too_small = 2000ms; }, kDisarm},
        Row{16, "tmux", [](Facts& f) { f.relay = terminal::Relay::tmux; }, kDisarm},
        Row{16, "tmux, allowed",
            [](Facts& f) { f.relay = terminal::Relay::tmux, f.blind_link_allowed = true; }, kCap, false, 200},
        Row{16, "mosh, allowed",
            [](Facts& f) { f.relay = terminal::Relay::mosh, f.blind_link_allowed = true; }, kCap, false, 200},
        Row{16, "no answers", [](Facts& f) { f.answers = false; }, kDisarm},
        Row{16, "no answers, allowed", [](Facts& f) { f.answers = false, f.blind_link_allowed = true; }, kCap,
            false, 200},
        Row{16, "300 ms without an acknowledge",
            [](Facts&
                   f) { f.relay = terminal::Relay::tmux, f.blind_link_allowed = true, f.tcp_missing = 300ms; },
            kCap, false, 200},
        Row{16, "301 ms",
            [](Facts&
                   f) { f.relay = terminal::Relay::tmux, f.blind_link_allowed = true, f.tcp_missing = 301ms; },
            kStop},
        Row{16, "601 ms",
            [](Facts&
                   f) { f.relay = terminal::Relay::tmux, f.blind_link_allowed = true, f.tcp_missing = 601ms; },
            kDisarm},
        Row{16, "the same where the age of keys is known", [](Facts& f) { f.tcp_missing = 601ms; }, kNone},
        Row{16, "too quick", [](Facts& f) { f.answered_too_quickly = true; }, kDisarm},
        // 0.1 m / 0.3333 s; strictly below, so that speed x bound stays under 0.1 m.
        Row{32, "300 ms at 0.3 m/s", [](Facts& f) { f.worst_bound = 300ms; }, kNone},
        Row{32, "333 ms at 0.3 m/s", [](Facts& f) { f.worst_bound = 333ms; }, kNone},
        Row{32, "334 ms at 0.3 m/s", [](Facts& f) { f.worst_bound = 334ms; }, kCap, false, 299},
        Row{32, "300 ms at 0.9 m/s", [](Facts& f) { f.worst_bound = 300ms, f.limit_mmps = 900; }, kCap, false,
            333},
        Row{32, "100 ms at 0.9 m/s", [](Facts& f) { f.worst_bound = 100ms, f.limit_mmps = 900; }, kNone},
        Row{32, "100 ms at 1.0 m/s", [](Facts& f) { f.worst_bound = 100ms, f.limit_mmps = 1000; }, kCap,
            false, 999},
        Row{32, "blind: rule 16 caps",
            [](Facts& f) { f.worst_bound = 900ms, f.relay = terminal::Relay::tmux; }, kNone}));

INSTANTIATE_TEST_SUITE_P(
    OfTheProgram, TeleopRule,
    ::testing::Values(Row{24, "10 ms late", [](Facts& f) { f.late = 10ms; }, kNone},
                      Row{24, "11 ms", [](Facts& f) { f.late = 11ms; }, kNote},
                      Row{24, "two expirations", [](Facts& f) { f.late = 20ms, f.expirations = 2; }, kZero},
                      Row{24, "99 ms", [](Facts& f) { f.late = 99ms, f.expirations = 5; }, kZero},
                      Row{24, "100 ms", [](Facts& f) { f.late = 100ms, f.expirations = 6; }, kDisarm},
                      Row{24, "suspended", [](Facts& f) { f.held_up = 100ms; }, kDisarm},
                      Row{29, "no guard", [](Facts& f) { f.guard_alive = false; }, kDisarm},
                      Row{29, "the guard had to act", [](Facts& f) { f.guard_intervened = true; }, kDisarm},
                      Row{31, "idle for 29.999 s", [](Facts& f) { f.idle = 29'999ms; }, kNone},
                      Row{31, "for 30 s", [](Facts& f) { f.idle = 30s; }, kDisarm}));

TEST(TeleopRules, FindNothingWhereAllIsWell) {
  EXPECT_EQ(severest(check_rules({})), Action::none);
  EXPECT_EQ(severest(check_rules(armed())), Action::none);
  EXPECT_EQ(main_reason(check_rules(armed())), kRuleCount);
  EXPECT_EQ(arming_obstacle(check_rules({})), kRuleCount);
  EXPECT_EQ(speed_cap_mmps(check_rules({})), Finding::kNoCap);
}

TEST(TeleopRules, AreNumberedOnceAndInOrder) {
  for (std::size_t i = 0; i < kRuleCount; ++i) EXPECT_EQ(rules()[i].number, static_cast<int>(i) + 1);
}

TEST(TeleopRules, TheSeverestWinsAndTheFirstOfThoseIsTheReason) {
  Facts facts = armed();
  facts.soc = 12;  // cap
  EXPECT_EQ(severest(check_rules(facts)), Action::cap);
  facts.bound = 400ms;  // stop
  EXPECT_EQ(severest(check_rules(facts)), Action::stop);
  facts.bms_alarms = 1;  // disarm
  EXPECT_EQ(severest(check_rules(facts)), Action::disarm);
  facts.control_mode = 3;  // silence
  EXPECT_EQ(severest(check_rules(facts)), Action::silence);
  facts.errors = 1;
  facts.emergency_stop = true;  // fault, twice
  const Findings findings = check_rules(facts);
  EXPECT_EQ(severest(findings), Action::fault);
  EXPECT_EQ(rules()[main_reason(findings)].number, 1);
  EXPECT_EQ(speed_cap_mmps(findings), 300) << "a cap holds beside everything severer";
}

TEST(TeleopRules, TheSmallestCapCounts) {
  Facts facts = armed();
  facts.soc = 12;
  facts.nudging = true;
  EXPECT_EQ(speed_cap_mmps(check_rules(facts)), 100);
}

// Whatever a rule finds can be said.
TEST(TeleopRules, EveryFindingHasWords) {
  Facts facts = armed();
  facts.emergency_stop = facts.remote_lost = facts.zero_calibration = facts.interface_trouble = true;
  facts.errors = 0x00100001;
  facts.control_mode = 3;
  facts.status_age = facts.mode_age = facts.bms_age = 9s;
  facts.motion_mode = 2;
  facts.switching = facts.mode_change = 1s;
  facts.soc = 14;
  facts.bms_alarms = 0x0102;
  facts.full_queues = 3;
  facts.echo_missing = facts.wrong_way = facts.late = 1s;
  facts.error_passive = facts.other_instance = facts.burst = facts.released = facts.repeats_ended = true;
  facts.foreign_command = 3ms;
  facts.bound = facts.worst_bound = 900ms;
  facts.stale_keys = 2;
  facts.nudging = facts.release_lost = facts.pasted = true;
  facts.relay = terminal::Relay::none;
  facts.guard_alive = false;
  facts.idle = 31s;
  std::set<std::string> words;
  const Findings findings = check_rules(facts);
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    if (!is_something(findings[i])) continue;
    const std::string text = rules()[i].words(findings[i], protocol::kDefaultCatalogue);
    EXPECT_FALSE(text.empty()) << rules()[i].name;
    EXPECT_TRUE(words.insert(text).second) << text;
  }
  EXPECT_GE(words.size(), 28U);
}

}  // namespace
}  // namespace rangerctl::teleop
