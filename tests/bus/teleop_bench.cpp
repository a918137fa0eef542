#include "bus/teleop_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

namespace rangerctl::support {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Milliseconds kHoldsOn{300};
// A press that arrives in one piece with the release before it does not count.
constexpr Milliseconds kBetweenKeys{100};

std::unique_ptr<BusSide> side;
std::unique_ptr<TeleopBench> current;

std::string quiet_scenario(const BusSetup& setup, const Folder& folder) {
  std::string script;
  for (const char* id : {"231", "241", "251", "252", "253", "254", "255", "256", "257", "258", "261",
                         "262", "263", "264", "265", "266", "267", "268", "281", "311", "312"})
    script += std::string("0 silence 0x") + id + '\n';
  return setup.scenario + " --script " + shell_quoted(folder.write("script", script));
}

Command command_of(const TeleopSetup& setup) {
  const std::string& interface = setup.interface.empty() ? setup.bus.interface : setup.interface;
  std::vector<std::string> arguments = {"teleop", interface};
  arguments.insert(arguments.end(), setup.options.begin(), setup.options.end());
  return rangerctl(std::move(arguments));
}

// Orderly, for the guard of one that is killed drives on for half a second and lets no other one in.
void end_teleop() {
  if (current && !current->terminal.wait(Milliseconds{0})) {
    current->terminal.tap("q");
    current->terminal.wait(Milliseconds{5'000});
  }
  current.reset();
}

bool allows_driving(std::string_view state) { return state == "ARMED"; }

bool was_starved(const std::string& screen) {
  return screen.find("held up") != std::string::npos ||
         screen.find("guard process had to send zeros") != std::string::npos;
}

}  // namespace

Moment now() { return std::chrono::system_clock::now(); }

BusSide::BusSide(const BusSetup& made)
    : setup(made), chassis(quiet_scenario(setup, folder), setup.interface), witness(setup.interface) {}

TeleopBench::TeleopBench(const TeleopSetup& made, BusSide& on)
    : setup(made),
      chassis(on.chassis),
      witness(on.witness),
      terminal(command_of(setup), setup.kind),
      driver(terminal) {}

bool TeleopBench::drives(std::string_view key, int speed) {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    if (!driver.arm()) return false;
    if (witness.sees_linear(speed, terminal.press(key), Milliseconds{3'000})) return true;
    terminal.release(key);
    pass(kBetweenKeys);
  }
  return false;
}

bool TeleopBench::changes_mode(std::string_view frame) {
  constexpr int kTries = 3;
  for (int i = 0; i < kTries; ++i) {
    if (!driver.arm()) return false;
    const bool sent = witness.sees(frame, terminal.tap("M"), Milliseconds{2'000});
    pass(Milliseconds{1'500});
    if (sent) return driver.arm();
  }
  return false;
}

void TeleopBench::expect_orderly_quit() {
  const bool was_armed = driver.state() == "ARMED";
  const Moment quit = terminal.tap("q");
  const auto end = terminal.wait();
  ASSERT_TRUE(end) << screen();
  EXPECT_EQ(*end, (JobEnd{0, 0})) << screen();
  EXPECT_THAT(terminal.left_behind(), IsEmpty()) << screen();
  if (was_armed) {
    EXPECT_GE(zeros_after(witness.frames(), quit), 5);
  }
}

void BusTeleop::SetUp() {
  if (!side) BusTest::SetUp();
}

void BusTeleop::TearDown() {
  if (HasFailure()) TearDownTestSuite();
}

void BusTeleop::TearDownTestSuite() {
  end_teleop();
  side.reset();
}

TeleopBench& BusTeleop::teleop(const TeleopSetup& setup) {
  const bool fits = current && current->setup == setup && !current->terminal.wait(Milliseconds{0});
  return fits ? *current : new_teleop(setup);
}

TeleopBench& BusTeleop::new_teleop(const TeleopSetup& setup) {
  end_teleop();
  if (!side || side->setup != setup.bus) {
    side.reset();
    side = std::make_unique<BusSide>(setup.bus);
  }
  current = std::make_unique<TeleopBench>(setup, *side);
  return *current;
}

void expect_stop_on(TeleopBench& bench, const StopCase& stop) {
  SCOPED_TRACE(stop.what);
  constexpr int kTries = 3;
  for (int i = 1;; ++i) {
    const Moment begin = now();
    ASSERT_TRUE(bench.drives()) << bench.screen();
    pass(Milliseconds{100});
    const Moment happened = stop.happens(bench);
    const bool stopped = bench.driver.reaches(stop.state, Milliseconds{4'000});
    pass(kHoldsOn);
    bench.terminal.release("w");
    pass(kBetweenKeys);
    if (!stopped && i < kTries && was_starved(bench.screen())) {
      std::cout << stop.what << ": begins anew, since this computer was too busy\n";
      continue;
    }
    if (!allows_driving(stop.state)) bench.terminal.hold("w", kHoldsOn);
    EXPECT_TRUE(bench.driver.reaches(stop.state)) << bench.screen();
    EXPECT_THAT(bench.screen(), HasSubstr(std::string(stop.reason)));
    return expect_stop(stop.what, stop.bound, happened, bench.witness.since(begin));
  }
}

void expect_recovers(TeleopBench& bench, const std::vector<std::string>& lines) {
  for (const std::string& text : lines) bench.chassis.line(text);
  pass(Milliseconds{300});
  if (bench.driver.state() == "FAULT") bench.terminal.tap("c");
  EXPECT_TRUE(bench.driver.reaches("DISARMED")) << bench.screen();
}

std::vector<std::string> speak_again() {
  return {"unsilence 0x211", "unsilence 0x221", "unsilence 0x271",
          "unsilence 0x291", "unsilence 0x361", "unsilence 0x362"};
}

}  // namespace rangerctl::support
