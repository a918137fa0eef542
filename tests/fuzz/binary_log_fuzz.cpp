#include <vector>

#include "log_check.hpp"
#include "rangerctl/log/blf.hpp"
#include "rangerctl/log/socketcan_packet.hpp"

/// The pure parts of binary logs: the first byte chooses one. A BLF is given as one container, and again byte
/// by byte.
namespace rangerctl::fuzz {
namespace {

using namespace rangerctl::log;
using Bytes = std::span<const std::uint8_t>;

std::int64_t some_utc(int year, int month, int day, int hour, int minute, int second) {
  require(year >= 1970 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31);
  return (((year * 12LL + month) * 31 + day) * 24 + hour) * 3600 + minute * 60 + second;
}

void read_packets(Bytes bytes, IdOrder order, PacketKind kind) {
  static LogFrame frame;
  if (read_packet(bytes, order, kind, frame) != LineKind::frame) return;
  check_log_frame(frame);
  std::array<std::uint8_t, kLongestPacket> again;
  static LogFrame second;
  const std::size_t size = put_packet(frame.frame, again);
  require(read_packet(Bytes(again).first(size), IdOrder::big_endian, PacketKind::unknown, second) ==
          LineKind::frame);
  require(second.frame == frame.frame);
}

struct Seen {
  std::vector<std::pair<LineKind, Frame>> objects;
  bool damaged = false;
};
Seen objects_in(Bytes bytes, std::size_t step) {
  static LogFrame frame;
  Seen seen;
  blf::Objects objects({10, 0, 3});
  while (!bytes.empty() && !objects.is_damaged()) {
    const Bytes part = bytes.first(std::min(step, bytes.size()));
    bytes = bytes.subspan(part.size());
    objects.append(part);
    while (const auto kind = objects.next(frame)) {
      if (*kind == LineKind::frame) check_log_frame(frame);
      seen.objects.emplace_back(*kind, *kind == LineKind::frame ? frame.frame : Frame{});
    }
  }
  seen.damaged = objects.is_damaged();
  return seen;
}

void read_blf(Bytes bytes) {
  if (const auto header = blf::read_file_header(bytes, some_utc))
    require(header->size >= blf::kHeaderSize && header->size <= blf::kMostHeaderBytes);
  const Seen whole = objects_in(bytes, bytes.size());
  const Seen parts = objects_in(bytes, 1);
  require(whole.objects == parts.objects && whole.damaged == parts.damaged);
}

}  // namespace

void binary_log(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  const Bytes rest = input.subspan(1);
  switch (input[0] % 4) {
    case 0:
      return read_packets(rest, IdOrder::big_endian, PacketKind::unknown);
    case 1:
      return read_packets(rest, IdOrder::little_endian, PacketKind::classic);
    case 2:
      return read_packets(rest, IdOrder::little_endian, PacketKind::fd);
    default:
      return read_blf(rest);
  }
}

}  // namespace rangerctl::fuzz
