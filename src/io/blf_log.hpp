#pragma once

#include <memory>

#include "io/log_pieces.hpp"

namespace rangerctl::io {

/// A Vector BLF log. A container that cannot be unpacked, or an object that does not begin where it should,
/// ends it with an error: everything before was read.
[[nodiscard]] std::unique_ptr<LogPieces> read_blf(std::unique_ptr<Input> input);

}  // namespace rangerctl::io
