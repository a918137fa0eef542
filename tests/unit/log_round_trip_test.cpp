// Every format that is written, read again, through every other one.
#include <gmock/gmock.h>

#include "fake_input.hpp"
#include "io/log_pieces.hpp"
#include "io/pcap_writer.hpp"
#include "log_format_support.hpp"
#include "rangerctl/convert/log_writer.hpp"

namespace rangerctl {
namespace {

using convert::Loss;
using log::Format;
using log::LogFrame;

/// A frame that owns the name of its bus.
struct Owned {
  LogFrame frame;
  std::string bus;

  [[nodiscard]] const LogFrame& get() {
    frame.bus = bus;
    return frame;
  }
};

std::unique_ptr<convert::FormatWriter> make_writer(Format format) {
  return format == Format::pcap ? io::make_pcap_writer() : convert::make_log_writer(format);
}

std::string write(Format format, std::vector<Owned>& frames) {
  const auto writer = make_writer(format);
  output::TextBuffer out;
  for (Owned& one : frames) writer->write(one.get(), out);
  writer->finish(out);
  return std::string(out.view());
}

std::vector<Owned> read(const std::string& bytes) {
  const auto log = io::read_log(std::make_unique<io::FakeInput>(bytes, 4096), protocol::kDefaultCatalogue);
  std::vector<Owned> frames;
  LogFrame frame;
  io::Piece piece;
  while (log->next(frame, piece)) {
    EXPECT_TRUE(log::is_understood(piece.kind)) << log::line_kind_name(piece.kind) << ' ' << piece.number;
    if (piece.kind == log::LineKind::frame) frames.push_back({frame, std::string(frame.bus)});
  }
  EXPECT_FALSE(log->error());
  return frames;
}

Timestamp cut_to(Timestamp time, std::uint32_t unit) {
  time.nanoseconds -= time.nanoseconds % unit;
  return time;
}

/// What is left of a frame, as the writer itself counts what is lost; nothing: it is left out.
std::optional<Owned> left_of(Format format, Owned frame) {
  const auto writer = make_writer(format);
  output::TextBuffer out;
  writer->write(frame.get(), out);
  const convert::Losses& losses = writer->losses();
  for (const Loss loss : {Loss::error_frame, Loss::remote_frame, Loss::fd_frame, Loss::xl_frame}) {
    if (losses.count(loss) > 0) return std::nullopt;
  }
  // Which digits pcap has is said by the first frame of all.
  if (losses.count(Loss::time_digits) > 0 || format == Format::pcap)
    frame.frame.time = cut_to(frame.frame.time, format == Format::trc_1_1 ? 100'000 : 1000);
  if (losses.count(Loss::no_time) > 0) frame.frame.time = {0, 0, 6};
  if (losses.count(Loss::raw_dlc) > 0) frame.frame.frame.raw_dlc = 0;
  if (losses.count(Loss::remote_length) > 0) frame.frame.frame.length = 0;
  if (losses.count(Loss::error_details) > 0)
    frame.frame.frame = *log::parse_written_frame(protocol::kDefaultCatalogue, "20000080#0000000000000000");
  return frame;
}

/// Losses of names, directions and flags leave open what takes their place.
void expect_same(Format format, Owned& written, Owned& left, Owned& read) {
  const auto writer = make_writer(format);
  output::TextBuffer out;
  writer->write(written.get(), out);
  const auto lost = [&](Loss loss) { return writer->losses().count(loss) > 0; };
  SCOPED_TRACE(log::text_of(written.get()) + " as " + std::string(log::row_of(format).name));
  EXPECT_TRUE(std::is_eq(left.frame.time.order(read.frame.time))) << log::text_of(read.get());
  if (!lost(Loss::bus_name) && !left.bus.empty()) {
    EXPECT_EQ(left.bus, read.bus);
  }
  if (!lost(Loss::direction)) {
    EXPECT_EQ(left.frame.direction, read.frame.direction);
  }
  if (lost(Loss::fd_flags)) left.frame.frame.fd_flags = read.frame.frame.fd_flags;
  EXPECT_EQ(left.frame.frame, read.frame.frame) << log::text_of(read.get());
  if (left.frame.frame.kind != FrameKind::xl || lost(Loss::xl_details)) return;
  EXPECT_EQ(log::text_of_xl(left.frame.frame.id, left.frame.xl),
            log::text_of_xl(read.frame.frame.id, read.frame.xl));
}

std::vector<Owned> through(Format format, std::vector<Owned>& frames) {
  std::vector<Owned> expected;
  std::vector<Owned> written;
  for (Owned& frame : frames) {
    if (auto left = left_of(format, frame)) {
      written.push_back(frame);
      expected.push_back(std::move(*left));
    }
  }
  std::vector<Owned> back = read(write(format, frames));
  EXPECT_EQ(back.size(), expected.size()) << log::row_of(format).name;
  for (std::size_t i = 0; i < std::min(back.size(), expected.size()); ++i)
    expect_same(format, written[i], expected[i], back[i]);
  return back;
}

struct Given {
  Timestamp time;
  std::string_view bus;
  FrameDirection direction;
  std::string_view frame;
};

std::vector<Owned> frames_of(const std::vector<Given>& rows) {
  std::vector<Owned> frames;
  for (const Given& row : rows) {
    Owned one;
    one.frame.time = row.time;
    one.bus = row.bus;
    one.frame.direction = row.direction;
    one.frame.frame = *log::parse_written_frame(protocol::kDefaultCatalogue, row.frame);
    frames.push_back(one);
  }
  return frames;
}

constexpr std::int64_t kTime = 1712345678;
constexpr FrameDirection kRx = FrameDirection::rx;
constexpr FrameDirection kTx = FrameDirection::tx;
constexpr FrameDirection kUnknown = FrameDirection::unknown;

/// Every kind of frame, direction, bus and time.
std::vector<Owned> all_kinds() {
  auto frames = frames_of({
      {{kTime, 123'456'000, 6}, "can0", kRx, "211#000101F100000000"},
      {{kTime, 123'456'000, 6}, "can0", kTx, "111#0096000000000000"},
      {{kTime, 123'456'789, 9}, "can1", kUnknown, "7FF#"},
      {{kTime + 1, 0, 6}, "can0", kRx, "123#R"},
      {{kTime + 1, 100'000, 6}, "can0", kRx, "123#R8"},
      {{kTime + 1, 200'000, 6}, "can0", kRx, "123#R8_9"},
      {{kTime + 1, 300'000, 6}, "vcan7", kRx, "321#4A94E82AEC585562_E"},
      {{kTime + 1, 400'000, 6}, "can0", kTx, "18FF50E5#AABBCC"},
      {{kTime + 1, 500'000, 6}, "can0", kRx, "00000211#R4"},
      {{kTime + 2, 0, 6}, "can0", kRx, "211##4"},
      {{kTime + 2, 1000, 6}, "can0", kTx, "212##50102030405060708"},
      {{kTime + 2, 2000, 6}, "can0", kRx, "18FF50E6##70102030405060708090A0B0C"},
      {{kTime + 2, 3000, 6}, "can0", kUnknown, "213##4010203040506070809"},  // no DLC means nine bytes
      {{kTime + 3, 0, 6}, "can0", kRx, "20000004#003000000000887F"},
      {{kTime + 3, 0, 6}, "can0", kUnknown, "20000080#0000000000000000"},
      {{kTime - 10, 0, 6}, "", kRx, "211#000101F200000000"},  // backwards
      {{5, 20'000'000, 6}, "can0", kRx, "211#000101F300000000"},
      {{}, "can0", kRx, "211#000101F400000000"},
      {{-3, 500'000'000, 6}, "can0", kRx, "211#000101F500000000"},
  });
  Owned xl = frames[0];
  xl.frame.frame = {.id = 0x123, .kind = FrameKind::xl};
  xl.frame.xl.vcid = 0x45;
  xl.frame.xl.flags = 0x82;
  xl.frame.xl.sdt = 3;
  xl.frame.xl.af = 0x12345678;
  xl.frame.xl.length = xl.frame.xl.stored = 100;
  for (std::size_t i = 0; i < 100; ++i) xl.frame.xl.data[i] = static_cast<std::uint8_t>(i);
  frames.push_back(xl);
  return frames;
}

class LogRoundTrip : public ::testing::TestWithParam<Format> {
 protected:
  void SetUp() override { set_zone("CET-1CEST,M3.5.0,M10.5.0/3"); }
  void TearDown() override { set_zone("UTC"); }

 private:
  static void set_zone(const char* zone) {
    ::setenv("TZ", zone, 1);
    ::tzset();
  }
};

constexpr std::array kWritten{Format::candump, Format::candump_long,   Format::asc,       Format::trc,
                              Format::trc_1_1, Format::python_can_csv, Format::gvret_csv, Format::pcap};

TEST_P(LogRoundTrip, ThroughItAndEveryOther) {
  auto frames = all_kinds();
  auto first = through(GetParam(), frames);
  EXPECT_GE(first.size(), 9U);
  for (const Format second : kWritten) through(second, first);
}

/// The format that a log is read in.
Format read_as(Format format) {
  if (format == Format::candump_long) return Format::candump;
  return format == Format::trc_1_1 ? Format::trc : format;
}

/// Of candump's own formats there is another test, for they cannot tell everything.
TEST_P(LogRoundTrip, CutAtEveryByteThereAreTheFirstFramesAndNoOther) {
  if (read_as(GetParam()) == Format::candump) return;
  auto frames = all_kinds();
  const std::string whole = write(GetParam(), frames);
  const auto texts = [](const std::string& bytes) {
    const auto log = io::read_log(std::make_unique<io::FakeInput>(bytes, 4096), protocol::kDefaultCatalogue);
    std::vector<std::string> all;
    LogFrame frame;
    io::Piece piece;
    while (log->next(frame, piece)) {
      if (piece.kind == log::LineKind::frame) all.push_back(log::text_of(frame));
    }
    return all;
  };
  const std::vector<std::string> expected = texts(whole);
  // From where on the format is known.
  for (std::size_t size = 30; size < whole.size(); ++size) {
    const std::vector<std::string> cut = texts(whole.substr(0, size));
    ASSERT_LE(cut.size(), expected.size());
    for (std::size_t i = 0; i < cut.size(); ++i) ASSERT_EQ(cut[i], expected[i]) << whole.substr(0, size);
  }
}

TEST_P(LogRoundTrip, ALogWithoutFramesIsKnownToo) {
  std::vector<Owned> none;
  const std::string text = write(GetParam(), none);
  EXPECT_TRUE(read(text).empty());
  EXPECT_EQ(log::detect(text, true), read_as(GetParam()));
}

TEST(LogFormats, WhatIsWrittenIsTested) {
  for (const log::FormatRow& row : log::kFormats)
    EXPECT_EQ(row.is_written, std::find(kWritten.begin(), kWritten.end(), row.format) != kWritten.end())
        << row.name;
}

INSTANTIATE_TEST_SUITE_P(Formats, LogRoundTrip, ::testing::ValuesIn(kWritten), [](const auto& format) {
  std::string name(log::row_of(format.param).name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

}  // namespace
}  // namespace rangerctl
