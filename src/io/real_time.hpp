#pragma once

#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Priorities of SCHED_FIFO: below those of the kernel's own threads (50), and the guard above the loop that
/// it watches.
inline constexpr int kLoopPriority = 20;
inline constexpr int kGuardPriority = kLoopPriority + 1;

/// Gives the calling thread this priority of SCHED_FIFO, which threads and children that it makes later do
/// not inherit, and locks all memory of the process, now and later. What is granted stays, also where the
/// other is refused: the error is a warning that names what was refused and what to do about it.
Result<void> take_real_time(int priority);

}  // namespace rangerctl::io
