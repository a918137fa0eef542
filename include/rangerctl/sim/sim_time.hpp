#pragma once

#include <chrono>

namespace rangerctl::sim {

/// Time since the chassis was switched on.
using SimTime = std::chrono::nanoseconds;

}  // namespace rangerctl::sim
