#include "candump_internal.hpp"

namespace rangerctl::log::candump {
namespace {

constexpr std::size_t kMostXlBytesShown = 64;
constexpr std::string_view kRemoteRequest = "remote request";

constexpr std::size_t kHexDigits = 2;
constexpr std::size_t kBinaryDigits = 8;

/// How the bytes of one line are written.
struct Payload {
  std::size_t length = 0;
  std::size_t digits = kHexDigits;  ///< per byte
  char separator = ' ';             ///< '`': the bytes are in reverse order (candump -S)
};

/// "RX B E " of candump -x: what may stand at each place. CAN XL has S and R instead of B and E.
constexpr std::array<std::string_view, 6> kExtraInfo{"RT", "X", " ", "-BS", " ", "-ER"};

LineKind read_extra_info(Cursor& in, LogFrame& out, std::uint8_t& fd_flags) {
  if (in.peek() != 'R' && in.peek() != 'T') return LineKind::frame;
  out.direction = in.peek() == 'R' ? FrameDirection::rx : FrameDirection::tx;
  for (const std::string_view accepted : kExtraInfo) {
    if (in.done()) return LineKind::cut;
    const char c = in.take();
    if (accepted.find(c) == std::string_view::npos) return LineKind::unrecognised;
    if (c == 'B') fd_flags |= kFdBitRateSwitch;
    if (c == 'E') fd_flags |= kFdErrorState;
  }
  if (in.done()) return LineKind::cut;
  return in.skip_blanks() ? LineKind::frame : LineKind::unrecognised;
}

/// The digits of the id; it is an id only if a length in brackets follows.
LineKind read_id_word(Cursor& in, std::string_view& id) {
  id = in.take_word();
  if (!std::all_of(id.begin(), id.end(), is_hex)) return LineKind::unrecognised;
  in.skip_blanks();
  if (in.done()) return LineKind::cut;
  return in.peek() == '[' || in.peek() == '{' ? LineKind::frame : LineKind::unrecognised;
}

LineKind id_from_word(std::string_view word, Frame& frame) {
  std::uint32_t id = 0;
  Cursor digits(word);
  if (word.size() > 8 || !read_hex(digits, word.size(), id)) return LineKind::bad_id;
  return set_id(id, word.size(), frame);
}

/// "{E}" of candump -8: the raw DLC, so beyond 8 it also is one of eight bytes.
LineKind read_raw_dlc(Cursor& in, Frame& frame) {
  in.advance();
  const std::uint8_t raw = hex_value(in.take());
  if (raw == kNoDigit || !in.skip('}')) return LineKind::unrecognised;
  frame.length = std::min(raw, kMostClassicBytes);
  frame.raw_dlc = raw > kMostClassicBytes ? raw : std::uint8_t{0};
  return LineKind::frame;
}

/// "[8]", "[08]", "[064]", "[0005]": how many digits, and what they say.
LineKind read_bracket(Cursor& in, std::size_t& digits, std::size_t& length) {
  in.advance();
  for (digits = 0; digits < 4 && is_decimal(in.peek()); ++digits)
    length = length * 10 + static_cast<std::size_t>(in.take() - '0');
  return digits != 0 && in.skip(']') ? LineKind::frame : LineKind::unrecognised;
}

/// Only the number of digits tells classic CAN (one) from FD (two). Three are written by a cousin that nobody
/// has documented; its short frames could be either.
LineKind set_length(std::size_t digits, std::size_t length, std::uint8_t fd_flags, Frame& frame) {
  if (length > (digits == 1 ? kMostClassicBytes : kMostFdBytes)) return LineKind::length_mismatch;
  frame.length = static_cast<std::uint8_t>(length);
  if (digits == 1) return LineKind::frame;
  if (frame.kind == FrameKind::error) return LineKind::bad_id;
  if (digits == 3 && length <= kMostClassicBytes) return LineKind::unrecognised;
  frame.kind = FrameKind::fd;
  frame.fd_flags = fd_flags | kFdFormat;
  return LineKind::frame;
}

/// The first byte shows how all are written.
LineKind read_style(const Cursor& in, Payload& payload) {
  std::size_t run = 0;
  while (is_hex(in.peek(run))) ++run;
  if (run != kHexDigits && run != kBinaryDigits) return LineKind::bad_data;
  payload.digits = run;
  payload.separator = in.peek(run) == '`' ? '`' : ' ';
  return LineKind::frame;
}

bool read_binary_byte(Cursor& in, std::uint8_t& byte) {
  unsigned value = 0;
  for (std::size_t i = 0; i < kBinaryDigits; ++i) {
    const std::uint8_t digit = hex_value(in.peek(i));
    if (digit > 1) return false;
    value = value << 1 | digit;
  }
  byte = static_cast<std::uint8_t>(value);
  in.advance(kBinaryDigits);
  return true;
}

/// Where a byte should be and is none: is the payload shorter, or is it no payload?
LineKind missing_byte(const Cursor& in) {
  return in.done() || in.peek() == ' ' || in.peek() == '\'' ? LineKind::length_mismatch : LineKind::bad_data;
}

/// Works on a copy of the cursor, because writing through `data` could otherwise change it.
LineKind read_bytes(Cursor& place, const Payload& payload, std::uint8_t* data) {
  Cursor in = place;
  for (std::size_t i = 0; i < payload.length; ++i) {
    if (i > 0 && !in.skip(payload.separator)) return missing_byte(in);
    std::uint8_t byte = 0;
    if (!(payload.digits == kHexDigits ? read_hex_byte(in, byte) : read_binary_byte(in, byte)))
      return missing_byte(in);
    data[i] = byte;
  }
  if (payload.separator == '`') std::reverse(data, data + payload.length);
  place = in;
  return LineKind::frame;
}

LineKind end_of_line(Cursor in) {
  in.skip_blanks();
  return in.done() ? LineKind::frame : LineKind::unrecognised;
}

/// Behind the opening quote of candump -a: as many characters as there are bytes, whichever, and a quote.
LineKind check_ascii(Cursor in, char quote, std::size_t length, LineEnd end) {
  if (in.left() <= length) return end == LineEnd::eof ? LineKind::frame : LineKind::length_mismatch;
  in.advance(length);
  return in.skip(quote) ? end_of_line(in) : LineKind::length_mismatch;
}

/// `mark` alone; at the end of a file it may be cut.
LineKind check_mark(Cursor in, std::string_view mark, LineEnd end) {
  if (in.skip(mark)) return end_of_line(in);
  return end == LineEnd::eof && mark.starts_with(in.rest()) ? LineKind::frame : LineKind::unrecognised;
}

/// What follows the last byte that belongs to the frame. A further byte would follow as the others did.
LineKind check_tail(Cursor in, const Payload& payload, const Frame& frame, LineEnd end) {
  if (in.done()) return LineKind::frame;
  if (payload.length > 0 && in.peek() == payload.separator && is_hex(in.peek(1)) && is_hex(in.peek(2)))
    return LineKind::length_mismatch;
  if (!in.skip_blanks() && payload.length > 0) return LineKind::bad_data;
  if (in.done()) return LineKind::frame;
  if (payload.length == 0 && is_hex(in.peek()) && is_hex(in.peek(1))) return LineKind::length_mismatch;
  const char first = in.peek();
  if (first == '\'' || first == '`') {
    in.advance();
    return check_ascii(in, first, payload.length, end);
  }
  return frame.kind == FrameKind::error ? check_mark(in, "ERRORFRAME", end) : LineKind::unrecognised;
}

/// candump -i writes one byte as eight digits; the last line of a file may have lost six of them.
bool may_be_cut_binary(const Cursor& behind, const Payload& payload, const Frame& frame) {
  return behind.done() && payload.length == 1 && payload.digits == kHexDigits && (frame.data[0] & 0xEEU) == 0;
}

LineKind read_data(Cursor& in, const Context& context, Frame& frame) {
  Payload payload;
  payload.length = frame.length;
  if (payload.length > 0) {
    if (in.done() || in.peek() == '\'') return LineKind::length_mismatch;
    if (const LineKind kind = read_style(in, payload); kind != LineKind::frame) return kind;
    if (const LineKind kind = read_bytes(in, payload, frame.data.data()); kind != LineKind::frame)
      return kind;
    if (context.at_eof() && may_be_cut_binary(in, payload, frame)) return LineKind::cut;
  }
  return check_tail(in, payload, frame, context.end);
}

/// Behind the bracket of a classic or FD frame.
LineKind read_payload(Cursor& in, const Context& context, Frame& frame) {
  if (!in.skip_blanks() && !in.done()) return LineKind::unrecognised;
  if (frame.kind == FrameKind::data && in.skip(kRemoteRequest)) {
    frame.kind = FrameKind::remote;
    return end_of_line(in);
  }
  // "[0]" and nothing more: the words "remote request" may have been cut off.
  if (context.at_eof() && frame.kind == FrameKind::data && frame.length == 0 && in.done())
    return LineKind::cut;
  return read_data(in, context, frame);
}

/// Behind " [0005]": "(45|81:00:12345678) 11 22 33 44 55".
LineKind read_xl_payload(Cursor& in, const Context& context, std::size_t length, XlFrame& xl) {
  if (length == 0 || length > kMostXlBytes) return LineKind::length_mismatch;
  if (!in.skip(" (") || !read_hex_byte(in, xl.vcid) || !in.skip('|') || !read_xl_header(in, xl) ||
      !in.skip(") "))
    return LineKind::bad_data;
  const Payload payload{.length = std::min(length, kMostXlBytesShown)};
  if (const LineKind kind = read_bytes(in, payload, xl.data.data()); kind != LineKind::frame) return kind;
  xl.length = static_cast<std::uint16_t>(length);
  xl.stored = static_cast<std::uint16_t>(payload.length);
  return length > kMostXlBytesShown ? check_mark(in, " ...", context.end)
                                    : check_tail(in, payload, Frame{}, context.end);
}

LineKind read_xl(Cursor& in, const Context& context, std::size_t length, LogFrame& out) {
  if (out.frame.kind != FrameKind::data || out.frame.extended) return LineKind::bad_id;
  out.frame.kind = FrameKind::xl;
  return read_xl_payload(in, context, length, out.xl);
}

LineKind read_body(Cursor& in, std::uint8_t fd_flags, const Context& context, LogFrame& out) {
  if (in.peek() == '{') {
    const LineKind kind = read_raw_dlc(in, out.frame);
    return kind == LineKind::frame ? read_payload(in, context, out.frame) : kind;
  }
  std::size_t digits = 0;
  std::size_t length = 0;
  if (const LineKind kind = read_bracket(in, digits, length); kind != LineKind::frame) return kind;
  if (digits == 4) return read_xl(in, context, length, out);
  const LineKind kind = set_length(digits, length, fd_flags, out.frame);
  return kind == LineKind::frame ? read_payload(in, context, out.frame) : kind;
}

/// Behind "<0x": "211> [8] 05 a0 ...". A remote frame has bytes too, and only then the words.
LineKind read_canutils(Cursor& in, Frame& frame) {
  const std::string_view word = in.rest().substr(0, std::min(in.rest().find('>'), in.left()));
  if (const LineKind kind = id_from_word(word, frame); kind != LineKind::frame) return kind;
  in.advance(word.size());
  std::size_t digits = 0;
  std::size_t length = 0;
  if (!in.skip("> ") || in.peek() != '[') return LineKind::unrecognised;
  if (const LineKind kind = read_bracket(in, digits, length); kind != LineKind::frame) return kind;
  if (digits != 1 || length > kMostClassicBytes) return LineKind::length_mismatch;
  frame.length = static_cast<std::uint8_t>(length);
  if (!in.skip_blanks() && !in.done()) return LineKind::unrecognised;
  const Payload payload{.length = in.rest().starts_with(kRemoteRequest) ? 0 : length};
  if (const LineKind kind = read_bytes(in, payload, frame.data.data()); kind != LineKind::frame) return kind;
  Cursor words = in;
  words.skip_blanks();
  if (!words.skip(kRemoteRequest)) return check_tail(in, payload, frame, LineEnd::newline);
  if (frame.kind != FrameKind::data) return LineKind::bad_id;
  frame.kind = FrameKind::remote;
  frame.data = {};
  return end_of_line(words);
}

}  // namespace

LineKind parse_long_frame(Cursor in, const Context& context, LogFrame& out) {
  std::uint8_t fd_flags = 0;
  std::string_view id;
  if (const LineKind kind = read_extra_info(in, out, fd_flags); kind != LineKind::frame) return kind;
  if (const LineKind kind = read_id_word(in, id); kind != LineKind::frame) return kind;
  LineKind kind = id_from_word(id, out.frame);
  if (kind == LineKind::frame) kind = read_body(in, fd_flags, context, out);
  return kind != LineKind::frame && context.at_eof() ? LineKind::cut : kind;
}

LineKind parse_canutils_frame(Cursor in, const Context& context, LogFrame& out) {
  if (!in.skip("<0x")) return LineKind::unrecognised;
  const LineKind kind = read_canutils(in, out.frame);
  if (!context.at_eof()) return kind;
  return kind == LineKind::frame && out.frame.kind == FrameKind::remote ? kind : LineKind::cut;
}

}  // namespace rangerctl::log::candump
