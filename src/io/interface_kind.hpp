#pragma once

#include <string>

#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// What the kernel calls the kind of an interface: "vcan", "vxcan", "can"; empty where it has no name for it,
/// as for slcan. The error, of status bus, says why it cannot be found out.
Result<std::string> interface_kind(const std::string& name);

}  // namespace rangerctl::io
