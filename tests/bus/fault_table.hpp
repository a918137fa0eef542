// How long the robot is still commanded to move after something happens: each measured case is checked
// against its bound, and all of them are printed as one table when the tests end.
#pragma once

#include <string>

#include "bus/motion_witness.hpp"

namespace rangerctl::support {

struct StopBound {
  Milliseconds threshold{0};  // of the rule
  Milliseconds ramp{0};       // 300 ms where the stop is a key that was released
};

// Two periods of 20 ms: what happens just after a tick is seen in the next one, whose frame still takes its
// way.
inline constexpr Milliseconds kTwoPeriods{40};
// For the scheduler of User-Mode Linux, which has one processor, a clock of 100 Hz and system calls of a
// tenth of a millisecond. Measured: the column `room` of the table says how much of it was used, which is
// nothing where the computer has a processor to spare.
inline constexpr Milliseconds kSchedulerRoom{30};

// Expects that the robot was commanded to move when it happened, at `fault`, and that the last frame that
// moves is there within the bound: none follows in all that the witness has seen.
void expect_stop(const std::string& what, const StopBound& bound, Moment fault, const SeenFrames& frames);

}  // namespace rangerctl::support
