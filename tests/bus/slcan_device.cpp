#include "bus/slcan_device.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <linux/tty.h>
#include <net/if.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "bus/bus.hpp"

namespace rangerctl::support {
namespace {

struct State {
  std::string_view name;
  const char* line;  // with the error counters that a controller has then: receive, transmit
};
constexpr std::array kStates{State{"error-active", "sa000000"}, State{"error-warning", "sw000096"},
                             State{"error-passive", "sp000128"}, State{"bus-off", "sb000248"}};

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// Gives the line to the driver; the name of the interface that it makes of it.
std::string attach_driver(int line) {
  const int discipline = N_SLCAN;
  if (::ioctl(line, TIOCSETD, &discipline) != 0) fail("TIOCSETD N_SLCAN");
  std::array<char, IFNAMSIZ> name{};
  if (::ioctl(line, SIOCGIFNAME, name.data()) != 0) fail("SIOCGIFNAME");
  return name.data();
}

}  // namespace

bool SlcanDevice::possible() {
  std::error_code none;
  const auto first = std::filesystem::read_symlink("/proc/1/ns/net", none);
  return !first.empty() && first == std::filesystem::read_symlink("/proc/self/ns/net", none) &&
         ::geteuid() == 0;
}

SlcanDevice::SlcanDevice(std::string name, int bit_rate) : name_(std::move(name)) {
  if (::openpty(&adapter_, &line_, nullptr, nullptr, nullptr) != 0) fail("openpty");
  for (const int end : {adapter_, line_}) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  const std::string first_name = attach_driver(line_);
  reader_ = std::thread([this] { read_lines(); });
  ip("link set " + first_name + " name " + name_);
  if (bit_rate != 0) ip("link set " + name_ + " type can bitrate " + std::to_string(bit_rate));
  ip("link set " + name_ + " up");
}

SlcanDevice::~SlcanDevice() {
  if (line_ >= 0) ip("link set " + name_ + " down");
  unplug();
}

void SlcanDevice::receive(std::string_view frame) const {
  const std::size_t hash = frame.find('#');
  const std::string_view data = frame.substr(hash + 1);
  write_line("t" + std::string(frame.substr(0, hash)) + std::to_string(data.size() / 2) + std::string(data));
}

void SlcanDevice::tell_state(std::string_view state) const {
  for (const State& row : kStates) {
    if (row.name == state) return write_line(row.line);
  }
  ADD_FAILURE() << "slcan has no word for " << state;
}

std::string SlcanDevice::next_line() {
  std::unique_lock lock(mutex_);
  const auto there = [this] { return written_.find('\r') != std::string::npos; };
  if (!changed_.wait_for(lock, std::chrono::seconds(20), there)) return "";
  const std::size_t length = written_.find('\r');
  std::string line = written_.substr(0, length);
  written_.erase(0, length + 1);
  return line;
}

void SlcanDevice::read_lines() {
  std::array<char, 256> bytes;
  while (true) {
    const ssize_t count = ::read(adapter_, bytes.data(), bytes.size());
    if (count <= 0) return;  // the other end is closed
    const std::lock_guard lock(mutex_);
    written_.append(bytes.data(), static_cast<std::size_t>(count));
    changed_.notify_all();
  }
}

void SlcanDevice::unplug() {
  if (line_ < 0) return;
  ::close(std::exchange(line_, -1));
  reader_.join();
  ::close(std::exchange(adapter_, -1));
  EXPECT_EQ(::if_nametoindex(name_.c_str()), 0U) << name_ << " is still there";
}

void SlcanDevice::write_line(const std::string& line) const {
  const std::string whole = line + '\r';
  EXPECT_EQ(::write(adapter_, whole.data(), whole.size()), static_cast<ssize_t>(whole.size())) << line;
}

}  // namespace rangerctl::support
