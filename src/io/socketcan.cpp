#include "io/socketcan.hpp"

#include <fmt/format.h>
#include <linux/can.h>
#include <linux/can/error.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "io/can_interfaces.hpp"
#include "io/descriptor.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBatch = 64;
/// More than ten seconds of the robot's traffic, where the kernel allows it; the default holds about 277
/// frames.
constexpr int kReceiveBuffer = 16 * 1024 * 1024;
/// How often an interface that went away is looked for.
constexpr auto kLookAgain = 200ms;

std::string reason(int error) { return std::generic_category().message(error); }

Error no_socket(const std::string& name, int error) {
  if (error == EAFNOSUPPORT || error == EPROTONOSUPPORT) {
    return {
        ExitStatus::bus,
        fmt::format("cannot open {}: this kernel has no CAN support, as in most containers; on the robot's "
                    "computer load it with: sudo modprobe can_raw; without a robot try: rangerctl "
                    "monitor sim:drive, or rangerctl teleop sim",
                    name)};
  }
  const std::string_view hint =
      error == EPERM || error == EACCES ? "; this user or sandbox may not open CAN sockets" : "";
  return {ExitStatus::bus, fmt::format("cannot open {}: {}{}", name, reason(error), hint)};
}

template <class Value>
bool set(const Descriptor& socket, int level, int option, const Value& value) {
  return ::setsockopt(socket.get(), level, option, &value, sizeof value) == 0;
}

/// Every option but the filters and the time stamps is a gain that an older kernel may lack.
void set_options(const Descriptor& socket, Listen listen) {
  set(socket, SOL_CAN_RAW, CAN_RAW_FD_FRAMES, 1);
  set(socket, SOL_CAN_RAW, CAN_RAW_RECV_OWN_MSGS, listen == Listen::to_all ? 1 : 0);
  if (listen == Listen::to_nobody) {
    ::setsockopt(socket.get(), SOL_CAN_RAW, CAN_RAW_FILTER, nullptr, 0);
    return;
  }
  set(socket, SOL_CAN_RAW, CAN_RAW_ERR_FILTER, can_err_mask_t{CAN_ERR_MASK});
  set(socket, SOL_SOCKET, SO_TIMESTAMPNS, 1);
  set(socket, SOL_SOCKET, SO_RXQ_OVFL, 1);
  if (!set(socket, SOL_SOCKET, SO_RCVBUFFORCE, kReceiveBuffer))
    set(socket, SOL_SOCKET, SO_RCVBUF, kReceiveBuffer);
}

struct Bound {
  Descriptor socket;
  unsigned index = 0;
};

Result<Bound> bind_socket(const std::string& name, Listen listen) {
  Descriptor socket(::socket(PF_CAN, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, CAN_RAW));
  if (socket.get() < 0) return no_socket(name, errno);
  if (auto checked = check_interface(name); !checked) return checked.error();
  set_options(socket, listen);
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(::if_nametoindex(name.c_str()));
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return no_socket(name, errno);
  return Bound{std::move(socket), static_cast<unsigned>(address.can_ifindex)};
}

Frame to_frame(const canfd_frame& raw, std::size_t size) {
  Frame frame;
  frame.extended = (raw.can_id & CAN_EFF_FLAG) != 0;
  frame.id = raw.can_id & (frame.extended ? CAN_EFF_MASK : CAN_SFF_MASK);
  frame.length = std::min<std::uint8_t>(raw.len, size == CANFD_MTU ? CANFD_MAX_DLEN : CAN_MAX_DLEN);
  if (size == CANFD_MTU) {
    frame.kind = FrameKind::fd;
    frame.fd_flags = static_cast<std::uint8_t>((raw.flags & (CANFD_BRS | CANFD_ESI)) | kFdFormat);
  } else if ((raw.can_id & CAN_ERR_FLAG) != 0) {
    frame.kind = FrameKind::error;
    frame.extended = false;
    frame.id = raw.can_id & CAN_ERR_MASK;
  } else if ((raw.can_id & CAN_RTR_FLAG) != 0) {
    frame.kind = FrameKind::remote;
  }
  const std::uint8_t raw_dlc = raw.__res1;  // can_frame::len8_dlc, seen as a canfd_frame
  if (size == CAN_MTU && raw.len == CAN_MAX_DLEN && raw_dlc > CAN_MAX_DLEN && raw_dlc <= CAN_MAX_RAW_DLC)
    frame.raw_dlc = raw_dlc;
  std::memcpy(frame.data.data(), raw.data, frame.bytes().size());
  return frame;
}

