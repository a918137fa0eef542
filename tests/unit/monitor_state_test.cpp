#include <gtest/gtest.h>

#include "count_allocations.hpp"
#include "monitor_scene.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/state.hpp"

namespace rangerctl::monitor {
namespace {

using namespace scene;

State new_state() { return {Traffic::catalogue(), 500'000, kStart}; }

std::size_t index_of(std::string_view name) {
  return static_cast<std::size_t>(Traffic::catalogue().find(name) - Traffic::catalogue().messages().data());
}
const MessageState& entry(const State& state, std::string_view name) {
  return state.messages[index_of(name)];
}
std::optional<std::int64_t> value(const State& state, std::string_view message, std::string_view signal,
                                  SteadyTime now) {
  const protocol::Message& row = *Traffic::catalogue().find(message);
  return current_value(state, index_of(message), *protocol::find_signal(row, signal), now);
}

// ---- Rates --------------------------------------------------------------------------------------------

TEST(Meter, NeedsTwoArrivals) {
  Meter meter;
  EXPECT_EQ(meter.per_second(kStart), std::nullopt);
  meter.add(kStart);
  EXPECT_EQ(meter.per_second(kStart + 100ms), std::nullopt);
  meter.add(kStart + 500ms);
  EXPECT_DOUBLE_EQ(meter.per_second(kStart + 600ms).value(), 2.0);
}

TEST(Meter, IsExactForSlowAndFastSources) {
  for (const int period : {1, 3, 20, 100, 500}) {
    Meter meter;
    SteadyTime now = kStart;
    for (; now < kStart + 5s; now += std::chrono::milliseconds(period)) meter.add(now);
    EXPECT_NEAR(meter.per_second(now).value(), 1000.0 / period, 1e-9) << period;
  }
}

TEST(Meter, BatchesOfANappingReaderDoNotDisturbIt) {
  Meter meter;
  int sent = 0;
  for (SteadyTime now = kStart; now < kStart + 10s; now += 50ms) {
    for (; kStart + sent * 20ms <= now; ++sent) meter.add(now);
    if (now > kStart + 1s) {
      EXPECT_NEAR(meter.per_second(now + 49ms).value(), 50.0, 1.5) << (now - kStart) / 1ms;
    }
  }
}

TEST(Meter, SilenceLowersItAndAWindowOfSilenceIsZero) {
  Meter meter;
  for (int i = 0; i <= 200; ++i) meter.add(kStart + i * 20ms);
  const SteadyTime last = kStart + 4s;
  EXPECT_DOUBLE_EQ(meter.per_second(last + 60ms).value(), 50.0);
  EXPECT_NEAR(meter.per_second(last + 1s).value(), 25.0, 1.0);
  EXPECT_EQ(meter.per_second(last + 2001ms), 0.0);
  EXPECT_EQ(meter.per_second(last + 1h), 0.0);
}

TEST(Meter, OneArrivalInALongTimeIsZeroInTheEnd) {
  Meter meter;
  meter.add(kStart);
  EXPECT_EQ(meter.per_second(kStart + 2s), std::nullopt);
  EXPECT_EQ(meter.per_second(kStart + 2001ms), 0.0);
}

TEST(Meter, RecoversAfterSilence) {
  Meter meter;
  for (int i = 0; i < 100; ++i) meter.add(kStart + i * 20ms);
  const SteadyTime again = kStart + 1min;
  for (int i = 0; i < 150; ++i) meter.add(again + i * 20ms);
  EXPECT_DOUBLE_EQ(meter.per_second(again + 2990ms).value(), 50.0);
}

TEST(Meter, AddsUpAmounts) {
  Meter meter;
  for (int i = 0; i <= 100; ++i) meter.add(kStart + i * 10ms, 111);
  EXPECT_DOUBLE_EQ(meter.per_second(kStart + 1s).value(), 11'100.0);
}

// ---- Staleness ----------------------------------------------------------------------------------------

TEST(MonitorState, ValuesAreGoneJustAfterTheirLimit) {
  struct Row {
    std::string_view message;
    std::string_view signal;
    std::chrono::milliseconds limit;
  };
  const Row rows[] = {
      {"system_status", "battery_voltage", 250ms},    // 3 x 20 ms is less than the least
      {"motor1_low_speed", "driver_voltage", 500ms},  // 3 x 100 ms as well
      {"bms_status", "soc", 1500ms},                  // 3 x 500 ms
  };
  for (const Row& row : rows) {
    State state = new_state();
    Traffic traffic;
    traffic.set(row.message, row.signal, 42);
    EXPECT_EQ(value(state, row.message, row.signal, kStart), std::nullopt) << "before the first frame";
    Received received;
    received.frame = traffic.frame(row.message);
    reduce(state, received, kStart);
    EXPECT_EQ(value(state, row.message, row.signal, kStart + row.limit), 42) << row.message;
    EXPECT_EQ(value(state, row.message, row.signal, kStart + row.limit + 1us), std::nullopt) << row.message;
    reduce(state, received, kStart + 1h);
    EXPECT_EQ(value(state, row.message, row.signal, kStart + 1h), 42) << "back again";
  }
}

TEST(MonitorState, AShortFrameRenewsNothing) {
  State state = new_state();
  reduce(state, data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0}), kStart);
  reduce(state, data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0}), kStart + 240ms);
  EXPECT_EQ(entry(state, "system_status").count, 1U);
  EXPECT_EQ(entry(state, "system_status").short_count, 1U);
  EXPECT_EQ(value(state, "system_status", "battery_voltage", kStart + 250ms), 497);
  EXPECT_EQ(value(state, "system_status", "battery_voltage", kStart + 251ms), std::nullopt);
}

TEST(MonitorState, ALongerFrameIsDecoded) {
  State state = new_state();
  reduce(state, data_frame(0x362, {0x02, 0, 0, 1, 0, 0, 0, 0}), kStart);
  EXPECT_EQ(value(state, "bms_alarms", "alarm_1", kStart), 2);
  EXPECT_EQ(value(state, "bms_alarms", "warning_2", kStart), 1);
}

TEST(MonitorState, NothingIsKnownWithoutAnInterface) {
  for (const LinkState broken : {LinkState::gone, LinkState::down}) {
    State state = new_state();
    reduce(state, data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0}), kStart);
    take_link(state, {broken, 0, 0, 0}, kStart + 10ms);
    EXPECT_EQ(value(state, "system_status", "control_mode", kStart + 10ms), std::nullopt);
    take_link(state, {broken, 0, 0, 1}, kStart + 10ms);
    take_link(state, {LinkState::up, 0, 0, 1}, kStart + 20ms);
    EXPECT_EQ(value(state, "system_status", "control_mode", kStart + 20ms), std::nullopt) << "an old frame";
    reduce(state, data_frame(0x211, {0, 3, 1, 0xF1, 0, 0, 0, 0}), kStart + 30ms);
    EXPECT_EQ(value(state, "system_status", "control_mode", kStart + 30ms), 3);
  }
}

