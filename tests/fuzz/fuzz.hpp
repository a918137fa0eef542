#pragma once

#include <cstdint>
#include <cstdlib>
#include <span>

/// What is fuzzed: functions that take any bytes and abort where something does not hold. Each is a fuzzer of
/// its own and has a corpus of its own name, which a unit test replays.
namespace rangerctl::fuzz {

void candump_line(std::span<const std::uint8_t> input);
void log_line(std::span<const std::uint8_t> input);
void binary_log(std::span<const std::uint8_t> input);
void terminal_input(std::span<const std::uint8_t> input);

inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace rangerctl::fuzz
