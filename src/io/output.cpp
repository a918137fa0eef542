#include "io/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "io/stop_signal.hpp"

namespace rangerctl::io {

Result<void> write_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return Error{ExitStatus::ok, {}};
    } else if (errno != EINTR) {
      return Error{ExitStatus::failed,
                   fmt::format("cannot write the output: {}", std::generic_category().message(errno))};
    } else if (const auto stopped = stop_signal()) {
      return Error{*stopped, {}};
    }
  }
  return {};
}

}  // namespace rangerctl::io
