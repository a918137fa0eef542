#include "rangerctl/log/candump_line.hpp"

#include <utility>

#include "candump_internal.hpp"

namespace rangerctl::log {
namespace candump {

LineKind set_id(std::uint32_t value, std::size_t digits, Frame& frame) {
  constexpr std::uint32_t kMostExtended = 0x1FFFFFFF;
  if (digits == 3) {
    frame.id = value;
    return value < protocol::kStandardIds ? LineKind::frame : LineKind::bad_id;
  }
  if (digits != 8 || value > (kErrorIdBit | kMostExtended)) return LineKind::bad_id;
  const bool error = (value & kErrorIdBit) != 0;
  frame.id = value & kMostExtended;
  frame.kind = error ? FrameKind::error : FrameKind::data;
  frame.extended = !error;
  return LineKind::frame;
}

bool read_xl_header(Cursor& in, XlFrame& xl) {
  return read_hex_byte(in, xl.flags) && in.skip(':') && read_hex_byte(in, xl.sdt) && in.skip(':') &&
         read_hex(in, 8, xl.af);
}

namespace {

/// Any text, control characters too; but NUL and tab are in no interface's name.
bool read_bus(Cursor& in, std::string_view& bus) {
  bus = in.take_word();
  return std::none_of(bus.begin(), bus.end(), [](char c) { return c == '\0' || c == '\t'; });
}

/// Where in the next word the first '#' is; npos: nowhere.
std::size_t find_hash(const Cursor& in) {
  if (in.peek(3) == '#') return 3;
  const std::string_view rest = in.rest();
  return rest.substr(0, rest.find(' ')).find('#');
}

/// A log or long line: both begin with an optional time and the interface.
LineKind parse_frame_line(std::string_view line, const Context& context, LogFrame& out) {
  Cursor in(line);
  bool begun = in.skip_blanks();
  if (in.peek() == '(') {
    if (const LineKind kind = read_time(in, context, out.time); kind != LineKind::frame) return kind;
    begun = true;
    if (!in.skip_blanks() && !in.done()) return LineKind::unrecognised;
  }
  if (!read_bus(in, out.bus)) return LineKind::unrecognised;
  in.skip_blanks();
  if (in.done()) return begun ? LineKind::cut : LineKind::unrecognised;
  const std::size_t hash = begun ? find_hash(in) : std::string_view::npos;
  if (hash != std::string_view::npos) return parse_log_frame(in, hash, context, out);
  return parse_long_frame(in, context, out);
}

LineKind parse_frame(std::string_view line, const Context& context, LogFrame& out) {
  clear(out);
  if (line.starts_with('<')) return parse_canutils_frame(Cursor(line), context, out);
  return parse_frame_line(line, context, out);
}

/// The words that candump -e puts below an error frame.
bool is_continuation(std::string_view line) { return line.starts_with('\t') && !has_binary(line); }

/// "Ended too early" is a line of its own kind only where the line has no newline. There the parts have said
/// so themselves of all but the time stamp.
LineKind settle(LineKind kind, LineEnd end) {
  if (end == LineEnd::newline) return kind == LineKind::cut ? LineKind::unrecognised : kind;
  return kind == LineKind::bad_time ? LineKind::cut : kind;
}

LineKind parse_plain(std::string_view line, bool after_error_frame, const Context& context, LogFrame& out) {
  if (after_error_frame && is_continuation(line)) return LineKind::error_detail;
  if (line.starts_with('#')) return LineKind::comment;
  const LineKind kind = parse_frame(line, context, out);
  if (kind == LineKind::frame) return kind;
  if (const LineKind other = classify_other(line, out); other != LineKind::unrecognised) return other;
  return has_binary(line) ? LineKind::binary : settle(kind, context.end);
}

LineKind parse_coloured(std::string_view line, bool after_error_frame, const Context& context,
                        LogFrame& out) {
  std::array<char, kLongestLine> buffer;
  const std::string_view plain = without_colours(line, context.end, buffer);
  const LineKind kind = parse_plain(plain, after_error_frame, context, out);
  const std::string_view plain_bus = std::exchange(out.bus, {});
  if (kind != LineKind::frame || plain_bus.empty()) return kind;
  const auto offset = static_cast<std::size_t>(plain_bus.data() - plain.data());
  out.bus = view_of_plain(line, context.end, offset, plain_bus.size());
  return out.bus == plain_bus ? kind : LineKind::unrecognised;
}

struct KindName {
  LineKind kind;
  std::string_view name;
};
constexpr std::array kKindNames{
    KindName{LineKind::frame, "frame"},
    KindName{LineKind::blank, "blank line"},
    KindName{LineKind::comment, "comment"},
    KindName{LineKind::header, "header line"},
    KindName{LineKind::error_detail, "error frame detail"},
    KindName{LineKind::drop_count, "drop count"},
    KindName{LineKind::candump_notice, "candump message"},
    KindName{LineKind::event, "event"},
    KindName{LineKind::cut, "cut line"},
    KindName{LineKind::bad_time, "bad time stamp"},
    KindName{LineKind::bad_id, "bad id"},
    KindName{LineKind::bad_data, "bad data"},
    KindName{LineKind::length_mismatch, "length mismatch"},
    KindName{LineKind::binary, "binary line"},
    KindName{LineKind::too_long, "too long line"},
    KindName{LineKind::unrecognised, "unrecognised line"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (static_cast<std::size_t>(kKindNames[i].kind) != i) return false;
  }
  return kKindNames.size() == kLineKinds;
}
static_assert(in_order());

}  // namespace
}  // namespace candump

std::string_view line_kind_name(LineKind kind) {
  return candump::kKindNames[static_cast<std::size_t>(kind)].name;
}

LineKind CandumpParser::parse(std::string_view line, LineEnd end, LogFrame& out) {
  const bool after_error_frame = std::exchange(after_error_frame_, false);
  if (line.size() > kLongestLine) return LineKind::too_long;
  line = reading::without_decoration(line);
  const candump::Context context{end, catalogue_, to_utc_, cached_minute_, cached_seconds_, cached_second_};
  const bool coloured = line.find('\x1b') != std::string_view::npos;
  const LineKind kind = coloured ? candump::parse_coloured(line, after_error_frame, context, out)
                                 : candump::parse_plain(line, after_error_frame, context, out);
  after_error_frame_ =
      kind == LineKind::error_detail || (kind == LineKind::frame && out.frame.kind == FrameKind::error);
  return kind;
}

bool CandumpParser::take_common(std::string_view& text, LogFrame& out) {
  const std::size_t length = candump::read_common_line(text, cached_second_, out);
  if (length == 0) return false;
  text.remove_prefix(length);
  after_error_frame_ = false;
  return true;
}

LineKind CandumpParser::take_any(std::string_view& text, LogFrame& out) {
  const std::size_t newline = text.find('\n');
  const std::string_view line = text.substr(0, newline);
  const bool last = newline == std::string_view::npos;
  text.remove_prefix(last ? text.size() : newline + 1);
  return parse(line, last ? LineEnd::eof : LineEnd::newline, out);
}

}  // namespace rangerctl::log