TEST(MonitorState, WhatCameBeforeAnOutageSaysNothingAfterIt) {
  State state = new_state();
  reduce(state, data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0}), kStart);
  take_link(state, {LinkState::up, 0, 0, 1}, kStart + 10ms);
  EXPECT_EQ(value(state, "system_status", "control_mode", kStart + 10ms), std::nullopt);
  reduce(state, data_frame(0x211, {0, 3, 1, 0xF1, 0, 0, 0, 0}), kStart + 20ms);
  EXPECT_EQ(value(state, "system_status", "control_mode", kStart + 20ms), 3);
}

TEST(MonitorState, AtTheEndOfAReplayValuesAgeAsUsual) {
  State state = new_state();
  reduce(state, data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0}), kStart);
  take_link(state, {LinkState::ended, 0, 0, 0}, kStart + 10ms);
  EXPECT_EQ(value(state, "system_status", "control_mode", kStart + 250ms), 1);
  EXPECT_EQ(value(state, "system_status", "control_mode", kStart + 251ms), std::nullopt);
}

// ---- Other ids, error frames -------- -------------------------------------------------------------------

TEST(MonitorState, ListsIdsThatAreNotInTheCatalogue) {
  State state = new_state();
  for (int i = 0; i < 3; ++i) reduce(state, data_frame(0x212, {0, 7, 1, 2}), kStart + i * 2s);
  ASSERT_EQ(state.others.size(), 1U);
  EXPECT_EQ(state.others[0].frame.id, 0x212U);
  EXPECT_EQ(state.others[0].count, 3U);
  EXPECT_DOUBLE_EQ(state.others[0].meter.per_second(kStart + 5s).value(), 0.5);
}

