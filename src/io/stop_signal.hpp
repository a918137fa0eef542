#pragma once

#include <optional>

#include "rangerctl/exit_status.hpp"

namespace rangerctl::io {

/// From here on SIGINT, SIGTERM, SIGHUP and other signals that would end the process no longer do: they
/// interrupt blocking calls and are seen through stop_signal(). SIGPIPE is ignored, so that a closed pipe is
/// an EPIPE of write().
void catch_stop_signals();

/// From here on Ctrl-Z (SIGTSTP) is a stop signal like Ctrl-C: for what must not stand still half-way.
void catch_suspend();

/// Whether Ctrl-Z (SIGTSTP) was the first stop signal; stop_signal() says `interrupted` then.
[[nodiscard]] bool suspend_asked();

/// Stops this process as SIGTSTP does by default, until it is continued; a stop signal before that is
/// forgotten where it was Ctrl-Z.
void suspend_here();

/// From here on it is noticed when this process is continued (SIGCONT), after a SIGSTOP as well.
void catch_continue();

/// Whether it was since the last call. A shell may have taken the terminal for its own use meanwhile.
[[nodiscard]] bool was_continued();

/// The exit status of the first stop signal that arrived, if any.
[[nodiscard]] std::optional<ExitStatus> stop_signal();

}  // namespace rangerctl::io
