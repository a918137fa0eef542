// A line that lost its end, at every byte, never becomes another frame. Of candump's lines there is another
// test.
#include <gmock/gmock.h>

#include <set>

#include "log_format_support.hpp"

namespace rangerctl::log {
namespace {

struct Row {
  Format format;
  std::vector<std::string_view> header;
  std::string_view line;
  bool is_frame_at_eof;  ///< the whole line without its newline
  /// What the line may become that was cut and has a newline behind that: nobody can know it then.
  std::vector<std::string> becomes;
};

std::vector<Row> asc_rows() {
  const std::vector<std::string_view> decimal{"base dec  timestamps absolute"};
  const std::vector<std::string_view> relative{"base hex  timestamps relative", "1.5 1 7FF Rx d 0"};
  return {
      {Format::asc, {}, "   0.500000 1  123             Rx   d 2 0A 0B", true, {}},
      {Format::asc, {}, "0.5 1 123 Rx d 2 0A 0B\r", true, {}},
      {Format::asc, {}, "0.5 1 123 Rx d 0", true, {}},
      {Format::asc, {}, "0.5 12 18FF50E5x Tx d e 4A 94 E8 2A EC 58 55 62", true, {}},
      {Format::asc, {}, "0.5 1 123 Rx d 1 0A  Length = 273910 BitCount = 141 ID = 418119424x", true, {}},
      // Tools before 2015 wrote no DLC.
      {Format::asc, {}, "0.5 1 123 Rx r 7", true, {"0.5 can0 rx 123#R"}},
      {Format::asc, {}, "0.5 1 123 Rx r", false, {}},
      {Format::asc, {}, "0.5 1 ErrorFrame", true, {}},
      {Format::asc, {}, "0.5 1 ErrorFrame ECC: 10100010", true, {}},
      {Format::asc, relative, "0.25 1 123 Rx d 1 0A", true, {}},
      // Decimal numbers have as many digits as they need.
      {Format::asc,
       decimal,
       "0.5 1 545 Rx d 2 11 255",
       false,
       {"0.5 can0 rx 221#0B02", "0.5 can0 rx 221#0B19"}},
      {Format::asc, decimal, "0.5 1 545 Rx d 0", false, {}},
      {Format::asc, decimal, "0.5 1 545 Rx r 14", false, {"0.5 can0 rx 221#R", "0.5 can0 rx 221#R1"}},
      {Format::asc,
       {},
       "0.5 CANFD 1 Rx 211 1 0 9 12 01 02 03 04 05 06 07 08 09 0A 0B 0C 130000 130 3000 0 0 0 0 0",
       true,
       {}},
      {Format::asc,
       {},
       "0.5 CANFD 1 Rx 211 1 0 9 12 01 02 03 04 05 06 07 08 09 0A 0B 0C 0 0 3000",
       false,
       {}},
      // "3000" says FD and "300" does not.
      {Format::asc,
       {},
       "0.5 CANFD 1 Tx 18FF50E5x Name 1 1 4 4 01 02 03 04 130000 130 7000 0 0 0 0 0",
       true,
       {"0.5 can0 tx 18FF50E5#01020304"}},
      {Format::asc, {}, "0.5 CANFD 1 Rx 123 0 0 4 0 0 0 10 0 0 0 0 0", true, {}},
      {Format::asc, {}, "0.5 CANFD 1 Rx ErrorFrame", true, {}},
      {Format::asc,
       {},
       "0.5 CANXL 1 Rx XLFF 0 0 123 00 1 4 5 0 0 45 12345678 11 22 33 44 55 0 01403000 00000000",
       true,
       {}},
      {Format::asc, {}, "0.5 CANXL 1 Rx FBFF 0 0 123 4 4 01 02 03 04 0 0 00003000 0", true, {}},
      {Format::asc, {}, "0.5 CANXL 1 Rx CEFF 0 0 18FF50E5x Name 2 2 0A 0B 1234 00000000 0", true, {}},
  };
}

std::vector<Row> trc_rows() {
  const std::vector<std::string_view> one{";$FILEVERSION=1.1"};
  const std::vector<std::string_view> reserved{";$FILEVERSION=1.3"};
  const std::vector<std::string_view> two{";$FILEVERSION=2.1"};
  const std::vector<std::string_view> lengths{";$FILEVERSION=2.0", ";$COLUMNS=N,O,T,I,d,l,D"};
  const std::vector<std::string_view> id_last{";$FILEVERSION=2.1", ";$COLUMNS=N,O,T,l,I,D"};
  return {
      {Format::trc, {}, "     1)     17535  00000100  8  00 01 02 03 04 05 06 07", true, {}},
      {Format::trc, {}, "     1)     17535  0211  0", false, {}},  // of "0  RTR"
      {Format::trc, one, "     1)     17535.4  Rx         0221  2  01 02 ", true, {}},
      {Format::trc, one, "     1)     17535.4  Rx         0221  0  ", false, {}},
      {Format::trc, one, "     1)     17535.4  Rx         0221  4  RTR", true, {}},
      {Format::trc, one, "     1)     500.0  Rx         0221  0  RTR\r", true, {"0.5000 - rx 221#"}},
      {Format::trc, one, "     1)     17535.4  Error      0008  4  01 00 00 00", true, {}},
      {Format::trc, one, "     1)     17535.4  Rx         0000  4  ERROR", true, {}},
      {Format::trc, reserved, "     1)      1000.000 12  Rx        0300 -  2    00 01", true, {}},
      {Format::trc, lengths, "1 1059.900 DT     0300 Rx 7  00 00 00 00 04 00 00", true, {}},
      {Format::trc, lengths, "1 1059.900 FB 18EFC034 Tx 12 01 02 03 04 05 06 07 08 09 0A 0B 0C", true, {}},
      {Format::trc, lengths, "1 1059.900 RR 0411 Rx 8", false, {}},
      {Format::trc, lengths, "1 1059.900 ER     Rx 04 00 02", true, {}},
      {Format::trc, two, "1 500.000 DT 1      0211 Rx -  8    00 01 01 F6 00 00 00 00 ", true, {}},
      {Format::trc, two, "1 500.000 DT 1      0321 Rx - 14    4A 94 E8 2A EC 58 55 62", true, {}},
      {Format::trc, two, "1 500.000 BI 1  18FF50E5 Tx - 9     01 02 03 04 05 06 07 08 09 0A 0B 0C", true, {}},
      {Format::trc, two, "1 500.000 FE 1      0321 Rx -  0 ", true, {}},
      {Format::trc, two, "1 500.000 FE 1      0321 Rx -  0", false, {}},
      // A DLC of one digit is one too.
      {Format::trc, two, "1 500.000 RR 3      0123 Rx - 14", false, {"0.500000 can2 rx 123#R1"}},
      // An error frame needs no more than its type.
      {Format::trc,
       two,
       "1 500.000 ER 12         - Rx -  5    08 01 00 00 00 ",
       true,
       {"0.500000 - 20000080#0000000000000000", "0.500000 can0 20000080#0000000000000000"}},
      // Ids of three, four, seven and eight digits are ids.
      {Format::trc,
       id_last,
       "1 500.000 RR 4 12345678",
       false,
       {"0.500000 - 123#R4", "0.500000 - 01234567#R4"}},
  };
}

std::vector<Row> csv_rows() {
  constexpr Format kPython = Format::python_can_csv;
  constexpr Format kGvret = Format::gvret_csv;
  return {
      {kPython, {}, "1712345678.123456,0x211,0,0,0,8,AAEB9gAAAAA=", true, {}},
      {kPython, {}, "5e-05,0x18ff50e5,1,0,0,2,qrs=\r", true, {}},
      {kPython, {}, "0.5,0x123,0,0,0,3,AQID", true, {}},
      {kPython, {}, "0.5,0x123,0,0,0,12,AQIDBAUGBwgJCgsM", true, {}},
      {kPython, {}, "0.5,0x123,0,0,0,0,", true, {}},
      {kPython, {}, "0.5,0x123,0,1,0,4,", true, {}},
      {kPython, {}, "0.5,0x80,0,0,1,8,AAAAAAAAAAA=", true, {}},
      {kGvret, {}, "166064000,00000221,false,0,8,00,00,0B,B8,00,00,FF,9C,", true, {}},
      {kGvret, {}, "166064000,00000221,false,Rx,12,2,00,01", true, {}},
      {kGvret, {}, "166064000,18FF50E5,true,Tx,0,2,00,01,00,00,00,00,00,00,\r", true, {}},
      {kGvret, {}, "-1500000,00000221,false,Tx,1,0,", true, {}},
      {kGvret, {}, "-1500000,00000221,false,Tx,1,0", false, {}},
  };
}

/// The text of the frame that the line is, or nothing.
std::string frame_of(const Row& row, std::string_view line, LineEnd end) {
  const auto parser = make_line_parser(row.format, utc);
  texts_of(*parser, row.header);
  LogFrame frame;
  return parser->parse(line, end, frame) == LineKind::frame ? text_of(frame) : "";
}

/// The frames that the line is where it is cut, but for the one that it is as a whole.
std::set<std::string> others_of(const Row& row, LineEnd end) {
  std::set<std::string> frames;
  for (std::size_t size = 0; size < row.line.size(); ++size)
    frames.insert(frame_of(row, row.line.substr(0, size), end));
  frames.erase("");
  frames.erase(frame_of(row, row.line, LineEnd::newline));
  return frames;
}

class LogCutLine : public ::testing::TestWithParam<std::vector<Row> (*)()> {};

TEST_P(LogCutLine, WithoutItsNewlineIsTheSameFrameOrNone) {
  for (const Row& row : GetParam()()) {
    const std::string whole = frame_of(row, row.line, LineEnd::newline);
    EXPECT_NE(whole, "") << row.line;
    EXPECT_EQ(frame_of(row, row.line, LineEnd::eof), row.is_frame_at_eof ? whole : "") << row.line;
    EXPECT_THAT(others_of(row, LineEnd::eof), ::testing::IsEmpty()) << row.line;
  }
}

TEST_P(LogCutLine, WithANewlineIsAnotherFrameOnlyWhereTheFormatCannotTell) {
  for (const Row& row : GetParam()()) {
    EXPECT_THAT(others_of(row, LineEnd::newline), ::testing::UnorderedElementsAreArray(row.becomes))
        << row.line;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, LogCutLine, ::testing::Values(asc_rows, trc_rows, csv_rows));

}  // namespace
}  // namespace rangerctl::log
