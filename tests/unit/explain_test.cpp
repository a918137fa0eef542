#include "rangerctl/explain.hpp"

#include <gmock/gmock.h>

#include <array>
#include <sstream>

#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string explained(std::string_view word) {
  const auto text = explain(protocol::kDefaultCatalogue, word);
  return text ? *text : "refused: " + text.error().message;
}

TEST(Explain, AnErrorWordNamesEverySetBit) {
  EXPECT_EQ(explained("0x00000380"),
            R"(0x00000380: 3 errors in system_status.errors

  bit 7   emergency_stop: an emergency stop button is pressed or was not cleared
          remedy: release the button, then clear with 0x00 (no code is
          documented for it), or KEY1 on the remote control in remote mode
  bit 8   driver_fault: a motor driver reports a fault
          remedy: see driver_status of 0x261 to 0x268; no clear code of its own,
          try 0x00
  bit 9   not documented
)");
  EXPECT_THAT(explained("0x80000001"),
              HasSubstr("2 errors in system_status.errors\n\n  bit 0   battery_undervoltage"));
  EXPECT_THAT(explained("0x80000001"), HasSubstr("          clear code: 0x09\n  bit 31  not documented\n"));
  EXPECT_EQ(explained("0x00000000"), "0x00000000: no error in system_status.errors\n");
  EXPECT_THAT(explained("0x00000004"), HasSubstr("1 error in"));
}

TEST(Explain, AClearCodeSaysWhatItClears) {
  EXPECT_EQ(explained("0x09"),
            R"(clear code 0x09 battery_undervoltage

  meaning  also tries to restore the power supply
  clears   battery_undervoltage, bit 0 of system_status.errors: battery voltage
           too low
  remedy   charge the battery, then clear
  frame    441#09
)");
  EXPECT_EQ(explained("9"), explained("0x09"));
  EXPECT_EQ(explained("0x9"), explained("0x09"));
  EXPECT_EQ(explained("16"), explained("0x10"));
  EXPECT_EQ(explained("10"), explained("0x0A")) << "decimal without 0x";
  EXPECT_EQ(explained("0x0B").substr(0, 46), "clear code 0x0B motor5_steering_calibration\n\n ");
  EXPECT_THAT(explained("0x0B"), HasSubstr("steering_zero_right_front, bit 16 of"));
  EXPECT_THAT(explained("0"),
              HasSubstr("  clears   no particular bit; without a code of their own are overvoltage,\n"
                        "           emergency_stop, driver_fault, steering_calibration_timeout\n"));
}

TEST(Explain, AMessageByNameOrId) {
  EXPECT_EQ(explained("motion_mode_feedback"),
            R"(0x291 motion_mode_feedback: how the wheels steer, and the drive mode

  sent        from the chassis, every 20 ms
  length      3 bytes
  source      user manual V1.0.1, section 3.2

  motion_mode     byte 0; 0=ackermann, 1=oblique, 2=spin, 3=park; changes at
                  once; the wheels need about 0.6 s and speed is ignored
                  meanwhile
  mode_switching  byte 1; 0=completed, 1=switching
  drive_mode      byte 2; 0=current, 1=voltage
)");
  EXPECT_EQ(explained("0x291"), explained("motion_mode_feedback"));
  EXPECT_EQ(explained("291"), explained("motion_mode_feedback"));
  EXPECT_THAT(explained("111"), HasSubstr("  sent        from the host, every 20 ms, timeout 500 ms\n"));
  EXPECT_THAT(explained("111"), HasSubstr("bytes 0-1; signed, in 0.001 m/s; -2.000 to 2.000 m/s;\n"));
  EXPECT_THAT(explained("441"),
              HasSubstr("  sent        from the host, when needed\n  length      1 byte\n"));
  EXPECT_THAT(explained("241"),
              HasSubstr("  swb            byte 0 bits 2-3; 2=up, 1=middle, 3=down; up: the"));
  EXPECT_THAT(explained("211"), HasSubstr("  errors           bytes 4-7; 20 flags; active and not yet"));
}

TEST(Explain, AnIdThatIsNotDecoded) {
  EXPECT_EQ(explained("0x212"),
            "0x212, 4 bytes: 00 07 01 02 every 2 s on hardware; its meaning is not documented\n");
}

