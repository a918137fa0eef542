#include "bus/simulated_chassis.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace rangerctl::support {
namespace {

std::vector<std::string> recorded(const std::string& log) {
  std::vector<std::string> frames;
  std::istringstream lines(log);
  for (std::string time, bus, frame; lines >> time >> bus >> frame;) frames.push_back(frame);
  return frames;
}

}  // namespace

SimulatedChassis::SimulatedChassis(const std::string& scenario, const std::string& interface)
    : program_(shell_quoted(rangerctl_binary()) + " sim -i " + interface + " " + scenario) {
  EXPECT_TRUE(process().err_contains("simulated chassis now")) << process().err();
}

void SimulatedChassis::line(const std::string& text) {
  program_.line(text);
  EXPECT_TRUE(process().err_contains("line " + std::to_string(++lines_) + ":")) << process().err();
}

CommandRecorder::CommandRecorder()
    : candump_(start_listening(
          program({"candump", "-L", "vcan0,111:7FF,121:7FF,141:7FF,421:7FF,423:7FF,441:7FF,4A1:7FF"}))) {}

std::vector<std::string> CommandRecorder::frames(std::size_t count) {
  candump_->read_until([&] { return recorded(candump_->out()).size() >= count; });
  candump_->read_until([] { return false; }, Milliseconds{300});
  return recorded(candump_->out());
}

Outcome on_bus(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-i", "vcan0"});
  return run(rangerctl(std::move(arguments)));
}

}  // namespace rangerctl::support
