#include "rangerctl/protocol/values.hpp"

#include <gtest/gtest.h>

#include <array>

#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::protocol {
namespace {

const Signal& signal(std::string_view message, std::string_view name) {
  return *find_signal(*kDefaultCatalogue.find(message), name);
}

std::string decimal(std::int64_t raw, unsigned decimals) {
  std::string text;
  append_decimal(text, raw, decimals);
  return text;
}

TEST(Values, DecimalsAreExact) {
  EXPECT_EQ(decimal(0, 0), "0");
  EXPECT_EQ(decimal(0, 3), "0.000");
  EXPECT_EQ(decimal(-1, 3), "-0.001");
  EXPECT_EQ(decimal(-5, 1), "-0.5");
  EXPECT_EQ(decimal(150, 3), "0.150");
  EXPECT_EQ(decimal(32767, 3), "32.767");
  EXPECT_EQ(decimal(-32768, 3), "-32.768");
  EXPECT_EQ(decimal(-2147483648LL, 3), "-2147483.648");
  EXPECT_EQ(decimal(497, 1), "49.7");
}

TEST(Values, RawValuesAreBigEndianAndSigned) {
  constexpr std::array<std::uint8_t, 8> bytes{0xFF, 0x9C, 0x80, 0x00, 0x00, 0x01, 0xB4, 0x7F};
  EXPECT_EQ(raw_value(i16(0), bytes), -100);
  EXPECT_EQ(raw_value(u16(0), bytes), 0xFF9C);
  EXPECT_EQ(raw_value(i32(2), bytes), -2147483647);
  EXPECT_EQ(raw_value(u32(2), bytes), 0x80000001);
  EXPECT_EQ(raw_value(i8(7), bytes), 127);
  EXPECT_EQ(raw_value(bit_field(6, 0, 2), bytes), 0);
  EXPECT_EQ(raw_value(bit_field(6, 2, 2), bytes), 1);
  EXPECT_EQ(raw_value(bit_field(6, 4, 2), bytes), 3);
  EXPECT_EQ(raw_value(bit_field(6, 6, 2), bytes), 2);
}

TEST(Values, TextSaysWhatTheBytesMean) {
  EXPECT_EQ(value_text(signal("system_status", "control_mode"), 1), "can");
  EXPECT_EQ(value_text(signal("system_status", "control_mode"), 2), "2");
  EXPECT_EQ(value_text(signal("system_status", "errors"), 0), "none");
  EXPECT_EQ(value_text(signal("system_status", "errors"), 0x280), "emergency_stop,bit9");
  EXPECT_EQ(value_text(signal("system_status", "battery_voltage"), 497), "49.7");
}

TEST(Values, BmsVoltageChangesItsUnitAboveOneThousand) {
  const Signal& voltage = signal("bms_status", "voltage");
  EXPECT_EQ(value_text(voltage, 497), "49.7");
  EXPECT_EQ(value_text(voltage, 1000), "100.0");
  EXPECT_EQ(value_text(voltage, 1001), "10.01");
  EXPECT_EQ(value_text(voltage, 4920), "49.20");
  EXPECT_EQ(*parse_value(voltage, "49.2"), 4920);
  Frame frame = empty_frame(*kDefaultCatalogue.find("bms_status"));
  EXPECT_TRUE(set_signal(frame, voltage, 4920));
  EXPECT_FALSE(set_signal(frame, voltage, 1000)) << "10.00 V would be read back as 100.0 V";
}

TEST(Values, ParsingIsTheInverseOfText) {
  EXPECT_EQ(*parse_value(signal("motion_command", "linear_velocity"), "0.15"), 150);
  EXPECT_EQ(*parse_value(signal("motion_command", "linear_velocity"), "-0.150"), -150);
  EXPECT_EQ(*parse_value(signal("motion_command", "linear_velocity"), "+2"), 2000);
  EXPECT_EQ(*parse_value(signal("motion_mode_command", "motion_mode"), "spin"), 2);
  EXPECT_EQ(*parse_value(signal("motion_mode_command", "motion_mode"), "2"), 2);
  EXPECT_EQ(*parse_value(signal("system_status", "errors"), "emergency_stop,bit9"), 0x280);
  EXPECT_EQ(*parse_value(signal("system_status", "errors"), "none"), 0);
}

TEST(Values, GarbageIsRefusedWithWhatIsAccepted) {
  for (const char* text : {"", "nan", "inf", "-", ".", "1.", ".5", "1.2345", "0x10", "1e3", " 1", "1 ", "--1",
                           "1,5", "99999999999999999999"}) {
    const auto result = parse_value(signal("motion_command", "linear_velocity"), text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().status, ExitStatus::usage);
  }
  EXPECT_FALSE(parse_value(signal("motion_mode_command", "motion_mode"), "fly"));
  EXPECT_FALSE(parse_value(signal("system_status", "errors"), "bit32"));
  EXPECT_FALSE(parse_value(signal("system_status", "errors"), "emergency_stop,"));
}

TEST(Values, EverySignalRoundTripsAlone) {
  for (const Message& message : kDefaultCatalogue.messages()) {
    for (const Signal& row : message.signals) {
      for (const std::int64_t raw : {row.field.min(), row.field.max(), std::int64_t{0}, std::int64_t{1}}) {
        if (row.has_fine_scale() && raw <= row.fine_above) continue;
        Frame frame = empty_frame(message);
        ASSERT_TRUE(set_signal(frame, row, raw));
        EXPECT_EQ(raw_value(row.field, frame.bytes()), raw) << message.name << '.' << row.name;
        EXPECT_EQ(*parse_value(row, value_text(row, raw)), raw) << message.name << '.' << row.name;
        for (const Signal& other : message.signals) {
          if (&other != &row) {
            EXPECT_EQ(raw_value(other.field, frame.bytes()), 0) << message.name << '.' << other.name;
          }
        }
      }
    }
  }
}

TEST(Values, WhatDoesNotFitIsRefusedNotWrapped) {
  Frame frame = empty_frame(*kDefaultCatalogue.find("motion_command"));
  const Signal& speed = signal("motion_command", "linear_velocity");
  EXPECT_FALSE(set_signal(frame, speed, 32768));
  EXPECT_FALSE(set_signal(frame, speed, -32769));
  EXPECT_EQ(frame.data, (std::array<std::uint8_t, 64>{}));
}

}  // namespace
}  // namespace rangerctl::protocol
