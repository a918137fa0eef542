#include <gtest/gtest.h>

#include <string_view>

#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/teleop/chassis_watch.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using Age = std::optional<milliseconds>;

constexpr std::string_view kZero = "111#0000000000000000";
constexpr FrameDirection kRx = FrameDirection::rx, kTx = FrameDirection::tx;

SteadyTime at(milliseconds time) { return SteadyTime(1h + time); }

void take(ChassisWatch& watch, std::string_view text, milliseconds time, FrameDirection direction,
          bool own_echo = false) {
  const Frame frame = *log::parse_written_frame(protocol::kDefaultCatalogue, text);
  watch.take({frame, {}, direction, own_echo}, at(time));
}

Age foreign(ChassisWatch& watch, milliseconds time, std::uint32_t guard_zeros = 0) {
  Facts facts;
  watch.report(facts, 0, guard_zeros, at(time));
  return facts.foreign_command;
}

/// Our own guard may have sent two zeros, which hold the steering.
TEST(TeleopForeignCommand, WhatIsOfAnotherController) {
  struct Row {
    std::string_view frame;
    FrameDirection direction;
    bool own_echo;
    bool is_foreign;
  };
  for (const Row& row :
       {Row{"111#0064000000000000", kRx, false, true}, Row{kZero, kRx, false, true},
        Row{kZero, FrameDirection::unknown, false, true}, Row{"421#01", kRx, false, true},
        Row{"421#00", kTx, false, true}, Row{"111#0001000000000000", kTx, false, true},
        Row{"111#0000000100000000", kTx, false, true}, Row{"111#0000000000010000", kTx, false, true},
        Row{kZero, kTx, false, false}, Row{"111#0000000000000100", kTx, false, false},
        Row{"111#0000000000000100", kRx, false, true}, Row{"111#0064000000000000", kTx, true, false},
        Row{"421#01", kTx, true, false}, Row{"141#01", kRx, false, true}, Row{"141#00", kTx, false, true},
        Row{"121#0101", kRx, false, false}, Row{"441#00", kTx, false, false},
        Row{"211#0001000000000000", kRx, false, false}, Row{"7FF#00", kRx, false, false}}) {
    ChassisWatch watch(protocol::kDefaultCatalogue);
    take(watch, row.frame, 0ms, row.direction, row.own_echo);
    EXPECT_EQ(foreign(watch, 10ms, 2), row.is_foreign ? Age(10ms) : Age()) << row.frame;
  }
}

TEST(TeleopForeignCommand, CountsFor500Milliseconds) {
  ChassisWatch watch(protocol::kDefaultCatalogue);
  EXPECT_EQ(foreign(watch, 0ms), std::nullopt);
  take(watch, "421#01", 0ms, kRx);
  EXPECT_EQ(foreign(watch, 0ms), 0ms);
  EXPECT_EQ(foreign(watch, 100ms), 100ms);
  EXPECT_EQ(foreign(watch, 500ms), 500ms);
  EXPECT_EQ(foreign(watch, 501ms), std::nullopt);
  take(watch, "421#01", 600ms, kRx);
  take(watch, "421#01", 700ms, kRx);
  EXPECT_EQ(foreign(watch, 720ms), 20ms);
}

TEST(TeleopForeignCommand, ZerosOfThisHostAreTheGuardsAsFarAsItSentThem) {
  struct Row {
    int zeros;
    std::uint32_t guard_zeros;
    bool is_foreign;
  };
  for (const Row& row : {Row{1, 0, true}, Row{1, 1, false}, Row{3, 3, false}, Row{4, 3, true},
                         Row{2, 9, false}, Row{0, 0, false}}) {
    ChassisWatch watch(protocol::kDefaultCatalogue);
    for (int i = 0; i < row.zeros; ++i) take(watch, kZero, 20ms * i, kTx);
    EXPECT_EQ(foreign(watch, 100ms, row.guard_zeros).has_value(), row.is_foreign)
        << row.zeros << ' ' << row.guard_zeros;
  }
}

TEST(TeleopForeignCommand, ASurplusIsForeignOnceAndTheGuardCountsOn) {
  ChassisWatch watch(protocol::kDefaultCatalogue);
  for (const milliseconds time : {0ms, 20ms, 40ms}) take(watch, kZero, time, kTx);
  EXPECT_EQ(foreign(watch, 50ms, 2), 10ms);
  take(watch, kZero, 60ms, kTx);
  EXPECT_EQ(foreign(watch, 70ms, 3), 30ms);  // still that of 40 ms
  EXPECT_EQ(foreign(watch, 541ms, 3), std::nullopt);
  take(watch, kZero, 560ms, kTx);
  EXPECT_EQ(foreign(watch, 561ms, 3), 1ms);
}

}  // namespace
}  // namespace rangerctl::teleop
