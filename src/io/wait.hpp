#pragma once

#include <ctime>

#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Sleeps until `deadline`. False when a signal ended the sleep early.
bool wait_until(SteadyTime deadline);

/// Time since the computer was switched on, the time that it was suspended included.
[[nodiscard]] std::chrono::nanoseconds boot_time();

/// As the system calls take it. Precondition: not negative.
[[nodiscard]] timespec to_timespec(std::chrono::nanoseconds time);

}  // namespace rangerctl::io
