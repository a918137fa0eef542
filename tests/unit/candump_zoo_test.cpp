#include <array>
#include <map>
#include <optional>

#include "candump_support.hpp"

/// One drive of twenty frames, written by candump old (2020) and new (2026) in its output modes.
namespace rangerctl::log {
namespace {

struct ZooFrame {
  std::string_view bus;
  std::string_view time;   ///< absolute, as -ta and -L write it
  std::string_view delta;  ///< as -td writes it
  std::string_view direction;
  std::string_view frame;      ///< what every flavour carries
  std::string_view raw_dlc;    ///< what only new log files carry
  std::string_view fd_flags;   ///< what log files and -x carry
  std::string_view fd_format;  ///< what the others say of an FD frame
};

constexpr std::array<ZooFrame, 20> kFrames{{
    {"can0", "1712345678.123456", "0.000000", "rx", "data 123 8 1122334455667788", "", "", ""},
    {"can0", "1712345678.124456", "0.001000", "rx", "data 7A1 0", "", "", ""},
    {"can0", "1712345678.125456", "0.001000", "rx", "remote 123 0", "", "", ""},
    {"can0", "1712345678.126456", "0.001000", "rx", "remote 123 7", "", "", ""},
    {"can0", "1712345678.127456", "0.001000", "rx", "remote 123 8", " dlc=9", "", ""},
    {"can0", "1712345678.128456", "0.001000", "rx", "data 321 8 4A94E82AEC585562", " dlc=14", "", ""},
    {"can0", "1712345678.129456", "0.001000", "tx", "data 111 2 0102", "", "", ""},
    {"can0", "1712345678.130456", "0.001000", "rx", "fd 211 12 0102030405060708090A0B0C", "", " flags=4",
     " flags=4"},
    {"can0", "1712345678.131456", "0.001000", "rx", "fd 212 8 0102030405060708", "", " flags=5", " flags=4"},
    {"can0", "1712345678.132456", "0.001000", "tx", "fd 213 0", "", " flags=7", " flags=4"},
    {"can0", "1712345678.133456", "0.001000", "rx", "error 004 8 003000000000887F", "", "", ""},
    {"can0", "1712345678.134456", "0.001000", "rx", "error 088 8 0000840A00000000", "", "", ""},
    {"can0", "1712345678.135456", "0.001000", "rx", "error 040 8 0000000000000000", "", "", ""},
    {"can0", "1712345678.136456", "0.001000", "rx", "error 100 8 0000000000000000", "", "", ""},
    {"can0", "1712345678.137456", "0.001000", "rx", "data 18FF50E5x 3 AABBCC", "", "", ""},
    {"can0", "1712345678.138456", "0.001000", "rx", "remote 1ABCDEF0x 4", "", "", ""},
    {"can0", "1712345678.139456", "0.001000", "rx", "fd 18FF50E6x 16 0102030405060708090A0B0C0D0E0F10", "",
     " flags=5", " flags=4"},
    {"slcan10", "1712345678.140456", "0.001000", "rx", "data 221 4 00000BB8", "", "", ""},
    {"vcan1", "1712345679.623456", "1.483000", "rx", "data 211 8 3130302E3520464D", "", "", ""},
    {"can0", "1712345679.723456", "0.100000", "rx", "xl 123 5 1122334455 vcid=45 flags=81 sdt=00 af=12345678",
     "", "", ""},
}};

enum class Times { none, absolute, delta };

struct ZooFile {
  std::string_view name;
  std::size_t frames;  ///< candump of 2020 knows no CAN XL, the last frame
  Times times = Times::none;
  bool direction = false;
  bool raw_dlc = false;
  bool fd_flags = false;
  std::size_t error_details = 0;
  std::size_t drop_counts = 0;
};

constexpr std::array kFiles{
    ZooFile{.name = "new_L.log", .frames = 20, .times = Times::absolute, .raw_dlc = true, .fd_flags = true},
    ZooFile{.name = "new_a.log", .frames = 20},
    ZooFile{.name = "new_c.log", .frames = 20},
    ZooFile{.name = "new_d.log", .frames = 20, .times = Times::absolute, .drop_counts = 1},
    ZooFile{.name = "new_def.log", .frames = 20},
    ZooFile{.name = "new_e.log", .frames = 20, .error_details = 6},
    ZooFile{.name = "new_lfile.log",
            .frames = 20,
            .times = Times::absolute,
            .direction = true,
            .raw_dlc = true,
            .fd_flags = true,
            .drop_counts = 1},
    ZooFile{.name = "new_tA.log", .frames = 20, .times = Times::absolute},
    ZooFile{.name = "new_ta.log", .frames = 20, .times = Times::absolute},
    ZooFile{.name = "new_x.log", .frames = 20, .direction = true, .fd_flags = true},
    ZooFile{.name = "old_L.log", .frames = 19, .times = Times::absolute, .fd_flags = true},
    ZooFile{
        .name = "old_Lx.log", .frames = 19, .times = Times::absolute, .direction = true, .fd_flags = true},
    ZooFile{.name = "old_S.log", .frames = 19},
    ZooFile{.name = "old_ta.log", .frames = 19, .times = Times::absolute},
    ZooFile{.name = "old_taxe.log",
            .frames = 19,
            .times = Times::absolute,
            .direction = true,
            .fd_flags = true,
            .error_details = 6},
    ZooFile{.name = "old_td.log", .frames = 19, .times = Times::delta},
    ZooFile{.name = "old_x.log", .frames = 19, .direction = true, .fd_flags = true},
};

std::string expected_text(const ZooFile& file, const ZooFrame& frame) {
  const std::string_view time = file.times == Times::absolute ? frame.time
                                : file.times == Times::delta  ? frame.delta
                                                              : "";
  return fmt::format("{} {} {} {}{}{}", time, frame.bus, file.direction ? frame.direction : "-", frame.frame,
                     file.raw_dlc ? frame.raw_dlc : "", file.fd_flags ? frame.fd_flags : frame.fd_format);
}

/// The dates in new_tA.log are UTC, and all of one minute.
std::int64_t minute_of_the_drive(int year, int month, int day, int hour, int minute, int second) {
  const bool as_written = year == 2024 && month == 4 && day == 5 && hour == 19 && minute == 34 && second == 0;
  return as_written ? 1712345640 : -1;
}

TEST(CandumpZoo, EveryFlavourGivesTheSameFrames) {
  for (const ZooFile& file : kFiles) {
    CandumpParser parser(protocol::kDefaultCatalogue, minute_of_the_drive);
    LogFrame out;
    std::size_t frames = 0;
    std::map<LineKind, std::size_t> others;
    for (const std::string& line : lines_of(std::string(file.name))) {
      const LineKind kind = parser.parse(line, LineEnd::newline, out);
      if (kind != LineKind::frame) {
        ++others[kind];
        continue;
      }
      ASSERT_LT(frames, file.frames) << file.name << ": " << line;
      EXPECT_EQ(line_text(kind, out), expected_text(file, kFrames.at(frames))) << file.name << ": " << line;
      ++frames;
    }
    EXPECT_EQ(frames, file.frames) << file.name;
    std::map<LineKind, std::size_t> expected;
    if (file.error_details != 0) expected[LineKind::error_detail] = file.error_details;
    if (file.drop_counts != 0) expected[LineKind::drop_count] = file.drop_counts;
    EXPECT_EQ(others, expected) << file.name;
  }
}

TEST(CandumpZoo, VectorAscIsNoneOfThem) {
  for (const std::string& line : lines_of("new_log2asc.asc")) {
    EXPECT_EQ(OneLine(line).kind, LineKind::unrecognised) << line;
    EXPECT_NE(OneLine(line, LineEnd::eof).kind, LineKind::frame) << line;
  }
}

/// Flavours of which the zoo has no file.
constexpr std::string_view kMoreLines[] = {
    "  can0  123   [0] ",
    "  can0  123   {0}  remote request",
    "  can0  123   {9}  remote request",
    "  can0  123   {E}  4A 94 E8 2A EC 58 55 62",
    "  can0  123   [1]  00000001",
    "  can0  123   [1]  11",
    "  can0  123   [2]  00000001 10000010",
    "  can0  123   [2]  10000010`00000001",
    "  can0  123   [1]  00010001                                                               '.'",
    "  can0  123   [1]  11                                             `.`",
    "  can0  20000040   [8]  00000000 00000000 00000000 00000000 00000000 00000000 00000001 11111111   "
    "ERRORFRAME",
    "  can0  111   [3]  5B 33 5D                  '[3]'",
    "  can0  111   [3]  20 20 20                  '   '",
    "  can0  111   [5]  31 23 30 31 20            '1#01 '",
    " \x1b[1m\x1b[34m(1712345678.123456)  can0  TX B E  213  [02]  11 22                     '.\"'\x1b[0m",
    "  \x1b[1m\x1b[34mcan0  123   [0]  remote request\x1b[0m",
    " (2024-04-05 19:34:38.123456789)  can0  TX B -  211  [08]  01 00 01 02 00 F0 00 00   '........'",
    "(1712345678.123456789) can0 211#0100010200F00000",
    "(000.020000) can0 211#00C800000000FF38 T",
    "(1.234567) can0 289#72.02.03.04.05.06.07.08",
    "(1.234567) can0 18FF50E5#72.02.03.04.05.06.07.08",
    "  can0  221#11.22.33.44.55.66.77.88",
    "<0x18eeff01> [8] 05 a0 be 1c 00 a0 a0 c0 ",
    "<0x123> [4] 00 00 00 00 remote request",
    "<0x123> [0] remote request",
    "vcan0  123 [012]  01 02 03 04 05 06 07 08 09 0A 0B 0C",
    "     can0  RX S R       7FF [0001] (00|80:03:000000FF) 11",
};

std::vector<std::string> all_lines() {
  std::vector<std::string> lines(std::begin(kMoreLines), std::end(kMoreLines));
  for (const ZooFile& file : kFiles) {
    for (const std::string& line : lines_of(std::string(file.name))) lines.push_back(line);
  }
  std::string cropped = "     can0       123 [0065] (45|81:00:12345678)";
  for (int i = 0; i < 64; ++i) cropped += " 10";
  lines.push_back(cropped + " ...");
  return lines;
}

/// A log line cut just before the raw DLC ("_E") has its eight bytes, and nothing tells that more was to
/// come.
std::string without_raw_dlc(const std::string& content) { return content.substr(0, content.find(" dlc=")); }

TEST(CandumpZoo, NoCutMakesAnotherFrame) {
  std::size_t frames = 0;
  for (const std::string& line : all_lines()) {
    const std::string whole = OneLine(line).content();
    for (std::size_t size = 0; size <= line.size(); ++size) {
      const OneLine cut(std::string_view(line).substr(0, size), LineEnd::eof);
      if (cut.kind != LineKind::frame) continue;
      ++frames;
      const bool before_raw_dlc = line.find('_') == size;
      EXPECT_EQ(cut.content(), before_raw_dlc ? without_raw_dlc(whole) : whole) << line << " cut to " << size;
    }
  }
  EXPECT_GT(frames, 1000U);
}

TEST(CandumpZoo, ACutLineIsCounted) {
  for (const std::string& line : all_lines()) {
    if (OneLine(line).kind != LineKind::frame) continue;
    for (std::size_t size = 1; size <= line.size(); ++size) {
      const std::string_view cut = std::string_view(line).substr(0, size);
      const LineKind kind = OneLine(cut, LineEnd::eof).kind;
      const bool nothing_yet = cut.find_first_not_of(" \x1b[0123456789;m") == std::string_view::npos;
      const bool no_indent = line.starts_with('v') || line.starts_with('<');
      if (nothing_yet || (no_indent && size <= 7)) continue;
      EXPECT_TRUE(kind == LineKind::frame || kind == LineKind::cut) << line << " cut to " << size;
    }
  }
}

/// A logger that died and was started again goes on in the middle of a line.
TEST(CandumpZoo, ALineThatRunsIntoTheNextIsNoOtherFrame) {
  for (const ZooFile& file : kFiles) {
    const std::vector<std::string> lines = lines_of(std::string(file.name));
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      const std::string second = OneLine(lines[i + 1]).content();
      for (std::size_t size = 1; size <= lines[i].size(); ++size) {
        const std::string line = lines[i].substr(0, size) + lines[i + 1];
        const OneLine both(line);
        if (both.kind != LineKind::frame) continue;
        EXPECT_EQ(both.content(), second) << line;
      }
    }
  }
}

}  // namespace
}  // namespace rangerctl::log
