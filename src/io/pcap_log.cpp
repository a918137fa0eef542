#include "io/pcap_log.hpp"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "io/byte_source.hpp"
#include "rangerctl/log/socketcan_packet.hpp"

namespace rangerctl::io {
namespace {

using log::IdOrder;
using log::LineKind;
using log::PacketKind;
using Packet = std::span<const std::uint8_t>;

/// Where the protocol of a cooked packet stands, the type of the packet, and the frame (tcpdump.org,
/// LINKTYPE_LINUX_SLL and LINKTYPE_LINUX_SLL2).
struct Cooked {
  int link_type;
  std::size_t protocol_at;
  std::size_t type_at;  ///< of its last byte
  std::size_t header;
};
constexpr std::array kCooked{Cooked{DLT_LINUX_SLL, 14, 1, 16}, Cooked{DLT_LINUX_SLL2, 0, 10, 20}};
constexpr unsigned kClassicProtocol = 0x000C;
constexpr unsigned kFdProtocol = 0x000D;
constexpr unsigned kXlProtocol = 0x000E;
constexpr std::uint8_t kOutgoing = 4;

LineKind read_cooked(const Cooked& row, Packet packet, log::LogFrame& out) {
  if (packet.size() < row.header) return LineKind::length_mismatch;
  const unsigned protocol = unsigned{packet[row.protocol_at]} << 8 | packet[row.protocol_at + 1];
  if (protocol == kXlProtocol) return LineKind::unrecognised;
  if (protocol != kClassicProtocol && protocol != kFdProtocol) return LineKind::event;
  const auto kind = protocol == kFdProtocol ? PacketKind::fd : PacketKind::classic;
  const LineKind read = log::read_packet(packet.subspan(row.header), IdOrder::little_endian, kind, out);
  if (packet[row.type_at] == kOutgoing) out.direction = FrameDirection::tx;
  return read;
}

/// How long what libpcap reads next is, before it reads it: it cannot stop in the middle. Records of pcap
/// have a header of 16 bytes with their length, blocks of pcapng one of 8.
class Lookahead {
 public:
  explicit Lookahead(ByteSource& source) : source_(source) {}

  /// Whether the header, up to the first description of an interface, can be read without waiting. Its first
  /// bytes say what it is.
  bool has_header() {
    if (!source_.has(4)) return false;
    if (source_.ahead().size() < 4) return true;
    const std::uint32_t magic = number_at(0, false);
    is_ng_ = magic == kSection;
    is_nano_ = magic == 0xA1B23C4D || magic == 0x4D3CB2A1;
    is_swapped_ = magic == 0xD4C3B2A1 || magic == 0x4D3CB2A1;
    return is_ng_ ? has_block(is_interface) : source_.has(24);
  }
  /// The same of the next packet.
  bool has_packet() {
    if (is_ng_) return has_block(is_packet);
    if (!source_.has(16)) return false;
    if (source_.ahead().size() < 16) return true;
    return source_.has(16 + std::size_t{std::min(number_at(8, is_swapped_), kMost)});
  }

  [[nodiscard]] bool is_ng() const { return is_ng_; }
  [[nodiscard]] bool is_nano() const { return is_nano_; }

 private:
  static constexpr std::uint32_t kSection = 0x0A0D0D0A;
  static constexpr std::uint32_t kMost = 16 * 1024 * 1024;  ///< libpcap takes nothing longer
  static bool is_interface(std::uint32_t type) { return type == 1; }
  static bool is_packet(std::uint32_t type) { return type == 2 || type == 3 || type == 6; }

  /// Little-endian, or the other way round.
  [[nodiscard]] std::uint32_t number_at(std::size_t at, bool swapped) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | source_.ahead()[at + (swapped ? i : 3 - i)];
    return value;
  }

  /// Up to the end of the first block of such a type; what is damaged is left to libpcap.
  bool has_block(bool (*is_wanted)(std::uint32_t type)) {
    for (std::size_t at = 0;;) {
      if (!source_.has(at + 12)) return false;
      if (source_.ahead().size() < at + 12) return true;
      if (number_at(at, false) == kSection) is_swapped_ = number_at(at + 8, false) != 0x1A2B3C4D;
      const std::uint32_t type = number_at(at, is_swapped_);
      const std::uint32_t length = number_at(at + 4, is_swapped_);
      if (length < 12 || length > kMost) return true;
      at += length;
      if (is_wanted(type)) return source_.has(at);
    }
  }

  ByteSource& source_;
  bool is_ng_ = false;
  bool is_nano_ = false;
  bool is_swapped_ = false;
};

struct CloseCapture {
  void operator()(pcap_t* capture) const { ::pcap_close(capture); }
};

class PcapLog : public LogPieces {
 public:
  explicit PcapLog(std::unique_ptr<Input> input) : source_(std::move(input)), lookahead_(source_) {}

