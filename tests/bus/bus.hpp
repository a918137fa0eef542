// What the tests on a CAN bus share.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "support/process.hpp"

namespace rangerctl::support {

// A test on the bus begins when nobody listens any more who belongs to the one before.
class BusTest : public ::testing::Test {
 protected:
  void SetUp() override;
};

// Starts a program and returns once it has opened one more CAN socket: from then on it misses no frame.
std::unique_ptr<Process> start_listening(Command command);

// `candump -L` on one interface, error frames included.
std::unique_ptr<Process> start_candump(const std::string& interface);

// `ip` with these words, which must succeed: "link set vcan1 down".
void ip(const std::string& words);

// vcan1 as a test needs it, and up again for the next test afterwards.
class SpareInterface {
 public:
  SpareInterface() = default;
  ~SpareInterface();
  SpareInterface(const SpareInterface&) = delete;
  SpareInterface& operator=(const SpareInterface&) = delete;
};

// A program that takes its orders line by line, `ip -batch -` for example, and waits for them: what it does
// then happens at once, where a new program would first take a tenth of a second of the whole computer.
class Prepared {
 public:
  explicit Prepared(const std::string& shell_command);
  // Returns when the line was written.
  std::chrono::system_clock::time_point line(const std::string& text);
  Process& process() { return *process_; }

 private:
  Folder folder_;
  std::unique_ptr<Process> process_;
};

// Sends a frame of eight bytes from this process, at once, where a new `cansend` would take a tenth of a
// second of the whole computer.
void send_frame(const std::string& interface, std::uint32_t id, std::uint64_t data);

// Runs `cansend`, which must succeed.
void cansend(const std::string& interface, const std::string& frame);

// How often `text` occurs in `where`.
int occurrences(std::string_view text, std::string_view where);

}  // namespace rangerctl::support
