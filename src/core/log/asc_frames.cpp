#include "asc_flags.hpp"
#include "asc_line.hpp"

namespace rangerctl::log::asc {

using namespace reading;

namespace {

constexpr std::uint32_t kMostDlc = 15;
constexpr std::string_view kErrorFrame = "ErrorFrame";

/// "221", or "18FF50E5x" with 29 bits.
LineKind read_id(std::string_view word, int base, Frame& frame) {
  const bool extended = word.ends_with('x') || word.ends_with('X');
  if (extended) word.remove_suffix(1);
  std::uint32_t id = 0;
  return read_number(word, base, kMostExtendedId, id) ? set_plain_id(id, extended, frame) : LineKind::bad_id;
}

/// "Rx" or "Tx"; "TxRq" makes the line an event.
LineKind read_way(std::string_view word, FrameDirection& direction) {
  direction = read_direction(word);
  if (word == "TxRq") return LineKind::event;
  return direction == FrameDirection::unknown ? LineKind::unrecognised : LineKind::frame;
}

/// One digit of hexadecimal, and in decimal logs up to 15.
bool read_dlc(std::string_view word, bool is_decimal, std::uint32_t& dlc) {
  return word.size() <= (is_decimal ? 2 : 1) && read_number(word, is_decimal ? 10 : 16, kMostDlc, dlc);
}

LineKind read_decimal_bytes(Words& words, std::size_t count, std::uint8_t* data) {
  for (std::size_t i = 0; i < count; ++i) {
    if (words.done()) return LineKind::length_mismatch;
    std::uint32_t byte = 0;
    if (!read_number(words.next(), 10, 255, byte)) return LineKind::bad_data;
    data[i] = static_cast<std::uint8_t>(byte);
  }
  return LineKind::frame;
}

/// What may follow the frame: "Length = 273910 BitCount = 141 ID = 418119424x".
LineKind read_tail(const Words& words) {
  return words.done() || words.rest().starts_with("Length") ? LineKind::frame : not_expected(words);
}

LineKind read_data(Words& words, bool is_decimal, LineEnd end, Frame& frame) {
  std::uint32_t dlc = 0;
  if (words.done()) return LineKind::length_mismatch;
  if (!read_dlc(words.next(), is_decimal, dlc)) return LineKind::length_mismatch;
  set_classic_dlc(dlc, frame);
  const LineKind kind = is_decimal ? read_decimal_bytes(words, frame.length, frame.data.data())
                                   : read_bytes(words, frame.length, frame.data.data());
  if (kind != LineKind::frame) return kind;
  // "1" may be all that is left of "15".
  if (end == LineEnd::eof && is_decimal && words.ended()) return LineKind::cut;
  return read_tail(words);
}

/// Tools before 2015 write no DLC here.
LineKind read_remote(Words& words, bool is_decimal, LineEnd end, Frame& frame) {
  frame.kind = FrameKind::remote;
  std::uint32_t dlc = 0;
  if (read_dlc(words.peek(), is_decimal, dlc)) {
    words.next();
    set_classic_dlc(dlc, frame);
    if (is_decimal && end == LineEnd::eof && words.ended()) return LineKind::cut;
  } else if (words.done() && end == LineEnd::eof) {
    return LineKind::cut;
  }
  return read_tail(words);
}

/// The numbers in front of the data of a CANFD line. A symbolic name may be there too.
struct FdHead {
  std::uint32_t bit_rate_switch = 0;
  std::uint32_t error_state = 0;
  std::uint32_t dlc = 0;
  std::uint32_t length = 0;
};
bool read_fd_head(Words& words, FdHead& head) {
  if (!read_number(words.peek(), 10, 1, head.bit_rate_switch)) words.next();
  return read_number(words.next(), 10, 1, head.bit_rate_switch) &&
         read_number(words.next(), 10, 1, head.error_state) && read_dlc(words.next(), false, head.dlc) &&
         read_number(words.next(), 10, kMostFdBytes, head.length);
}

/// What the flags, which stand behind the data, make of a line of `length` bytes.
LineKind set_fd_or_classic(const FdHead& head, std::uint32_t flags, Frame& frame) {
  if ((flags & kFd) != 0 || head.length > kMostClassicBytes) {
    frame.kind = FrameKind::fd;
    frame.fd_flags =
        static_cast<std::uint8_t>(kFdFormat | (head.bit_rate_switch != 0 ? kFdBitRateSwitch : 0) |
                                  (head.error_state != 0 ? kFdErrorState : 0));
    frame.length = static_cast<std::uint8_t>(head.length);
    return fd_length(head.dlc) == head.length ? LineKind::frame : LineKind::length_mismatch;
  }
  set_classic_dlc(head.dlc, frame);
  const bool is_remote = (flags & kRemote) != 0;
  if (is_remote) frame.kind = FrameKind::remote;
  return head.length == (is_remote ? 0 : frame.length) ? LineKind::frame : LineKind::length_mismatch;
}

/// What stands between the data and the flags, and how those are written.
struct Tail {
  std::size_t words;
  bool may_look_like_byte;  ///< the first of them
  std::size_t flag_digits;  ///< 0: any
};
constexpr Tail kFdTail{2, false, 0};  // duration, number of bits
constexpr Tail kXlTail{1, false, 8};  // checksum
constexpr Tail kClassicTailOfXl{1, true, 8};
constexpr Tail kFdTailOfXl{2, false, 8};  // number of stuff bits, checksum

/// The end of a file may have cut the flags.
LineKind read_flags(Words& words, const Tail& tail, LineEnd end, std::uint32_t& flags) {
  if (!tail.may_look_like_byte && is_hex_byte(words.peek())) return LineKind::length_mismatch;
  for (std::size_t i = 0; i < tail.words; ++i) words.next();
  const std::string_view word = words.next();
  if (tail.flag_digits != 0 && word.size() != tail.flag_digits) return LineKind::unrecognised;
  if (!read_number(word, 16, 0xFFFFFFFF, flags)) return LineKind::unrecognised;
  return end == LineEnd::eof && words.ended() ? LineKind::cut : LineKind::frame;
}

/// "123 Name 00 1 4 5 1 1f96 45 12345678 11 22 ..", the name only perhaps.
struct XlHead {
  std::uint32_t sdt = 0;
  std::uint32_t security = 0;
  std::uint32_t dlc = 0;
  std::uint32_t length = 0;
  std::uint32_t vcid = 0;
  std::uint32_t acceptance = 0;
};
bool read_xl_head(Words& words, XlHead& head) {
  if (!is_hex_byte(words.peek())) words.next();
  const bool begins = is_hex_byte(words.peek()) && read_number(words.next(), 16, 0xFF, head.sdt) &&
                      read_number(words.next(), 10, 1, head.security) &&
                      read_number(words.next(), 16, kMostXlBytes - 1, head.dlc) &&
                      read_number(words.next(), 10, kMostXlBytes, head.length);
  words.next();  // number of stuff bits
  words.next();  // checksum of the header
  return begins && read_number(words.next(), 16, 0xFF, head.vcid) &&
         read_number(words.next(), 16, 0xFFFFFFFF, head.acceptance);
}

LineKind read_xl(Words& words, LineEnd end, LogFrame& out) {
  XlHead head;
  if (out.frame.extended) return LineKind::bad_id;
  if (!read_xl_head(words, head)) return LineKind::unrecognised;
  if (head.length != head.dlc + 1) return LineKind::length_mismatch;
  if (const LineKind kind = read_bytes(words, head.length, out.xl.data.data()); kind != LineKind::frame)
    return kind;
  std::uint32_t flags = 0;
  if (const LineKind kind = read_flags(words, kXlTail, end, flags); kind != LineKind::frame) return kind;
  if ((flags & kXl) == 0) return LineKind::unrecognised;
  out.frame.kind = FrameKind::xl;
  out.xl.length = out.xl.stored = static_cast<std::uint16_t>(head.length);
  out.xl.vcid = static_cast<std::uint8_t>(head.vcid);
  out.xl.sdt = static_cast<std::uint8_t>(head.sdt);
  out.xl.af = head.acceptance;
  out.xl.flags =
      static_cast<std::uint8_t>(kXlFrameFormat | ((flags & kXlSecurity) != 0 ? kXlFrameSecurity : 0) |
                                ((flags & kXlRemote) != 0 ? kXlFrameRemote : 0));
  return LineKind::frame;
}

/// The DLC and the length in front of the data of the other frames of CANXL lines, a name before them
/// perhaps.
bool read_lengths(Words& words, FdHead& head) {
  if (!read_dlc(words.peek(), false, head.dlc)) words.next();
  return read_dlc(words.next(), false, head.dlc) && read_number(words.next(), 10, kMostFdBytes, head.length);
}

/// A classic or FD frame of a CANXL line, which has one more word between the data and the flags if it is FD.
LineKind read_other(Words& words, bool is_fd, LineEnd end, Frame& frame) {
  FdHead head;
  if (!read_lengths(words, head)) return LineKind::unrecognised;
  if (head.length > kMostClassicBytes && !is_fd) return LineKind::length_mismatch;
  if (const LineKind kind = read_bytes(words, head.length, frame.data.data()); kind != LineKind::frame)
    return kind;
  std::uint32_t flags = 0;
  const Tail& tail = is_fd ? kFdTailOfXl : kClassicTailOfXl;
  if (const LineKind kind = read_flags(words, tail, end, flags); kind != LineKind::frame) return kind;
  if (is_fd != ((flags & kFd) != 0)) return LineKind::unrecognised;
  head.bit_rate_switch = flags & kBitRateSwitch;
  head.error_state = flags & kErrorState;
  return set_fd_or_classic(head, flags, frame);
}

struct FrameFormat {
  std::string_view name;
  bool extended;
  bool is_fd;
};
constexpr std::array kOtherFormats{FrameFormat{"CBFF", false, false}, FrameFormat{"CEFF", true, false},
                                   FrameFormat{"FBFF", false, true}, FrameFormat{"FEFF", true, true}};

}  // namespace

LineKind read_classic_frame(Words& words, bool is_decimal, LineEnd end, LogFrame& out) {
  const std::string_view id = words.next();
  if (id == kErrorFrame) {
    out.frame = unknown_error();
    return LineKind::frame;
  }
  const LineKind way = read_way(words.next(), out.direction);
  if (way != LineKind::frame) return way;
  if (const LineKind kind = read_id(id, is_decimal ? 10 : 16, out.frame); kind != LineKind::frame)
    return kind;
  const std::string_view type = words.next();
  if (type == "d") return read_data(words, is_decimal, end, out.frame);
  return type == "r" ? read_remote(words, is_decimal, end, out.frame) : LineKind::unrecognised;
}

LineKind read_fd_frame(Words& words, LineEnd end, LogFrame& out) {
  if (const LineKind way = read_way(words.next(), out.direction); way != LineKind::frame) return way;
  const std::string_view id = words.next();
  if (id == kErrorFrame) {
    out.frame = unknown_error();
    return LineKind::frame;
  }
  if (const LineKind kind = read_id(id, 16, out.frame); kind != LineKind::frame) return kind;
  FdHead head;
  if (!read_fd_head(words, head)) return LineKind::unrecognised;
  if (const LineKind kind = read_bytes(words, head.length, out.frame.data.data()); kind != LineKind::frame)
    return kind;
  std::uint32_t flags = 0;
  if (const LineKind kind = read_flags(words, kFdTail, end, flags); kind != LineKind::frame) return kind;
  return set_fd_or_classic(head, flags, out.frame);
}

LineKind read_any_frame(Words& words, LineEnd end, LogFrame& out) {
  if (const LineKind way = read_way(words.next(), out.direction); way != LineKind::frame) return way;
  const std::string_view format = words.next();
  words.next();  // duration
  words.next();  // number of bits
  if (const LineKind kind = read_id(words.next(), 16, out.frame); kind != LineKind::frame) return kind;
  if (format == "XLFF") return read_xl(words, end, out);
  for (const FrameFormat& row : kOtherFormats) {
    if (row.name != format) continue;
    return row.extended == out.frame.extended ? read_other(words, row.is_fd, end, out.frame)
                                              : LineKind::bad_id;
  }
  return LineKind::unrecognised;
}

}  // namespace rangerctl::log::asc
