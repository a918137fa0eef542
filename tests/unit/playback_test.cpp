#include "rangerctl/monitor/playback.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

namespace rangerctl::monitor {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr SteadyTime kStart{1h};

TEST(PlaybackSpeeds, AreWhatTheirTextsSayInGrowingOrder) {
  double last = 0;
  for (const PlaybackSpeed& speed : kPlaybackSpeeds) {
    const double factor = static_cast<double>(speed.numerator) / speed.denominator;
    EXPECT_EQ(speed.text, fmt::format("x{}", factor));
    EXPECT_GT(factor, last);
    last = factor;
  }
  EXPECT_EQ(kPlaybackSpeeds[kNormalSpeed].text, "x1");
}

enum class Do { look, pause, faster, slower, seek_to, seek_by, hold, release, length, no_length, end };

/// What somebody does at a time since the start, and where playing stands then.
struct Step {
  milliseconds now;
  Do what;
  nanoseconds argument;
  nanoseconds position;
};

void take(Playback& playback, const Step& step) {
  const SteadyTime now = kStart + step.now;
  switch (step.what) {
    case Do::look:
      return;
    case Do::pause:
      return playback.toggle_pause(now);
    case Do::faster:
      return playback.faster(now);
    case Do::slower:
      return playback.slower(now);
    case Do::seek_to:
      return playback.seek_to(step.argument, now);
    case Do::seek_by:
      return playback.seek_by(step.argument, now);
    case Do::hold:
      return playback.hold(now);
    case Do::release:
      return playback.release(now);
    case Do::length:
      return playback.note_length(step.argument);
    case Do::no_length:
      return playback.note_length(std::nullopt);
    case Do::end:
      return playback.note_end(step.argument);
  }
}

void expect_positions(const std::vector<Step>& steps, Playback& playback) {
  for (const Step& step : steps) {
    take(playback, step);
    EXPECT_EQ(playback.position(kStart + step.now), step.position)
        << step.now.count() << " ms, step " << &step - steps.data();
  }
}

TEST(Playback, GoesOnWithTimeTimesItsSpeed) {
  Playback playback(kStart);
  expect_positions({{0ms, Do::look, 0ms, 0ms},
                    {20ms, Do::look, 0ms, 20ms},
                    {40ms, Do::faster, 0ms, 40ms},  // x2 from here on
                    {60ms, Do::look, 0ms, 80ms},
                    {60ms, Do::look, 0ms, 80ms},
                    {100ms, Do::slower, 0ms, 160ms},  // x1
                    {200ms, Do::slower, 0ms, 260ms},  // x0.5
                    {300ms, Do::slower, 0ms, 310ms},  // x0.25
                    {400ms, Do::slower, 0ms, 335ms},  // x0.1
                    {500ms, Do::look, 0ms, 345ms},
                    {501ms, Do::look, 0ms, 345'100us}},
                   playback);
  EXPECT_EQ(playback.speed().text, "x0.1");
}

TEST(Playback, TheFirstAndTheLastSpeedStay) {
  Playback playback(kStart);
  for (int i = 0; i < 20; ++i) playback.faster(kStart);
  EXPECT_EQ(playback.speed().text, "x100");
  EXPECT_EQ(playback.position(kStart + 1s), 100s);
  for (int i = 0; i < 20; ++i) playback.slower(kStart + 1s);
  EXPECT_EQ(playback.speed().text, "x0.1");
  EXPECT_EQ(playback.position(kStart + 2s), 100'100ms);
}

TEST(Playback, StandsStillWhilePaused) {
  Playback playback(kStart);
  expect_positions({{100ms, Do::pause, 0ms, 100ms},
                    {500ms, Do::look, 0ms, 100ms},
                    {600ms, Do::faster, 0ms, 100ms},
                    {700ms, Do::seek_by, 5s, 5'100ms},
                    {800ms, Do::seek_to, 40ms, 40ms},
                    {900ms, Do::pause, 0ms, 40ms},
                    {950ms, Do::look, 0ms, 140ms}},
                   playback);
  EXPECT_FALSE(playback.paused());
}

TEST(Playback, SeeksWithinTheLogAsFarAsItIsKnown) {
  Playback playback(kStart);
  expect_positions({{100ms, Do::seek_by, -1s, 0ms},
                    {200ms, Do::look, 0ms, 100ms},
                    {200ms, Do::seek_to, -1ns, 0ms},
                    {200ms, Do::seek_to, 1h, 1h},
                    {200ms, Do::length, 10s, 1h},  // a position beyond is left alone
                    {300ms, Do::look, 0ms, 1h + 100ms},
                    {300ms, Do::seek_by, -1s, 10s},
                    {300ms, Do::seek_to, 9s, 9s},
                    {300ms, Do::seek_by, 999ms, 9'999ms},
                    {300ms, Do::seek_by, 2ms, 10s},
                    {300ms, Do::seek_to, nanoseconds::max(), 10s},
                    {300ms, Do::seek_by, nanoseconds::max(), 10s},
                    {300ms, Do::seek_by, nanoseconds::min(), 0ms},
                    {300ms, Do::no_length, 0ms, 0ms},
                    {300ms, Do::seek_by, 11s, 11s},
                    {300ms, Do::seek_by, nanoseconds::max(), Playback::kMostPosition},
                    {400ms, Do::seek_by, nanoseconds::max(), Playback::kMostPosition},
                    {500ms, Do::look, 0ms, Playback::kMostPosition}},
                   playback);
}

TEST(Playback, StandsAtTheEndUntilSomebodyGoesBack) {
  Playback playback(kStart);
  EXPECT_EQ(playback.length(), std::nullopt);
  expect_positions({{500ms, Do::look, 0ms, 500ms},
                    {500ms, Do::end, 490ms, 490ms},
                    {600ms, Do::look, 0ms, 490ms},
                    {600ms, Do::seek_by, 5s, 490ms},
                    {700ms, Do::pause, 0ms, 490ms},
                    {700ms, Do::pause, 0ms, 490ms}},
                   playback);
  EXPECT_TRUE(playback.ended());
  EXPECT_EQ(playback.length(), 490ms) << "known without a count";
  expect_positions({{800ms, Do::seek_by, -100ms, 390ms}, {850ms, Do::look, 0ms, 440ms}}, playback);
  EXPECT_FALSE(playback.ended());
  EXPECT_EQ(playback.length(), std::nullopt);
  expect_positions({{900ms, Do::end, 490ms, 490ms}, {950ms, Do::look, 0ms, 490ms}}, playback);
  EXPECT_TRUE(playback.ended());
}

TEST(Playback, DoesNotRunAheadOfTheFramesWhileItIsHeld) {
  Playback playback(kStart);
  expect_positions({{100ms, Do::hold, 0ms, 100ms},
                    {300ms, Do::hold, 0ms, 100ms},
                    {400ms, Do::seek_to, 1h, 1h},
                    {900ms, Do::look, 0ms, 1h},
                    {1'000ms, Do::release, 0ms, 1h},
                    {1'020ms, Do::look, 0ms, 1h + 20ms},
                    {1'040ms, Do::release, 0ms, 1h + 40ms},
                    {1'040ms, Do::hold, 0ms, 1h + 40ms},
                    {1'060ms, Do::pause, 0ms, 1h + 40ms},
                    {1'080ms, Do::release, 0ms, 1h + 40ms},
                    {1'100ms, Do::look, 0ms, 1h + 40ms}},
                   playback);
}

TEST(Playback, TimeThatNobodyWatchedDoesNotCount) {
  Playback playback(kStart);
  expect_positions({{1'000ms, Do::look, 0ms, 1'000ms},      // the longest round
                    {2'001ms, Do::look, 0ms, 1'000ms},      // one more millisecond: stopped
                    {2'021ms, Do::look, 0ms, 1'020ms},      // goes on
                    {600'000ms, Do::faster, 0ms, 1'020ms},  // suspended for ten minutes
                    {600'500ms, Do::look, 0ms, 2'020ms},
                    {900'000ms, Do::seek_by, 1s, 3'020ms},
                    {900'010ms, Do::look, 0ms, 3'040ms}},
                   playback);
}

}  // namespace
}  // namespace rangerctl::monitor
