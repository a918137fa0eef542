// Teleop and the way of the keys: what must stop the robot, and in time, when the terminal or its link
// misbehave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/teleop_bench.hpp"

namespace rangerctl::support {
namespace {

constexpr Milliseconds kStaleKey{300};  // rules 8 and 9: an older key never moves the robot

// Keys at 30 Hz, held in the link and handed over in one piece; the operator notices nothing and holds on.
void expect_stops_in_stalls(TeleopBench& bench) {
  for (const auto& [time, word] :
       {std::pair{Milliseconds{300}, "0.3 s"}, {Milliseconds{1000}, "1 s"}, {Milliseconds{5000}, "5 s"}}) {
    expect_stop_on(bench,
                   {std::string("terminal stalled ") + word + " (" + std::string(bench.setup.kind.name) + ")",
                    {kStaleKey},
                    "DISARMED",
                    [time = time](TeleopBench& on) {
                      const Moment stalled = on.terminal.stall(Way::both, time);
                      pass(time);
                      return stalled;
                    }});
  }
}

TEST_F(BusTeleop, StopsWhenAPlainTerminalStalls) { expect_stops_in_stalls(teleop({.kind = kPlain})); }

TEST_F(BusTeleop, StopsWhenAKittyStalls) { expect_stops_in_stalls(teleop()); }

TEST_F(BusTeleop, StopsWhenOneDirectionStalls) {
  TeleopBench& bench = teleop();
  for (const auto& [way, word] : {std::pair{Way::to_program, "keys"}, {Way::to_screen, "screen"}}) {
    expect_stop_on(bench, {std::string("only the ") + word + " stalled 1 s",
                           {kStaleKey},
                           "DISARMED",
                           [way = way](TeleopBench& on) {
                             const Moment stalled = on.terminal.stall(way, Milliseconds{1000});
                             pass(Milliseconds{1000});
                             return stalled;
                           }});
  }
}

TEST_F(BusTeleop, StopsWhenTheTerminalAnswersNoMore) {
  TeleopBench& bench = teleop();
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  expect_stop_on(bench,
                 {"terminal answers no more, keys arrive", {kStaleKey}, "DISARMED", [](TeleopBench& on) {
                    on.terminal.become_mute();
                    return now();
                  }});
}

TEST_F(BusTeleop, StopsWhenTheTerminalTakesNoOutput) {
  TeleopBench& bench = new_teleop();
  const Moment begin = now();
  ASSERT_TRUE(bench.drives()) << bench.screen();
  bench.terminal.stop_reading(true);
  const Moment stopped = now();
  pass(Milliseconds{1500});
  expect_stop("terminal takes no output", {kStaleKey}, stopped, bench.witness.since(begin));
  bench.terminal.signal(SIGTERM);
  EXPECT_EQ(bench.terminal.wait(), (JobEnd{143, 0}));
}

// What stops and leaves the robot ARMED: motion counts again only after all keys were released.
TEST_F(BusTeleop, StopsOnWhatIsNoMotionKey) {
  TeleopBench& bench = new_teleop();
  const std::string text_file(2000, 'w');
  const std::vector<StopCase> cases{
      {"SPACE", {}, "ARMED", [](TeleopBench& on) { return on.terminal.tap(" "); }},
      {"ESC", {Milliseconds{30}}, "ARMED", [](TeleopBench& on) { return on.terminal.tap("Escape"); }},
      {"unknown key", {}, "ARMED", [](TeleopBench& on) { return on.terminal.tap("z"); }},
      {"focus lost and back",
       {},
       "ARMED",
       [](TeleopBench& on) {
         const Moment lost = on.terminal.focus(false);
         pass(Milliseconds{300});
         on.terminal.focus(true);
         return lost;
       }},
      {"paste of a text file",
       {},
       "ARMED",
       [&](TeleopBench& on) { return on.terminal.paste("wwww\nwasd w\x1b[A" + text_file); }},
      {"x", {}, "DISARMED", [](TeleopBench& on) { return on.terminal.tap("x"); }},
  };
  for (const StopCase& stop : cases) expect_stop_on(bench, stop);
  expect_stop_on(bench, {"focus lost for good", {}, "DISARMED", [](TeleopBench& on) {
                           return on.terminal.focus(false);
                         }});
  bench.terminal.focus(true);
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  bench.expect_orderly_quit();
}

TEST_F(BusTeleop, KeysBehindAnAnswerThatAnotherOneTypedCountForNothing) {
  TeleopBench& bench = teleop();
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  expect_stop_on(bench,
                 {"forged answers from the keyboard", {}, "DISARMED", [](TeleopBench& on) {
                    return on.terminal.send("\x1b[0n\x1b[0n\x1b[0n\x1b[0n\x1b[0n\x1b[0n\x1b[0n\x1b[0n");
                  }});
}

TEST_F(BusTeleop, ABlindLinkIsCapped) {
  TeleopBench& bench = teleop({.kind = kTmux, .options = {"--allow-blind-link"}});
  ASSERT_TRUE(bench.driver.arm()) << bench.screen();
  bench.terminal.tap("9");
  const Moment begin = now();
  EXPECT_TRUE(bench.drives("w", 200)) << bench.screen();
  pass(Milliseconds{300});
  EXPECT_EQ(largest_linear(bench.witness.since(begin)), 200);
  bench.terminal.release("w");
  ASSERT_TRUE(bench.driver.reaches("ARMED")) << bench.screen();
  bench.expect_orderly_quit();
}

}  // namespace
}  // namespace rangerctl::support