  bool next(log::LogFrame& out, Piece& piece) override {
    waits_ = false;
    if (error_ || (capture_ == nullptr && !open())) return false;
    waits_ = !may_wait_ && !lookahead_.has_packet();
    if (waits_) return false;
    pcap_pkthdr* header = nullptr;
    const u_char* data = nullptr;
    if (::pcap_next_ex(capture_.get(), &header, &data) != 1) return end();
    piece.number = ++number_;
    piece.kind = read({data, header->caplen}, out);
    if (piece.kind == LineKind::frame) piece.kind = set_time(*header, out.time);
    return true;
  }
  [[nodiscard]] const std::optional<Error>& error() const override { return error_; }
  void may_wait(bool may) override { may_wait_ = may; }
  [[nodiscard]] bool waits() const override { return waits_; }

 private:
  /// Unbuffered, so that `source_` knows what was taken.
  static FILE* file_of(ByteSource& source) {
    cookie_io_functions_t functions{};
    functions.read = [](void* cookie, char* to, std::size_t size) {
      return static_cast<ssize_t>(static_cast<ByteSource*>(cookie)->read({to, size}));
    };
    FILE* const file = ::fopencookie(&source, "r", functions);
    if (file != nullptr) std::setvbuf(file, nullptr, _IONBF, 0);
    return file;
  }

  bool open() {
    if (may_wait_) source_.fetch(4);
    const bool is_there = lookahead_.has_header();
    waits_ = !may_wait_ && !is_there;
    if (waits_) return false;
    std::array<char, PCAP_ERRBUF_SIZE> reason{};
    FILE* const file = file_of(source_);
    if (file == nullptr) return fail("no memory");
    capture_.reset(
        ::pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, reason.data()));
    if (capture_ == nullptr) {
      std::fclose(file);
      return fail(reason.data());
    }
    link_type_ = ::pcap_datalink(capture_.get());
    for (const Cooked& row : kCooked) {
      if (row.link_type == link_type_) cooked_ = &row;
    }
    if (link_type_ == DLT_CAN_SOCKETCAN || cooked_ != nullptr) return true;
    const char* const name = ::pcap_datalink_val_to_name(link_type_);
    return fail(fmt::format("its link type is {}, and CAN is SocketCAN (227) or Linux cooked (113, 276)",
                            name == nullptr ? fmt::format("{}", link_type_) : std::string(name)));
  }

  bool fail(const std::string& reason) {
    error_ = source_.error()
                 ? *source_.error()
                 : Error{ExitStatus::failed, fmt::format("cannot read {}: {}", source_.name(), reason)};
    return false;
  }

  /// Whether that was all is known by the reason that libpcap gives for having no more.
  bool end() {
    const std::string reason = ::pcap_geterr(capture_.get());
    if (source_.error()) {
      error_ = source_.error();
    } else if (!reason.empty()) {
      error_ = Error{
          ExitStatus::failed,
          fmt::format("{} is damaged or cut short ({}); everything before was read", source_.name(), reason)};
    }
    return false;
  }

  LineKind read(Packet packet, log::LogFrame& out) const {
    if (cooked_ != nullptr) return read_cooked(*cooked_, packet, out);
    return log::read_packet(packet, IdOrder::big_endian, PacketKind::unknown, out);
  }

  /// Which resolution a pcapng has libpcap does not say; the seconds of a pcap have 32 bits without a sign.
  [[nodiscard]] LineKind set_time(const pcap_pkthdr& header, Timestamp& time) const {
    constexpr long kSecond = 1'000'000'000;
    const long nanoseconds = header.ts.tv_usec;
    if (nanoseconds < 0 || nanoseconds >= kSecond) return LineKind::bad_time;
    const bool is_fine = lookahead_.is_ng() || lookahead_.is_nano();
    const std::int64_t seconds =
        lookahead_.is_ng() ? header.ts.tv_sec : static_cast<std::uint32_t>(header.ts.tv_sec);
    time = {seconds, static_cast<std::uint32_t>(nanoseconds), static_cast<std::uint8_t>(is_fine ? 9 : 6)};
    return LineKind::frame;
  }

  ByteSource source_;
  Lookahead lookahead_;
  std::unique_ptr<pcap_t, CloseCapture> capture_;  ///< closed before its source
  int link_type_ = 0;
  const Cooked* cooked_ = nullptr;
  std::uint64_t number_ = 0;
  bool may_wait_ = true;
  bool waits_ = false;
  std::optional<Error> error_;
};

}  // namespace

std::unique_ptr<LogPieces> read_pcap(std::unique_ptr<Input> input) {
  return std::make_unique<PcapLog>(std::move(input));
}

}  // namespace rangerctl::io
