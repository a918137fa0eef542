#include "blf_frames.hpp"

#include <algorithm>
#include <array>

namespace rangerctl::log::blf {
namespace {

using namespace reading;

constexpr std::uint32_t kExtended = 0x80000000;

constexpr std::uint8_t kDirection = 0x0F;  ///< of the flags of a CAN or CAN FD message
constexpr std::uint8_t kReceived = 0;
constexpr std::uint8_t kSent = 1;  ///< 2 only asks for it
constexpr std::uint8_t kRemote = 0x80;

LineKind set_id(std::uint64_t word, Frame& frame) {
  const auto id = static_cast<std::uint32_t>(word);
  return set_plain_id(id & ~kExtended, (id & kExtended) != 0, frame);
}

LineKind set_direction(unsigned direction, LogFrame& out) {
  if (direction > kSent) return LineKind::event;
  out.direction = direction == kReceived ? FrameDirection::rx : FrameDirection::tx;
  return LineKind::frame;
}

LineKind copy_data(Bytes data, Frame& frame) {
  if (data.size() < frame.bytes().size()) return LineKind::length_mismatch;
  std::copy_n(data.begin(), frame.bytes().size(), frame.data.begin());
  return LineKind::frame;
}

LineKind set_classic(std::uint32_t dlc, bool is_remote, Bytes data, Frame& frame) {
  if (dlc > 15) return LineKind::length_mismatch;
  set_classic_dlc(dlc, frame);
  if (is_remote) frame.kind = FrameKind::remote;
  return copy_data(data, frame);
}

struct FdFlags {
  bool is_fd;
  bool bit_rate_switch;
  bool error_state;
};
LineKind set_fd(const FdFlags& flags, std::uint32_t dlc, std::uint32_t length, Bytes data, Frame& frame) {
  if (dlc > 15 || fd_length(dlc) != length) return LineKind::length_mismatch;
  frame.kind = FrameKind::fd;
  frame.length = static_cast<std::uint8_t>(length);
  frame.fd_flags = static_cast<std::uint8_t>(kFdFormat | (flags.bit_rate_switch ? kFdBitRateSwitch : 0) |
                                             (flags.error_state ? kFdErrorState : 0));
  return copy_data(data, frame);
}

/// u16 channel, u8 flags, u8 DLC, u32 id, eight bytes.
LineKind read_message(Bytes body, std::uint32_t& channel, LogFrame& out) {
  channel = static_cast<std::uint32_t>(read_le(body, 0, 2));
  const std::uint8_t flags = body[2];
  if (const LineKind id = set_id(read_le(body, 4, 4), out.frame); id != LineKind::frame) return id;
  if (const LineKind way = set_direction(flags & kDirection, out); way != LineKind::frame) return way;
  return set_classic(body[3], (flags & kRemote) != 0, body.subspan(8), out.frame);
}

/// u16 channel, u8 flags, u8 DLC, u32 id, u32 duration, u8 bits, u8 FD flags, u8 length, five more, 64 bytes.
LineKind read_fd_message(Bytes body, std::uint32_t& channel, LogFrame& out) {
  channel = static_cast<std::uint32_t>(read_le(body, 0, 2));
  const std::uint8_t flags = body[2];
  const std::uint8_t fd = body[13];
  if (const LineKind id = set_id(read_le(body, 4, 4), out.frame); id != LineKind::frame) return id;
  if (const LineKind way = set_direction(flags & kDirection, out); way != LineKind::frame) return way;
  const Bytes data = body.subspan(20);
  if ((fd & 1U) == 0) return set_classic(body[3], (flags & kRemote) != 0, data, out.frame);
  return set_fd({true, (fd & 2U) != 0, (fd & 4U) != 0}, body[3], body[14], data, out.frame);
}

/// u8 channel, u8 DLC, u8 length, u8 count, u32 id, u32 duration, u32 flags, .., u8 direction at 34; data
/// from 40 on.
LineKind read_fd_message_64(Bytes body, std::uint32_t& channel, LogFrame& out) {
  channel = body[0];
  const auto flags = static_cast<std::uint32_t>(read_le(body, 12, 4));
  if (const LineKind id = set_id(read_le(body, 4, 4), out.frame); id != LineKind::frame) return id;
  if (const LineKind way = set_direction(body[34], out); way != LineKind::frame) return way;
  const Bytes data = body.subspan(40);
  if ((flags & 0x1000U) == 0) return set_classic(body[1], (flags & 0x10U) != 0, data, out.frame);
  return set_fd({true, (flags & 0x2000U) != 0, (flags & 0x4000U) != 0}, body[1], body[2], data, out.frame);
}

LineKind read_error(Bytes body, std::uint32_t& channel, LogFrame& out) {
  channel = static_cast<std::uint32_t>(read_le(body, 0, 2));
  out.frame = unknown_error();
  return LineKind::frame;
}

struct ObjectKind {
  std::uint32_t type;
  std::size_t body;  ///< the fewest bytes behind the headers
  LineKind (*read)(Bytes body, std::uint32_t& channel, LogFrame& out);
};
constexpr std::array kKinds{
    ObjectKind{1, 16, read_message},      ObjectKind{86, 16, read_message},
    ObjectKind{2, 4, read_error},         ObjectKind{73, 4, read_error},
    ObjectKind{100, 20, read_fd_message}, ObjectKind{101, 40, read_fd_message_64},
};

const ObjectKind* find_kind(std::uint32_t type) {
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [type](const ObjectKind& row) { return row.type == type; });
  return found == kKinds.end() ? nullptr : found;
}

/// u32 flags (1: tens of microseconds, 2: nanoseconds), four more, u64 time.
constexpr std::size_t kTimeAt = kObjectHeaderSize + 8;
constexpr std::uint32_t kTensOfMicroseconds = 1;

LineKind read_time(Bytes object, const Timestamp& start, Timestamp& time) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  constexpr std::uint64_t kMostSeconds = std::uint64_t{1} << 40;
  const bool is_coarse = read_le(object, kObjectHeaderSize, 4) == kTensOfMicroseconds;
  const std::uint64_t ticks = read_le(object, kTimeAt, 8);
  const std::uint64_t per_second = is_coarse ? 100'000 : kSecond;
  if (ticks / per_second > kMostSeconds) return LineKind::bad_time;
  time.seconds = static_cast<std::int64_t>(ticks / per_second);
  time.nanoseconds = static_cast<std::uint32_t>(ticks % per_second * (kSecond / per_second));
  time.digits = is_coarse ? 6 : 9;
  return add_time(start, time) ? LineKind::frame : LineKind::bad_time;
}

}  // namespace

bool is_frame_object(std::uint32_t type) { return find_kind(type) != nullptr; }

LineKind read_frame_object(Bytes object, std::uint32_t type, const Timestamp& start, std::uint32_t& channel,
                           LogFrame& out) {
  constexpr std::size_t kHeaders1 = 32;
  constexpr std::size_t kHeaders2 = 40;
  const std::uint64_t version = read_le(object, 6, 2);
  if (version != 1 && version != 2) return LineKind::unrecognised;
  const std::size_t headers = version == 1 ? kHeaders1 : kHeaders2;
  const ObjectKind& kind = *find_kind(type);
  if (object.size() < headers + kind.body) return LineKind::length_mismatch;
  const LineKind read = kind.read(object.subspan(headers), channel, out);
  return read == LineKind::frame ? read_time(object, start, out.time) : read;
}

}  // namespace rangerctl::log::blf
