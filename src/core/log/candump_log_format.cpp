#include "candump_internal.hpp"

namespace rangerctl::log::candump {
namespace {

/// Hexadecimal pairs, each after an optional dot, as long as they last. cangen and Kayak write the dots.
/// Works on a copy of the cursor: bytes written through `data` could otherwise change it for all the compiler
/// knows, which doubles the time of a line.
template <class Length>
LineKind read_pairs(Cursor& place, std::size_t most, std::uint8_t* data, Length& length) {
  Cursor in = place;
  std::size_t count = 0;
  for (;;) {
    const bool dotted = in.skip('.');
    std::uint8_t byte = 0;
    if (!read_hex_byte(in, byte)) {
      if (dotted || is_hex(in.peek())) return LineKind::bad_data;
      break;
    }
    if (count == most) return LineKind::length_mismatch;
    data[count++] = byte;
  }
  place = in;
  length = static_cast<Length>(count);
  return LineKind::frame;
}

/// "_E" behind a classic frame of eight bytes: the DLC that it really had.
LineKind read_raw_dlc(Cursor& in, Frame& frame) {
  if (!in.skip('_')) return LineKind::frame;
  const std::uint8_t raw = hex_value(in.take());
  if (frame.length != kMostClassicBytes || raw == kNoDigit || raw <= kMostClassicBytes)
    return LineKind::bad_data;
  frame.raw_dlc = raw;
  return LineKind::frame;
}

LineKind read_classic(Cursor& in, Frame& frame) {
  const LineKind kind = read_pairs(in, kMostClassicBytes, frame.data.data(), frame.length);
  return kind == LineKind::frame ? read_raw_dlc(in, frame) : kind;
}

/// Behind the R. Without a digit it requests nothing.
LineKind read_remote(Cursor& in, Frame& frame) {
  if (frame.kind == FrameKind::error) return LineKind::bad_data;
  frame.kind = FrameKind::remote;
  if (!is_hex(in.peek())) return LineKind::frame;
  frame.length = hex_value(in.take());
  if (frame.length > kMostClassicBytes) return LineKind::length_mismatch;
  return read_raw_dlc(in, frame);
}

/// Behind the second '#'. Writers before 2024 have no kFdFormat among the flags.
LineKind read_fd(Cursor& in, Frame& frame) {
  const std::uint8_t flags = hex_value(in.take());
  if (frame.kind == FrameKind::error || flags == kNoDigit) return LineKind::bad_data;
  frame.kind = FrameKind::fd;
  frame.fd_flags = flags | kFdFormat;
  return read_pairs(in, kMostFdBytes, frame.data.data(), frame.length);
}

LineKind read_body(Cursor& in, Frame& frame) {
  if (in.skip('#')) return read_fd(in, frame);
  if (in.skip('R') || in.skip('r')) return read_remote(in, frame);
  return read_classic(in, frame);
}

/// "45123#81:00:12345678#1122334455": VCID and priority, flags, SDU type, acceptance field, data.
LineKind read_xl(Cursor& in, LogFrame& out) {
  std::uint32_t priority = 0;
  if (!read_hex_byte(in, out.xl.vcid) || !read_hex(in, 3, priority) || priority > 0x7FF)
    return LineKind::bad_id;
  if (!in.skip('#') || in.peek(2) != ':') return LineKind::bad_id;
  if (!read_xl_header(in, out.xl) || !in.skip('#')) return LineKind::bad_data;
  const LineKind kind = read_pairs(in, kMostXlBytes, out.xl.data.data(), out.xl.length);
  if (kind != LineKind::frame) return kind;
  out.xl.stored = out.xl.length;
  out.frame.id = priority;
  out.frame.kind = FrameKind::xl;
  return out.xl.length == 0 ? LineKind::length_mismatch : LineKind::frame;
}

LineKind read_frame(Cursor& in, std::size_t digits, LogFrame& out) {
  if (digits == 5) return read_xl(in, out);
  std::uint32_t id = 0;
  if (digits > 8 || !read_hex(in, digits, id)) return LineKind::bad_id;
  const LineKind kind = set_id(id, digits, out.frame);
  in.advance();
  return kind == LineKind::frame ? read_body(in, out.frame) : kind;
}

/// " R" or " T", where the writer was asked for it. Returns frame only where nothing else follows.
LineKind read_direction(Cursor& in, FrameDirection& direction) {
  if (in.done()) return LineKind::frame;
  if (!in.skip_blanks()) return LineKind::bad_data;
  if (in.skip('R')) {
    direction = FrameDirection::rx;
  } else if (in.skip('T')) {
    direction = FrameDirection::tx;
  }
  in.skip_blanks();
  return in.done() ? LineKind::frame : LineKind::unrecognised;
}

/// Whether a line that lost its newline has all its data: nothing in this format states the length, so the
/// catalogue has to.
bool is_complete(const Frame& frame, const protocol::Catalogue& catalogue) {
  if (frame.kind == FrameKind::fd || frame.kind == FrameKind::xl) return false;
  const bool standard = frame.kind != FrameKind::error && !frame.extended;
  const protocol::Message* const message = standard ? catalogue.find(frame.id) : nullptr;
  return frame.length == (message == nullptr ? kMostClassicBytes : message->dlc);
}

}  // namespace

LineKind parse_log_frame(Cursor in, std::size_t digits, const Context& context, LogFrame& out) {
  LineKind kind = read_frame(in, digits, out);
  if (kind == LineKind::frame) kind = read_direction(in, out.direction);
  if (!context.at_eof()) return kind;
  return kind == LineKind::frame && is_complete(out.frame, context.catalogue) ? kind : LineKind::cut;
}

}  // namespace rangerctl::log::candump
