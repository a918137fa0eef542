#pragma once

#include <string>

/// What the terminal database knows about the terminal named in TERM.
namespace rangerctl::tui {

/// Why standard output cannot show a screen; empty: it can.
[[nodiscard]] std::string why_no_screen();

/// The bytes of the capability with this name, its numbers put in; none where the terminal lacks it.
/// Precondition: a terminal is in use.
[[nodiscard]] std::string capability_bytes(const char* name, int first = 0, int second = 0);

}  // namespace rangerctl::tui
