#include <gmock/gmock.h>

#include "log_format_support.hpp"

namespace rangerctl::log {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> asc(const std::vector<std::string_view>& lines) {
  return texts_of(Format::asc, lines);
}

std::string one(std::string_view line) { return asc({line})[0]; }

// can-utils' log2asc wrote this, of candump -L with two interfaces.
TEST(AscLine, AsCanUtilsWritesIt) {
  EXPECT_THAT(
      asc({"date Fri Apr  5 19:34:38 2024", "base hex  timestamps absolute", "no internal events logged",
           "   0.000000 1  123             Rx   d 8 11 22 33 44 55 66 77 88",
           "   0.004000 1  123             Rx   r 7",
           "   0.005000 2  321             Tx   d e 4A 94 E8 2A EC 58 55 62", "   0.010000 1  ErrorFrame",
           "   0.011000 1  18FF50E5x       Rx   d 3 AA BB CC",
           "   0.013000 CANFD   1 Rx           211                                  1 0 9 12 01 02 03 04 05 "
           "06 07 08 09 0A 0B 0C   130000  130     3000 0 0 0 0 0"}),
      ElementsAre(
          "header line", "header line", "header line", "1712345678.000000 can0 rx 123#1122334455667788",
          "1712345678.004000 can0 rx 123#R7", "1712345678.005000 can1 tx 321#4A94E82AEC585562_E",
          "1712345678.010000 can0 20000080#0000000000000000", "1712345678.011000 can0 rx 18FF50E5#AABBCC",
          "1712345678.013000 can0 rx 211##50102030405060708090A0B0C"));
}

// python-can 4.1 wrote this.
TEST(AscLine, AsPythonCanWritesIt) {
  EXPECT_THAT(
      asc({"date Tue Dec 01 11:56:24.678 AM 2026", "base hex  timestamps absolute", "internal events logged",
           "Begin Triggerblock Fri Apr 05 07:34:38.123 PM 2024", " 0.000000 Start of measurement",
           " 0.000456 1  211             Rx   d 8 00 01 01 F6 00 00 00 00", "End TriggerBlock"}),
      ElementsAre("header line", "header line", "header line", "header line", "event",
                  "1712345678.123456 can0 rx 211#000101F600000000", "header line"));
}

TEST(AscLine, DatesOfSeveralCountries) {
  struct Row {
    std::string_view date;
    std::string_view time;
  };
  for (const Row& row : {Row{"date Fre Apr 5 19:34:38.250 2024", "1712345678.250000"},
                         Row{"date Sam M\xC3\xA4r 2 00:00:00 2024", "1709337600.000000"},
                         Row{"date Sam M\xE4r 2 00:00:00 2024", "1709337600.000000"},
                         Row{"date Mit Mai 1 12:00:00 am 2024", "1714521600.000000"},
                         Row{"date Wed May 1 12:00:00 pm 2024", "1714564800.000000"},
                         Row{"date Die Okt 1 00:00:00 2024", "1727740800.000000"},
                         Row{"date Son Dez 1 00:00:00 2024", "1733011200.000000"},
                         Row{"date whenever", "0.000000"}, Row{"date Fri Apr 31 00:00:00 2024", "0.000000"},
                         Row{"date Fri Apr 5 13:00:00 pm 2024", "0.000000"}}) {
    EXPECT_EQ(asc({row.date, "0.000000 1 123 Rx d 0"})[1], std::string(row.time) + " can0 rx 123#")
        << row.date;
  }
}

TEST(AscLine, RelativeTimesAddUp) {
  EXPECT_THAT(asc({"base hex timestamps relative", "1.500000 1 123 Rx d 0", "0.250000 1 Statistic: D 1",
                   "0.250000 1 123 Rx d 0"}),
              ElementsAre("header line", "1.500000 can0 rx 123#", "event", "2.000000 can0 rx 123#"));
}

TEST(AscLine, RelativeTimesBeginAgainWithEachBlock) {
  EXPECT_THAT(asc({"base hex timestamps relative", "Begin Triggerblock Fri Apr 5 19:34:38 2024",
                   "1.500000 1 123 Rx d 0", "End TriggerBlock", "Begin Triggerblock Fri Apr 5 19:34:48 2024",
                   "0.250000 1 123 Rx d 0"}),
              ElementsAre("header line", "header line", "1712345679.500000 can0 rx 123#", "header line",
                          "header line", "1712345688.250000 can0 rx 123#"));
}

TEST(AscLine, TimesBeyondNanosecondsAreRounded) {
  EXPECT_EQ(one("0.1234567894 1 123 Rx d 0"), "0.123456789 can0 rx 123#");
  EXPECT_EQ(one("0.1234567895 1 123 Rx d 0"), "0.123456790 can0 rx 123#");
  EXPECT_EQ(one("1.9999999996 1 123 Rx d 0"), "2.000000000 can0 rx 123#");
}

TEST(AscLine, DecimalNumbers) {
  EXPECT_THAT(
      asc({"base dec timestamps absolute", "0.1000 1 545 Rx d 8 0 0 11 184 0 0 255 156",
           "0.1000 1 545 Rx d 1 256", "0.1000 1 419385573x Rx r 4", "0.1 CANFD 1 Rx 545 0 0 0 0 0 0 1000"}),
      ElementsAre("header line", "0.1000 can0 rx 221#00000BB80000FF9C", "bad data",
                  "0.1000 can0 rx 18FF50E5#R4", "unrecognised line"));
}

TEST(AscLine, OtherKindsOfFrames) {
  EXPECT_EQ(one("0.5 0 123 Rx d 0"), "0.5 - rx 123#");
  EXPECT_EQ(one("-0.500000 1 123 Rx d 0"), "-1.500000 can0 rx 123#") << "as a floor and decimals";
  EXPECT_EQ(one("0.5 1 123 Rx r"), "0.5 can0 rx 123#R");
  EXPECT_EQ(one("0.5 1 123 TxRq d 1 00"), "event");
  EXPECT_EQ(one("0.5 CANFD 1 Tx 123 Name_of_it 0 0 4 4 01 02 03 04 0 0 0 0 0 0 0 0"),
            "0.5 can0 tx 123#01020304");
  EXPECT_EQ(one("0.5 CANFD 1 Rx 123 0 0 4 0 0 0 10 0 0 0 0 0"), "0.5 can0 rx 123#R4");
  EXPECT_EQ(one("0.5 CANFD 1 Rx ErrorFrame"), "0.5 can0 rx 20000080#0000000000000000");
  EXPECT_EQ(one("0.5 CANXL 1 Rx XLFF 0 0 123 00 1 4 5 0 0 45 12345678 11 22 33 44 55 0 01403000 00000000"),
            "0.5 can0 rx 45123#81:00:12345678#1122334455");
  EXPECT_EQ(one("0.5 1 123 Rx d 1 0A  Length = 273910 BitCount = 141 ID = 418119424x"), "0.5 can0 rx 123#0A");
}

TEST(AscLine, WhatIsWrong) {
  struct Row {
    std::string_view line;
    std::string_view kind;
  };
  for (const Row& row :
       {Row{"0.5 1 800 Rx d 0", "bad id"},
        Row{"0.5 1 20000000x Rx d 0", "bad id"},
        Row{"0.5 1 12G Rx d 0", "bad id"},
        Row{"0,5 1 123 Rx d 0", "bad time stamp"},
        Row{"5 1 123 Rx d 0", "bad time stamp"},
        Row{"99999999999999999999.0 1 123 Rx d 0", "bad time stamp"},
        Row{"0.5 1 123 Rx d 3 01 02", "length mismatch"},
        Row{"0.5 1 123 Rx d 1 01 02", "length mismatch"},
        Row{"0.5 1 123 Rx d 10 01", "length mismatch"},
        Row{"0.5 1 123 Rx d 1 0", "bad data"},
        Row{"0.5 1 123 Rx d 1 0G", "bad data"},
        Row{"0.5 1 123 Up d 1 00", "unrecognised line"},
        Row{"0.5 1 123 Rx x 1 00", "unrecognised line"},
        Row{"0.5 256 123 Rx d 0", "unrecognised line"},
        Row{"0.5 CANFD 1 Rx 123 0 0 9 11 01 02 03 04 05 06 07 08 09 0A 0B 0 0 1000", "length mismatch"},
        Row{"0.5 CANXL 1 Rx XLFF 0 0 123 00 1 0 1 0 0 45 12345678 11 0 403000 0", "unrecognised line"},
        Row{"0.5 CANXL 1 Rx XLFF 0 0 123 00 1 0 1 0 0 45 12345678 11 0 00003000 0", "unrecognised line"},
        Row{"0.5 CANXL 1 Rx FBFF 0 0 123 2 2 01 02 0 0 00000000 0", "unrecognised line"},
        Row{"0.5 CANXL 1 Rx CBFF 0 0 123 2 2 01 02 1234 00001000 0", "unrecognised line"},
        Row{"base oct", "unrecognised line"},
        Row{"something", "unrecognised line"},
        Row{"", "blank line"},
        Row{"// version 18.2.0", "comment"},
        Row{"0.5 1 123 Rx d 1 0\x01", "binary line"},
        Row{"0.5 CAN 1 Status:chip status error active", "event"},
        Row{"0.5 1  J1939TP FEE3p", "event"}})
    EXPECT_EQ(one(row.line), row.kind) << row.line;
}

TEST(AscLine, CarriageReturnsAndAByteOrderMark) {
  EXPECT_THAT(asc({"\xEF\xBB\xBF"
                   "base hex timestamps absolute\r",
                   "0.5 1 123 Rx d 1 0A\r"}),
              ElementsAre("header line", "0.5 can0 rx 123#0A"));
}

}  // namespace
}  // namespace rangerctl::log
