#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/terminal/handshake.hpp"

namespace rangerctl::terminal {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kFirst = "\x1b[?u\x1b[>c\x1b[c";
constexpr std::string_view kSecond = "\x1b[>11u\x1b[?u\x1b[c";
constexpr std::string_view kPop = "\x1b[<u";

SteadyTime at(int ms) { return SteadyTime{} + milliseconds(ms); }

/// What the terminal sends goes through the parser, as in the program.
class Dialogue {
 public:
  explicit Dialogue(const Environment& environment = {}) : handshake_(environment) {}

  void answer(std::string_view bytes, int ms) {
    for (const char byte : bytes) {
      if (const auto event = parser_.take(byte, at(ms))) used_up_ += handshake_.take(*event, at(ms)) ? 1 : 0;
    }
  }
  std::string output() { return std::string(handshake_.output()); }

  /// "answers, releases, none"; "-" where nothing is known yet.
  std::string result(int ms) {
    const auto found = handshake_.result(at(ms));
    if (!found) return "-";
    return fmt::format("{}, {}, {}", found->answers ? "answers" : "silent",
                       found->key_releases ? "releases" : "legacy", relay_name(found->relay));
  }
  [[nodiscard]] int used_up() const { return used_up_; }

 private:
  InputParser parser_;
  Handshake handshake_;
  int used_up_ = 0;
};

TEST(TerminalHandshake, OneRoundWhereThereIsNoKittyProtocolOrSomethingInBetween) {
  struct Row {
    std::string_view answers;
    std::string_view result;
  };
  for (const Row& row : {
           Row{"\x1b[?62c", "answers, legacy, none"},
           Row{"\x1b[>41;379;0c\x1b[?64;1;2c", "answers, legacy, none"},
           Row{"\x1b[>84;0;0c\x1b[?1;2c", "answers, legacy, tmux"},
           Row{"\x1b[>83;40900;0c\x1b[?1;2c", "answers, legacy, screen"},
           Row{"\x1b[>1;10;0c\x1b[?62c", "answers, legacy, mosh"},
           Row{"\x1b[>1;5202;0c\x1b[?62c", "answers, legacy, none"},
           Row{"\x1b[?0u\x1b[>84;0;0c\x1b[?1;2c", "answers, legacy, tmux"},
           Row{"\x1b[?62c\x1b[?0u\x1b[?62c", "answers, legacy, none"},
       }) {
    Dialogue dialogue;
    EXPECT_EQ(dialogue.output(), kFirst);
    EXPECT_EQ(dialogue.output(), "");
    EXPECT_EQ(dialogue.result(0), "-");
    dialogue.answer(row.answers, 5);
    EXPECT_EQ(dialogue.output(), "");
    EXPECT_EQ(dialogue.result(5), row.result) << ::testing::PrintToString(row.answers);
  }
}

TEST(TerminalHandshake, TheKeyboardIsSwitchedOnAndVerified) {
  struct Row {
    std::string_view answers;
    std::string_view output;
    std::string_view result;
  };
  for (const Row& row : {
           Row{"\x1b[?11u\x1b[?62c", "", "answers, releases, none"},
           Row{"\x1b[?31u\x1b[?62c", "", "answers, releases, none"},
           Row{"\x1b[?3u\x1b[?62c", kPop, "answers, legacy, none"},
           Row{"\x1b[?9u\x1b[?62c", kPop, "answers, legacy, none"},
           Row{"\x1b[?10u\x1b[?62c", kPop, "answers, legacy, none"},
           Row{"\x1b[?0u\x1b[?62c", kPop, "answers, legacy, none"},
           Row{"\x1b[?62c", kPop, "answers, legacy, none"},
           Row{"\x1b[?11u\x1b[>84;0;0c\x1b[?62c", kPop, "answers, legacy, tmux"},
       }) {
    Dialogue dialogue;
    EXPECT_EQ(dialogue.output(), kFirst);
    dialogue.answer("\x1b[?0u\x1b[>1;4000;0c\x1b[?62c", 100);
    EXPECT_EQ(dialogue.output(), kSecond);
    EXPECT_EQ(dialogue.result(100), "-");
    dialogue.answer(row.answers, 200);
    EXPECT_EQ(dialogue.output(), row.output) << ::testing::PrintToString(row.answers);
    EXPECT_EQ(dialogue.result(200), row.result) << ::testing::PrintToString(row.answers);
    EXPECT_EQ(dialogue.output(), "");
  }
}

TEST(TerminalHandshake, TheFlagsOfTheFirstRoundVerifyNothing) {
  Dialogue dialogue;
  EXPECT_EQ(dialogue.output(), kFirst);
  dialogue.answer("\x1b[?11u\x1b[?62c\x1b[?62c", 0);
  EXPECT_EQ(dialogue.result(0), "answers, legacy, none");
}

TEST(TerminalHandshake, PatienceOfEachRound) {
  struct Row {
    std::string_view first;   ///< answered at 1500 ms
    std::string_view second;  ///< answered at 3499 ms
    int before;
    int over;
    std::string_view result;
    std::string_view output;
  };
  for (const Row& row : {
           Row{"", "", 1999, 2000, "silent, legacy, none", ""},
           Row{"w", "", 1999, 2000, "silent, legacy, none", ""},
           Row{"\x1b[?0u", "", 1999, 2000, "answers, legacy, none", ""},
           Row{"\x1b[>84;0;0c", "", 1999, 2000, "answers, legacy, tmux", ""},
           Row{"\x1b[?0u\x1b[?62c", "", 3499, 3500, "answers, legacy, none", kPop},
           Row{"\x1b[?0u\x1b[?62c", "\x1b[?11u", 3499, 3500, "answers, legacy, none", kPop},
       }) {
    Dialogue dialogue;
    EXPECT_EQ(dialogue.result(0), "-");
    dialogue.answer(row.first, 1500);
    dialogue.answer(row.second, 3499);
    EXPECT_FALSE(dialogue.output().empty());
    EXPECT_EQ(dialogue.result(row.before), "-");
    EXPECT_EQ(dialogue.output(), "");
    EXPECT_EQ(dialogue.result(row.over), row.result);
    EXPECT_EQ(dialogue.output(), row.output);
  }
}

TEST(TerminalHandshake, ALateAnswerIsTakenAndOnlyNamesARelay) {
  Dialogue dialogue;
  EXPECT_EQ(dialogue.output(), kFirst);
  EXPECT_EQ(dialogue.result(0), "-");
  EXPECT_EQ(dialogue.result(2000), "silent, legacy, none");
  dialogue.answer("\x1b[?0u\x1b[?62c\x1b[?11u\x1b[?62c", 2100);
  EXPECT_EQ(dialogue.used_up(), 4);
  EXPECT_EQ(dialogue.output(), "");
  EXPECT_EQ(dialogue.result(2100), "silent, legacy, none");
  dialogue.answer("\x1b[>84;0;0c", 2200);
  EXPECT_EQ(dialogue.used_up(), 5);
  EXPECT_EQ(dialogue.result(2200), "silent, legacy, tmux");
}

TEST(TerminalHandshake, AnAnswerBeyondThePatienceOpensNoRound) {
  Dialogue dialogue;
  EXPECT_EQ(dialogue.output(), kFirst);
  EXPECT_EQ(dialogue.result(0), "-");
  dialogue.answer("\x1b[?0u\x1b[?62c", 2000);
  EXPECT_EQ(dialogue.output(), "");
  EXPECT_EQ(dialogue.result(2000), "silent, legacy, none");
}

TEST(TerminalHandshake, EverythingElseIsNotUsedUp) {
  Dialogue dialogue;
  dialogue.answer("w\x1b[A\x1b[0n\x1b[I\x1b[O\x1b[200~w\x1b[201~\x1b[1;2R", 0);
  EXPECT_EQ(dialogue.used_up(), 0);
}

TEST(TerminalHandshake, TheEnvironmentNamesARelay) {
  struct Row {
    Environment environment;
    std::string_view relay;
  };
  for (const Row& row : {
           Row{{.tmux = "/tmp/tmux-1000/default,1,0"}, "tmux"},
           Row{{.sty = "1.pts-0.host"}, "screen"},
           Row{{.no_utf8_acs = "1"}, "mosh"},
           Row{{.term = "tmux-256color"}, "tmux"},
           Row{{.term = "screen.xterm-256color"}, "screen"},
           Row{{.tmux = "x", .term = "screen"}, "tmux"},
           Row{{.term = "xterm-256color"}, "none"},
           Row{{.term = "xterm-screen"}, "none"},
           Row{{}, "none"},
       }) {
    Dialogue dialogue(row.environment);
    dialogue.answer("\x1b[?62c", 0);
    EXPECT_EQ(dialogue.result(0), fmt::format("answers, legacy, {}", row.relay));
  }
}

TEST(TerminalHandshake, ARelayOfTheEnvironmentIsNotAskedForTheKeyboard) {
  Dialogue dialogue({.tmux = "x"});
  EXPECT_EQ(dialogue.output(), kFirst);
  dialogue.answer("\x1b[?0u\x1b[>1;4000;0c\x1b[?62c", 0);
  EXPECT_EQ(dialogue.output(), "");
  EXPECT_EQ(dialogue.result(0), "answers, legacy, tmux");
}

TEST(TerminalHandshake, WhatARelaySaysOfItselfCountsMoreThanTheEnvironment) {
  Dialogue dialogue({.term = "screen-256color"});
  dialogue.answer("\x1b[>84;0;0c\x1b[?1;2c", 0);
  EXPECT_EQ(dialogue.result(0), "answers, legacy, tmux");
}

}  // namespace
}  // namespace rangerctl::terminal
