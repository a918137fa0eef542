#pragma once

#include <memory>

#include "io/log_pieces.hpp"

namespace rangerctl::io {

/// A pcap or pcapng capture, through libpcap: of SocketCAN's link type, or cooked by Linux, where packets of
/// other protocols are events. Frames have no name of a bus. A frame of a cooked capture was sent where the
/// capture says so; whether it was received or sent by another program of that host is not known.
[[nodiscard]] std::unique_ptr<LogPieces> read_pcap(std::unique_ptr<Input> input);

}  // namespace rangerctl::io
