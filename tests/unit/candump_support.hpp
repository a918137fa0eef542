#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/protocol/catalogue.hpp"

/// Frames as short text, so that tables of expectations can be read.
namespace rangerctl::log {

inline constexpr std::array<std::string_view, 5> kFrameKindNames{"data", "remote", "error", "fd", "xl"};
inline constexpr std::array<std::string_view, 3> kFrameDirectionNames{"-", "rx", "tx"};

inline std::string hex_text(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02X}", byte);
  return text;
}

/// "data 211 8 0001019000000001", "remote 18FF50E5x 8 dlc=9", "fd 211 12 0102.. flags=5", "error 004 8 ..".
inline std::string frame_text(const Frame& frame) {
  std::string text = fmt::format("{} {:03X}{} {}", kFrameKindNames.at(static_cast<std::size_t>(frame.kind)),
                                 frame.id, frame.extended ? "x" : "", frame.length);
  const std::string data = hex_text(frame.data);
  const std::string_view used = std::string_view(data).substr(0, frame.length * std::size_t{2});
  const bool remote = frame.kind == FrameKind::remote;
  if (!remote && !used.empty()) text += fmt::format(" {}", used);
  if (data.find_first_not_of('0', remote ? 0 : used.size()) != std::string::npos)
    text += " data-beyond-length";
  if (frame.raw_dlc != 0) text += fmt::format(" dlc={}", frame.raw_dlc);
  if (frame.fd_flags != 0) text += fmt::format(" flags={}", frame.fd_flags);
  return text;
}

/// "xl 123 5 1122334455 vcid=45 flags=81 sdt=00 af=12345678"; of a cropped one also "stored=64".
inline std::string xl_text(const LogFrame& line) {
  const XlFrame& xl = line.xl;
  return fmt::format("xl {:03X} {} {} vcid={:02X} flags={:02X} sdt={:02X} af={:08X}{}", line.frame.id,
                     xl.length, hex_text(std::span(xl.data).first(xl.stored)), xl.vcid, xl.flags, xl.sdt,
                     xl.af, xl.stored == xl.length ? "" : fmt::format(" stored={}", xl.stored));
}

/// "1712345678.123456"; "" where there is none.
inline std::string time_text(const Timestamp& time) {
  if (!time.known()) return "";
  const std::string decimals = fmt::format("{:09}", time.nanoseconds);
  EXPECT_EQ(decimals.find_first_not_of('0', time.digits), std::string::npos) << "more than its digits";
  return fmt::format("{}.{}", time.seconds, decimals.substr(0, time.digits));
}

/// The frame alone, or the kind of what is none.
inline std::string content_text(LineKind kind, const LogFrame& line) {
  if (kind != LineKind::frame) return std::string(line_kind_name(kind));
  return line.frame.kind == FrameKind::xl ? xl_text(line) : frame_text(line.frame);
}

/// "1712345678.123456 can0 rx data 211 8 0001019000000001", or the kind of what is no frame.
inline std::string line_text(LineKind kind, const LogFrame& line) {
  if (kind != LineKind::frame) return content_text(kind, line);
  return fmt::format("{} {} {} {}", time_text(line.time), line.bus,
                     kFrameDirectionNames.at(static_cast<std::size_t>(line.direction)),
                     content_text(kind, line));
}

/// What a new parser says about one line.
struct OneLine {
  explicit OneLine(std::string_view line, LineEnd end = LineEnd::newline, LocalToUtc to_utc = local_to_utc) {
    CandumpParser parser(protocol::kDefaultCatalogue, to_utc);
    kind = parser.parse(line, end, out);
  }
  [[nodiscard]] std::string text() const { return line_text(kind, out); }
  [[nodiscard]] std::string content() const { return content_text(kind, out); }

  LineKind kind;
  LogFrame out;
};

/// A line and its line_text.
struct Row {
  std::string_view line;
  std::string_view expected;
};

/// Each line read alone, by a parser of its own.
template <std::size_t Count>
void expect_rows(const Row (&rows)[Count], LineEnd end = LineEnd::newline) {
  for (const Row& row : rows) EXPECT_EQ(OneLine(row.line, end).text(), row.expected) << row.line;
}

/// The lines read one after the other, by one parser.
template <std::size_t Count>
void expect_log(const Row (&rows)[Count]) {
  CandumpParser parser(protocol::kDefaultCatalogue);
  LogFrame out;
  for (const Row& row : rows) {
    const LineKind kind = parser.parse(row.line, LineEnd::newline, out);
    EXPECT_EQ(line_text(kind, out), row.expected) << row.line;
  }
}

/// The lines of one file of tests/data/candump_zoo.
inline std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(std::string(RANGERCTL_TEST_DATA) + "/candump_zoo/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << file;
  return lines;
}

}  // namespace rangerctl::log
