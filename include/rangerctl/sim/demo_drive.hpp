#pragma once

#include "rangerctl/sim/body.hpp"
#include "rangerctl/sim/sim_time.hpp"

namespace rangerctl::sim {

/// What the scripted driver asks of the chassis at `now`: figures of eight in ackermann, a stop, spins both
/// ways, oblique forth and back, park, a straight run and a reverse at full lock; then from the start.
/// The mode changes only at rest.
[[nodiscard]] SetPoints demo_drive(SimTime now);

/// After this time the script starts again.
[[nodiscard]] SimTime demo_drive_length();

}  // namespace rangerctl::sim
