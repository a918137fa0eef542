#pragma once

#include <string>

#include "rangerctl/interface_facts.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// Asks the kernel through netlink; needs no privilege, and works for an interface that is down, too. Costs a
/// few system calls, none of which waits but for the kernel's own lock on its interfaces: while it brings one
/// up or down, which some adapters take a second for.
///
/// The error, of status bus, says why there is no answer: the interface does not exist (any more), or its
/// name cannot be one.
Result<InterfaceFacts> interface_facts(const std::string& name);

}  // namespace rangerctl::io
