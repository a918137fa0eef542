#include "rangerctl/interface_facts.hpp"

#include <array>

namespace rangerctl {

std::string_view controller_state_name(ControllerState state) {
  constexpr std::array<std::string_view, 6> kNames{"error-active", "error-warning", "error-passive",
                                                   "bus-off",      "stopped",       "sleeping"};
  return kNames[static_cast<std::size_t>(state)];
}

}  // namespace rangerctl
