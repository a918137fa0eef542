#include <gmock/gmock.h>

#include "log_format_support.hpp"

namespace rangerctl::log {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> trc(const std::vector<std::string_view>& lines) {
  return texts_of(Format::trc, lines);
}

constexpr std::string_view kStart = ";$STARTTIME=45387.8157175925";  // 2024-04-05 19:34:37.999992

TEST(TrcLine, Version1_0HasNoKeyword) {
  EXPECT_THAT(
      trc({";   Start time: 05.04.2024 19:34:38.000", ";---+--   ----+----  --------  +  -+ -- --",
           "     1)     17535  00000100  8  00 00 00 00 00 00 00 00", "     2)     17540  0211  2  01 02",
           "     3)     17550  FFFFFFFF  4  00 00 00 08 -- -- -- -- BUSHEAVY"}),
      ElementsAre("comment", "comment", "17.535 - 00000100#0000000000000000", "17.540 - 211#0102", "event"));
}

TEST(TrcLine, Version1_1) {
  EXPECT_THAT(
      trc({";$FILEVERSION=1.1", kStart, "     1)     17535.4  Rx         0221  8  00 00 0B B8 00 00 FF 9C",
           "     2)     17600.0  Tx     18FF50E5  0", "     3)     17700.0  Rx         0123  4  RTR",
           "     4)     17800.0  Warng      FFFFFFFF  4  00 00 00 08  BUSHEAVY",
           "     5)     17900.0  Error      0000  4  00 02 00 00",
           "     6)     17900.0  Rx         0008  4  ERROR"}),
      ElementsAre("header line", "header line", "1712345695.535392 - rx 221#00000BB80000FF9C",
                  "1712345695.599992 - tx 18FF50E5#", "1712345695.699992 - rx 123#R4", "event",
                  "1712345695.899992 - 20000080#0000000000000000",
                  "1712345695.899992 - rx 20000080#0000000000000000"));
}

TEST(TrcLine, Versions1_2And1_3) {
  EXPECT_EQ(trc({";$FILEVERSION=1.2", "     1)      1000.000 1  Rx         0300  2  00 01"})[1],
            "1.000000 can0 rx 300#0001");
  EXPECT_EQ(trc({";$FILEVERSION=1.3", "     1)      1000.000 2  Rx         0300 -  2    00 01"})[1],
            "1.000000 can1 rx 300#0001");
  EXPECT_EQ(trc({";$FILEVERSION=1.3", "     1)      1000.000 2  Rx         0300 05  2    00 01"})[1],
            "event");
}

TEST(TrcLine, Version2_0AndItsColumns) {
  EXPECT_THAT(
      trc({";$FILEVERSION=2.0", ";$COLUMNS=N,O,T,I,d,l,D",
           "      1      1059.900 DT     0300 Rx 7  00 00 00 00 04 00 00",
           "      2      1283.231 FB     18EFC034 Tx 12  01 02 03 04 05 06 07 08 09 0A 0B 0C",
           "      3      1298.945 BI     0410 Rx 4  00 00 00 00", "      4      1300.000 RR     0411 Rx 8",
           "      5      1323.201 ST          Rx    00 00 00 08", "      6      1400.000 ER     Rx 04 00 02",
           "      7      1500.000 EV     note"}),
      ElementsAre("header line", "header line", "1.059900 - rx 300#00000000040000",
                  "1.283231 - tx 18EFC034##50102030405060708090A0B0C", "1.298945 - rx 410##700000000",
                  "1.300000 - rx 411#R8", "event", "1.400000 - 20000080#0000000000000000", "event"));
}

// Without a line of columns the lengths of 2.0 are numbers of bytes, and those of 2.1 DLCs.
TEST(TrcLine, ColumnsOfTheVersion) {
  EXPECT_EQ(trc({";$FILEVERSION=2.0", "1 5.000 FD 0300 Tx 12 01 02 03 04 05 06 07 08 09 0A 0B 0C"})[1],
            "0.005000 - tx 300##40102030405060708090A0B0C");
  EXPECT_EQ(trc({";$FILEVERSION=2.1", "1 5.000 FD 1 0300 Tx - 9 01 02 03 04 05 06 07 08 09 0A 0B 0C"})[1],
            "0.005000 can0 tx 300##40102030405060708090A0B0C");
}

// python-can 4.1 wrote the second line.
TEST(TrcLine, Version2_1) {
  EXPECT_THAT(
      trc({";$FILEVERSION=2.1", "      1         0.000 DT 1      0211 Rx -  8    00 01 01 F6 00 00 00 00",
           "      2         0.748 FD 2      0321 Rx -  9    01 02 03 04 05 06 07 08 09 0A 0B 0C",
           "      3         1.000 DT 1      0321 Rx - 14    4A 94 E8 2A EC 58 55 62",
           "      4         2.000 FE 1      0321 Rx -  0 "}),
      ElementsAre("header line", "0.000000 can0 rx 211#000101F600000000",
                  "0.000748 can1 rx 321##40102030405060708090A0B0C",
                  "0.001000 can0 rx 321#4A94E82AEC585562_E", "0.002000 can0 rx 321##6"));
}

TEST(TrcLine, ColumnsInAnyOrderAndMissing) {
  EXPECT_THAT(
      trc({";$FILEVERSION=2.1", ";$COLUMNS=N,O,T,B,I,d,L,D", "1 5.000 DT 1 0211 Rx 2 01 02",
           ";$COLUMNS=T,I,O,l,D", "DT 0211 6.000 2 01 02", ";$COLUMNS=N,,O", "DT 0211 6.000 2 01 02"}),
      ElementsAre("header line", "header line", "0.005000 can0 rx 211#0102", "header line",
                  "0.006000 - 211#0102", "unrecognised line", "bad time stamp"));
}

TEST(TrcLine, StartTimes) {
  struct Row {
    std::string_view text;
    std::string_view time;
  };
  // Days since 1899-12-30; a microsecond is 1.157e-11 of one.
  for (const Row& row :
       {Row{";$STARTTIME=25569", "0.000000"}, Row{";$STARTTIME=45387.5", "1712318400.000000"},
        Row{";$STARTTIME=45387.81571759259259", "1712345678.000000"},
        Row{";$STARTTIME=45387.815719021", "1712345678.123414"}, Row{";$STARTTIME=soon", "0.0000"},
        Row{";$STARTTIME=99999999", "0.0000"}})
    EXPECT_EQ(trc({";$FILEVERSION=1.1", row.text, "1) 0.0 Rx 0123 0"})[2],
              std::string(row.time) + " - rx 123#")
        << row.text;
}

TEST(TrcLine, WhatIsWrong) {
  struct Row {
    std::string_view line;
    std::string_view kind;
  };
  for (const Row& row :
       {Row{"1 5.000 DT 1 211 Rx - 2 01 02", "0.005000 can0 rx 211#0102"},
        Row{"1 5.000 DT 1 21 Rx - 0", "bad id"}, Row{"1 5.000 DT 1 0800 Rx - 0", "bad id"},
        Row{"1 5.000 DT 1 0211 Rx - 16", "length mismatch"},
        Row{"1 5.000 DT 1 0211 Rx - 2 01", "length mismatch"},
        Row{"1 5.000 DT 1 0211 Rx - 1 01 02", "length mismatch"},
        Row{"1 5.000 DT 1 0211 Rx - 1 0G", "bad data"}, Row{"1 5.000 XX 1 0211 Rx - 0", "unrecognised line"},
        Row{"1 5.000 DT 1 0211 Up - 0", "unrecognised line"},
        Row{"1 5,000 DT 1 0211 Rx - 0", "bad time stamp"},
        Row{"1 5.000 RR 1 0211 Rx - 2 01 02", "length mismatch"}})
    EXPECT_EQ(trc({";$FILEVERSION=2.1", row.line})[1], row.kind) << row.line;
}

}  // namespace
}  // namespace rangerctl::log
