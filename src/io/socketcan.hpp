#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Whether frames that are sent come back through receive() once they are on the bus.
enum class Echo : std::uint8_t { own_frames, nothing };

/// Opens a raw SocketCAN socket on `interface`: receives classic and FD data frames, remote frames and error
/// frames, with kernel time stamps, and counts what the receive queue lost. Needs no privilege.
///
/// An interface that goes down or vanishes later is waited for; see Transport.
Result<std::unique_ptr<Transport>> open_socketcan(const std::string& interface, Echo echo = Echo::own_frames);

}  // namespace rangerctl::io
