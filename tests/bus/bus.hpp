// What the tests on a CAN bus share.
#pragma once

#include <memory>
#include <string>

#include "support/process.hpp"

namespace rangerctl::support {

// Starts a program and returns once it has opened one more CAN socket: from then on it misses no frame.
std::unique_ptr<Process> start_listening(Command command);

// `candump -L` on one interface, error frames included.
std::unique_ptr<Process> start_candump(const std::string& interface);

// Runs `cansend`, which must succeed.
void cansend(const std::string& interface, const std::string& frame);

// How often `text` occurs in `where`.
int occurrences(std::string_view text, std::string_view where);

}  // namespace rangerctl::support
