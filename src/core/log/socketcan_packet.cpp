#include "rangerctl/log/socketcan_packet.hpp"

#include <algorithm>

#include "reading.hpp"

namespace rangerctl::log {
namespace {

using namespace reading;

constexpr std::uint32_t kExtended = 0x80000000;
constexpr std::uint32_t kRemote = 0x40000000;
constexpr std::size_t kHeader = 8;
constexpr std::size_t kLengthAt = 4;
constexpr std::size_t kFdFlagsAt = 5;
constexpr std::size_t kRawDlcAt = 7;
constexpr std::uint8_t kXlFlag = 0x80;  ///< where the length of other frames is

std::uint32_t read_id(std::span<const std::uint8_t> packet, IdOrder order) {
  std::uint32_t id = 0;
  for (std::size_t i = 0; i < 4; ++i) id = id << 8 | packet[order == IdOrder::big_endian ? i : 3 - i];
  return id;
}

bool is_fd(std::span<const std::uint8_t> packet, PacketKind kind) {
  if (kind != PacketKind::unknown) return kind == PacketKind::fd;
  return (packet[kFdFlagsAt] & kFdFormat) != 0 || packet.size() == kLongestPacket ||
         packet[kLengthAt] > kMostClassicBytes;
}

LineKind set_id(std::uint32_t word, Frame& frame) {
  if ((word & kErrorIdBit) != 0) {
    frame.kind = FrameKind::error;
    frame.id = word & kMostExtendedId;
    return LineKind::frame;
  }
  if ((word & kRemote) != 0) frame.kind = FrameKind::remote;
  return set_plain_id(word & kMostExtendedId, (word & kExtended) != 0, frame);
}

/// 9 to 15 where a frame of eight bytes had that; anything else is padding.
std::uint8_t raw_dlc(std::uint8_t byte, std::uint8_t length) {
  return length == kMostClassicBytes && byte > kMostClassicBytes && byte <= 15 ? byte : std::uint8_t{0};
}

}  // namespace

bool is_fd_length(std::uint8_t length) {
  for (std::uint32_t dlc = 0; dlc < 16; ++dlc) {
    if (fd_length(dlc) == length) return true;
  }
  return false;
}

LineKind read_packet(std::span<const std::uint8_t> packet, IdOrder order, PacketKind kind, LogFrame& out) {
  clear(out);
  if (packet.size() < kHeader) return LineKind::length_mismatch;
  const std::uint8_t length = packet[kLengthAt];
  if ((length & kXlFlag) != 0) return LineKind::unrecognised;
  Frame& frame = out.frame;
  if (const LineKind id = set_id(read_id(packet, order), frame); id != LineKind::frame) return id;
  if (is_fd(packet, kind)) {
    if (frame.kind != FrameKind::data) return LineKind::bad_id;
    frame.kind = FrameKind::fd;
    frame.fd_flags =
        static_cast<std::uint8_t>((packet[kFdFlagsAt] & (kFdBitRateSwitch | kFdErrorState)) | kFdFormat);
  } else {
    frame.raw_dlc = raw_dlc(packet[kRawDlcAt], length);
  }
  if (length > (frame.kind == FrameKind::fd ? kMostFdBytes : kMostClassicBytes))
    return LineKind::length_mismatch;
  if (frame.kind == FrameKind::fd && !is_fd_length(length)) return LineKind::length_mismatch;
  frame.length = length;
  const auto data = packet.subspan(kHeader);
  if (data.size() < frame.bytes().size()) return LineKind::length_mismatch;
  std::copy_n(data.begin(), frame.bytes().size(), frame.data.begin());
  return LineKind::frame;
}

std::size_t put_packet(const Frame& frame, std::span<std::uint8_t, kLongestPacket> packet) {
  std::fill(packet.begin(), packet.end(), std::uint8_t{0});
  const std::uint32_t word = frame.id | (frame.extended ? kExtended : 0U) |
                             (frame.kind == FrameKind::remote ? kRemote : 0U) |
                             (frame.kind == FrameKind::error ? kErrorIdBit : 0U);
  for (unsigned i = 0; i < 4; ++i) packet[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
  packet[kLengthAt] = frame.length;
  packet[kFdFlagsAt] = frame.kind == FrameKind::fd ? frame.fd_flags : std::uint8_t{0};
  packet[kRawDlcAt] = frame.raw_dlc;
  std::copy(frame.bytes().begin(), frame.bytes().end(), packet.begin() + kHeader);
  return frame.kind == FrameKind::fd ? kLongestPacket : kHeader + kMostClassicBytes;
}

}  // namespace rangerctl::log
