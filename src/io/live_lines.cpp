#include "io/live_lines.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace rangerctl::io {
namespace {

constexpr std::size_t kLongestLine = 1'000;

bool has_input() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0;
}

bool is_in_background() {
  const pid_t foreground = ::tcgetpgrp(STDIN_FILENO);  // -1 where the input is no terminal of ours
  return foreground >= 0 && foreground != ::getpgrp();
}

}  // namespace

std::optional<LiveLine> LiveLines::next() {
  if (lines_.empty() && !ended_ && has_input() && !is_in_background()) read_what_is_there();
  if (lines_.empty()) return std::nullopt;
  LiveLine line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void LiveLines::read_what_is_there() {
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count > 0) return take({buffer.data(), static_cast<std::size_t>(count)});
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  ended_ = true;
  if (!unfinished_.empty()) finish_line();
}

void LiveLines::take(std::string_view bytes) {
  for (const char byte : bytes) {
    if (byte == '\n') {
      finish_line();
    } else if (unfinished_.size() < kLongestLine) {
      unfinished_ += byte;
    }
  }
}

void LiveLines::finish_line() { lines_.push_back({std::exchange(unfinished_, {}), ++count_}); }

}  // namespace rangerctl::io
