// Teleop on a terminal, with the simulated chassis inside of it: what is shown, what is refused, how it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/fake_terminal.hpp"
#include "support/teleop_operator.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// `rangerctl teleop sim` on a terminal, and somebody there.
struct Practice {
  explicit Practice(const TerminalKind& kind = kKitty, const std::vector<std::string>& options = {},
                    WindowSize size = {}, const std::string& address = "sim")
      : terminal(command(options, address), kind, size), driver(terminal) {}

  Command command(const std::vector<std::string>& options, const std::string& address) const {
    std::vector<std::string> arguments = {"teleop", address, "--record", record()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    Command made = rangerctl(std::move(arguments));
    made.environment.insert(made.environment.end(), {"SSH_CONNECTION"});
    return made;
  }
  [[nodiscard]] std::string record() const { return (folder.path() / "record").string(); }

  // The largest speed that was sent, in m/s, after the end of the program.
  [[nodiscard]] double fastest() const {
    std::istringstream lines(read_file(record()));
    double most = 0;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("# ")) {
        EXPECT_TRUE(nlohmann::json::accept(line.substr(2))) << line;
      } else if (const auto at = line.find(" 111#"); at != std::string::npos && line.ends_with(" T")) {
        const auto raw = static_cast<std::int16_t>(std::stoi(line.substr(at + 5, 4), nullptr, 16));
        most = std::max(most, std::abs(raw / 1000.0));
      }
    }
    return most;
  }
  // Until it has ended, orderly.
  void quit() {
    terminal.tap("q");
    EXPECT_EQ(terminal.wait(), (JobEnd{0, 0})) << terminal.screen();
    EXPECT_THAT(terminal.left_behind(), IsEmpty()) << terminal.screen();
  }

  Folder folder;
  FakeTerminal terminal;
  TeleopOperator driver;
};

TEST(Teleop, AnswersHelpAndWrongArguments) {
  EXPECT_THAT(run(rangerctl({"teleop", "--help"})).out,
              AllOf(HasSubstr("--keys"), HasSubstr("--max-speed"), HasSubstr("--allow-blind-link"),
                    HasSubstr("--no-rc"), HasSubstr("--dry-run"), HasSubstr("--record"), HasSubstr("--rt"),
                    HasSubstr("not an emergency stop")));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"teleop", "sim", "--keys", "qwerty"},
        {"teleop", "sim", "--max-speed", "2.1"},
        {"teleop", "sim", "--max-speed", "fast"},
        {"teleop", "sim:no-such-scenario"}}) {
    FakeTerminal terminal(rangerctl(arguments));
    EXPECT_EQ(terminal.wait(), (JobEnd{2, 0})) << terminal.screen();
    EXPECT_THAT(terminal.left_behind(), IsEmpty());
  }
}

TEST(Teleop, NeedsATerminalThatItCanDrawOn) {
  const Outcome piped = run(rangerctl({"teleop", "sim"}));
  EXPECT_EQ(piped.exit_status, 1) << piped;
  EXPECT_THAT(piped.out, IsEmpty());
  EXPECT_THAT(piped.err, HasSubstr("no plain line mode"));
  FakeTerminal dumb(shell("TERM=dumb exec " + shell_quoted(rangerctl_binary()) + " teleop sim"), kPlain,
                    {200, 24});
  EXPECT_EQ(dumb.wait(), (JobEnd{1, 0})) << dumb.screen();
  EXPECT_THAT(dumb.screen(), HasSubstr("no plain line mode"));
}

TEST(Teleop, AnInterfaceThatIsNotThereIsStatus3) {
  FakeTerminal terminal(rangerctl({"teleop", "nocan7"}));
  EXPECT_EQ(terminal.wait(), (JobEnd{3, 0})) << terminal.screen();
  EXPECT_THAT(terminal.left_behind(), IsEmpty());
}

TEST(Teleop, ARecordThatCannotBeWrittenIsStatus1) {
  FakeTerminal terminal(rangerctl({"teleop", "sim", "--record", "/nonexistent/record"}));
  EXPECT_EQ(terminal.wait(), (JobEnd{1, 0})) << terminal.screen();
  EXPECT_THAT(terminal.left_behind(), IsEmpty());
}

