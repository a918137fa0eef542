#pragma once

#include <memory>
#include <string_view>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// The simulated chassis inside this process, in real time from now on and already under CAN control, unless
/// the scenario says otherwise. Frames of the scenario's own host arrive like those of any other host.
/// `address` is "sim" or "sim:SCENARIO"; an unknown scenario is a usage error. `catalogue` is kept by
/// reference.
Result<std::unique_ptr<Transport>> open_sim(std::string_view address, const protocol::Catalogue& catalogue);

}  // namespace rangerctl::io
