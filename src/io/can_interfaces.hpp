#pragma once

#include <string>
#include <vector>

#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Names of the CAN interfaces that this computer has, sorted.
[[nodiscard]] std::vector<std::string> can_interfaces();

enum class InterfaceState { missing, down, up };
[[nodiscard]] InterfaceState interface_state(const std::string& name);

/// The shell command that brings it up.
[[nodiscard]] std::string bring_up_command(const std::string& name);

/// Why `name` cannot be opened although the kernel has CAN, and what to do; no value where nothing is wrong
/// with it.
[[nodiscard]] Result<void> check_interface(const std::string& name);

}  // namespace rangerctl::io
