// A chassis on a bus for the tests of commands: the real `rangerctl sim`, told what happens to it line by
// line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bus/bus.hpp"
#include "support/process.hpp"

namespace rangerctl::support {

class SimulatedChassis {
 public:
  // Returns once it sends, in standby like a real one.
  explicit SimulatedChassis(const std::string& scenario = "normal", const std::string& interface = "vcan0");

  // Writes a line to its standard input and returns when it has acted.
  void line(const std::string& text);
  Process& process() { return program_.process(); }

 private:
  Prepared program_;
  int lines_ = 0;
};

// Every command frame on vcan0, recorded by candump.
class CommandRecorder {
 public:
  CommandRecorder();
  // In order, as "421#01"; waits until `count` of them were seen.
  std::vector<std::string> frames(std::size_t count);

 private:
  std::unique_ptr<Process> candump_;
};

// `rangerctl -i vcan0 ...` to its end.
Outcome on_bus(std::vector<std::string> arguments);

}  // namespace rangerctl::support
