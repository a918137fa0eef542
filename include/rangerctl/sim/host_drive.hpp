#pragma once

#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/sim/sim_time.hpp"

/// A scripted host: figures of eight in ackermann, a stop, spins both ways, oblique forth and back, park, a
/// straight run and a reverse at full lock; then from the start. It changes the mode only at rest.
namespace rangerctl::sim {

/// How often it sends its motion and its lights.
inline constexpr SimTime kHostPeriod = std::chrono::milliseconds(20);

/// What the host sends at `since_start`, a multiple of kHostPeriod: motion_command and light_command, and now
/// and then control_mode_command and motion_mode_command, so that it goes on after a restart of the chassis.
/// Commands that the catalogue has not got are left out.
[[nodiscard]] std::vector<Frame> host_frames(const protocol::Catalogue& catalogue, SimTime since_start);

/// After this time the script starts again.
[[nodiscard]] SimTime host_drive_length();

}  // namespace rangerctl::sim