TEST(MonitorState, AFrameOfAnotherKindIsNeverAMessage) {
  State state = new_state();
  Received remote = data_frame(0x211, {});
  remote.frame.kind = FrameKind::remote;
  Received fd = data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0});
  fd.frame.kind = FrameKind::fd;
  Received extended = data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0});
  extended.frame.extended = true;
  for (const Received& received : {remote, fd, extended, extended}) reduce(state, received, kStart);
  EXPECT_EQ(entry(state, "system_status").count, 0U);
  EXPECT_EQ(state.others.size(), 3U);
  EXPECT_EQ(state.foreign.remote, 1U);
  EXPECT_EQ(state.foreign.fd, 1U);
  EXPECT_EQ(state.foreign.extended, 2U);
  EXPECT_FALSE(state.last_feedback.has_value()) << "none of them is a sign of life";
}

TEST(MonitorState, AFloodOfIdsStaysBounded) {
  State state = new_state();
  for (std::uint32_t id = 0; id < 2048; ++id) reduce(state, data_frame(id, {1}), kStart);
  for (std::uint32_t id = 0; id < 100'000; id += 100) {
    Received received = data_frame(id, {1});
    received.frame.extended = true;
    reduce(state, received, kStart);
  }
  const std::size_t known = Traffic::catalogue().messages().size();
  EXPECT_EQ(state.others.size(), 2048 - known + kMostForeignIds);
  EXPECT_EQ(state.not_listed, 1000 - kMostForeignIds);
  EXPECT_EQ(state.frame_count, 3048U);
}

TEST(MonitorState, CountsErrorFramesByClassAndApartFromFrames) {
  State state = new_state();
  reduce(state, error_frame(kErrorBusError | kErrorProtocol), kStart);
  reduce(state, error_frame(kErrorBusError | kErrorNoAcknowledge), kStart + 1ms);
  EXPECT_EQ(state.errors.count, 2U);
  EXPECT_EQ(state.errors.by_class[7], 2U);
  EXPECT_EQ(state.errors.by_class[3], 1U);
  EXPECT_EQ(state.errors.by_class[5], 1U);
  EXPECT_EQ(state.errors.by_class[0], 0U);
  EXPECT_EQ(state.errors.last.id, kErrorBusError | kErrorNoAcknowledge);
  EXPECT_EQ(state.frame_count, 0U);
  EXPECT_EQ(state.controller, Controller::not_told);
}

TEST(MonitorState, BelievesWhatTheControllerSaysAboutItself) {
  struct Row {
    Received error;
    Controller state;
  };
  const Row rows[] = {
      {error_frame(kErrorController, 0x04), Controller::error_warning},  // receive
      {error_frame(kErrorController, 0x08), Controller::error_warning},  // transmit
      {error_frame(kErrorController, 0x10), Controller::error_passive},  // receive
      {error_frame(kErrorController, 0x2C), Controller::error_passive},  // transmit, and both warnings
      {error_frame(kErrorController, 0x40), Controller::error_active},
      {error_frame(kErrorController, 0x01), Controller::error_active},  // overflow: says nothing about it
      {error_frame(kErrorBusError, 0x10), Controller::error_active},    // no controller frame
      {error_frame(kErrorBusOff), Controller::bus_off},
      {error_frame(kErrorRestarted), Controller::restarted},
  };
  State state = new_state();
  for (const Row& row : rows) {
    reduce(state, row.error, kStart);
    EXPECT_EQ(state.controller, row.state) << controller_name(row.state);
  }
}

