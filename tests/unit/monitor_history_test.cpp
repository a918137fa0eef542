// What the dashboard remembers: regularity, bytes, values, error bits, events, traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "count_allocations.hpp"
#include "monitor_scene.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/history.hpp"

namespace rangerctl::monitor {
namespace {

using namespace scene;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Watched new_watched() { return {Traffic::catalogue(), 500'000, kStart}; }

Received timed(Received received, SteadyTime at) {
  received.time = time_of(at);
  return received;
}

/// system_status with these error bits.
Received status(std::uint32_t errors, SteadyTime at, std::uint8_t control = 1) {
  return timed(
      data_frame(0x211, {static_cast<std::uint8_t>(errors != 0 ? 2 : 0), control, 0x01, 0xF1,
                         static_cast<std::uint8_t>(errors >> 24U), static_cast<std::uint8_t>(errors >> 16U),
                         static_cast<std::uint8_t>(errors >> 8U), static_cast<std::uint8_t>(errors)}),
      at);
}

void take(Watched& watched, const Received& received, SteadyTime at) {
  reduce(watched, timed(received, at), at);
}

std::vector<std::string> texts(const Watched& watched) {
  std::vector<std::string> all;
  const EventLog& events = watched.history.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    all.push_back(std::to_string((events.at(i).when.at - kStart) / 1ms) + ' ' +
                  event_text(events.at(i), Traffic::catalogue()));
  }
  return all;
}

const MessageHistory& of(const Watched& watched, std::string_view message) {
  return watched.history.messages[Traffic::catalogue().index_of(*Traffic::catalogue().find(message))];
}

const BitHistory& error_bit(const Watched& watched, unsigned bit) {
  const protocol::Message& message = *Traffic::catalogue().find("system_status");
  return bits_of(watched.history, Traffic::catalogue(), Traffic::catalogue().index_of(message),
                 *protocol::find_signal(message, "errors"))[bit];
}

// ---- Regularity ---------------------------------------------------------------------------------------

TEST(MonitorHistory, MeasuresGapsByTheTimeStampsNotByTheArrival) {
  Watched watched = new_watched();
  // All three are taken at once, as by a reader that naps.
  for (const auto at : {0ms, 18ms, 40ms})
    reduce(watched, timed(data_frame(0x221, {0, 0, 0, 0, 0, 0, 0, 0}), kStart + at), kStart + 50ms);
  const Gaps& gaps = of(watched, "motion_feedback").id.gaps;
  EXPECT_EQ(gaps.count, 2U);
  EXPECT_EQ(gaps.least, 18ms);
  EXPECT_EQ(gaps.most, 22ms);
  EXPECT_DOUBLE_EQ(gaps.mean, 20e6);
  EXPECT_NEAR(gaps.jitter(), 2.828e6, 1e3) << "the deviation of 18 and 22 is the root of 8";
}

TEST(MonitorHistory, NeitherAStepBackNorAnOutageIsAGap) {
  Watched watched = new_watched();
  const Received frame = data_frame(0x221, {0, 0, 0, 0, 0, 0, 0, 0});
  reduce(watched, timed(frame, kStart + 100ms), kStart);
  reduce(watched, timed(frame, kStart + 50ms), kStart + 10ms);
  EXPECT_EQ(of(watched, "motion_feedback").id.gaps.count, 0U);
  take_link(watched, {LinkState::down, 0, 0, 1}, {time_of(kStart + 1s), kStart + 1s});
  take_link(watched, {LinkState::up, 0, 0, 1}, {time_of(kStart + 2s), kStart + 2s});
  take(watched, frame, kStart + 3s);
  EXPECT_EQ(of(watched, "motion_feedback").id.gaps.count, 0U);
  take(watched, frame, kStart + 3020ms);
  EXPECT_EQ(of(watched, "motion_feedback").id.gaps.most, 20ms);
}

TEST(MonitorHistory, WithoutTimeStampsTheArrivalCounts) {
  Watched watched = new_watched();
  for (const auto at : {0ms, 20ms}) reduce(watched, data_frame(0x221, {0, 0, 0, 0, 0, 0, 0, 0}), kStart + at);
  EXPECT_EQ(of(watched, "motion_feedback").id.gaps.least, 20ms);
}

// ---- Bytes and values ---------------------------------------------------------------------------------

TEST(MonitorHistory, CountsTheChangesOfEveryByte) {
  Watched watched = new_watched();
  take(watched, data_frame(0x212, {0, 7, 1, 2}), kStart);
  take(watched, data_frame(0x212, {0, 7, 1, 2}), kStart + 1s);
  take(watched, data_frame(0x212, {0, 9, 1, 2}), kStart + 2s);
  take(watched, data_frame(0x212, {0, 7, 1, 3}), kStart + 3s);
  ASSERT_EQ(watched.history.others.size(), 1U);
  const IdHistory& id = watched.history.others[0];
  EXPECT_EQ(id.changes, 2U);
  EXPECT_EQ(id.bytes[0].changes, 0U);
  EXPECT_EQ(id.bytes[1].changes, 2U);
  EXPECT_EQ(id.bytes[1].least, 7);
  EXPECT_EQ(id.bytes[1].most, 9);
  EXPECT_EQ(id.bytes[1].changed, kStart + 3s);
  EXPECT_EQ(id.bytes[3].changes, 1U);
}

TEST(MonitorHistory, RemembersTheExtremesOfEverySignal) {
  Watched watched = new_watched();
  take(watched, data_frame(0x221, {0xFF, 0x9C, 0, 0, 0, 0, 0, 0}), kStart);
  take(watched, data_frame(0x221, {0x01, 0xF4, 0, 0, 0, 0, 0, 0}), kStart + 20ms);
  take(watched, data_frame(0x221, {0, 0}), kStart + 40ms);  // too short: says nothing
  const SignalHistory& speed = of(watched, "motion_feedback").signals[0];
  EXPECT_EQ(speed.least, -100);
  EXPECT_EQ(speed.most, 500);
}

TEST(MonitorHistory, ListsErrorFramesByTheirClasses) {
  Watched watched = new_watched();
  take(watched, error_frame(kErrorController, 0x10), kStart);
  take(watched, error_frame(kErrorNoAcknowledge), kStart + 1s);
  take(watched, error_frame(kErrorController, 0x20), kStart + 2s);
  ASSERT_EQ(watched.history.errors.size(), 2U);
  EXPECT_EQ(watched.history.errors[0].arrivals.frame.id, kErrorController);
  EXPECT_EQ(watched.history.errors[0].arrivals.count, 2U);
  EXPECT_EQ(watched.history.errors[0].id.bytes[1].changes, 1U);
  EXPECT_EQ(watched.history.errors[1].arrivals.count, 1U);
}

// ---- Error bits and events ----------------------------------------------------------------------------

TEST(MonitorHistory, KnowsWhenABitWasSetAndCleared) {
  Watched watched = new_watched();
  take(watched, status(0, kStart), kStart);
  take(watched, status(0x80, kStart), kStart + 100ms);
  take(watched, status(0x80, kStart), kStart + 120ms);
  take(watched, status(0, kStart), kStart + 4300ms);
  take(watched, status(0x80, kStart), kStart + 9s);
  const BitHistory& stop = error_bit(watched, 7);
  EXPECT_TRUE(stop.set);
  EXPECT_FALSE(stop.since_before);
  EXPECT_EQ(stop.times, 2U);
  EXPECT_EQ(stop.first.at, kStart + 100ms);
  EXPECT_EQ(stop.latest.at, kStart + 9s);
  ASSERT_TRUE(stop.cleared);
  EXPECT_EQ(stop.cleared->at, kStart + 4300ms);
  EXPECT_THAT(texts(watched),
              ElementsAre("100 vehicle_state abnormal, was normal", "100 set emergency_stop",
                          "370 silent: system_status", "4300 vehicle_state normal, was abnormal",
                          "4300 cleared emergency_stop", "9000 vehicle_state abnormal, was normal",
                          "9000 set emergency_stop"));
}

TEST(MonitorHistory, ABitOfTheFirstFrameMayBeOlder) {
  Watched watched = new_watched();
  take(watched, status(0x80, kStart), kStart);
  EXPECT_TRUE(error_bit(watched, 7).since_before);
  EXPECT_EQ(error_bit(watched, 7).first.time, time_of(kStart));
}

TEST(MonitorHistory, SaysInWordsWhatHappened) {
  struct Row {
    std::vector<Received> frames;
    std::vector<std::string> last_events;
  };
  const auto driver = [](std::uint8_t bits) { return data_frame(0x263, {1, 0xF1, 0, 30, 25, bits, 0, 0}); };
  const auto alarms = [](std::uint8_t alarm, std::uint8_t warning) {
    return data_frame(0x362, {alarm, 0, warning, 0});
  };
  const Row rows[] = {
      {{status(0, kStart, 1), status(0, kStart, 3)}, {"20 control_mode remote, was can"}},
      {{status(0, kStart), status(1U << 9U, kStart)},
       {"20 vehicle_state abnormal, was normal", "20 set bit9"}},
      {{driver(0x40), driver(0x44)}, {"20 set motor3 over_current"}},
      {{driver(0x40), driver(0x00)}, {}},  // the enable bit is no alarm
      {{alarms(0, 0), alarms(0x80, 0x04)},
       {"20 set battery alarm discharge_overcurrent", "20 set battery warning undervoltage"}},
      {{data_frame(0x291, {0, 0, 0}), data_frame(0x291, {2, 0, 0})}, {"20 motion_mode spin, was ackermann"}},
      {{data_frame(0x141, {0}), data_frame(0x141, {2})}, {}},  // a wish is not what the chassis does
      {{error_frame(kErrorBusOff)}, {"0 controller bus_off, was not_told"}},
  };
  for (const Row& row : rows) {
    Watched watched = new_watched();
    SteadyTime now = kStart;
    for (const Received& frame : row.frames) {
      take(watched, frame, now);
      now += 20ms;
    }
    EXPECT_EQ(texts(watched), row.last_events);
  }
}

TEST(MonitorHistory, NotesWhatFallsSilentAndWhatIsHeardAgain) {
  Watched watched = new_watched();
  Traffic traffic;
  traffic.run(watched, kStart, kStart + 2s);
  traffic.silence("motor5_high_speed");
  traffic.silence("motor5_low_speed");
  traffic.run(watched, kStart + 2s, kStart + 4s);
  EXPECT_THAT(texts(watched), ElementsAre("2241 silent: motor5_high_speed", "2419 silent: motor5_low_speed"));

  look_for_silence(watched, {time_of(kStart + 10s), kStart + 10s});
  Traffic().run(watched, kStart + 10s, kStart + 10200ms);
  const auto all = texts(watched);
  ASSERT_GE(all.size(), 4U);
  EXPECT_EQ(all[2], "4233 silent: system_status and 24 more");
  EXPECT_THAT(all[3], ::testing::StartsWith("10083 heard again: "));
}

TEST(MonitorHistory, AStepOfTheClockIsNoGap) {
  Watched watched = new_watched();
  Received frame = data_frame(0x221, {0, 0, 0, 0, 0, 0, 0, 0});
  const Timestamp times[] = {
      {1000, 0, 6}, {1000, 20'000'000, 6}, {1'700'000'000, 0, 6}, {1'700'000'000, 20'000'000, 6}};
  SteadyTime now = kStart;
  for (const Timestamp& time : times) {
    frame.time = time;
    reduce(watched, frame, now);
    now += 20ms;
  }
  EXPECT_EQ(of(watched, "motion_feedback").id.gaps.count, 2U);
  EXPECT_EQ(of(watched, "motion_feedback").id.gaps.most, 20ms);
}

TEST(MonitorHistory, TimesOfADamagedLogAreHarmless) {
  Watched watched = new_watched();
  Received frame = data_frame(0x221, {0, 0, 0, 0, 0, 0, 0, 0});
  for (const std::int64_t seconds : {std::numeric_limits<std::int64_t>::min(), std::int64_t{0},
                                     std::numeric_limits<std::int64_t>::max()}) {
    frame.time = {seconds, 999'999'999, 9};
    reduce(watched, frame, kStart);
  }
  EXPECT_EQ(of(watched, "motion_feedback").id.gaps.count, 0U);
}

TEST(MonitorHistory, AHoldUpIsNoSilenceOfTheChassis) {
  Watched watched = new_watched();
  Traffic().run(watched, kStart, kStart + 2s);
  note_hold_up(watched, {time_of(kStart + 10s), kStart + 10s}, 8000ms);
  EXPECT_EQ(freshness(watched.state, 3, kStart + 10s), Freshness::stale) << "but nothing old is true";
  look_for_silence(watched, {time_of(kStart + 10s), kStart + 10s});
  Traffic().run(watched, kStart + 10001ms, kStart + 13s);
  EXPECT_THAT(texts(watched), ElementsAre("10000 not watched for 8.0 s before"));
}

TEST(MonitorHistory, ASilenceAfterAHoldUpIsOne) {
  Watched watched = new_watched();
  Traffic().run(watched, kStart, kStart + 2s);
  note_hold_up(watched, {time_of(kStart + 10s), kStart + 10s}, 8000ms);
  for (SteadyTime now = kStart + 10s; now < kStart + 13s; now += 100ms)
    look_for_silence(watched, {time_of(now), now});
  ASSERT_GE(texts(watched).size(), 2U);
  EXPECT_THAT(texts(watched)[1], ::testing::HasSubstr("silent: "));
}

TEST(MonitorHistory, LightsThatFlashAreNoEvents) {
  Watched watched = new_watched();
  for (int i = 0; i < 6; ++i)
    take(watched, data_frame(0x231, {1, static_cast<std::uint8_t>(i % 2), 0, 0, 0, 0, 0, 0}),
         kStart + i * 20ms);
  EXPECT_THAT(texts(watched), IsEmpty());
}

TEST(MonitorHistory, NotesWhatHappensToTheInterface) {
  Watched watched = new_watched();
  take_link(watched, {LinkState::down, 0, 0, 1}, {time_of(kStart + 1s), kStart + 1s});
  take_link(watched, {LinkState::gone, 0, 0, 1}, {time_of(kStart + 2s), kStart + 2s});
  ASSERT_TRUE(watched.history.outage);
  EXPECT_FALSE(watched.history.outage->to);
  take_link(watched, {LinkState::up, 7, 0, 1}, {time_of(kStart + 5s), kStart + 5s});
  EXPECT_EQ(watched.history.outage->from, kStart + 1s);
  EXPECT_EQ(watched.history.outage->to, kStart + 5s);
  EXPECT_THAT(texts(watched), ElementsAre("1000 interface down", "2000 interface gone", "5000 interface up",
                                          "5000 7 frames lost by this host"));
}

TEST(MonitorHistory, KeepsTheNewestEventsInOrder) {
  EventLog log;
  EXPECT_EQ(log.size(), 0U);
  for (std::size_t i = 0; i < EventLog::kMost + 3; ++i) {
    Event event;
    event.value = static_cast<std::int64_t>(i);
    log.add(event);
  }
  EXPECT_EQ(log.size(), EventLog::kMost);
  EXPECT_EQ(log.total(), EventLog::kMost + 3);
  EXPECT_EQ(log.at(0).value, 3);
  EXPECT_EQ(log.at(EventLog::kMost - 1).value, static_cast<std::int64_t>(EventLog::kMost + 2));
}

// ---- Traces -------------------------------------------------------------------------------------------

TEST(MonitorTrace, KeepsTheExtremesOfEverySpan) {
  Trace trace;
  trace.add(0ms, 5);
  trace.add(99ms, -3);
  trace.add(100ms, 7);
  trace.add(1500ms, 9);
  EXPECT_EQ(trace.span(0, 0), (Trace::Span{-3, 5}));
  EXPECT_EQ(trace.span(0, 1), (Trace::Span{7, 7}));
  EXPECT_TRUE(trace.span(0, 2).empty());
  EXPECT_EQ(trace.span(0, 15), (Trace::Span{9, 9}));
  EXPECT_EQ(trace.span(1, 0), (Trace::Span{-3, 7}));
  EXPECT_EQ(trace.span(1, 1), (Trace::Span{9, 9}));
  EXPECT_EQ(trace.span(2, 0), (Trace::Span{-3, 9}));
  EXPECT_TRUE(trace.span(0, -1).empty());
  EXPECT_TRUE(trace.span(0, 16).empty());
}

TEST(MonitorTrace, ForgetsWhatIsTooOldAndWhatASilenceSkipped) {
  Trace trace;
  trace.add(0ms, 1);
  trace.add(Trace::kSpans * 100ms - 100ms, 2);
  EXPECT_EQ(trace.span(0, 0), (Trace::Span{1, 1})) << "the oldest that is kept";
  trace.add(Trace::kSpans * 100ms, 3);
  EXPECT_TRUE(trace.span(0, 0).empty());
  trace.add(std::chrono::hours(1000), 4);
  EXPECT_TRUE(trace.span(0, Trace::kSpans).empty());
  EXPECT_EQ(trace.span(0, 36'000'000), (Trace::Span{4, 4}));
  EXPECT_TRUE(trace.span(0, 36'000'000 - 1).empty());
  trace.add(5ms, 9);  // long gone
  EXPECT_TRUE(trace.span(0, 0).empty());
}

TEST(MonitorTrace, TheTwoUnitsOfTheBatteryVoltageAreOne) {
  const protocol::Signal& voltage =
      *protocol::find_signal(*Traffic::catalogue().find("bms_status"), "voltage");
  EXPECT_EQ(finest(voltage, 502), 5020);
  EXPECT_EQ(finest(voltage, 5023), 5023);
  EXPECT_EQ(finest_decimals(voltage), 2);
}

TEST(MonitorTrace, EveryTraceHasItsSignal) {
  for (const TraceSource& source : kTraces) {
    const protocol::Message* const message = Traffic::catalogue().find(source.message);
    ASSERT_NE(message, nullptr) << source.title;
    ASSERT_NE(protocol::find_signal(*message, source.signal), nullptr) << source.title;
    EXPECT_THAT(of(new_watched(), source.message).traces, ::testing::Not(IsEmpty()));
  }
}

// ---- Cost ---------------------------------------------------------------------------------------------

/// What a day of driving brings, in one round of half a second.
std::vector<std::pair<Received, std::chrono::milliseconds>> round_of_frames() {
  std::vector<std::pair<Received, std::chrono::milliseconds>> frames;
  for (std::chrono::milliseconds at{0}; at < 500ms; at += 1ms) {
    for (const protocol::Message& message : Traffic::catalogue().messages()) {
      if (!is_expected(message) || at.count() % message.period_ms != 0) continue;
      Received received;
      received.frame = protocol::empty_frame(message);
      received.frame.data[0] = static_cast<std::uint8_t>(at.count() / 20);
      received.frame.data[message.dlc - 1U] = static_cast<std::uint8_t>(at.count());
      frames.emplace_back(received, at);
    }
  }
  return frames;
}

TEST(MonitorHistory, TenMillionFramesTakeNoMemory) {
  constexpr std::uint64_t kFrames = 10'000'000;
  Watched watched = new_watched();
  auto frames = round_of_frames();
  SteadyTime round = kStart;
  std::uint64_t taken = 0;
  const auto one_round = [&] {
    for (auto& [received, at] : frames) {
      received.time = time_of(round + at);
      reduce(watched, received, round + at);
    }
    taken += frames.size();
    round += 500ms;
  };
  one_round();
  const std::uint64_t before = rangerctl::testing::allocations();
  while (taken < kFrames) one_round();
  EXPECT_EQ(rangerctl::testing::allocations(), before);
  EXPECT_EQ(watched.state.frame_count, taken);
  EXPECT_EQ(watched.history.events.size(), EventLog::kMost) << "vehicle_state changed all the time";
  EXPECT_GT(watched.history.events.total(), std::uint64_t{100'000});
}

}  // namespace
}  // namespace rangerctl::monitor
