#pragma once

#include <memory>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// The simulated chassis inside this process, in real time from now on.
std::unique_ptr<Transport> open_sim(const protocol::Catalogue& catalogue);

}  // namespace rangerctl::io