TEST(Explain, ASignalByItsFullName) {
  EXPECT_EQ(explained("motion_command.angular_velocity"),
            R"(motion_command.angular_velocity: spin, counter-clockwise positive

  message     0x111 motion_command; from the host, every 20 ms, timeout 500 ms
  layout      bytes 2-3, signed, in 0.001 rad/s
  limits      -3.259 to 3.259 rad/s
              zero in ackermann
              zero in oblique
              zero in park
  source      user manual V1.0.1, section 3.2
)");
  EXPECT_EQ(explained("motor3_high_speed.position"),
            R"(motor3_high_speed.position

  message     0x253 motor3_high_speed; from the chassis, every 20 ms
  layout      bytes 4-7, signed, in pulses
  range       -2147483648 to 2147483647 pulses
  source      user manual V1.0.1, section 3.2
)");
  EXPECT_THAT(explained("control_mode_command.control_mode"),
              HasSubstr("  layout      byte 0, one of the values below\n"
                        "  values       0  standby: give control back\n"
                        "               1  can: let the host command\n"));
  EXPECT_THAT(explained("bms_alarms.alarm_1"),
              HasSubstr("  bits         1  overvoltage\n               2  under"));
}

TEST(Explain, ABareNameGetsAllItsMeanings) {
  EXPECT_EQ(explained("current"),
            R"(current

  messages    0x251 motor1_high_speed to 0x258 motor8_high_speed; from the
              chassis, every 20 ms
  layout      bytes 2-3, signed, in 0.1 A
  range       -3276.8 to 3276.7 A
  source      user manual V1.0.1, section 3.2

current: value 0 of motion_mode_feedback.drive_mode

  message     0x291 motion_mode_feedback; from the chassis, every 20 ms

bms_status.current: charging positive, discharging negative

  message     0x361 bms_status; from the chassis, every 500 ms
  layout      bytes 4-5, signed, in 0.1 A
  range       -3276.8 to 3276.7 A
  source      user manual V1.0.1, section 3.2

current: value 0 of drive_mode_command.drive_mode

  message     0x423 drive_mode_command; from the host, when needed
)");
  EXPECT_EQ(explained("emergency_stop"),
            R"(emergency_stop: value 1 of system_status.vehicle_state

  meaning     other AgileX chassis send this; not in this model's manual
  message     0x211 system_status; from the chassis, every 20 ms

emergency_stop: bit 7 of system_status.errors

  meaning     an emergency stop button is pressed or was not cleared
  remedy      release the button, then clear with 0x00 (no code is documented
              for it), or KEY1 on the remote control in remote mode
  message     0x211 system_status; from the chassis, every 20 ms
)");
  EXPECT_THAT(explained("over_current"), HasSubstr("\n  clear code  0x0F\n"));
  EXPECT_THAT(explained("left_wheel"),
              HasSubstr("0x311 front_odometer, 0x312 rear_odometer; from the chassis"));
}

TEST(Explain, AnythingElseIsRefusedWithWhatComesNearest) {
  const auto refused = explain(protocol::kDefaultCatalogue, "emergncy_stop");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, ExitStatus::usage);
  EXPECT_EQ(
      refused.error().message,
      "nothing is known of 'emergncy_stop' on the AgileX RANGER MINI 3.0; did you mean 'emergency_stop'?");
  EXPECT_THAT(explained("motion_comand.linear_velocity"), HasSubstr("'motion_command.linear_velocity'?"));
  EXPECT_THAT(explained("qqqqqqqqqqqq"), HasSubstr("'rangerctl protocol' lists all"));
  EXPECT_EQ(explained("0x11"), "refused: 0x11 is no clear code; they are 0x00 to 0x10");
  EXPECT_EQ(explained("17"), "refused: 0x11 is no clear code; they are 0x00 to 0x10");
  EXPECT_THAT(explained("0x213"), HasSubstr("no message of the AgileX RANGER MINI 3.0 has id 0x213"));
  EXPECT_THAT(explained("213"), HasSubstr("has id 0x213"));
  for (const std::string_view word : {"0x", "0x1234", "0x000001800", "0xgg", "0x-1", ""})
    EXPECT_THAT(explained(word), StartsWith("refused: ")) << word;
  for (const std::string_view word : {"-1", "+1", " 9", "9 "})
    EXPECT_THAT(explained(word), StartsWith("refused: nothing is known")) << word;
}

TEST(Explain, EveryNameOfTheCatalogueIsKnownAndFitsEightyColumns) {
  const auto check = [](const std::string& word) {
    const std::string text = explained(word);
    EXPECT_THAT(text, Not(StartsWith("refused"))) << word;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  };
  for (const protocol::Message& message : protocol::kDefaultCatalogue.messages()) {
    check(std::string(message.name));
    for (const protocol::Signal& signal : message.signals) {
      check(std::string(message.name) + "." + std::string(signal.name));
      check(std::string(signal.name));
      for (const protocol::Flag& flag : signal.flags) check(std::string(flag.name));
      for (const protocol::Choice& choice : signal.choices) check(std::string(choice.name));
    }
  }
  check("0xFFFFFFFF");
}

