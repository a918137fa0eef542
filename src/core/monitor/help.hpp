#pragma once

#include <cstddef>

namespace rangerctl::monitor {

/// Rows of the help page, which scrolls where the screen is lower.
[[nodiscard]] std::size_t help_rows();

}  // namespace rangerctl::monitor
