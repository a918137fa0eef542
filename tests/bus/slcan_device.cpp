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
#include <filesystem>
#include <system_error>

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

// Until the other end is closed.
void read_away(int descriptor) {
  std::array<char, 256> bytes;
  while (::read(descriptor, bytes.data(), bytes.size()) > 0) {
  }
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
  reader_ = std::thread(read_away, adapter_);
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
