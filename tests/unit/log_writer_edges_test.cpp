// What writers of logs do at the edges: times, names and frames that few logs have.
#include <gmock/gmock.h>

#include "log_format_support.hpp"

namespace rangerctl::convert {
namespace {

using log::Format;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

log::LogFrame frame_of(std::string_view line) {
  log::LogFrame frame;
  log::CandumpParser parser(protocol::kDefaultCatalogue);
  EXPECT_EQ(parser.parse(line, log::LineEnd::newline, frame), log::LineKind::frame) << line;
  return frame;
}

struct Written {
  std::string text;
  std::vector<std::string> lost;
};
Written write(Format format, const std::vector<std::string>& lines) {
  const auto writer = make_log_writer(format, log::utc_calendar);
  output::TextBuffer out;
  for (const std::string& line : lines) writer->write(frame_of(line), out);
  return {std::string(out.view()), writer->lost()};
}

// The order of can-utils' log2asc: data type, security, DLC, length, stuff bits, checksum, network,
// acceptance, data, checksum, flags.
TEST(LogWriterEdges, CanXlInVectorAsc) {
  const Written written = write(Format::asc, {"(1.000000) can0 45123#81:03:12345678#1122334455 R",
                                              "(1.000000) can0 067FF#82:04:000000FF#AA T",
                                              "(1.000000) can0 00000#80:00:00000000#00 R"});
  EXPECT_THAT(written.text,
              EndsWith("   0.000000 CANXL   1 Rx   XLFF        0      0       123                           "
                       "       03 1 4 5 0 0 45 12345678 11 22 33 44 55 0 01403000 00000000\n"
                       "   0.000000 CANXL   1 Tx   XLFF        0      0       7FF                           "
                       "       04 0 0 1 0 0 06 000000FF AA 0 00C03000 00000000\n"
                       "   0.000000 CANXL   1 Rx   XLFF        0      0         0                           "
                       "       00 0 0 1 0 0 00 00000000 00 0 00403000 00000000\n"));
  EXPECT_THAT(written.lost, ElementsAre());
}

TEST(LogWriterEdges, CanXlOfWhichThereIsOnlyTheBeginning) {
  log::LogFrame frame = frame_of("(1.000000) can0 45123#81:03:12345678#1122334455 R");
  frame.xl.length = 100;
  for (const Format format : {Format::candump, Format::asc}) {
    const auto writer = make_log_writer(format, log::utc_calendar);
    output::TextBuffer out;
    writer->write(frame, out);
    EXPECT_THAT(std::string(out.view()), ::testing::Not(HasSubstr("45123#")));
    EXPECT_THAT(writer->lost(),
                ElementsAre("1 CAN XL frame was left out: " + std::string(log::row_of(format).title) +
                            " takes whole ones only, and of these the log has the beginning"));
  }
}

TEST(LogWriterEdges, FlagsThatNobodyKnows) {
  EXPECT_THAT(write(Format::asc, {"(1.000000) can0 45123#84:03:12345678#11 R"}).lost,
              Contains("1 CAN XL frame lost part of its header: Vector ASC has less"));
  EXPECT_THAT(write(Format::asc, {"(1.000000) can0 211##F11 R"}).lost,
              Contains("1 FD frame lost flags: Vector ASC has fewer"));
  EXPECT_THAT(write(Format::trc, {"(1.000000) can0 211##F11 R"}).lost,
              Contains("1 FD frame lost flags: PEAK TRC 2.1 has fewer"));
}

TEST(LogWriterEdges, MidnightNoonAndTheLastYears) {
  struct Row {
    std::string_view time;
    std::string_view date;
    std::string_view offset;
  };
  for (const Row& row : {Row{"1712361600", "Sat Apr 06 12:00:00.000 am 2024", "   0"},
                         Row{"1712404800", "Sat Apr 06 12:00:00.000 pm 2024", "   0"},
                         Row{"1712408399", "Sat Apr 06 12:59:59.000 pm 2024", "   0"},
                         Row{"1712408400", "Sat Apr 06 01:00:00.000 pm 2024", "   0"},
                         Row{"253370764799", "Thu Dec 31 11:59:59.000 pm 9998", "   0"},
                         Row{"253370764800", "Thu Jan 01 12:00:00.000 am 1970", "253370764800"}}) {
    const std::string text = write(Format::asc, {"(" + std::string(row.time) + ".500000) can0 123# R"}).text;
    EXPECT_THAT(text, StartsWith("date " + std::string(row.date) + "\n"));
    EXPECT_THAT(text, EndsWith("\n" + std::string(row.offset) + ".500000 1  123             Rx   d 0\n"));
  }
}

TEST(LogWriterEdges, NamesThatAreNearlyNumbers) {
  const Written written =
      write(Format::gvret_csv, {"(1.000000) can00 123# R", "(1.000000) can0 123# R", "(1.000000) can2 123# R",
                                "(1.000000) can 123# R", "(1.000000) can255 123# R"});
  EXPECT_THAT(written.text, HasSubstr("\n1000000,00000123,false,Rx,0,0,00,00,00,00,00,00,00,00,\n"
                                      "1000000,00000123,false,Rx,1,0,00,00,00,00,00,00,00,00,\n"
                                      "1000000,00000123,false,Rx,2,0,00,00,00,00,00,00,00,00,\n"
                                      "1000000,00000123,false,Rx,3,0,00,00,00,00,00,00,00,00,\n"
                                      "1000000,00000123,false,Rx,4,0,00,00,00,00,00,00,00,00,\n"));
  EXPECT_THAT(
      written.lost,
      ElementsAre("4 frames have a number for the name of their bus: SavvyCAN (GVRET) CSV has channels"));
}

TEST(LogWriterEdges, MoreNamesThanChannels) {
  std::vector<std::string> lines;
  for (int i = 0; i < 257; ++i) lines.push_back("(1.000000) v" + std::to_string(i) + " 123# R");
  EXPECT_THAT(write(Format::gvret_csv, lines).text,
              EndsWith("\n1000000,00000123,false,Rx,253,0,00,00,00,00,00,00,00,00,\n"
                       "1000000,00000123,false,Rx,254,0,00,00,00,00,00,00,00,00,\n"
                       "1000000,00000123,false,Rx,254,0,00,00,00,00,00,00,00,00,\n"
                       "1000000,00000123,false,Rx,254,0,00,00,00,00,00,00,00,00,\n"));
}

TEST(LogWriterEdges, DropsAddUp) {
  const auto writer = make_log_writer(Format::candump);
  output::TextBuffer out;
  log::LogFrame drops;
  drops.bus = "can0";
  for (const std::uint64_t count : {3U, 1U, 2U}) {
    drops.drops = count;
    writer->write_drops(drops, out);
  }
  EXPECT_EQ(out.view(),
            "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)\n"
            "DROPCOUNT: dropped 1 CAN frame on 'can0' socket (total drops 4)\n"
            "DROPCOUNT: dropped 2 CAN frames on 'can0' socket (total drops 6)\n");
}

}  // namespace
}  // namespace rangerctl::convert
