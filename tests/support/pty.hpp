// A terminal that the test itself is: it reads what is shown only when it wants to.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

namespace rangerctl::support {

class Pty {
 public:
  explicit Pty(int rows = 24, int columns = 80) {
    const winsize size{static_cast<unsigned short>(rows), static_cast<unsigned short>(columns), 0, 0};
    if (openpty(&master_, &slave_, nullptr, nullptr, &size) != 0)
      throw std::system_error(errno, std::generic_category(), "openpty");
    for (const int end : {master_, slave_}) fcntl(end, F_SETFD, FD_CLOEXEC);
    fcntl(master_, F_SETFL, O_RDWR | O_NONBLOCK);
  }
  ~Pty() {
    hang_up();
    close(slave_);
  }
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;

  // The end that is a program's terminal.
  int slave() const { return slave_; }
  bool type(std::string_view keys) const {
    return write(master_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size());
  }
  void hang_up() {
    if (master_ >= 0) close(master_);
    master_ = -1;
  }

  // Everything shown up to now; more is read only within show_until().
  const std::string& shown() const { return shown_; }
  // Reads until `done` holds; false where that takes longer than 20 seconds.
  bool show_until(const std::function<bool()>& done) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(20);
    std::array<char, 65536> buffer;
    while (!done()) {
      if (Clock::now() > deadline) return false;
      pollfd wait{master_, POLLIN, 0};
      if (poll(&wait, 1, 100) == 0) continue;
      const ssize_t count = read(master_, buffer.data(), buffer.size());
      if (count <= 0) return false;
      shown_.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return true;
  }
  bool shows(std::string_view text) {
    return show_until([&] { return shown_.find(text) != std::string::npos; });
  }

  termios settings() const {
    termios now{};  // zeros in its gaps, so that bytes can be compared
    tcgetattr(slave_, &now);
    return now;
  }
  bool has_settings(const termios& expected) const {
    const termios now = settings();
    return std::memcmp(&now, &expected, sizeof now) == 0;
  }

 private:
  int master_ = -1;
  int slave_ = -1;
  std::string shown_;
};

}  // namespace rangerctl::support
