#include "rangerctl/error_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rangerctl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Frame error(std::uint32_t classes, std::array<std::uint8_t, 8> bytes) {
  Frame frame{.id = classes, .kind = FrameKind::error, .length = 8};
  std::copy(bytes.begin(), bytes.end(), frame.data.begin());
  return frame;
}

TEST(ErrorFrame, ControllerProblemsAndCounters) {
  const ErrorFrame decoded = decode_error_frame(error(0x004, {0, 0x30, 0, 0, 0, 0, 0x88, 0x7F}));
  EXPECT_THAT(decoded.classes, ElementsAre("controller_problem"));
  EXPECT_THAT(decoded.controller, ElementsAre("rx_error_passive", "tx_error_passive"));
  EXPECT_EQ(decoded.tx_errors, 136);
  EXPECT_EQ(decoded.rx_errors, 127);
  EXPECT_EQ(error_frame_text(decoded),
            "controller_problem (rx_error_passive, tx_error_passive), tx errors 136, rx errors 127");
}

TEST(ErrorFrame, ProtocolViolationsTellTheirPlace) {
  const ErrorFrame decoded = decode_error_frame(error(0x088, {0, 0, 0x84, 0x0A, 0, 0, 0, 0}));
  EXPECT_THAT(decoded.classes, ElementsAre("protocol_violation", "bus_error"));
  EXPECT_THAT(decoded.protocol, ElementsAre("bit_stuffing_error", "transmitting"));
  EXPECT_EQ(decoded.location, "data_field");
  EXPECT_EQ(decoded.tx_errors, std::nullopt);
  EXPECT_EQ(error_frame_text(decoded),
            "protocol_violation (bit_stuffing_error, transmitting, in data_field), bus_error");
}

TEST(ErrorFrame, ClassesWithoutDetails) {
  EXPECT_EQ(error_frame_text(decode_error_frame(error(0x040, {}))), "bus_off");
  EXPECT_EQ(error_frame_text(decode_error_frame(error(0x100, {}))), "restarted");
  EXPECT_EQ(error_frame_text(decode_error_frame(error(0x020, {}))), "no_acknowledge");
  EXPECT_EQ(error_frame_text(decode_error_frame(error(0x000, {}))), "no error class");
  EXPECT_EQ(error_frame_text(decode_error_frame(error(0x200, {}))),
            "error_counters, tx errors 0, rx errors 0");
}

TEST(ErrorFrame, DetailsCountOnlyWithTheirClass) {
  const ErrorFrame decoded = decode_error_frame(error(0x001, {5, 0x30, 0x84, 0x0A, 0x04, 0, 0, 0}));
  EXPECT_THAT(decoded.classes, ElementsAre("tx_timeout"));
  EXPECT_THAT(decoded.controller, IsEmpty());
  EXPECT_THAT(decoded.protocol, IsEmpty());
  EXPECT_EQ(decoded.transceiver, "");
  EXPECT_EQ(decoded.lost_arbitration_bit, std::nullopt);
}

TEST(ErrorFrame, WhatHasNoNameIsShownAsItsNumber) {
  EXPECT_THAT(decode_error_frame(error(0x1000, {})).classes, ElementsAre("bit12"));
  EXPECT_THAT(decode_error_frame(error(0x004, {0, 0x80})).controller, ElementsAre("bit7"));
  EXPECT_EQ(decode_error_frame(error(0x008, {0, 0, 0, 0x17})).location, "23");
  EXPECT_EQ(decode_error_frame(error(0x010, {0, 0, 0, 0, 0x99})).transceiver, "153");
  EXPECT_EQ(error_frame_text(decode_error_frame(error(0x002, {17}))), "lost_arbitration (in bit 17)");
  EXPECT_EQ(error_frame_text(decode_error_frame(error(0x010, {0, 0, 0, 0, 0x50}))),
            "transceiver_status (can_low_short_to_battery)");
}

}  // namespace
}  // namespace rangerctl
