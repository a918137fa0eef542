#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/sim/control.hpp"

namespace rangerctl::sim {

/// A state of the chassis to test other software against: a name for a script.
struct Scenario {
  std::string_view name;
  std::string_view meaning;
  std::string_view script;  ///< lines as parse_script_line() takes them, nothing that these cannot do
};

/// All of them; the first is the one without a name.
[[nodiscard]] std::span<const Scenario> scenarios();

/// The lines of the scenario of that name; of the first one where the name is empty. An unknown name is a
/// usage error with the nearest one and the list.
Result<std::vector<TimedControl>> load_scenario(const protocol::Catalogue& catalogue, std::string_view name);

/// The table that `sim --list` prints.
[[nodiscard]] std::string scenario_table();

}  // namespace rangerctl::sim
