#include "tui/tty.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace rangerctl::tui {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kOpenFlags = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

int open_controlling_terminal() { return ::open("/dev/tty", kOpenFlags); }

/// /dev/tty helps where the terminal belongs to another user (su): it may be used, but not opened.
int open_again(int descriptor) {
  const int own = ::open(fmt::format("/proc/self/fd/{}", descriptor).c_str(), kOpenFlags);
  return own >= 0 ? own : open_controlling_terminal();
}

Error cannot_open(std::string_view what) {
  return {ExitStatus::failed, fmt::format("{}: {}", what, std::strerror(errno))};
}

bool try_again_later() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

bool Writer::write(std::string_view whole) {
  if (!idle()) return false;
  piece_.assign(whole);
  sent_ = 0;
  flush();
  return !vanished_;
}

void Writer::flush() {
  while (pending() > 0) {
    const ssize_t count = ::write(terminal_, piece_.data() + sent_, pending());
    if (count < 0) {
      vanished_ = !try_again_later();
      if (vanished_) drop();
      return;
    }
    sent_ += static_cast<std::size_t>(count);
  }
}

bool Writer::drain(milliseconds patience) {
  const auto end = steady_clock::now() + patience;
  flush();
  while (pending() > 0) {
    const auto left = std::chrono::ceil<milliseconds>(end - steady_clock::now());
    if (left <= milliseconds::zero()) return false;
    pollfd wait{terminal_, POLLOUT, 0};
    poll(&wait, 1, static_cast<int>(left.count()));
    flush();
  }
  return true;
}

Result<std::unique_ptr<Tty>> Tty::open(int input, int output) {
  const int own_output = open_again(output);
  if (own_output < 0) return cannot_open("the terminal cannot be opened");
  const int own_input = isatty(input) != 0 ? open_again(input) : open_controlling_terminal();
  std::unique_ptr<Tty> tty(new Tty(own_input, own_output));
  if (tcgetattr(tty->of_settings(), &tty->settings_) != 0)
    return cannot_open("the terminal's settings cannot be read");
  return tty;
}

Tty::~Tty() {
  restore();
  if (input_ >= 0) close(input_);
  close(output_);
}

void Tty::set(const termios& settings) const {
  while (tcsetattr(of_settings(), TCSANOW, &settings) != 0 && errno == EINTR) {
    // Stopped for being in the background, and continued.
  }
}

void Tty::raw(bool keep_signals) {
  termios changed = settings_;
  cfmakeraw(&changed);  // reads return from one byte on
  if (keep_signals) {
    changed.c_lflag |= settings_.c_lflag & ISIG;
    changed.c_iflag |= settings_.c_iflag & (IGNBRK | BRKINT | IXON);
  }
  set(changed);
}

void Tty::restore() { set(settings_); }

Tty::Read Tty::read(std::span<char> buffer) const {
  if (input_ < 0) return {};
  const ssize_t count = ::read(input_, buffer.data(), buffer.size());
  if (count > 0) return {static_cast<std::size_t>(count), false};
  return {0, count == 0 || !try_again_later()};
}

void Tty::discard_output() {
  writer_.drop();
  tcflush(output_, TCOFLUSH);
  // Only what was stopped by a call can be started by one.
  tcflow(output_, TCOOFF);
  tcflow(output_, TCOON);
}

void Tty::force(std::string_view bytes) {
  if (writer_.drain(kPatience) && writer_.write(bytes) && writer_.drain(kPatience)) return;
  discard_output();
  writer_.write(bytes);
}

std::optional<monitor::Size> Tty::size() const {
  winsize window{};
  if (ioctl(output_, TIOCGWINSZ, &window) != 0 || window.ws_row == 0 || window.ws_col == 0)
    return std::nullopt;
  return monitor::Size{window.ws_row, window.ws_col};
}

}  // namespace rangerctl::tui
