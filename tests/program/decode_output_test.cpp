// What `decode` prints, byte for byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

Outcome decode_text(const std::string& input, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "decode");
  Command command = rangerctl(std::move(arguments));
  command.input = input;
  return run(std::move(command));
}

constexpr const char* kLog =
    "(1712345678.123456) can0 211#000101F100000000\n"
    "(1712345678.123457) can0 221#00000BB80000FF9C\n"
    "(1712345678.123458789) can1 18FF50E5#0102\n"
    "(1712345678.123459) can0 361#64641388FF9C012C\n";

TEST(DecodeOutput, Json) {
  EXPECT_EQ(
      decode_text(kLog, {"--format", "json"}).out,
      R"({"time":1712345678.123456,"bus":"can0","id":"211","data":"000101F100000000","message":"system_status",)"
      R"("signals":{"vehicle_state":"normal","control_mode":"can","battery_voltage":49.7,"errors":[]}})"
      "\n"
      R"({"time":1712345678.123457,"bus":"can0","id":"221","data":"00000BB80000FF9C","message":"motion_feedback",)"
      R"("signals":{"linear_velocity":0.000,"angular_velocity":3.000,"steering_angle":-0.100}})"
      "\n"
      R"({"time":1712345678.123458789,"bus":"can1","id":"18FF50E5","data":"0102"})"
      "\n"
      R"({"time":1712345678.123459,"bus":"can0","id":"361","data":"64641388FF9C012C","message":"bms_status",)"
      R"("signals":{"soc":100,"soh":100,"voltage":50.00,"current":-10.0,"temperature":30.0}})"
      "\n");
}

TEST(DecodeOutput, Csv) {
  EXPECT_EQ(decode_text(kLog, {"--format", "csv", "--only", "motion_feedback", "--only", "18FF50E5"}).out,
            "time,bus,id,message,signal,value,unit\n"
            "1712345678.123457,can0,221,motion_feedback,linear_velocity,0.000,m/s\n"
            "1712345678.123457,can0,221,motion_feedback,angular_velocity,3.000,rad/s\n"
            "1712345678.123457,can0,221,motion_feedback,steering_angle,-0.100,rad\n"
            "1712345678.123458789,can1,18FF50E5,,data,0102,\n");
}

TEST(DecodeOutput, OneSignalInAWindowOfTime) {
  EXPECT_EQ(
      decode_text(kLog, {"--signal", "motion_feedback.angular_velocity", "--from", "+0", "--to", "+1"}).out,
      "1712345678.123457 can0 221 motion_feedback angular_velocity=3.000 rad/s\n");
}

TEST(DecodeOutput, RawIntegers) {
  EXPECT_THAT(
      decode_text(kLog, {"--raw", "--format", "json", "--only", "211"}).out,
      HasSubstr(R"("signals":{"vehicle_state":0,"control_mode":1,"battery_voltage":497,"errors":0}})"));
}

/// No byte that a terminal obeys, except the ends of lines.
bool is_printable(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\n') || byte == 0x7F || (byte >= 0x80 && byte <= 0x9F);
  });
}

TEST(DecodeOutput, ControlCharactersNeverReachTheTerminal) {
  const std::string evil[] = {
      "(1.000000) \x1b[2Jcan0 211#000101F100000000\n",
      "(1.000000) can\x07 211#000101F100000000\n",
      "(1.000000) ca\x7fn0 211#000101F100000000\n",
      "(1.000000) can\xc2\x9b"
      "31m 211#000101F100000000\n",
      "  can\x1b]0;title\x07  211   [8]  00 01 01 F1 00 00 00 00\n",
      "  can0  211   [8]  00 01 01 F1 00 00 00 00   '\x1b[31m...'\n",
      "\x1b]0;title\x07\n",
      "(1.000000) can0 211#0001\x1b[A01F100000000\n",
  };
  for (const std::string& line : evil) {
    for (const char* format : {"text", "json", "csv"}) {
      const Outcome outcome = decode_text(line + line, {"--format", format});
      EXPECT_TRUE(is_printable(outcome.out)) << format << ::testing::PrintToString(outcome.out);
      EXPECT_TRUE(is_printable(outcome.err)) << format << ::testing::PrintToString(outcome.err);
    }
  }
}

TEST(DecodeOutput, ControlCharactersInAFileNameAreShown) {
  const Outcome outcome = run(rangerctl({"decode", "/nonexistent/\x1b[31m.log"}));
  EXPECT_TRUE(is_printable(outcome.err)) << ::testing::PrintToString(outcome.err);
  EXPECT_THAT(outcome.err, HasSubstr("\\x1B[31m.log"));
}

TEST(DecodeOutput, EveryFlavourOfCandumpIsUnderstoodCompletely) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(RANGERCTL_TEST_DATA "/candump_zoo")) {
    if (entry.path().extension() != ".log") continue;  // the other one is Vector ASC
    const bool is_old = entry.path().filename().string().starts_with("old_");
    const Outcome outcome = run(rangerctl({"decode", "--strict", "--format", "json", entry.path().string()}));
    EXPECT_EQ(outcome.exit_status, 0) << entry.path() << outcome.err;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), is_old ? 19 : 20) << entry.path();
    EXPECT_THAT(outcome.err,
                HasSubstr("frames: 1 decoded, 4 unknown ids, 2 short, 4 error frames, 4 remote, 4 FD"))
        << entry.path();
    EXPECT_THAT(outcome.out,
                HasSubstr(R"("message":"system_status","signals":{"vehicle_state":49,"control_mode":48,)"))
        << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 17);
}

TEST(DecodeOutput, FlavoursMayBeMixedInOneFile) {
  const Outcome outcome = run(rangerctl({"decode", "--strict", RANGERCTL_TEST_DATA "/candump_zoo/new_L.log",
                                         RANGERCTL_TEST_DATA "/candump_zoo/old_taxe.log",
                                         RANGERCTL_TEST_DATA "/candump_zoo/new_c.log"}));
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  const std::string all = read_file(RANGERCTL_TEST_DATA "/candump_zoo/new_L.log") +
                          read_file(RANGERCTL_TEST_DATA "/candump_zoo/old_taxe.log") +
                          read_file(RANGERCTL_TEST_DATA "/candump_zoo/new_c.log");
  EXPECT_EQ(decode_text(all, {"--strict"}).out, outcome.out);
}

}  // namespace
}  // namespace rangerctl::support