TEST(Teleop, GoesThroughItsStatesAndRecordsThem) {
  Practice practice;
  ASSERT_TRUE(practice.driver.reaches("DISARMED")) << practice.terminal.screen();
  EXPECT_EQ(practice.terminal.kitty_flags(), 11);
  ASSERT_TRUE(practice.driver.ask_for_code()) << practice.terminal.screen();
  EXPECT_EQ(practice.driver.state(), "ARMING");
  practice.terminal.tap("x");
  ASSERT_TRUE(practice.driver.reaches("DISARMED")) << practice.terminal.screen();
  ASSERT_TRUE(practice.driver.arm()) << practice.terminal.screen();
  practice.terminal.press("w");
  EXPECT_TRUE(practice.driver.reaches("MOVING")) << practice.terminal.screen();
  pass(Milliseconds{500});
  practice.terminal.tap(" ");
  EXPECT_TRUE(practice.driver.reaches("STOPPING")) << practice.terminal.screen();
  practice.terminal.release("w");
  EXPECT_TRUE(practice.driver.reaches("ARMED")) << practice.terminal.screen();
  practice.quit();
  EXPECT_GT(practice.fastest(), 0);
  const std::string record = read_file(practice.record());
  for (const char* words : {R"("state":"ARMING")", R"("state":"ARMED")", R"("state":"MOVING")",
                            R"("state":"STOPPING")", R"("key":"w")", " R\n", " T\n"})
    EXPECT_THAT(record, HasSubstr(words));
  const Outcome decoded = run(rangerctl({"decode", practice.record()}));
  EXPECT_EQ(decoded.exit_status, 0) << decoded.err;
  EXPECT_THAT(decoded.out, HasSubstr("motion_command"));
  EXPECT_THAT(decoded.err, Not(HasSubstr("not understood")));
}

TEST(Teleop, AWrongCodeDoesNotArm) {
  Practice practice;
  for (const char* wrong : {"00", "7", "123", "x"}) {
    ASSERT_TRUE(practice.driver.ask_for_code()) << practice.terminal.screen();
    pass(Milliseconds{300});
    practice.terminal.type(wrong);
    practice.terminal.tap("Enter");
    EXPECT_TRUE(practice.driver.reaches("DISARMED")) << wrong << '\n' << practice.terminal.screen();
  }
  ASSERT_TRUE(practice.driver.ask_for_code());
  EXPECT_TRUE(practice.driver.reaches("DISARMED")) << "after 5 s";
  practice.quit();
}

TEST(Teleop, ACodeThatWasTypedAheadDoesNotArm) {
  Practice practice(kPlain);
  const auto code = practice.driver.ask_for_code();
  ASSERT_TRUE(code);
  practice.terminal.tap("x");
  ASSERT_TRUE(practice.driver.reaches("DISARMED"));
  practice.terminal.send("A" + *code + "\r");
  EXPECT_FALSE(practice.driver.reaches("ARMED", Milliseconds{1000})) << practice.terminal.screen();
  practice.quit();
}

TEST(Teleop, SomebodyWhoAnswersForTheTerminalIsNotTrusted) {
  for (const TerminalKind& kind : {kTmux, kScreen, kMosh, kMute}) {
    Practice practice(kind);
    EXPECT_TRUE(practice.driver.reaches("DISARMED")) << practice.terminal.screen();
    EXPECT_FALSE(practice.driver.ask_for_code(Milliseconds{4000})) << kind.name;
    EXPECT_THAT(practice.terminal.screen(), HasSubstr("--allow-blind-link")) << kind.name;
    practice.quit();
  }
}

TEST(Teleop, ABlindLinkMayBeAllowedAndIsCapped) {
  for (const TerminalKind& kind : {kTmux, kScreen, kMosh, kMute}) {
    Practice practice(kind, {"--allow-blind-link"});
    ASSERT_TRUE(practice.driver.arm()) << kind.name << '\n' << practice.terminal.screen();
    practice.terminal.tap("9");
    practice.terminal.hold("w", Milliseconds{1500});
    EXPECT_TRUE(practice.driver.reaches("ARMED")) << practice.terminal.screen();
    practice.quit();
    EXPECT_DOUBLE_EQ(practice.fastest(), 0.2) << kind.name;
  }
}

