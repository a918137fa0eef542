#include "candump_support.hpp"

namespace rangerctl::log {
namespace {

TEST(CandumpLine, LogFormat) {
  constexpr Row kRows[] = {
      {"(1712345678.123456) can0 211#0001019000000001",
       "1712345678.123456 can0 - data 211 8 0001019000000001"},
      {"(1712345678.123456) can0 211#0001019000000001 R",
       "1712345678.123456 can0 rx data 211 8 0001019000000001"},
      {"(1712345678.123456) can0 211#0001019000000001 T",
       "1712345678.123456 can0 tx data 211 8 0001019000000001"},
      {"(1712345678.123456) can0 7A1#", "1712345678.123456 can0 - data 7A1 0"},
      {"(1712345678.123456) can0 7FF#FF", "1712345678.123456 can0 - data 7FF 1 FF"},
      {"(1712345678.123456789) can0 211#0100", "1712345678.123456789 can0 - data 211 2 0100"},
      {"(000.020000) can0 111#00C800000000FF38 T", "0.020000 can0 tx data 111 8 00C800000000FF38"},
      {"(1712345678.140456)   vcan1 221#00000BB8", "1712345678.140456 vcan1 - data 221 4 00000BB8"},
      {"(1.5) slcan10 221#0a0B", "1.5 slcan10 - data 221 2 0A0B"},
      {"(1712345678.123456) can0 18FF50E5#AABBCC", "1712345678.123456 can0 - data 18FF50E5x 3 AABBCC"},
      {"(1712345678.123456) can0 00000211#01", "1712345678.123456 can0 - data 211x 1 01"},
      {"(1712345678.123456) can0 1FFFFFFF#01", "1712345678.123456 can0 - data 1FFFFFFFx 1 01"},
      {"(1712345678.126000) can0 321#4A94E82AEC585562_E",
       "1712345678.126000 can0 - data 321 8 4A94E82AEC585562 dlc=14"},
      {"  can0  221#0A.0B", " can0 - data 221 2 0A0B"},
  };
  expect_rows(kRows);
}

TEST(CandumpLine, LogFormatRemoteErrorFdAndXl) {
  constexpr Row kRows[] = {
      {"(1.000000) can0 123#R", "1.000000 can0 - remote 123 0"},
      {"(1.000000) can0 123#R R", "1.000000 can0 rx remote 123 0"},
      {"(1.000000) can0 123#R7", "1.000000 can0 - remote 123 7"},
      {"(1.000000) can0 123#R8", "1.000000 can0 - remote 123 8"},
      {"(1.000000) can0 123#R8_9 T", "1.000000 can0 tx remote 123 8 dlc=9"},
      {"(1.000000) can0 123#r0", "1.000000 can0 - remote 123 0"},
      {"(1.000000) can0 1ABCDEF0#R4", "1.000000 can0 - remote 1ABCDEF0x 4"},
      {"(1.000000) can0 20000004#003000000000887F", "1.000000 can0 - error 004 8 003000000000887F"},
      {"(1.000000) can0 20000080#0000000000000000 R", "1.000000 can0 rx error 080 8 0000000000000000"},
      {"(1.000000) can0 3FFFFFFF#00", "1.000000 can0 - error 1FFFFFFF 1 00"},
      {"(1.000000) can0 211##0010203", "1.000000 can0 - fd 211 3 010203 flags=4"},
      {"(1.000000) can0 211##3", "1.000000 can0 - fd 211 0 flags=7"},
      {"(1.000000) can0 212##50102030405060708 R", "1.000000 can0 rx fd 212 8 0102030405060708 flags=5"},
      {"(1.000000) can0 18FF50E5##51122", "1.000000 can0 - fd 18FF50E5x 2 1122 flags=5"},
      {"(1.000000) can0 211##4.01.02", "1.000000 can0 - fd 211 2 0102 flags=4"},
      {"(1.000000) can0 45123#81:00:12345678#1122334455",
       "1.000000 can0 - xl 123 5 1122334455 vcid=45 flags=81 sdt=00 af=12345678"},
      {"(1.000000) can0 007FF#80:03:000000FF#11 T",
       "1.000000 can0 tx xl 7FF 1 11 vcid=00 flags=80 sdt=03 af=000000FF"},
  };
  expect_rows(kRows);
}

TEST(CandumpLine, WhatIsWrongIsNoFrame) {
  constexpr Row kRows[] = {
      {"(1.000000) can0 800#01", "bad id"},
      {"(1.000000) can0 80080#01", "bad id"},
      {"(1.000000) can0 080080#01", "bad id"},
      {"(1.000000) can0 2G1#01", "bad id"},
      {"(1.000000) can0 #01", "bad id"},
      {"(1.000000) can0 40000001#01", "bad id"},
      {"(1.000000) can0 80000001#01", "bad id"},
      {"(1.000000) can0 45800#81:00:12345678#11", "bad id"},
      {"(1.000000) can0 221#0", "bad data"},
      {"(1.000000) can0 221#00000BB80000FF9", "bad data"},
      {"(1.000000) can0 221#0G", "bad data"},
      {"(1.000000) can0 221#01.", "bad data"},
      {"(1.000000) can0 221#01..02", "bad data"},
      {"(1.000000) can0 221#010203040506070809", "length mismatch"},
      {"(1.000000) can0 221#R9", "length mismatch"},
      {"(1.000000) can0 221#R8_8", "bad data"},
      {"(1.000000) can0 221#R7_9", "bad data"},
      {"(1.000000) can0 221#0102_9", "bad data"},
      {"(1.000000) can0 221#0102030405060708_8", "bad data"},
      {"(1.000000) can0 221#0102030405060708_", "bad data"},
      {"(1.000000) can0 221##", "bad data"},
      {"(1.000000) can0 221##G00", "bad data"},
      {"(1.000000) can0 20000004##400", "bad data"},
      {"(1.000000) can0 20000004#R", "bad data"},
      {"(1.000000) can0 45123#81:00:12345678#", "length mismatch"},
      {"(1.000000) can0 45123#81:00:1234567#11", "bad data"},
      {"(1.000000) can0 45123#81:00:12345678", "bad data"},
      {"(1.000000) can0 45123#1122", "bad id"},
      {"(1.000000) can0 221#01 X", "unrecognised line"},
      {"(1.000000) can0 221#01 R 02", "unrecognised line"},
      {"(1.000000) can0 221#01 RT", "unrecognised line"},
      {"(1.000000) can0 221#00000(1.100000) can0 221#01", "bad data"},
      {"(1.000000) 221#01", "unrecognised line"},
      {"(1.000000)can0 221#01", "unrecognised line"},
      {"can0 221#01", "unrecognised line"},
      {"221#01", "unrecognised line"},
  };
  expect_rows(kRows);
  for (const Row& row : kRows) {
    std::string line(row.line);
    if (line.starts_with("(1.000000)")) line.replace(0, 10, "(1712345678.123456)");
    EXPECT_EQ(OneLine(line).text(), row.expected) << line << " in the quick way through";
  }
}

TEST(CandumpLine, LengthsAtTheirLimits) {
  const std::string fd = "(1.000000) can0 221##4";
  const std::string xl = "(1.000000) can0 45123#81:00:12345678#";
  const auto pairs = [](std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "A5";
    return text;
  };
  EXPECT_EQ(OneLine(fd + pairs(64)).out.frame.length, 64);
  EXPECT_EQ(OneLine(fd + pairs(64)).out.frame.data[63], 0xA5);
  EXPECT_EQ(OneLine(fd + pairs(65)).kind, LineKind::length_mismatch);
  const OneLine longest(xl + pairs(2048));
  EXPECT_EQ(longest.kind, LineKind::frame);
  EXPECT_EQ(longest.out.xl.length, 2048);
  EXPECT_EQ(longest.out.xl.stored, 2048);
  EXPECT_EQ(longest.out.xl.data[2047], 0xA5);
  EXPECT_EQ(OneLine(xl + pairs(2049)).kind, LineKind::length_mismatch);
  EXPECT_EQ(OneLine("#" + std::string(kLongestLine - 1, 'x')).kind, LineKind::comment);
  EXPECT_EQ(OneLine("#" + std::string(kLongestLine, 'x')).kind, LineKind::too_long);
  EXPECT_EQ(OneLine("#" + std::string(kLongestLine, 'x'), LineEnd::eof).kind, LineKind::too_long);
}

TEST(CandumpLine, CousinsInLogFormat) {
  constexpr Row kRows[] = {
      {"DEVICE_ALIAS Powertrain can0", "header line"},
      {"PLATFORM MY_CAR", "header line"},
      {"DESCRIPTION \"My drive (1.5) can0 123#11\"", "header line"},
      {"EVENT (2.542456) can0 \"door opened\"", "header line"},
      {"(1.234567) can0 289#72.02", "1.234567 can0 - data 289 2 7202"},
      {"(1.234567) can0 289#ab.cD.e0", "1.234567 can0 - data 289 3 ABCDE0"},
      {"(1.234567) can0 289#r", "1.234567 can0 - remote 289 0"},
      {"(0000000000.352000) can0 09F20101#601A00B706670D0B\r",
       "0.352000 can0 - data 9F20101x 8 601A00B706670D0B"},
      {"(1712345678.500000) vcan0 20000080#0000000000000000",
       "1712345678.500000 vcan0 - error 080 8 0000000000000000"},
      {"(0000000166.064000) vcan0 21A#FE3680", "166.064000 vcan0 - data 21A 3 FE3680"},
      {"(166.064000) can0 211##30102", "166.064000 can0 - fd 211 2 0102 flags=7"},
      {"(1796037547.209361) canX 123#1122 R", "1796037547.209361 canX rx data 123 2 1122"},
      {"(1712345678.123456) can0 211##50001019000000001 R",
       "1712345678.123456 can0 rx fd 211 8 0001019000000001 flags=5"},
  };
  expect_rows(kRows);
}

TEST(CandumpLine, NoCandumpText) {
  constexpr Row kRows[] = {
      {"", "blank line"},
      {"   \t ", "blank line"},
      {"\r", "blank line"},
      {"# interface can0", "comment"},
      {"#", "comment"},
      {"  # (1.000000) can0 123#11", "comment"},
      {"Disabled standard output while logging.", "candump message"},
      {"Enabling Logfile 'candump-2024-04-05_193438.log'", "candump message"},
      {"Warning: Console output active while logging!", "candump message"},
      {"can0: interface down", "candump message"},
      {"read: Network is down", "candump message"},
      {"read: incomplete CAN frame", "candump message"},
      {"   0.000000 1  123             Rx   d 8 11 22 33 44 55 66 77 88", "unrecognised line"},
      {"   0.010000 1  ErrorFrame", "unrecognised line"},
      {"date Fri Apr  5 19:34:38 2024", "unrecognised line"},
      {"10131  29.555750  ?  CAN 16 XTD: 0x09fd0223   00 49 02 6f 00 fa", "unrecognised line"},
      {"\tbus-off", "unrecognised line"},
      {"hello", "unrecognised line"},
      {"(hello) can0 123#11", "bad time stamp"},
  };
  expect_rows(kRows);
  EXPECT_EQ(OneLine(std::string_view("\0\0\0\0", 4)).kind, LineKind::binary);
  EXPECT_EQ(OneLine(std::string_view("(1.000000) can0 221#01\0\0", 24)).kind, LineKind::binary);
  EXPECT_EQ(OneLine(std::string_view("(1.000000) c\0n0 221#01", 22)).kind, LineKind::binary);
  EXPECT_EQ(OneLine(std::string_view("(1712345678.123456) c\0n0 221#01", 31)).kind, LineKind::binary);
  EXPECT_EQ(OneLine("(1712345678.123456) c\tn0 221#01").kind, LineKind::unrecognised);
  EXPECT_EQ(OneLine("\x7F"
                    "ELF\x02\x01\x01")
                .kind,
            LineKind::binary);
}

TEST(CandumpLine, DropCounts) {
  const OneLine several("DROPCOUNT: dropped 3 CAN frames on 'slcan10' socket (total drops 7)");
  EXPECT_EQ(several.kind, LineKind::drop_count);
  EXPECT_EQ(several.out.drops, 3U);
  const OneLine single("DROPCOUNT: dropped 1 CAN frame on 'can0' socket (total drops 8)\r");
  EXPECT_EQ(single.kind, LineKind::drop_count);
  EXPECT_EQ(single.out.drops, 1U);
  EXPECT_EQ(OneLine("DROPCOUNT: dropped 4294967295 CAN frames on 'a' socket (total drops 8)").out.drops,
            4294967295U);
  EXPECT_EQ(OneLine("DROPCOUNT: dropped 99999999999999999999 CAN frames on 'a' socket (total drops 8)").kind,
            LineKind::unrecognised);
  EXPECT_EQ(OneLine("DROPCOUNT: dropped x CAN frames on 'a' socket (total drops 8)").kind,
            LineKind::unrecognised);
  EXPECT_EQ(OneLine("DROPCOUNT: dropped 3 CAN fra").kind, LineKind::unrecognised);
}

TEST(CandumpLine, AnyInterfaceName) {
  EXPECT_EQ(OneLine("(1.000000) (x)#[8] 123#11").out.bus, "(x)#[8]");
  EXPECT_EQ(OneLine("  can0#1  123   [1]  11").out.bus, "can0#1");
  EXPECT_EQ(OneLine("  #x  123   [1]  11").out.bus, "#x");
  EXPECT_EQ(OneLine("(1.000000) c\xC3\xA4n0 123#11").out.bus, "c\xC3\xA4n0");
  EXPECT_EQ(OneLine("(1712345678.123456) c\x07n\x7F 123#11").out.bus, "c\x07n\x7F");
  EXPECT_EQ(OneLine("(1712345678.123456) c\x1bn0 123#11").out.bus, "c\x1bn0");
  EXPECT_EQ(OneLine("  c\x07n0  123   [1]  11").out.bus, "c\x07n0");
  const std::string line = "(1712345678.123456) can0 123#11";
  const OneLine parsed(line);
  EXPECT_EQ(parsed.out.bus.data(), line.data() + 20) << "the view is of the line itself";
}

TEST(CandumpLine, ColoursAreStripped) {
  constexpr Row kRows[] = {
      {"  \x1b[1m\x1b[34mcan0\x1b[0m  123   [2]  11 22", " can0 - data 123 2 1122"},
      {"  \x1b[1m\x1b[32m  vcan1\x1b[0m       221   [2]  11 22", " vcan1 - data 221 2 1122"},
      {"  \x1b[1m\x1b[34mcan0  123   [2]  11 22\x1b[0m", " can0 - data 123 2 1122"},
      {"  \x1b[1m\x1b[34mcan0  RX B -  123  [02]  11 22                     '.\"'\x1b[0m\r",
       " can0 rx fd 123 2 1122 flags=5"},
      {" \x1b[1m\x1b[34m(1712345678.123456)  can0  20000040   [8]  00 00 00 00 00 00 00 00   "
       "ERRORFRAME\x1b[0m",
       "1712345678.123456 can0 - error 040 8 0000000000000000"},
      {"(1712345678.123456) can0 \x1b[01;31m\x1b[K211\x1b[m\x1b[K#0102",
       "1712345678.123456 can0 - data 211 2 0102"},
      {"\x1b[31m<0x211> [1] 05 \x1b[0m", "  - data 211 1 05"},
      {"\x1b[0m", "blank line"},
      {"  ca\x1b[31mn0  123   [2]  11 22", "unrecognised line"},
      {"  can0  123   [2]  11 22\x1b[0", "binary line"},
  };
  expect_rows(kRows);
  const std::string line = "  \x1b[1m\x1b[34mcan0\x1b[0m  123   [2]  11 22";
  const OneLine parsed(line);
  EXPECT_EQ(parsed.out.bus.data(), line.data() + 11) << "the view is of the line itself";
}

TEST(CandumpLine, ContinuationsFollowErrorFramesOnly) {
  constexpr Row kRows[] = {
      {"\tbus-off", "unrecognised line"},
      {"  can0  20000004   [8]  00 30 00 00 00 00 88 7F   ERRORFRAME",
       " can0 - error 004 8 003000000000887F"},
      {"\tcontroller-problem{rx-error-passive,tx-error-passive}", "error frame detail"},
      {"\tlost-arbitration{at bit 3}", "error frame detail"},
      {"\t", "error frame detail"},
      {"\terror-counter-tx-rx{{136}{127}}\x1b[0m", "error frame detail"},
      {"  can0  123   [1]  11", " can0 - data 123 1 11"},
      {"\tbus-off", "unrecognised line"},
      {"(1.000000) can0 20000040#0000000000000000", "1.000000 can0 - error 040 8 0000000000000000"},
      {"# comment", "comment"},
      {"\tbus-off", "unrecognised line"},
      {"(1.000000) can0 20000040#0000000000000000", "1.000000 can0 - error 040 8 0000000000000000"},
      {"\tbus\x01off", "binary line"},
      {"\tbus-off", "unrecognised line"},
      {"\t", "blank line"},
  };
  expect_log(kRows);
}

TEST(CandumpLine, ALineThatIsTooLongEndsAnErrorFrame) {
  CandumpParser parser(protocol::kDefaultCatalogue);
  LogFrame out;
  ASSERT_EQ(parser.parse("(1.000000) can0 20000040#0000000000000000", LineEnd::newline, out),
            LineKind::frame);
  ASSERT_EQ(parser.parse(std::string(kLongestLine + 1, 'x'), LineEnd::newline, out), LineKind::too_long);
  EXPECT_EQ(parser.parse("\tbus-off", LineEnd::newline, out), LineKind::unrecognised);
}

TEST(CandumpLine, FlavoursMixedInOneLog) {
  constexpr Row kRows[] = {
      {"(1712345678.123456) can0 211#0001 R", "1712345678.123456 can0 rx data 211 2 0001"},
      {"  can0  212  [02]  01 02", " can0 - fd 212 2 0102 flags=4"},
      {" (000.001000)  can0  123   [2]  02`01", "0.001000 can0 - data 123 2 0102"},
      {"# restarted", "comment"},
      {"<0x211> [1] 05 ", "  - data 211 1 05"},
      {"(1712345678.123456789) can0 211##40102", "1712345678.123456789 can0 - fd 211 2 0102 flags=4"},
      {"  can0  123   [1]  00000001", " can0 - data 123 1 01"},
      {"  can0  TX - -  123   [1]  01", " can0 tx data 123 1 01"},
      {"(1712345678.123456) can0 211#0001", "1712345678.123456 can0 - data 211 2 0001"},
  };
  expect_log(kRows);
}

TEST(CandumpLine, SecondsOfTheLineBeforeAreNeverTakenForOthers) {
  constexpr Row kRows[] = {
      {"(1712345678.000001) can0 211#00", "1712345678.000001 can0 - data 211 1 00"},
      {"(1712345678.999999) can0 211#00", "1712345678.999999 can0 - data 211 1 00"},
      {"(1712345679.000000) can0 211#00", "1712345679.000000 can0 - data 211 1 00"},
      {"(171234567x.000000) can0 211#00", "bad time stamp"},
      {"(1712345679.00000x) can0 211#00", "bad time stamp"},
      {"(1712345679.000002) can0 211#00", "1712345679.000002 can0 - data 211 1 00"},
      {" (1712345678.000003)  can0  211   [1]  00", "1712345678.000003 can0 - data 211 1 00"},
      {"(0000000000.000004) can0 211#00", "0.000004 can0 - data 211 1 00"},
  };
  expect_log(kRows);
}

TEST(CandumpLine, EveryKindHasItsOwnName) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kLineKinds; ++i) names.push_back(line_kind_name(static_cast<LineKind>(i)));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(line_kind_name(LineKind::cut), "cut line");
  EXPECT_EQ(line_kind_name(LineKind::unrecognised), "unrecognised line");
  EXPECT_TRUE(is_understood(LineKind::candump_notice));
  EXPECT_FALSE(is_understood(LineKind::cut));
}

}  // namespace
}  // namespace rangerctl::log
