#pragma once

#include <cstdint>

namespace rangerctl::testing {

/// How often this process has asked for memory through operator new.
[[nodiscard]] std::uint64_t allocations();

}  // namespace rangerctl::testing
