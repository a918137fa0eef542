#include "io/pcap_log.hpp"

#include <fmt/format.h>
#include <pcap/pcap.h>

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
constexpr std::uint8_t kOutgoing = 4;

LineKind read_cooked(const Cooked& row, Packet packet, log::LogFrame& out) {
  if (packet.size() < row.header) return LineKind::length_mismatch;
  const unsigned protocol = unsigned{packet[row.protocol_at]} << 8 | packet[row.protocol_at + 1];
  if (protocol != kClassicProtocol && protocol != kFdProtocol) return LineKind::event;
  const auto kind = protocol == kFdProtocol ? PacketKind::fd : PacketKind::classic;
  const LineKind read = log::read_packet(packet.subspan(row.header), IdOrder::little_endian, kind, out);
  if (packet[row.type_at] == kOutgoing) out.direction = FrameDirection::tx;
  return read;
}

struct CloseCapture {
  void operator()(pcap_t* capture) const { ::pcap_close(capture); }
};

class PcapLog : public LogPieces {
 public:
  explicit PcapLog(std::unique_ptr<Input> input) : source_(std::move(input)) {}

  bool next(log::LogFrame& out, Piece& piece) override {
    waits_ = !may_wait_ && source_.would_wait();
    if (waits_ || error_ || (capture_ == nullptr && !open())) return false;
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

  /// libpcap does not say which precision the file has: microseconds where nothing is finer.
  static LineKind set_time(const pcap_pkthdr& header, Timestamp& time) {
    constexpr long kSecond = 1'000'000'000;
    const long nanoseconds = header.ts.tv_usec;
    if (nanoseconds < 0 || nanoseconds >= kSecond) return LineKind::bad_time;
    const bool is_fine = nanoseconds % 1000 != 0;
    time = {header.ts.tv_sec, static_cast<std::uint32_t>(nanoseconds),
            static_cast<std::uint8_t>(is_fine ? 9 : 6)};
    return LineKind::frame;
  }

  ByteSource source_;
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
