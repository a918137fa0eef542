#pragma once

#include <chrono>
#include <string_view>

#include "rangerctl/result.hpp"

namespace rangerctl {

/// "20ms", "1.5s", "2min", "1h": a decimal number and its unit, from 1 ms to 24 h, in whole milliseconds. The
/// error is of status usage.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

}  // namespace rangerctl
