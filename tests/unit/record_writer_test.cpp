#include "rangerctl/output/record_writer.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::output {
namespace {

using protocol::kDefaultCatalogue;

const Timestamp kTime{1712345678, 123456789, 6};

Frame frame_of(std::uint32_t id, std::initializer_list<int> bytes) {
  Frame frame{.id = id, .length = static_cast<std::uint8_t>(bytes.size())};
  std::copy(bytes.begin(), bytes.end(), frame.data.begin());
  return frame;
}

std::string written(WriterOptions options, const Record& record) {
  TextBuffer out;
  RecordWriter(kDefaultCatalogue, std::move(options)).write(record, out);
  return std::string(out.view());
}

std::string json(const Frame& frame) {
  return written({.format = Format::json},
                 {.time = kTime, .bus = "can0", .direction = FrameDirection::rx, .frame = frame});
}
std::string text(const Frame& frame) {
  return written({.format = Format::text}, {.time = kTime, .bus = "can0", .frame = frame});
}
std::string csv(const Frame& frame) {
  return written({.format = Format::csv}, {.time = kTime, .bus = "can0", .frame = frame});
}

const Frame kStatus = frame_of(0x211, {0x00, 0x01, 0x01, 0xF1, 0x00, 0x00, 0x02, 0x80});

TEST(RecordWriter, ADecodedFrameInEachFormat) {
  EXPECT_EQ(
      json(kStatus),
      R"({"time":1712345678.123456,"bus":"can0","dir":"rx","id":"211","data":"000101F100000280",)"
      R"("message":"system_status","signals":{"vehicle_state":"normal","control_mode":"can","battery_voltage":49.7,)"
      R"("errors":["emergency_stop","bit9"]}})"
      "\n");
  EXPECT_EQ(
      text(kStatus),
      "1712345678.123456 can0 211 system_status vehicle_state=normal control_mode=can battery_voltage=49.7 V "
      "errors=emergency_stop,bit9\n");
  EXPECT_EQ(csv(kStatus),
            "1712345678.123456,can0,211,system_status,vehicle_state,normal,\n"
            "1712345678.123456,can0,211,system_status,control_mode,can,\n"
            "1712345678.123456,can0,211,system_status,battery_voltage,49.7,V\n"
            "1712345678.123456,can0,211,system_status,errors,emergency_stop|bit9,\n");
}

TEST(RecordWriter, NoFlagsAndUnknownChoices) {
  const Frame frame = frame_of(0x211, {0x05, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00});
  EXPECT_NE(json(frame).find(R"("vehicle_state":5,"control_mode":2,"battery_voltage":0.0,"errors":[]}})"),
            std::string::npos);
  EXPECT_NE(text(frame).find("vehicle_state=5 control_mode=2 battery_voltage=0.0 V errors=none\n"),
            std::string::npos);
  EXPECT_NE(csv(frame).find("system_status,errors,,\n"), std::string::npos);
}

TEST(RecordWriter, RawGivesIntegers) {
  const Record record{.time = kTime, .bus = "can0", .frame = kStatus};
  EXPECT_NE(
      written({.format = Format::json, .raw = true}, record)
          .find(R"("signals":{"vehicle_state":0,"control_mode":1,"battery_voltage":497,"errors":640}})"),
      std::string::npos);
  EXPECT_NE(written({.format = Format::text, .raw = true}, record).find("battery_voltage=497 errors=640\n"),
            std::string::npos);
}

TEST(RecordWriter, SignedValuesKeepTheirDecimals) {
  EXPECT_NE(json(frame_of(0x221, {0xFF, 0xFF, 0x00, 0x96, 0, 0, 0xFF, 0x9C}))
                .find(R"("linear_velocity":-0.001,"angular_velocity":0.150,"steering_angle":-0.100)"),
            std::string::npos);
}

TEST(RecordWriter, WhatIsNoMessage) {
  EXPECT_EQ(json(frame_of(0x7A1, {0x11})),
            R"({"time":1712345678.123456,"bus":"can0","dir":"rx","id":"7A1","data":"11"})"
            "\n");
  EXPECT_EQ(text(frame_of(0x7A1, {})), "1712345678.123456 can0 7A1 unknown data=\n");
  EXPECT_EQ(csv(frame_of(0x7A1, {0x11})), "1712345678.123456,can0,7A1,,data,11,\n");
}

TEST(RecordWriter, ShortFramesAreNeverDecoded) {
  const Frame frame = frame_of(0x111, {1, 2, 3, 4, 5, 6, 7});
  EXPECT_NE(json(frame).find(
                R"("data":"01020304050607","message":"motion_command","error":"short: 7 of 8 bytes"})"),
            std::string::npos);
  EXPECT_EQ(text(frame),
            "1712345678.123456 can0 111 motion_command short: 7 of 8 bytes data=01020304050607\n");
  EXPECT_EQ(csv(frame), "1712345678.123456,can0,111,motion_command,error,short: 7 of 8 bytes,\n");
}

TEST(RecordWriter, LongerFramesAreDecodedAndTheRestIgnored) {
  const Frame frame = frame_of(0x362, {0x02, 0, 0, 0, 0, 0, 8, 6});
  EXPECT_NE(json(frame).find(
                R"("data":"0200000000000806","message":"bms_alarms","signals":{"alarm_1":["overvoltage"])"),
            std::string::npos);
}

TEST(RecordWriter, OtherKindsOfFrames) {
  Frame remote{.id = 0x211, .kind = FrameKind::remote, .length = 8, .raw_dlc = 9};
  EXPECT_NE(json(remote).find(R"("id":"211","rtr":true,"dlc":8,"raw_dlc":9})"), std::string::npos);
  EXPECT_NE(text(remote).find(" 211 remote dlc=8 raw_dlc=9\n"), std::string::npos);

  Frame extended = frame_of(0x211, {1});
  extended.extended = true;
  EXPECT_NE(json(extended).find(R"("id":"00000211","data":"01"})"), std::string::npos);

  Frame fd = frame_of(0x211, {1, 2, 3, 4, 5, 6, 7, 8});
  fd.kind = FrameKind::fd;
  fd.fd_flags = kFdFormat | kFdBitRateSwitch;
  EXPECT_NE(json(fd).find(R"("id":"211","data":"0102030405060708","fd":true,"flags":5})"), std::string::npos);

  const auto xl = std::make_unique<log::XlFrame>();
  xl->vcid = 0x45, xl->flags = 0x81, xl->sdt = 0, xl->af = 0x12345678, xl->length = 5, xl->stored = 2;
  xl->data[0] = 0x11, xl->data[1] = 0x22;
  const Frame xl_frame{.id = 0x123, .kind = FrameKind::xl};
  EXPECT_EQ(
      written({.format = Format::json}, {.time = kTime, .frame = xl_frame, .xl = xl.get()}),
      R"({"time":1712345678.123456,"id":"123","data":"1122","xl":{"vcid":69,"flags":129,"sdt":0,"af":305419896,"length":5}})"
      "\n");
}

TEST(RecordWriter, ErrorFramesAreWords) {
  Frame error = frame_of(0x004, {0, 0x30, 0, 0, 0, 0, 0x88, 0x7F});
  error.kind = FrameKind::error;
  EXPECT_NE(
      json(error).find(
          R"("id":"20000004","data":"003000000000887F","error_frame":{"classes":["controller_problem"],)"
          R"("controller":["rx_error_passive","tx_error_passive"],"tx_errors":136,"rx_errors":127}})"),
      std::string::npos);
  EXPECT_EQ(csv(error),
            "1712345678.123456,can0,20000004,,error_frame,\"controller_problem (rx_error_passive, "
            "tx_error_passive), tx errors 136, rx errors 127\",\n");
}

TEST(RecordWriter, RawDlcOfADecodedFrameIsKept) {
  Frame frame = kStatus;
  frame.raw_dlc = 14;
  EXPECT_NE(json(frame).find(R"("data":"000101F100000280","raw_dlc":14,"message":"system_status")"),
            std::string::npos);
}

TEST(RecordWriter, TimesAreWrittenAsTheyCame) {
  const auto at = [](Timestamp time) {
    return written({.format = Format::text}, {.time = time, .bus = "a", .frame = kStatus});
  };
  EXPECT_TRUE(at({1712345678, 5, 9}).starts_with("1712345678.000000005 a 211 "));
  EXPECT_TRUE(at({0, 1'000'000, 6}).starts_with("0.001000 a 211 "));
  EXPECT_TRUE(at({}).starts_with("- a 211 "));
  EXPECT_TRUE(
      written({.format = Format::json}, {.time = {}, .frame = kStatus}).starts_with(R"({"id":"211")"));
  EXPECT_TRUE(written({.format = Format::csv}, {.time = {}, .frame = kStatus}).starts_with(",,211,"));
}

TEST(RecordWriter, SecondsAndInterfacesThatChangeAreNotMixedUp) {
  RecordWriter writer(kDefaultCatalogue, {.format = Format::csv});
  TextBuffer out;
  const Frame frame = frame_of(0x7A1, {});
  writer.write({.time = {}, .bus = "", .frame = frame}, out);
  writer.write({.time = {5, 0, 6}, .bus = "can0", .frame = frame}, out);
  writer.write({.time = {6, 0, 6}, .bus = "can1", .frame = frame}, out);
  writer.write({.time = {6, 1'000, 6}, .bus = "can1", .frame = frame}, out);
  writer.write({.time = {5, 0, 9}, .bus = "", .frame = frame}, out);
  EXPECT_EQ(out.view(),
            ",,7A1,,data,,\n"
            "5.000000,can0,7A1,,data,,\n"
            "6.000000,can1,7A1,,data,,\n"
            "6.000001,can1,7A1,,data,,\n"
            "5.000000000,,7A1,,data,,\n");
}

TEST(RecordWriter, NamesOfInterfacesCannotBreakAnything) {
  constexpr std::string_view kEvil = "c\x1b[2J\",\xFF";
  EXPECT_TRUE(written({.format = Format::json}, {.time = {}, .bus = kEvil, .frame = kStatus})
                  .starts_with("{\"bus\":\"c\\u001b[2J\\\",\xEF\xBF\xBD\","));
  EXPECT_TRUE(written({.format = Format::text}, {.time = {}, .bus = kEvil, .frame = kStatus})
                  .starts_with("- c\\x1B[2J\",\\xFF 211"));
  EXPECT_TRUE(written({.format = Format::csv}, {.time = {}, .bus = kEvil, .frame = kStatus})
                  .starts_with(",\"c\\x1B[2J\"\",\\xFF\",211,"));
}

TEST(RecordWriter, ChosenSignalsOnly) {
  const protocol::Message& message = *kDefaultCatalogue.find("system_status");
  const WriterOptions options{.format = Format::json, .signals = {{&message, &message.signals[2]}}};
  const Record record{.time = {}, .frame = kStatus};
  EXPECT_NE(written(options, record).find(R"("signals":{"battery_voltage":49.7}})"), std::string::npos);
  RecordWriter writer(kDefaultCatalogue, options);
  TextBuffer out;
  EXPECT_FALSE(writer.write({.time = kTime, .frame = frame_of(0x221, {0, 0, 0, 0, 0, 0, 0, 0})}, out));
  EXPECT_FALSE(writer.write({.time = kTime, .frame = frame_of(0x211, {0})}, out));
  EXPECT_EQ(out.size(), 0U);
}

TEST(RecordWriter, CsvHasAHeader) {
  TextBuffer out;
  RecordWriter(kDefaultCatalogue, {.format = Format::csv}).write_header(out);
  EXPECT_EQ(out.view(), "time,bus,id,message,signal,value,unit\n");
}

// ---- Frames with their decoded values from an independent decoder written from the manual ----------------

Frame frame_of_vector(const nlohmann::json& vector) {
  Frame frame{.id = static_cast<std::uint32_t>(std::stoul(vector["id"].get<std::string>(), nullptr, 16))};
  const std::string data = vector["data"];
  for (std::size_t i = 0; i < data.size(); i += 2) {
    frame.data[frame.length++] = static_cast<std::uint8_t>(std::stoul(data.substr(i, 2), nullptr, 16));
  }
  return frame;
}

/// Numbers as they stand in the text, so that no digit is lost on the way.
std::string exact(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

TEST(Vectors, EveryFrameDecodesExactly) {
  std::ifstream file(RANGERCTL_TEST_DATA "/ranger-mini-3.vectors.jsonl");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const auto vector = nlohmann::ordered_json::parse(line);
    const std::string ours = json(frame_of_vector(vector));
    const std::string head = R"("message":")" + vector["message"].get<std::string>() + R"(",)";
    ASSERT_NE(ours.find(head), std::string::npos) << line;
    if (vector["signals"].is_string()) {
      EXPECT_NE(ours.find(R"("error":"short: )"), std::string::npos) << line;
      continue;
    }
    std::string expected = head + "\"signals\":{";
    for (const auto& [name, value] : vector["signals"].items()) {
      const bool is_decimal = value.is_string() &&
                              value.get<std::string>().find_first_not_of("-.0123456789") == std::string::npos;
      expected += "\"" + name + "\":" + (is_decimal ? exact(value) : value.dump()) + ",";
    }
    expected.back() = '}';
    EXPECT_NE(ours.find(expected + "}"), std::string::npos) << line << '\n' << ours;
  }
  EXPECT_EQ(count, 340U);
}

}  // namespace
}  // namespace rangerctl::output