TEST(Teleop, ATerminalThatTalksNonsenseIsNotTrusted) {
  Practice practice(kConfused);
  EXPECT_TRUE(practice.driver.reaches("DISARMED")) << practice.terminal.screen();
  EXPECT_FALSE(practice.driver.ask_for_code(Milliseconds{4000})) << practice.terminal.screen();
  practice.quit();
}

TEST(Teleop, ASlowLinkIsSlowerAndATooSlowOneDoesNotArm) {
  Practice slow;
  slow.terminal.set_delay(Way::both, Milliseconds{60});
  ASSERT_TRUE(slow.driver.arm()) << slow.terminal.screen();
  slow.terminal.tap("9");
  slow.terminal.hold("w", Milliseconds{2500});
  EXPECT_TRUE(slow.driver.reaches("ARMED")) << slow.terminal.screen();
  slow.quit();
  // Keys are 120 ms old at least: no more than 0.1 m in that time.
  EXPECT_LE(slow.fastest(), 0.1 / 0.12);
  EXPECT_GT(slow.fastest(), 0.3);

  Practice too_slow;
  too_slow.terminal.set_delay(Way::both, Milliseconds{150});
  EXPECT_FALSE(too_slow.driver.ask_for_code(Milliseconds{4000})) << too_slow.terminal.screen();
  too_slow.quit();
}

TEST(Teleop, DoesNotArmWhereTheStateCannotBeSeen) {
  Practice practice(kKitty, {}, {30, 5});
  ASSERT_TRUE(practice.driver.reaches("DISARMED")) << practice.terminal.screen();
  EXPECT_FALSE(practice.driver.ask_for_code(Milliseconds{3000})) << practice.terminal.screen();
  practice.terminal.resize({40, 8});
  ASSERT_TRUE(practice.driver.arm()) << practice.terminal.screen();
  practice.terminal.resize({10, 5});
  pass(Milliseconds{2500});
  practice.terminal.resize({80, 24});
  EXPECT_TRUE(practice.driver.reaches("DISARMED")) << practice.terminal.screen();
  practice.quit();
}

TEST(Teleop, EveryReasonThatTheChassisGivesForbidsToArm) {
  for (const auto& [scenario, words] : {std::pair{"sim:estop", "emergency stop"},
                                        {"sim:remote", "remote control"},
                                        {"sim:silent", "0x211"},
                                        {"sim:empty-battery", "charge"},
                                        {"sim:motor3-dead", "motor"}}) {
    Practice practice(kKitty, {}, {}, scenario);
    EXPECT_FALSE(practice.driver.ask_for_code(Milliseconds{2500})) << scenario;
    EXPECT_THAT(practice.terminal.screen(), HasSubstr(words)) << scenario;
    practice.quit();
  }
}

// Each sequence torn at each byte, with everything behind it held up: neither half is a key that drives. In
// the classic layout u, j and m drive; in the other one an A asks to arm.
TEST(Teleop, SequencesThatAreTornDoNotDrive) {
  for (const TerminalKind& kind : {kPlain, kKitty}) {
    Practice practice(kind, {"--keys", "classic"});
    ASSERT_TRUE(practice.driver.arm()) << practice.terminal.screen();
    for (const Milliseconds pause : {Milliseconds{10}, Milliseconds{60}, Milliseconds{600}}) {
      for (const std::string_view sequence : {"\x1bOj", "\x1b[<0;10;10m", "\x1b[117;1:3u", "\x1b[1;1:3A"}) {
        // Longer pauses at the beginning alone, for they take long.
        const std::size_t last = pause > Milliseconds{100} ? 3 : sequence.size();
        for (std::size_t at = 1; at < last; ++at) {
          practice.terminal.send_torn(sequence, at, pause);
          pass(pause + Milliseconds{90});
        }
      }
    }
    practice.quit();
    EXPECT_EQ(practice.fastest(), 0) << kind.name;
    EXPECT_THAT(read_file(practice.record()), HasSubstr(R"("key":"unknown")"));
  }
}

}  // namespace
}  // namespace rangerctl::support