struct RawFrame {
  canfd_frame content{};
  std::size_t size = 0;
};

/// Precondition: neither an XL nor an error frame, which nobody can send.
RawFrame from_frame(const Frame& frame) {
  RawFrame raw;
  raw.size = frame.kind == FrameKind::fd ? CANFD_MTU : CAN_MTU;
  raw.content.can_id =
      frame.id | (frame.extended ? CAN_EFF_FLAG : 0U) | (frame.kind == FrameKind::remote ? CAN_RTR_FLAG : 0U);
  raw.content.len = frame.length;
  raw.content.flags = frame.kind == FrameKind::fd ? frame.fd_flags : std::uint8_t{0};
  raw.content.__res1 = frame.raw_dlc;
  std::copy(frame.bytes().begin(), frame.bytes().end(), std::begin(raw.content.data));
  return raw;
}

/// Memory for one recvmmsg() of a whole batch.
class Batch {
 public:
  Batch() {
    for (std::size_t i = 0; i < kBatch; ++i) {
      parts_[i] = {&frames_[i], sizeof frames_[i]};
      headers_[i].msg_hdr.msg_iov = &parts_[i];
      headers_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// Number of frames, or -1 with errno.
  int receive(int descriptor, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      headers_[i].msg_hdr.msg_control = controls_[i].data();
      headers_[i].msg_hdr.msg_controllen = controls_[i].size();
    }
    return ::recvmmsg(descriptor, headers_.data(), static_cast<unsigned>(count), MSG_DONTWAIT, nullptr);
  }

  [[nodiscard]] const canfd_frame& frame(std::size_t i) const { return frames_[i]; }
  [[nodiscard]] std::size_t size(std::size_t i) const { return headers_[i].msg_len; }
  [[nodiscard]] bool has_flag(std::size_t i, int flag) const {
    return (headers_[i].msg_hdr.msg_flags & flag) != 0;
  }

  template <class Value>
  [[nodiscard]] std::optional<Value> control(std::size_t i, int type) {
    msghdr& header = headers_[i].msg_hdr;
    for (cmsghdr* row = CMSG_FIRSTHDR(&header); row != nullptr; row = CMSG_NXTHDR(&header, row)) {
      if (row->cmsg_level != SOL_SOCKET || row->cmsg_type != type) continue;
      Value value;
      std::memcpy(&value, CMSG_DATA(row), sizeof value);
      return value;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kControl = CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(std::uint32_t));
  std::array<canfd_frame, kBatch> frames_{};
  std::array<iovec, kBatch> parts_{};
  std::array<mmsghdr, kBatch> headers_{};
  alignas(cmsghdr) std::array<std::array<char, (kControl + 15) / 16 * 16>, kBatch> controls_{};
};

class SocketCan : public Transport {
 public:
  SocketCan(std::string name, Listen listen, Bound bound)
      : name_(std::move(name)), listen_(listen), bound_(std::move(bound)) {}

  Result<std::size_t> receive(std::span<Received> buffer, SteadyTime deadline) override {
    while (true) {
      auto taken = take(buffer);
      if (!taken || *taken > 0) return taken;
      if (status_.state != LinkState::up) look_again();
      const auto now = std::chrono::steady_clock::now();
      if (now >= deadline || !wait(now, deadline)) return std::size_t{0};
    }
  }

  [[nodiscard]] LinkStatus status() const override { return status_; }
  [[nodiscard]] std::string_view address() const override { return name_; }
  [[nodiscard]] std::string_view interface() const override { return name_; }

 private:
  Result<Sent> transmit(const Frame& frame) override {
    if (frame.kind == FrameKind::error || frame.kind == FrameKind::xl)
      return Error{ExitStatus::refused, "error frames and CAN XL frames cannot be sent"};
    const RawFrame raw = from_frame(frame);
    while (::send(bound_.socket.get(), &raw.content, raw.size, MSG_DONTWAIT) < 0) {
      if (errno == EINVAL && frame.kind == FrameKind::fd) return no_fd();
      if (errno != EINTR) return not_sent(errno);
    }
    return Sent::queued;
  }

  [[nodiscard]] Error no_fd() const {
    return {ExitStatus::bus,
            fmt::format("{} takes no CAN FD frames; where its hardware can: sudo ip link set {} mtu 72",
                        name_, name_)};
  }

  Result<Sent> not_sent(int error) {
    if (error == ENOBUFS || error == EAGAIN || error == ENOMEM) return Sent::queue_full;
    if (error == ENETDOWN) set_state(LinkState::down);
    if (error == ENODEV || error == ENXIO) set_state(LinkState::gone);
    return Error{ExitStatus::bus, fmt::format("cannot send on {}: {}", name_, reason(error))};
  }

  /// What is there now.
  Result<std::size_t> take(std::span<Received> buffer) {
    const int count = batch_.receive(bound_.socket.get(), std::min(buffer.size(), kBatch));
    if (count < 0) return lost(errno);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) fill(buffer[i], i);
    return static_cast<std::size_t>(count);
  }

  void fill(Received& received, std::size_t i) {
    received.frame = to_frame(batch_.frame(i), batch_.size(i));
    received.own_echo = batch_.has_flag(i, MSG_CONFIRM);
    received.direction = batch_.has_flag(i, MSG_DONTROUTE) ? FrameDirection::tx : FrameDirection::rx;
    if (const auto time = batch_.control<timespec>(i, SCM_TIMESTAMPNS)) {
      received.time = {time->tv_sec, static_cast<std::uint32_t>(time->tv_nsec), kDigits};
    }
    if (const auto dropped = batch_.control<std::uint32_t>(i, SO_RXQ_OVFL)) {
      status_.dropped += *dropped - socket_drops_;  // the kernel's counter is 32 bits and wraps
      socket_drops_ = *dropped;
    }
  }

  /// After recvmmsg() failed: trouble with the interface is a state, not an error.
  Result<std::size_t> lost(int error) {
    switch (error) {
      case EAGAIN:
      case EINTR:
        return std::size_t{0};
      case ENETDOWN:
        set_state(LinkState::down);
        return std::size_t{0};
      case ENODEV:
      case ENXIO:
        set_state(LinkState::gone);
        return std::size_t{0};
      default:
        return Error{ExitStatus::bus, fmt::format("cannot read from {}: {}", name_, reason(error))};
    }
  }

  void set_state(LinkState state) {
    if (status_.state == LinkState::up && state != LinkState::up) ++status_.outages;
    status_.state = state;
  }

  /// Whether the interface is back. A new one of the same name needs a new socket.
  void look_again() {
    const InterfaceState now = interface_state(name_);
    if (now == InterfaceState::missing) return set_state(LinkState::gone);
    if (now == InterfaceState::down) return set_state(LinkState::down);
    if (::if_nametoindex(name_.c_str()) == bound_.index && status_.state == LinkState::down)
      return set_state(LinkState::up);
    auto again = bind_socket(name_, listen_);
    if (!again) return;
    bound_ = std::move(*again);
    socket_drops_ = 0;
    set_state(LinkState::up);
  }

  /// False when a signal ended the wait.
  bool wait(SteadyTime now, SteadyTime deadline) const {
    const SteadyTime until = status_.state == LinkState::up ? deadline : std::min(deadline, now + kLookAgain);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now);
    pollfd ready{bound_.socket.get(), POLLIN, 0};
    return ::poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000))) >= 0;
  }

  /// The kernel has nanoseconds; microseconds are what candump writes, so that both can be compared.
  static constexpr std::uint8_t kDigits = 6;

  std::string name_;
  Listen listen_;
  Bound bound_;
  Batch batch_;
  std::uint32_t socket_drops_ = 0;
  LinkStatus status_;
};

}  // namespace

Result<std::unique_ptr<Transport>> open_socketcan(const std::string& interface, Listen listen) {
  auto bound = bind_socket(interface, listen);
  if (!bound) return bound.error();
  return std::unique_ptr<Transport>(std::make_unique<SocketCan>(interface, listen, std::move(*bound)));
}

}  // namespace rangerctl::io
