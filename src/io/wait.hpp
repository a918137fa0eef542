#pragma once

#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Sleeps until `deadline`. False when a signal ended the sleep early.
bool wait_until(SteadyTime deadline);

}  // namespace rangerctl::io
