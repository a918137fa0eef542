#include "candump_support.hpp"

namespace rangerctl::log {
namespace {

// 0x211 has eight bytes in the catalogue, 0x291 three, 0x123 is not in it.
TEST(CandumpLastLine, LogFormat) {
  constexpr Row kRows[] = {
      {"(1.000000) can0 211#0001019000000001", "1.000000 can0 - data 211 8 0001019000000001"},
      {"(1.000000) can0 211#0001019000000001 ", "1.000000 can0 - data 211 8 0001019000000001"},
      {"(1.000000) can0 211#0001019000000001 R", "1.000000 can0 rx data 211 8 0001019000000001"},
      {"(1.000000) can0 211#0001019000000001\r", "1.000000 can0 - data 211 8 0001019000000001"},
      {"(1.000000) can0 211#0001019000000001_E", "1.000000 can0 - data 211 8 0001019000000001 dlc=14"},
      {"(1.000000) can0 291#000100", "1.000000 can0 - data 291 3 000100"},
      {"(1.000000) can0 291#R3", "1.000000 can0 - remote 291 3"},
      {"(1.000000) can0 211#R8", "1.000000 can0 - remote 211 8"},
      {"(1.000000) can0 123#1122334455667788", "1.000000 can0 - data 123 8 1122334455667788"},
      {"(1.000000) can0 00000291#1122334455667788", "1.000000 can0 - data 291x 8 1122334455667788"},
      {"(1.000000) can0 20000040#0000000000000000", "1.000000 can0 - error 040 8 0000000000000000"},
      {"(1.000000) can0 211#00010190000000", "cut line"},
      {"(1.000000) can0 211#0001019000000001_", "cut line"},
      {"(1.000000) can0 211#000101900000000", "cut line"},
      {"(1.000000) can0 211#00010190000000 R", "cut line"},
      {"(1.000000) can0 211#", "cut line"},
      {"(1.000000) can0 291#0001", "cut line"},
      {"(1.000000) can0 291#00010000", "cut line"},
      {"(1.000000) can0 291#R", "cut line"},
      {"(1.000000) can0 211#R7", "cut line"},
      {"(1.000000) can0 123#112233", "cut line"},
      {"(1.000000) can0 00000291#000100", "cut line"},
      {"(1.000000) can0 20000040#00000000000000", "cut line"},
      {"(1.000000) can0 20000291#000100", "cut line"},
      {"(1.000000) can0 211##40001019000000001", "cut line"},
      {"(1.000000) can0 45123#81:00:12345678#1122334455", "cut line"},
      {"(1.000000) can0 21", "cut line"},
      {"(1.000000) can0 ", "cut line"},
      {"(1.000000) ca", "cut line"},
      {"(1.000000)", "cut line"},
      {"(1.0000", "cut line"},
      {"(", "cut line"},
  };
  expect_rows(kRows, LineEnd::eof);
}

TEST(CandumpLastLine, LongFormat) {
  constexpr Row kRows[] = {
      {"  can0  123   [2]  11 22", " can0 - data 123 2 1122"},
      {"  can0  123   [2]  11 22                     '", " can0 - data 123 2 1122"},
      {"  can0  123   [2]  11 22                     '.", " can0 - data 123 2 1122"},
      {"  can0  123   [2]  11 22                     '.\"", " can0 - data 123 2 1122"},
      {"  can0  123   [2]  11 22                     '...", "cut line"},
      {"  can0  213  [00]", " can0 - fd 213 0 flags=4"},
      {"  can0  20000040   [8]  00 00 00 00 00 00 00 00   ERRORF", " can0 - error 040 8 0000000000000000"},
      {"  can0  123   [7]  remote request", " can0 - remote 123 7"},
      {"  can0  123   [7]  remote reques", "cut line"},
      {"  can0  123   [2]  11 2", "cut line"},
      {"  can0  123   [2]  11 ", "cut line"},
      {"  can0  123   [2", "cut line"},
      {"  can0  12", "cut line"},
      {"  can0  RX -", "cut line"},
      {"  can0", "cut line"},
      {"vcan0  123   [2]  11", "cut line"},
      {"  can0  123   [0]", "cut line"},    // of [0]  remote request
      {"  can0  123   [0]  ", "cut line"},  // the same
      {"  can0  123   [0]                            ''", " can0 - data 123 0"},
      {"  can0  123   [1]  11", "cut line"},  // of a binary 00010001
      {"  can0  123   [1]  12", " can0 - data 123 1 12"},
      {"  can0  123   [1]  11 ", " can0 - data 123 1 11"},
      {"  can0  123   [1]  00010001", " can0 - data 123 1 11"},
      {"<0x123> [1] 11 ", "cut line"},  // of <0x123> [1] 11 remote request
      {"<0x123> [1] 11 remote request", "  - remote 123 1"},
      {"  \x1b[1m\x1b[34mcan0\x1b[0m  123   [2]  11 22\x1b[0", " can0 - data 123 2 1122"},
      {"  \x1b[1m\x1b[3", "blank line"},
      {"   0.000000 1  123             Rx   d 8 11", "unrecognised line"},
      {"hello", "unrecognised line"},
      {"# comment without its end", "comment"},
      {"  ", "blank line"},
  };
  expect_rows(kRows, LineEnd::eof);
}

}  // namespace
}  // namespace rangerctl::log