TEST(MonitorState, AReceivedFrameEndsBusOffAndAnOutageForgetsIt) {
  State state = new_state();
  reduce(state, error_frame(kErrorBusOff), kStart);
  Received echo = data_frame(0x111, {0, 0, 0, 0, 0, 0, 0, 0});
  echo.direction = FrameDirection::tx;
  reduce(state, echo, kStart);
  EXPECT_EQ(state.controller, Controller::bus_off) << "an echo proves nothing";
  reduce(state, data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0}), kStart);
  EXPECT_EQ(state.controller, Controller::restarted);
  take_link(state, {LinkState::up, 0, 0, 1}, kStart + 1s);
  EXPECT_EQ(state.controller, Controller::not_told);
}

// ---- Load ---------------------------------------------------------------------------------------------

TEST(MonitorState, CountsBitsOnTheWire) {
  // Classic frame with 11-bit id: 44 bits and 3 of pause; 34 of them and the data can be stuffed.
  const auto bits = [](Received received) { return wire_bits(received.frame); };
  EXPECT_EQ(bits(data_frame(0x211, {0, 0, 0, 0, 0, 0, 0, 0})).least, 111U);
  EXPECT_EQ(bits(data_frame(0x211, {0, 0, 0, 0, 0, 0, 0, 0})).most, 135U);
  EXPECT_EQ(bits(data_frame(0x211, {})).least, 47U);
  EXPECT_EQ(bits(data_frame(0x211, {})).most, 55U);
  Received extended = data_frame(0x18FF1234, {0, 0, 0, 0, 0, 0, 0, 0});
  extended.frame.extended = true;
  EXPECT_EQ(bits(extended).least, 131U);
  EXPECT_EQ(bits(extended).most, 160U);
  Received remote = data_frame(0x211, {});
  remote.frame.kind = FrameKind::remote;
  remote.frame.length = 8;
  EXPECT_EQ(bits(remote).least, 47U);
  EXPECT_EQ(bits(error_frame(kErrorBusOff)).least, 0U);
}

TEST(MonitorState, LoadOfAHealthyChassis) {
  State state = new_state();
  Traffic traffic;
  traffic.run(state, kStart, kStart + 5s);
  const SteadyTime now = kStart + 5s;
  // 16 messages of 8 bytes and one of 3 every 20 ms, 8 of 8 bytes every 100 ms, one of 8 and one of 4 every
  // 500 ms: 16 * 50 * 111 + 50 * 71 + 80 * 111 + 2 * (111 + 79) = 101,610 bits a second.
  EXPECT_NEAR(state.frames.per_second(now).value(), 934.0, 5.0);
  EXPECT_NEAR(load_percent(state, state.bits, now), 20.3, 0.2);
  EXPECT_NEAR(load_percent(state, state.worst_bits, now), 24.7, 0.2);
}

TEST(MonitorState, DoesNotAllocateOnceEveryIdIsKnown) {
  State state = new_state();
  Traffic traffic;
  const std::array strangers{data_frame(0x212, {1}), error_frame(kErrorController, 0x10)};
  traffic.run(state, kStart, kStart + 1s);
  for (const Received& received : strangers) reduce(state, received, kStart + 1s);

  const Received frame = data_frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0});
  const std::uint64_t before = rangerctl::testing::allocations();
  for (int i = 0; i < 10'000; ++i) {
    const SteadyTime now = kStart + 1s + i * 1ms;
    reduce(state, frame, now);
    for (const Received& received : strangers) reduce(state, received, now);
    take_link(state, {LinkState::up, static_cast<std::uint64_t>(i), 0, 0}, now);
  }
  EXPECT_EQ(rangerctl::testing::allocations(), before);
}

}  // namespace
}  // namespace rangerctl::monitor
