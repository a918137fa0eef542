// What each format looks like when it is written. python-can 4.1, asc2log and tshark read these lines as the
// same frames.
#include "rangerctl/convert/log_writer.hpp"

#include <gmock/gmock.h>

#include "log_format_support.hpp"

namespace rangerctl::convert {
namespace {

using log::Format;
using ::testing::ElementsAre;

constexpr std::string_view kLog =
    "(1712345678.123456) can0 211#000101F100000000 R\n"
    "(1712345678.223456789) can1 18FF50E5#AABB T\n"
    "(1712345679.000000) vcan7 123#R4\n"
    "(1712345679.000100) can0 321#4A94E82AEC585562_E R\n"
    "(1712345679.500000) can0 211##50102030405060708090A0B0C T\n"
    "(1712345680.000000) can0 20000004#003000000000887F\n"
    "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)\n"
    "(1712345670.000000) can0 7FF# R\n";

struct Written {
  std::string text;
  std::vector<std::string> lost;
};
Written write(Format format) {
  const auto writer = make_log_writer(format, log::utc_calendar);
  log::CandumpParser parser(protocol::kDefaultCatalogue);
  output::TextBuffer out;
  log::LogFrame frame;
  for (std::string_view log = kLog; !log.empty();) {
    const log::LineKind kind = parser.take(log, frame);
    if (kind == log::LineKind::frame) writer->write(frame, out);
    if (kind == log::LineKind::drop_count) writer->write_drops(frame, out);
  }
  writer->finish(out);
  return {std::string(out.view()), writer->lost()};
}

TEST(LogWriter, CandumpsLogIsTheSameAgain) {
  EXPECT_EQ(write(Format::candump).text, kLog);
  EXPECT_THAT(write(Format::candump).lost, ElementsAre());
}

TEST(LogWriter, CandumpsLongFormat) {
  const Written written = write(Format::candump_long);
  EXPECT_EQ(written.text,
            " (1712345678.123456)  can0  RX - -  211   [8]  00 01 01 F1 00 00 00 00\n"
            " (1712345678.223456789)  can1  TX - -  18FF50E5   [2]  AA BB\n"
            " (1712345679.000000)  vcan7       123   [4]  remote request\n"
            " (1712345679.000100)   can0  RX - -       321   {E}  4A 94 E8 2A EC 58 55 62\n"
            " (1712345679.500000)   can0  TX B -       211  [12]  01 02 03 04 05 06 07 08 09 0A 0B 0C\n"
            " (1712345680.000000)   can0  20000004   [8]  00 30 00 00 00 00 88 7F   ERRORFRAME\n"
            "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)\n"
            " (1712345670.000000)   can0  RX - -       7FF   [0] \n");
  EXPECT_THAT(written.lost, ElementsAre());
}

TEST(LogWriter, VectorAsc) {
  const Written written = write(Format::asc);
  EXPECT_EQ(written.text,
            "date Fri Apr 05 07:34:38.000 pm 2024\n"
            "base hex  timestamps absolute\n"
            "no internal events logged\n"
            "Begin Triggerblock Fri Apr 05 07:34:38.000 pm 2024\n"
            "   0.000000 Start of measurement\n"
            "   0.123456 1  211             Rx   d 8 00 01 01 F1 00 00 00 00\n"
            "   0.223456 2  18FF50E5x       Tx   d 2 AA BB\n"
            "   1.000000 3  123             Rx   r 4\n"
            "   1.000100 1  321             Rx   d e 4A 94 E8 2A EC 58 55 62\n"
            "   1.500000 CANFD   1 Tx           211                                  1 0 9 12 01 02 03 04 05 "
            "06 07 08 "
            "09 0A 0B 0C        0    0     3000 0 0 0 0 0\n"
            "   2.000000 1  ErrorFrame\n"
            "  -8.000000 1  7FF             Rx   d 0\n"
            "End TriggerBlock\n");
  EXPECT_THAT(
      written.lost,
      ElementsAre(
          "1 time was cut: Vector ASC has fewer digits",
          "7 times of day are in this machine's time zone: Vector ASC does not name one",
          "1 frame has a number for the name of its bus: Vector ASC has channels",
          "1 frame has another direction or none: Vector ASC calls an unknown one Rx and has none for "
          "error frames",
          "1 error frame lost which error it was: Vector ASC does not say it, or in another code",
          "1 note of lost frames was left out: Vector ASC has none"));
}

TEST(LogWriter, PeakTrc2_1) {
  const Written written = write(Format::trc);
  EXPECT_THAT(written.text, ::testing::StartsWith(";$FILEVERSION=2.1\r\n;$STARTTIME=45387.815717592593\r\n"
                                                  ";$COLUMNS=N,O,T,B,I,d,R,L,D\r\n"));
  EXPECT_THAT(written.text,
              ::testing::EndsWith(
                  "      1       123.456 DT 1      0211 Rx -  8    00 01 01 F1 00 00 00 00 \r\n"
                  "      2       223.456 DT 2  18FF50E5 Tx -  2    AA BB \r\n"
                  "      3      1000.000 RR 3      0123 Rx -  4    \r\n"
                  "      4      1000.100 DT 1      0321 Rx -  14   4A 94 E8 2A EC 58 55 62 \r\n"
                  "      5      1500.000 FB 1      0211 Tx -  9    01 02 03 04 05 06 07 08 09 0A 0B 0C \r\n"
                  "      6      2000.000 ER 1         - Rx -  5    08 01 00 00 00 \r\n"
                  "      7     -8000.000 DT 1      07FF Rx -  0    \r\n"));
}

TEST(LogWriter, PeakTrc1_1) {
  const Written written = write(Format::trc_1_1);
  EXPECT_THAT(written.text, ::testing::StartsWith(";$FILEVERSION=1.1\r\n;$STARTTIME=45387.815717592593\r\n"));
  EXPECT_THAT(written.text,
              ::testing::EndsWith("     1)       123.4  Rx         0211  8  00 01 01 F1 00 00 00 00 \r\n"
                                  "     2)       223.4  Tx     18FF50E5  2  AA BB \r\n"
                                  "     3)      1000.0  Rx         0123  4  RTR \r\n"
                                  "     4)      1000.1  Rx         0321  8  4A 94 E8 2A EC 58 55 62 \r\n"
                                  "     5)      2000.0  Error      0008  4  01 00 00 00 \r\n"
                                  "     6)     -8000.0  Rx         07FF  0  \r\n"));
  EXPECT_THAT(written.lost, ::testing::Contains("1 FD frame was left out: PEAK TRC 1.1 has none"));
  EXPECT_THAT(written.lost,
              ::testing::Contains("1 frame lost its DLC beyond 8: PEAK TRC 1.1 has lengths alone"));
}

TEST(LogWriter, PythonCansCsv) {
  const Written written = write(Format::python_can_csv);
  EXPECT_EQ(written.text,
            "timestamp,arbitration_id,extended,remote,error,dlc,data\n"
            "1712345678.123456,0x211,0,0,0,8,AAEB8QAAAAA=\n"
            "1712345678.223456789,0x18FF50E5,1,0,0,2,qrs=\n"
            "1712345679.000000,0x123,0,1,0,4,\n"
            "1712345679.000100,0x321,0,0,0,8,SpToKuxYVWI=\n"
            "1712345680.000000,0x4,0,0,1,8,ADAAAAAAiH8=\n"
            "1712345670.000000,0x7FF,0,0,0,0,\n");
  EXPECT_THAT(written.lost, ::testing::Contains("4 frames lost their direction: python-can CSV has none"));
}

TEST(LogWriter, SavvyCansCsv) {
  EXPECT_EQ(write(Format::gvret_csv).text,
            "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8\n"
            "1712345678123456,00000211,false,Rx,0,8,00,01,01,F1,00,00,00,00,\n"
            "1712345678223456,18FF50E5,true,Tx,1,2,AA,BB,00,00,00,00,00,00,\n"
            "1712345679000100,00000321,false,Rx,0,8,4A,94,E8,2A,EC,58,55,62,\n"
            "1712345670000000,000007FF,false,Rx,0,0,00,00,00,00,00,00,00,00,\n");
}

TEST(LogWriter, EveryLossHasItsSentence) {
  for (const log::FormatRow& row : log::kFormats) {
    for (std::size_t i = 0; i < kLosses; ++i) {
      Losses losses;
      losses.note(static_cast<Loss>(i));
      const auto one = losses.text(row.format);
      ASSERT_EQ(one.size(), 1U) << row.name << ' ' << i;
      EXPECT_THAT(one[0], ::testing::StartsWith("1 "));
      losses.note(static_cast<Loss>(i));
      EXPECT_THAT(losses.text(row.format)[0], ::testing::StartsWith("2 "));
    }
  }
}

}  // namespace
}  // namespace rangerctl::convert
