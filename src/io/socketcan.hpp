#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Which frames receive() delivers.
enum class Listen : std::uint8_t {
  to_all,     ///< those that are sent here as well, once they are on the bus
  to_others,  ///< all but those that are sent here
  to_nobody,  ///< none, at no cost: for who only sends
};

/// Opens a raw SocketCAN socket on `interface`: receives classic and FD data frames, remote frames and error
/// frames, with kernel time stamps, and counts what the receive queue lost. Needs no privilege.
///
/// An interface that goes down or vanishes later is waited for; see Transport.
Result<std::unique_ptr<Transport>> open_socketcan(const std::string& interface,
                                                  Listen listen = Listen::to_all);

}  // namespace rangerctl::io
