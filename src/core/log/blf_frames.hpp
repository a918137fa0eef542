#pragma once

#include "rangerctl/log/blf.hpp"
#include "reading.hpp"

/// The objects of BLF that are frames.
namespace rangerctl::log::blf {

/// `count` bytes, the least significant first. Precondition: they are there.
[[nodiscard]] inline std::uint64_t read_le(Bytes bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | bytes[at + i];
  return value;
}

[[nodiscard]] bool is_frame_object(std::uint32_t type);

/// Reads a whole object of such a type, all but the name of its bus; `channel` counts from 1. `out` is empty.
LineKind read_frame_object(Bytes object, std::uint32_t type, const Timestamp& start, std::uint32_t& channel,
                           LogFrame& out);

}  // namespace rangerctl::log::blf
