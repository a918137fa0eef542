#pragma once

#include <string>

#include "io/descriptor.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Makes this the only teleop on an interface, for as long as the descriptor is open anywhere; a child that
/// keeps it open holds the lock as well. The kernel ends it with the last of them, so nothing is left behind.
/// An abstract socket: valid for every user within one network namespace, as the interface is.
///
/// The error is of status refused where another one drives.
Result<Descriptor> lock_instance(const std::string& interface);

}  // namespace rangerctl::io
