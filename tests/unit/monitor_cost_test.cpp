// What the screen costs the line between the terminal and this program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "monitor_scene.hpp"
#include "rangerctl/monitor/draw.hpp"
#include "sim_scene.hpp"
#include "tui/painter.hpp"

namespace rangerctl::monitor {
namespace {

using namespace std::chrono_literals;
using scene::kStart;
using scene::time_of;

struct Cost {
  std::size_t bytes_per_second;
  std::size_t first_picture;
};

/// A simulated chassis that drives figures of eight, four pictures a second, for half a minute.
Cost cost_of(Page page, Size size, bool ascii) {
  constexpr auto kPeriod = 250ms;
  constexpr auto kTime = 30s;
  sim::scene::Robot robot("drive");
  Watched watched(protocol::kDefaultCatalogue, 500'000, kStart);
  auto painter = tui::Painter::open(true, size);
  EXPECT_TRUE(painter);
  Choices choices;
  choices.page = page;
  DrawOptions options{.ascii = ascii, .address = "can0"};
  Cost cost{0, 0};
  for (auto passed = 0ms; passed < kTime; passed += kPeriod) {
    robot.forget_frames();
    robot.run(kPeriod);
    for (const sim::TimedFrame& sent : robot.frames()) {
      const SteadyTime at = kStart + sent.at;
      reduce(watched, {sent.frame, time_of(at), FrameDirection::rx, false}, at);
    }
    const SteadyTime now = kStart + passed + kPeriod;
    const std::string clock = std::to_string(100'000 + passed / 1s);
    options.clock = clock;
    const Scene scene{watched, now};
    const std::size_t bytes = (*painter)->paint(draw(scene, scene, size, choices, options)).size();
    passed == 0ms ? cost.first_picture = bytes : cost.bytes_per_second += bytes;
  }
  cost.bytes_per_second /= static_cast<std::size_t>(kTime / 1s);
  return cost;
}

TEST(MonitorCost, ALineOfFourKilobytesASecondIsEnoughForEveryPage) {
  setenv("TERM", "xterm-256color", 1);
  constexpr std::array<const char*, 5> kNames{"overview", "frames", "faults", "plots", "help"};
  for (const Page page : {Page::overview, Page::frames, Page::faults, Page::plots, Page::help}) {
    for (const bool ascii : {false, true}) {
      const Cost cost = cost_of(page, {24, 80}, ascii);
      const std::string name = kNames.at(static_cast<std::size_t>(page));
      RecordProperty(name + (ascii ? "_ascii" : "_utf8"), static_cast<int>(cost.bytes_per_second));
      EXPECT_LT(cost.bytes_per_second, 4000U) << name << ascii;
      EXPECT_LT(cost.first_picture, 6000U) << name << ascii;
    }
  }
}

TEST(MonitorCost, WhatDoesNotChangeCostsNothing) {
  setenv("TERM", "xterm-256color", 1);
  Watched watched(protocol::kDefaultCatalogue, 500'000, kStart);
  scene::Traffic().run(watched, kStart, kStart + 2s);
  auto painter = tui::Painter::open(true, Size{24, 80});
  ASSERT_TRUE(painter);
  const Scene frozen{watched, kStart + 2s};
  const DrawOptions options;
  for (const Page page : {Page::overview, Page::frames, Page::faults, Page::plots}) {
    Choices choices;
    choices.page = page;
    (*painter)->paint(draw(frozen, frozen, {24, 80}, choices, options));
    EXPECT_EQ((*painter)->paint(draw(frozen, frozen, {24, 80}, choices, options)).size(), 0U);
  }
}

}  // namespace
}  // namespace rangerctl::monitor
