#include <gtest/gtest.h>

#include <string>

#include "rangerctl/log/format.hpp"

namespace rangerctl::log {
namespace {

struct Row {
  std::string beginning;
  std::optional<Format> so_far;  ///< nothing: more bytes are needed
  Format whole;                  ///< where there is nothing behind it
};

TEST(Detect, ByTheFirstBytes) {
  using std::nullopt;
  const std::vector<Row> rows{
      {"", nullopt, Format::candump},
      {"(", Format::candump, Format::candump},
      {"(1712345678.123456) can0 211#00", Format::candump, Format::candump},
      {"  can0  211   [8]", Format::candump, Format::candump},
      {" \r\n\n", nullopt, Format::candump},
      {"d", nullopt, Format::candump},
      {"date", nullopt, Format::candump},
      {"date Fri Apr  5", Format::asc, Format::asc},
      {"\xEF\xBB\xBF\r\ndate Fri", Format::asc, Format::asc},
      {"base hex", Format::asc, Format::asc},
      {"// version 18.2.0", Format::asc, Format::asc},
      {";$FILEVERSION=2.1", Format::trc, Format::trc},
      {"timestamp,arbitration_id,extended", Format::python_can_csv, Format::python_can_csv},
      {"timestamp,arb", nullopt, Format::candump},
      {"Time Stamp,ID,Extended,Dir,Bus", Format::gvret_csv, Format::gvret_csv},
      {std::string("\xD4\xC3\xB2\xA1\x02\x00", 6), Format::pcap, Format::pcap},
      {std::string("\xA1\xB2\x3C\x4D\x00", 5), Format::pcap, Format::pcap},
      {std::string("\x4D\x3C\xB2\xA1\x02", 5), Format::pcap, Format::pcap},
      {std::string("\xA1\xB2\xC3\xD4\x00", 5), Format::pcap, Format::pcap},
      {"Begin Triggerblock Fri", Format::asc, Format::asc},
      {"no internal events logged", Format::asc, Format::asc},
      {"internal events logged", Format::asc, Format::asc},
      {std::string("\n\r\r\n\x1C", 5), Format::pcapng, Format::pcapng},
      {"\n\r", nullopt, Format::candump},
      {"\n(1.0) can0", Format::candump, Format::candump},
      {"LOGG", Format::blf, Format::blf},
      {"LOGS", Format::candump, Format::candump},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(detect(row.beginning, false), row.so_far) << row.beginning;
    EXPECT_EQ(detect(row.beginning, true), row.whole) << row.beginning;
  }
}

// What candump's lines begin with is a blank, a parenthesis or a name.
TEST(Detect, ByAFrameWhereTheHeaderWasLost) {
  const std::vector<Row> rows{
      {"   0.020000 1  221             Rx   d 8 00\n", Format::asc, Format::asc},
      {"-0.020000 2  18FF50E5x       TxRq   r\r\n", Format::asc, Format::asc},
      {"0.0200 1  ErrorFrame\n", Format::asc, Format::asc},
      {"0.02 CANFD   1 Rx 211 1 0 9 12 01\n", Format::asc, Format::asc},
      {"0.02 CANXL   1 Rx XLFF 0 0 123\n", Format::asc, Format::asc},
      {"     1)     17535.4  Rx         0221  8  00\n", Format::trc, Format::trc},
      {"     1)     17535  00000100  8  00\n", Format::trc, Format::trc},
      {"\xEF\xBB\xBF\n12) -5.0 1 Error\n", Format::trc, Format::trc},
      {"   0.020000 1  221             Rx   d 8 00", std::nullopt, Format::asc},
      {"1", std::nullopt, Format::candump},
      {"-", std::nullopt, Format::candump},
      {"0.5 1 Statistic: D 1\n", Format::candump, Format::candump},
      {"5 1 221 Rx d 0\n", Format::candump, Format::candump},
      {"0.5 256 221 Rx d 0\n", Format::candump, Format::candump},
      {"0,5 1 221 Rx d 0\n", Format::candump, Format::candump},
      {"1) Rx 0221 8\n", Format::candump, Format::candump},
      {"1712345678.12,0x221,0,0,0,1,AA==\n", Format::candump, Format::candump},
      {"166064000,00000221,false,Rx,0,0,\n", Format::candump, Format::candump},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(detect(row.beginning, false), row.so_far) << row.beginning;
    EXPECT_EQ(detect(row.beginning, true), row.whole) << row.beginning;
  }
}

TEST(Detect, HasAnAnswerInTheEnd) {
  EXPECT_EQ(detect(std::string(kDetectionBytes - 1, '\n'), false), std::nullopt);
  EXPECT_EQ(detect(std::string(kDetectionBytes, '\n'), false), Format::candump);
}

}  // namespace
}  // namespace rangerctl::log
