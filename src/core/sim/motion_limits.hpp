#pragma once

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/sim/body.hpp"

namespace rangerctl::sim {

/// The motion that a motion_command asks for, cut to the limits of the catalogue in the mode and at the wheel
/// angles of `body`. Precondition: the frame has at least the DLC of `command`.
[[nodiscard]] chassis::Motion limited_motion(const protocol::Message& command, const Frame& frame,
                                             const Body& body);

}  // namespace rangerctl::sim
