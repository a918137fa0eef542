#pragma once

#include <string>

/// What the terminal database knows about the terminal on standard output.
namespace rangerctl::tui {

/// Why standard output cannot show a screen; empty: it can.
[[nodiscard]] std::string why_no_screen();

/// What this terminal needs to leave the own screen and show its cursor. Precondition: it is in use.
[[nodiscard]] std::string restoring_sequence();

}  // namespace rangerctl::tui
