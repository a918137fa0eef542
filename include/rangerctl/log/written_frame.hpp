#pragma once

#include <string>
#include <string_view>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

/// Single frames as people write them.
namespace rangerctl::log {

/// A frame as candump's log format and cansend write it, with everything that format can say: "211#0001F1",
/// "211#R8", "12345678#00", "211##400"; dots between bytes are allowed. The error is of status usage.
Result<Frame> parse_written_frame(const protocol::Catalogue& catalogue, std::string_view word);

/// The inverse: "111#0096000000000000", "211#R8", "211##4AA", and an error frame as a log has it:
/// "20000040#0000000000000000".
[[nodiscard]] std::string written_frame(const Frame& frame);

/// Whether lines say which way a frame went, as candump -x does. Without -x candump does not, and some
/// programs that read its logs, such as Wireshark, do not expect it.
enum class DirectionColumn : bool { no, yes };

/// A line of a candump log: "(1712345678.123456) can0 211#000101F100000000 R", with its end. Microseconds.
[[nodiscard]] std::string written_line(const Received& received, std::string_view bus,
                                       DirectionColumn directions = DirectionColumn::yes);

/// The line with which candump says that frames were lost, with its end. `total`: since the log began.
[[nodiscard]] std::string written_drops(std::uint64_t count, std::string_view bus, std::uint64_t total);

/// A frame as candump shows it: "  can0  111   [8]  00 96 00 00 00 00 00 00".
[[nodiscard]] std::string candump_text(std::string_view bus, const Frame& frame);

}  // namespace rangerctl::log
