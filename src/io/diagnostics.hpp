#pragma once

#include <string_view>

/// Messages for people, to stderr, one line each; the only way they get there. Control characters in a
/// message (a file name, an interface name, a line of a log) are made visible instead of reaching the
/// terminal.
namespace rangerctl::io {

enum class Verbosity { quiet, normal, verbose };

/// Once, before the first message. quiet: errors alone; verbose: everything.
void set_up_diagnostics(Verbosity verbosity);

void show_error(std::string_view message);
void show_warning(std::string_view message);
/// What belongs to a result but must not mix with it: summaries, progress.
void show_info(std::string_view message);
/// Whether show_info() shows anything.
[[nodiscard]] bool wants_info();
/// Only with -v.
void show_detail(std::string_view message);

}  // namespace rangerctl::io
