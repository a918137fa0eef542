#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "rangerctl/frame.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl {

/// Deadlines and ages are on the steady clock; only Timestamp is wall-clock time.
using SteadyTime = std::chrono::steady_clock::time_point;

/// A frame with what the transport knows about its way here.
struct Received {
  Frame frame;
  Timestamp time;  ///< kernel time stamp, the log's time, or simulated time
  FrameDirection direction = FrameDirection::unknown;  ///< tx: sent by this host, by any program
  bool own_echo = false;                               ///< tx, and sent through this very transport
};

enum class LinkState : std::uint8_t {
  up,     ///< frames can arrive
  down,   ///< the interface exists but is administratively down; the transport waits for it
  gone,   ///< the interface no longer exists; the transport waits for it to come back
  ended,  ///< a replay is at its end; nothing more will arrive
};

/// What is known about the way frames take, apart from the frames. Counters only grow.
struct LinkStatus {
  LinkState state = LinkState::up;
  std::uint64_t dropped = 0;     ///< frames lost in the receive queue of the kernel
  std::uint64_t unreadable = 0;  ///< replay: lines of the log that are no frame and no known other line
  std::uint64_t outages = 0;     ///< how often the state left `up` without ending
};

/// What became of a frame that was handed to the kernel.
enum class Sent : std::uint8_t {
  queued,      ///< on its way; its own echo in receive() says that it is on the bus
  queue_full,  ///< not taken (ENOBUFS, EAGAIN): nothing was queued
};

/// Where frames come from and go to: a SocketCAN interface, the replay of a log, or the simulated chassis.
///
/// Trouble on the bus is data, not an error: an interface that goes down or vanishes shows up in status(),
/// receive() then returns nothing until it is back. An Error from receive() means that waiting is pointless.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Waits until at least one frame is there or `deadline` has passed, then takes what is there, at most
  /// `buffer.size()` frames. A deadline in the past only takes what is there. A signal ends the wait early.
  /// Returns how many elements of `buffer` were filled, in order of arrival.
  virtual Result<std::size_t> receive(std::span<Received> buffer, SteadyTime deadline) = 0;

  [[nodiscard]] virtual LinkStatus status() const = 0;

  /// The address as the user wrote it: "can0", "sim", "replay:drive.log".
  [[nodiscard]] virtual std::string_view address() const = 0;

  /// The SocketCAN interface behind it; empty: none.
  [[nodiscard]] virtual std::string_view interface() const { return {}; }

  /// Whether frames can be sent there at all; a log takes none.
  [[nodiscard]] virtual bool can_send() const { return true; }

 private:
  /// Every frame that leaves goes through the gate.
  friend class Gate;

  /// Hands a frame over without waiting. Never called on a transport that cannot send. The Error, of status
  /// bus, says why the interface takes none now; status() follows.
  virtual Result<Sent> transmit(const Frame& frame) = 0;
};

}  // namespace rangerctl
