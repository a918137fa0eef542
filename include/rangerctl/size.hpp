#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rangerctl/result.hpp"

namespace rangerctl {

/// "500", "64kB", "100MB", "1.5GB" in steps of 1000, or "64KiB", "100MiB", "2GiB" in steps of 1024; case does
/// not matter. At least one byte. The error is of status usage.
Result<std::uint64_t> parse_size(std::string_view text);

/// For people: "999 B", "12.3 kB", "1.5 GB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace rangerctl
