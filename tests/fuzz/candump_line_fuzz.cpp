#include <string>
#include <string_view>

#include "fuzz.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/protocol/catalogue.hpp"

/// Any bytes, split into lines, the last without its newline: what holds of every line that a parser reads.
namespace rangerctl::log {
namespace {

using fuzz::require;

std::int64_t day_to_utc(int year, int month, int day, int hour, int minute, int second) {
  require(year >= 0 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31);
  require(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second == 0);
  return (((year * 12LL + month) * 31 + day) * 24 + hour) * 3600 + minute * 60;
}

bool all_zero(std::span<const std::uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

void check_id(const Frame& frame) {
  const bool wide = frame.extended || frame.kind == FrameKind::error;
  require(frame.id < (wide ? 0x20000000U : 0x800U));
  require(!frame.extended || (frame.kind != FrameKind::error && frame.kind != FrameKind::xl));
}

void check_frame(const Frame& frame) {
  check_id(frame);
  require(frame.length <= (frame.kind == FrameKind::fd ? 64 : 8));
  require(all_zero(std::span(frame.data).subspan(frame.bytes().size())));
  require(frame.kind == FrameKind::fd ? (frame.fd_flags & kFdFormat) != 0 : frame.fd_flags == 0);
  const bool raw_dlc_allowed = frame.kind != FrameKind::fd && frame.length == 8;
  require(frame.raw_dlc == 0 || (raw_dlc_allowed && frame.raw_dlc >= 9 && frame.raw_dlc <= 15));
}

void check_xl(const LogFrame& line) {
  if (line.frame.kind != FrameKind::xl) return;
  require(line.frame.length == 0 && line.xl.length >= 1 && line.xl.length <= 2048);
  require(line.xl.stored >= 1 && line.xl.stored <= line.xl.length);
  require(line.xl.stored == line.xl.length || line.xl.stored == 64);
}

void check_time(const Timestamp& time) {
  require(time.nanoseconds < 1'000'000'000 && time.digits <= 9);
  std::uint32_t unit = 1;
  for (int digit = time.digits; digit < 9; ++digit) unit *= 10;
  require(time.nanoseconds % unit == 0);
  require(time.known() || (time.seconds == 0 && time.nanoseconds == 0));
}

void check_bus(std::string_view line, std::string_view bus) {
  if (bus.empty()) return;
  require(bus.data() >= line.data() && bus.data() + bus.size() <= line.data() + line.size());
  require(bus.find(' ') == std::string_view::npos);
}

bool same(const LogFrame& one, const LogFrame& other) {
  return one.time == other.time && one.bus == other.bus && one.direction == other.direction &&
         one.frame == other.frame;
}

LogFrame scratch;

/// `parser` is in the state that it had before the line was read into `first`.
void expect_frame(CandumpParser parser, std::string_view line, LineEnd end, const LogFrame& first) {
  require(parser.parse(line, end, scratch) == LineKind::frame);
  require(same(first, scratch));
}

/// With its newline a line that is cut in its ASCII column or its colour is wrong, but never another frame.
void expect_no_other_frame(CandumpParser parser, std::string_view line, const LogFrame& first) {
  require(parser.parse(line, LineEnd::newline, scratch) != LineKind::frame || same(first, scratch));
}

/// Reading it again, with a newline, and with a blank behind it (which the quick way does not take).
void check_again(const CandumpParser& before, std::string_view line, LineEnd end, const LogFrame& first) {
  expect_frame(before, line, end, first);
  expect_no_other_frame(before, line, first);
  std::string longer(line.substr(0, line.size() - (line.ends_with('\r') ? 1 : 0)));
  longer += ' ';
  if (end == LineEnd::newline && longer.size() <= kLongestLine)
    expect_frame(before, longer, LineEnd::newline, first);
}

/// `text` as a part of a log is read line by line: `before` is the parser in front of it, and the first line
/// is of this kind.
void check_take(CandumpParser before, std::string_view text, LineKind kind, const LogFrame& first) {
  static LogFrame taken;
  const std::size_t line = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::size_t size = text.size();
  require(before.take(text, taken) == kind && size - text.size() == line);
  require(kind != LineKind::frame || same(first, taken));
}

LineKind check_line(CandumpParser& parser, std::string_view line, LineEnd end, LogFrame& out) {
  const CandumpParser before = parser;
  const LineKind kind = parser.parse(line, end, out);
  require(static_cast<std::size_t>(kind) < kLineKinds && !line_kind_name(kind).empty());
  require(kind != LineKind::cut || end == LineEnd::eof);
  require((kind == LineKind::too_long) == (line.size() > kLongestLine));
  if (kind != LineKind::frame) return kind;
  check_frame(out.frame);
  check_xl(out);
  check_time(out.time);
  check_bus(line, out.bus);
  check_again(before, line, end, out);
  return kind;
}

}  // namespace
}  // namespace rangerctl::log

void rangerctl::fuzz::candump_line(std::span<const std::uint8_t> input) {
  using namespace rangerctl::log;
  static LogFrame out;
  std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  CandumpParser parser(rangerctl::protocol::kDefaultCatalogue, day_to_utc);
  LineKind before = LineKind::blank;
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const bool last = newline == std::string_view::npos;
    const bool may_continue = before == LineKind::error_detail ||
                              (before == LineKind::frame && out.frame.kind == rangerctl::FrameKind::error);
    const CandumpParser parser_before = parser;
    before = check_line(parser, text.substr(0, newline), last ? LineEnd::eof : LineEnd::newline, out);
    require(before != LineKind::error_detail || may_continue);
    check_take(parser_before, text, before, out);
    text.remove_prefix(last ? text.size() : newline + 1);
  }
}
