#include "bus/bus.hpp"

#include <endian.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <sstream>
#include <thread>

namespace rangerctl::support {
namespace {

// The kernel's own count of receivers on all interfaces.
int receivers() {
  std::istringstream lines(read_file("/proc/net/can/stats"));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("(CRCV)") != std::string::npos) return std::stoi(line);
  }
  return 0;
}

}  // namespace

void BusTest::SetUp() {
  for (int tries = 0; receivers() > 0 && tries < 1000; ++tries) std::this_thread::sleep_for(Milliseconds{20});
  ASSERT_EQ(receivers(), 0);
}

std::unique_ptr<Process> start_listening(Command command) {
  const int before = receivers();
  auto process = std::make_unique<Process>(std::move(command));
  for (int tries = 0; receivers() <= before && tries < 1000; ++tries) {
    process->read_until([] { return false; }, Milliseconds{20});
  }
  EXPECT_GT(receivers(), before) << "no CAN socket was opened\n" << process->out() << process->err();
  return process;
}

std::unique_ptr<Process> start_candump(const std::string& interface) {
  return start_listening(program({"candump", "-L", interface + ",0:0,#FFFFFFFF"}));
}

Prepared::Prepared(const std::string& shell_command) {
  const std::string pipe = (folder_.path() / "lines").string();
  EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  process_ = std::make_unique<Process>(
      shell("exec 3<>" + shell_quoted(pipe) + "; echo ready; exec " + shell_command + " <&3"));
  EXPECT_TRUE(process_->out_contains("ready"));
}

std::chrono::system_clock::time_point Prepared::line(const std::string& text) {
  const std::string whole = text + '\n';
  const int pipe = ::open((folder_.path() / "lines").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  EXPECT_EQ(::write(pipe, whole.data(), whole.size()), static_cast<ssize_t>(whole.size()))
      << "it does not listen any more: " << process_->out() << process_->err();
  ::close(pipe);
  return std::chrono::system_clock::now();
}

void ip(const std::string& words) {
  const Outcome outcome = run(shell("ip " + words));
  EXPECT_EQ(outcome.exit_status, 0) << words << ": " << outcome;
}

SpareInterface::~SpareInterface() {
  run(shell("ip link add dev vcan1 type vcan"));
  ip("link set vcan1 up");
}

void send_frame(const std::string& interface, std::uint32_t id, std::uint64_t data) {
  const int socket = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC, CAN_RAW);
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(::if_nametoindex(interface.c_str()));
  can_frame frame{};
  frame.can_id = id;
  frame.len = sizeof data;
  const std::uint64_t big_endian = htobe64(data);
  std::memcpy(frame.data, &big_endian, sizeof big_endian);
  EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::write(socket, &frame, sizeof frame), static_cast<ssize_t>(sizeof frame));
  ::close(socket);
}

void cansend(const std::string& interface, const std::string& frame) {
  const Outcome outcome = run(program({"cansend", interface, frame}));
  ASSERT_EQ(outcome.exit_status, 0) << frame << ": " << outcome;
}

int occurrences(std::string_view text, std::string_view where) {
  int count = 0;
  for (auto at = where.find(text); at != std::string_view::npos; at = where.find(text, at + text.size()))
    ++count;
  return count;
}

}  // namespace rangerctl::support
