#include "io/pcap_writer.hpp"

#include <pcap/pcap.h>

#include <array>
#include <cstdio>
#include <new>

#include "rangerctl/log/socketcan_packet.hpp"

namespace rangerctl::io {
namespace {

using convert::Loss;

/// libpcap's own limit.
constexpr int kSnapshotLength = 262'144;

struct CloseCapture {
  void operator()(pcap_t* capture) const { ::pcap_close(capture); }
};
struct CloseDump {
  void operator()(pcap_dumper_t* dump) const { ::pcap_dump_close(dump); }
};

class PcapWriter final : public convert::FormatWriter {
 public:
  PcapWriter() : FormatWriter(log::Format::pcap) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) override {
    begin(frame.time, out);
    if (frame.frame.kind == FrameKind::xl) {
      losses_.note(Loss::xl_frame);
      return;
    }
    if (frame.frame.kind == FrameKind::fd && !log::is_fd_length(frame.frame.length)) {
      losses_.note(Loss::fd_frame);
      return;
    }
    note_losses(frame);
    std::array<std::uint8_t, log::kLongestPacket> packet;
    const std::size_t size = log::put_packet(frame.frame, packet);
    pcap_pkthdr header{};
    if (is_writable(frame.time)) {
      header.ts.tv_sec = frame.time.seconds;
      header.ts.tv_usec = frame.time.nanoseconds / (is_fine_ ? 1 : 1000);
    }
    header.caplen = header.len = static_cast<bpf_u_int32>(size);
    ::pcap_dump(reinterpret_cast<u_char*>(dump_.get()), &header, packet.data());
  }
  void finish(output::TextBuffer& out) override { begin({}, out); }

 private:
  /// Seconds have 32 bits there.
  static bool is_writable(const Timestamp& time) {
    return time.known() && time.seconds >= 0 && time.seconds <= 0xFFFFFFFF;
  }

  void begin(const Timestamp& first, output::TextBuffer& out) {
    out_ = &out;
    if (dump_ != nullptr) return;
    is_fine_ = first.digits > 6;
    capture_.reset(::pcap_open_dead_with_tstamp_precision(
        DLT_CAN_SOCKETCAN, kSnapshotLength,
        is_fine_ ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO));
    cookie_io_functions_t functions{};
    functions.write = [](void* cookie, const char* bytes, std::size_t size) {
      static_cast<PcapWriter*>(cookie)->out_->append({bytes, size});
      return static_cast<ssize_t>(size);
    };
    FILE* const file = ::fopencookie(this, "w", functions);
    if (capture_ == nullptr || file == nullptr) throw std::bad_alloc();
    std::setvbuf(file, nullptr, _IONBF, 0);
    dump_.reset(::pcap_dump_fopen(capture_.get(), file));
    if (dump_ == nullptr) throw std::bad_alloc();
  }

  void note_losses(const log::LogFrame& frame) {
    if (!is_writable(frame.time)) losses_.note(Loss::no_time);
    if (!is_fine_ && frame.time.nanoseconds % 1000 != 0) losses_.note(Loss::time_digits);
    if (!frame.bus.empty()) losses_.note(Loss::bus_name);
    if (frame.direction != FrameDirection::unknown) losses_.note(Loss::direction);
  }

  output::TextBuffer* out_ = nullptr;  ///< of the call that is under way
  bool is_fine_ = false;
  std::unique_ptr<pcap_t, CloseCapture> capture_;
  std::unique_ptr<pcap_dumper_t, CloseDump> dump_;  ///< closed before its capture
};

}  // namespace

std::unique_ptr<convert::FormatWriter> make_pcap_writer() { return std::make_unique<PcapWriter>(); }

}  // namespace rangerctl::io
