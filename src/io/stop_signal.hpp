#pragma once

#include <optional>

#include "rangerctl/exit_status.hpp"

namespace rangerctl::io {

/// From here on SIGINT, SIGTERM and SIGHUP no longer end the process: they interrupt blocking calls and are
/// seen through stop_signal(). SIGPIPE is ignored, so that a closed pipe is an EPIPE of write().
void catch_stop_signals();

/// The exit status of the first stop signal that arrived, if any.
[[nodiscard]] std::optional<ExitStatus> stop_signal();

}  // namespace rangerctl::io
