#pragma once

#include <memory>
#include <string>

#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Opens a raw SocketCAN socket on `interface`: receives classic and FD data frames, remote frames and error
/// frames, with kernel time stamps, and counts what the receive queue lost. Needs no privilege.
///
/// An interface that goes down or vanishes later is waited for; see Transport.
Result<std::unique_ptr<Transport>> open_socketcan(const std::string& interface);

}  // namespace rangerctl::io
