#pragma once

#include <memory>

#include "rangerctl/convert/log_writer.hpp"

namespace rangerctl::io {

/// Writes pcap with SocketCAN's link type, through libpcap. Times are in nanoseconds where the first one has
/// more than six digits, otherwise in microseconds.
[[nodiscard]] std::unique_ptr<convert::FormatWriter> make_pcap_writer();

}  // namespace rangerctl::io
