#include "candump_support.hpp"

namespace rangerctl::log {
namespace {

TEST(CandumpLongFormat, Plain) {
  constexpr Row kRows[] = {
      {"  can0  123   [8]  11 22 33 44 55 66 77 88", " can0 - data 123 8 1122334455667788"},
      {"  can0  7A1   [0] ", " can0 - data 7A1 0"},
      {"  can0  18FF50E5   [3]  AA BB CC", " can0 - data 18FF50E5x 3 AABBCC"},
      {"    vcan1       221   [4]  00 00 0B B8", " vcan1 - data 221 4 00000BB8"},
      {" (1712345678.123456)  can0  123   [1]  11", "1712345678.123456 can0 - data 123 1 11"},
      {" (000.001000789)  can0  123   [1]  11", "0.001000789 can0 - data 123 1 11"},
      {"  can0  TX - -  111   [2]  01 02", " can0 tx data 111 2 0102"},
      {"  can0  RX - -       111   [2]  01 02", " can0 rx data 111 2 0102"},
      {"  can0  123   [7]  remote request", " can0 - remote 123 7"},
      {"  can0  123   [0]  remote request", " can0 - remote 123 0"},
      {"  can0  1ABCDEF0   {9}  remote request", " can0 - remote 1ABCDEF0x 8 dlc=9"},
      {"  can0  321   {E}  4A 94 E8 2A EC 58 55 62", " can0 - data 321 8 4A94E82AEC585562 dlc=14"},
      {"  can0  321   {8}  4A 94 E8 2A EC 58 55 62", " can0 - data 321 8 4A94E82AEC585562"},
      {"  can0  111   {2}  01 02", " can0 - data 111 2 0102"},
      {"  can0  20000004   [8]  00 30 00 00 00 00 88 7F   ERRORFRAME",
       " can0 - error 004 8 003000000000887F"},
      {"  RX  RX - -  123   [1]  11", " RX rx data 123 1 11"},
      {"vcan0  123   [2]  0a 0b", " vcan0 - data 123 2 0A0B"},
      {"can0  123  [2] 0A 0B", " can0 - data 123 2 0A0B"},
      {"  can0  123   [8]  11 22 33 44 55 66 77 88\r", " can0 - data 123 8 1122334455667788"},
      {"\xEF\xBB\xBF  can0  123   [1]  11", " can0 - data 123 1 11"},
  };
  expect_rows(kRows);
}

TEST(CandumpLongFormat, TwoDigitsOfLengthAreFd) {
  constexpr Row kRows[] = {
      {"  can0  212  [08]  01 02 03 04 05 06 07 08", " can0 - fd 212 8 0102030405060708 flags=4"},
      {"  can0  213  [00] ", " can0 - fd 213 0 flags=4"},
      {"  can0  213  [00]                            ''", " can0 - fd 213 0 flags=4"},
      {"  can0  211  [12]  01 02 03 04 05 06 07 08 09 0A 0B 0C",
       " can0 - fd 211 12 0102030405060708090A0B0C flags=4"},
      {"  can0  211  [09]  01 02 03 04 05 06 07 08 09", " can0 - fd 211 9 010203040506070809 flags=4"},
      {"  can0  RX - -  212  [01]  01", " can0 rx fd 212 1 01 flags=4"},
      {"  can0  RX B -  212  [01]  01", " can0 rx fd 212 1 01 flags=5"},
      {"  can0  TX - E  212  [01]  01", " can0 tx fd 212 1 01 flags=6"},
      {"  can0  TX B E  213  [00] ", " can0 tx fd 213 0 flags=7"},
      {"vcan0  123 [012]  01 02 03 04 05 06 07 08 09 0A 0B 0C",
       " vcan0 - fd 123 12 0102030405060708090A0B0C flags=4"},
      {"vcan0  123 [008]  01 02 03 04 05 06 07 08", "unrecognised line"},
      {"vcan0  12333 [012]  01 02 03 04 05 06 07 08 09 0A 0B 0C", "bad id"},
      {"  can0  212  [65]  01", "length mismatch"},
      {"  can0  20000004  [08]  00 30 00 00 00 00 88 7F", "bad id"},
      {"  can0  212  [08]  remote request", "bad data"},
  };
  expect_rows(kRows);
  std::string line = "vcan0  12345678 [064] ";
  for (int i = 0; i < 64; ++i) line += " 5A";
  EXPECT_EQ(OneLine(line).out.frame.length, 64);
  EXPECT_EQ(OneLine(line).out.frame.data[63], 0x5A);
  EXPECT_EQ(OneLine(line).out.frame.kind, FrameKind::fd);
}

TEST(CandumpLongFormat, ReversedBytesComeBackInOrder) {
  constexpr Row kRows[] = {
      {"  can0  123   [8]  88`77`66`55`44`33`22`11", " can0 - data 123 8 1122334455667788"},
      {"  can0  111   [2]  02`01", " can0 - data 111 2 0102"},
      {"  can0  111   [1]  02", " can0 - data 111 1 02"},
      {"  can0  111   [2]  02`01                     `..`", " can0 - data 111 2 0102"},
      {"  can0  211  [12]  0C`0B`0A`09`08`07`06`05`04`03`02`01",
       " can0 - fd 211 12 0102030405060708090A0B0C flags=4"},
      {"  can0  20000004   [8]  7F`88`00`00`00`00`30`00   ERRORFRAME",
       " can0 - error 004 8 003000000000887F"},
      {"  can0  123   [3]  88`77 66", "length mismatch"},
      {"  can0  123   [3]  88 77`66", "bad data"},
      {"  can0  123   [2]  88`77`66", "length mismatch"},
      {"  can0  123   [3]  88`77", "length mismatch"},
      {"  can0  123   [2]  88`77`", "bad data"},
  };
  expect_rows(kRows);
}

TEST(CandumpLongFormat, BinaryDigits) {
  constexpr Row kRows[] = {
      {"  can0  123   [2]  00000001 10000010", " can0 - data 123 2 0182"},
      {"  can0  123   [1]  00010001", " can0 - data 123 1 11"},
      {"  can0  123   [2]  10000010`00000001", " can0 - data 123 2 0182"},
      {"  can0  123   [2]  00000001 10000010                         '..'", " can0 - data 123 2 0182"},
      {"  can0  123   [8]  00010001 00100010 00110011 01000100 01010101 01100110 01110111 10001000",
       " can0 - data 123 8 1122334455667788"},
      {"  can0  123  [09]  00000001 00000010 00000011 00000100 00000101 00000110 00000111 00001000 00001001",
       " can0 - fd 123 9 010203040506070809 flags=4"},
      {"  can0  20000040   [8]  00000000 00000000 00000000 00000000 00000000 00000000 00000001 11111111   "
       "ERRORFRAME",
       " can0 - error 040 8 00000000000001FF"},
      {"  can0  123   [8]  00000001 10000010", "length mismatch"},
      {"  can0  123   [4]  00010001", "length mismatch"},
      {"  can0  123   [2]  00000001 1000001", "bad data"},
      {"  can0  123   [2]  00000001 10000012", "bad data"},
      {"  can0  123   [2]  00000001 82", "bad data"},
      {"  can0  123   [2]  82 00000001", "bad data"},
      {"  can0  123   [1]  00010002", "bad data"},
      {"  can0  123   [1]  0001000", "bad data"},
  };
  expect_rows(kRows);
}

TEST(CandumpLongFormat, AsciiColumnIsNeverData) {
  constexpr Row kRows[] = {
      {"  can0  123   [8]  11 22 33 44 55 66 77 88   '.\"3DUfw.'", " can0 - data 123 8 1122334455667788"},
      {"  can0  7A1   [0]                            ''", " can0 - data 7A1 0"},
      {"  can0  111   [2]  01 02                     '..'", " can0 - data 111 2 0102"},
      {"  can0  211   [8]  31 30 30 2E 35 20 46 4D   '100.5 FM'", " can0 - data 211 8 3130302E3520464D"},
      {"  can0  111   [3]  5B 33 5D                  '[3]'", " can0 - data 111 3 5B335D"},
      {"  can0  111   [3]  20 27 20                  ' ' '", " can0 - data 111 3 202720"},
      {"  can0  111   [5]  31 23 30 31 20            '1#01 '", " can0 - data 111 5 3123303120"},
      {"  can0  111   [2]  27 60                     `'``", " can0 - data 111 2 2760"},
      {"  can0  111   [2]  01 02                     '.'", "length mismatch"},
      {"  can0  111   [2]  01 02                     '...'", "length mismatch"},
      {"  can0  111   [2]  01 02                     '.  can0  112   [1]  00", "length mismatch"},
      {"  can0  111   [2]  01                        '..'", "length mismatch"},
      {"  can0  111   [0]  '", "length mismatch"},
  };
  expect_rows(kRows);
}

TEST(CandumpLongFormat, WhatIsWrongIsNoFrame) {
  constexpr Row kRows[] = {
      {"  can0  123   [8]  11 22 33 44 55 66 77", "length mismatch"},
      {"  can0  123   [2]  11 22 33", "length mismatch"},
      {"  can0  123   [0]  33", "length mismatch"},
      {"  can0  123   [2]  11", "length mismatch"},
      {"  can0  123   [2]", "length mismatch"},
      {"  can0  123   [9]  11 22 33 44 55 66 77 88 99", "length mismatch"},
      {"  can0  123   [2]  11 2", "bad data"},
      {"  can0  123   [2]  1 22", "bad data"},
      {"  can0  123   [2]  11 2G", "bad data"},
      {"  can0  123   [2]  1122", "bad data"},
      {"  can0  123   [2]  11 22x", "bad data"},
      {"  can0  123   [2]11 22", "unrecognised line"},
      {"  can0  123   [2  11 22", "unrecognised line"},
      {"  can0  123   []  11 22", "unrecognised line"},
      {"  can0  123   {G}  11 22", "unrecognised line"},
      {"  can0  123   [2]  11 22   ERRORFRAME", "unrecognised line"},
      {"  can0  20000004   [8]  00 30 00 00 00 00 88 7F   ERROR", "unrecognised line"},
      {"  can0  123   [7]  remote", "bad data"},
      {"  can0  123   [7]  remote request 11", "unrecognised line"},
      {"  can0  80080   [1]  11", "bad id"},
      {"  can0  080080   [1]  11", "bad id"},
      {"  can0  FFF   [1]  11", "bad id"},
      {"  can0  123456789   [1]  11", "bad id"},
      {"  can0  80000001   [1]  11", "bad id"},
      {"  can0  RX x -  111   [2]  01 02", "unrecognised line"},
      {"  can0  RX - -111   [2]  01 02", "unrecognised line"},
      {"  can0  123   [8]  11 22 33  can0  123   [8]  11 22 33 44 55 66 77 88", "length mismatch"},
      {"  can0    can0  123   [1]  11", "unrecognised line"},
      {"  can0  1  can0  123   [1]  11", "unrecognised line"},
      {"  can0  123", "unrecognised line"},
  };
  expect_rows(kRows);
}

TEST(CandumpLongFormat, Xl) {
  constexpr Row kRows[] = {
      {"     can0       123 [0005] (45|81:00:12345678) 11 22 33 44 55",
       " can0 - xl 123 5 1122334455 vcid=45 flags=81 sdt=00 af=12345678"},
      {"     can0  RX S R       7FF [0001] (00|80:03:000000FF) 11",
       " can0 rx xl 7FF 1 11 vcid=00 flags=80 sdt=03 af=000000FF"},
      {"     can0       123 [0005] (45|81:00:12345678) 11 22 33 44", "length mismatch"},
      {"     can0       123 [0004] (45|81:00:12345678) 11 22 33 44 55", "length mismatch"},
      {"     can0       123 [0000] (45|81:00:12345678) ", "length mismatch"},
      {"     can0       123 [2049] (45|81:00:12345678) 11", "length mismatch"},
      {"     can0       123 [0001] (45|81:00:1234567) 11", "bad data"},
      {"     can0       800 [0001] (45|81:00:12345678) 11", "bad id"},
      {"     can0  18FF50E5 [0001] (45|81:00:12345678) 11", "bad id"},
  };
  expect_rows(kRows);
}

TEST(CandumpLongFormat, XlIsCroppedAt64Bytes) {
  std::string bytes;
  std::string data;
  for (int i = 0; i < 64; ++i) {
    bytes += fmt::format(" {:02X}", i);
    data += fmt::format("{:02X}", i);
  }
  const std::string head = "     can0       123 [";
  const std::string header = "] (45|81:00:12345678)";
  const std::string expected = data + " vcid=45 flags=81 sdt=00 af=12345678";
  EXPECT_EQ(OneLine(head + "2048" + header + bytes + " ...").text(),
            " can0 - xl 123 2048 " + expected + " stored=64");
  EXPECT_EQ(OneLine(head + "0064" + header + bytes).text(), " can0 - xl 123 64 " + expected);
  EXPECT_EQ(OneLine(head + "0065" + header + bytes).kind, LineKind::unrecognised);
  EXPECT_EQ(OneLine(head + "0064" + header + bytes + " ...").kind, LineKind::unrecognised);
}

TEST(CandumpLongFormat, Canutils) {
  constexpr Row kRows[] = {
      {"interface = can0, family = 29, type = 3, proto = 1", "header line"},
      {"<0x18eeff01> [8] 05 a0 be 1c 00 a0 a0 c0 ", "  - data 18EEFF01x 8 05A0BE1C00A0A0C0"},
      {"<0x211> [8] 05 a0 be 1c 00 a0 a0 c0", "  - data 211 8 05A0BE1C00A0A0C0"},
      {"<0x211> [0] ", "  - data 211 0"},
      {"<0x123> [0] remote request", "  - remote 123 0"},
      {"<0x123> [4] 00 00 00 00 remote request", "  - remote 123 4"},
      {"<0x123> [4] 00 00 00 remote request", "bad data"},
      {"<0x211> [2] 05 a0 be ", "length mismatch"},
      {"<0x211> [2] 05 ", "length mismatch"},
      {"<0x211> [9] 05 a0 be 1c 00 a0 a0 c0 c1", "length mismatch"},
      {"<0x1211> [2] 05 a0", "bad id"},
      {"<0x211 [2] 05 a0", "bad id"},
      {"<0x> [2] 05 a0", "bad id"},
      {"<211> [2] 05 a0", "unrecognised line"},
  };
  expect_rows(kRows);
}

}  // namespace
}  // namespace rangerctl::log
