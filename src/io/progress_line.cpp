#include "io/progress_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "io/diagnostics.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::io {
namespace {

std::size_t terminal_width() {
  winsize size{};
  constexpr std::size_t kUsual = 80;
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

/// What cannot be written is not worth waiting for.
void write_out(const std::string& text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

ProgressLine::ProgressLine()
    : wanted_(::isatty(STDERR_FILENO) == 1 && wants_info()),
      due_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

void ProgressLine::show(std::string_view text, std::chrono::steady_clock::time_point now) {
  if (!wanted_) return;
  std::string line = printable(text).substr(0, terminal_width() - 1);
  const std::size_t length = line.size();
  line.append(shown_ - std::min(shown_, length), ' ');
  write_out('\r' + line);
  shown_ = length;
  due_ = now + std::chrono::seconds(1);
}

void ProgressLine::clear() {
  if (shown_ == 0) return;
  write_out('\r' + std::string(shown_, ' ') + '\r');
  shown_ = 0;
}

}  // namespace rangerctl::io
