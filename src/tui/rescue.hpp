#pragma once

#include <termios.h>

#include <string>

/// What has to happen when the process dies of a bug while it owns the terminal.
namespace rangerctl::tui {

/// From here on SIGSEGV, SIGABRT, SIGBUS, SIGFPE and SIGILL write `bytes` to the terminal `output`, put the
/// line settings of `input` back, and then do what they always do.
void arm_rescue(int output, const std::string& bytes, int input, const termios& settings);
void disarm_rescue();

}  // namespace rangerctl::tui