TEST(Explain, ALimitOnOneSideIsALimit) {
  static constexpr std::array kSignals{
      protocol::Signal{.name = "low", .field = protocol::i8(0), .range = {-5, 127}},
      protocol::Signal{.name = "high", .field = protocol::u8(1), .range = {0, 5}},
      protocol::Signal{.name = "free", .field = protocol::u8(2)}};
  static constexpr std::array kMessages{
      protocol::Message{0x100, "m", protocol::Direction::command, 3, 0, 0, kSignals, "meaning", "source"}};
  const protocol::Catalogue catalogue("c", "C", kMessages);
  EXPECT_THAT(*explain(catalogue, "m.low"), HasSubstr("  limits      -5 to 127\n"));
  EXPECT_THAT(*explain(catalogue, "m.high"), HasSubstr("  limits      0 to 5\n"));
  EXPECT_THAT(*explain(catalogue, "m.free"), HasSubstr("  range       0 to 255\n"));
}

TEST(Explain, ACatalogueWithoutErrorsOrCodesSaysSo) {
  const protocol::Catalogue nothing("none", "Nothing", {});
  EXPECT_EQ(explain(nothing, "0x00000180").error().message, "the Nothing has no error word");
  EXPECT_EQ(explain(nothing, "0x09").error().message, "the Nothing has no clear codes");
}

Frame frame(std::uint32_t id, std::initializer_list<std::uint8_t> bytes) {
  Frame made{.id = id, .length = static_cast<std::uint8_t>(bytes.size())};
  std::copy(bytes.begin(), bytes.end(), made.data.begin());
  return made;
}

std::string explained(const Frame& frame) { return explain_frame(protocol::kDefaultCatalogue, frame); }

TEST(ExplainFrame, EverySignalInWords) {
  EXPECT_EQ(explained(frame(0x211, {0x02, 0x02, 0x01, 0xF1, 0x00, 0x00, 0x02, 0x80})),
            R"(211#020201F100000280: system_status (state, who commands, battery voltage,
errors)

  vehicle_state    abnormal: at least one error is active
  control_mode     2: not documented
  battery_voltage  49.7 V: may differ from bms_status.voltage by 2.3 V
  errors           emergency_stop
                     an emergency stop button is pressed or was not cleared;
                     remedy: release the button, then clear with 0x00 (no code
                     is documented for it), or KEY1 on the remote control in
                     remote mode
                   bit9
                     not documented
)");
  EXPECT_THAT(explained(frame(0x211, {0, 1, 1, 0xF1, 0, 0, 0, 0})),
              HasSubstr("\n  errors           none: active"));
  EXPECT_THAT(explained(frame(0x361, {66, 100, 0x13, 0x38, 0xFF, 0xFA, 0, 245})),
              HasSubstr("  current      -0.6 A: charging positive, discharging negative\n"));
}

TEST(ExplainFrame, LengthsThatAreNotTheTables) {
  EXPECT_EQ(explained(frame(0x211, {0, 1, 2})),
            "211#000102: system_status (state, who commands, battery voltage, "
            "errors)\n  short: 3 of 8 bytes, so nothing is decoded\n");
  EXPECT_EQ(explained(frame(0x362, {2, 0, 0, 0, 9, 9, 9, 9})),
            R"(362#0200000009090909: bms_alarms (battery alarms and warnings)
  8 bytes; the message has 4, the rest is ignored

  alarm_1    overvoltage
  alarm_2    none
  warning_1  none
  warning_2  none
)");
}

TEST(ExplainFrame, WhatIsNoMessage) {
  EXPECT_EQ(explained(frame(0x212, {0, 7, 1, 2})),
            "212#00070102: 00 07 01 02 every 2 s on hardware; its meaning is not documented\n");
  EXPECT_THAT(explained(frame(0x213, {0, 7, 1, 2})),
              StartsWith("213#00070102: not in the catalogue of the AgileX"));
  Frame extended = frame(0x211, {1});
  extended.extended = true;
  EXPECT_THAT(explained(extended),
              StartsWith("00000211#01: no message of the AgileX RANGER MINI 3.0, which"));
  EXPECT_THAT(explained(Frame{.id = 0x211, .kind = FrameKind::remote, .length = 8}),
              StartsWith("remote request 211, 8 bytes: no message"));
  EXPECT_THAT(explained(Frame{.id = 0x211, .kind = FrameKind::fd, .length = 12}),
              StartsWith("CAN FD frame 211, 12 bytes: no message"));
  EXPECT_THAT(explained(Frame{.id = 0x45, .kind = FrameKind::xl}),
              StartsWith("CAN XL frame, priority 045: no message"));
  EXPECT_EQ(
      explained(Frame{.id = 0x040, .kind = FrameKind::error, .length = 8}),
      "error frame: bus_off; made by the controller of the host that logged it, not\nsent by any node\n");
}

}  // namespace
}  // namespace rangerctl
