#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rangerctl/sim/body.hpp"
#include "rangerctl/sim/controller.hpp"

/// Where the simulated chassis takes the value of each feedback signal from.
namespace rangerctl::sim {

/// What a signal's value may depend on.
struct Sample {
  const Body& body;
  const Controller& controller;
  std::uint64_t sent;  ///< how many frames of this message went before
  std::size_t index;   ///< which motor, wheel or word of flags, where there are several alike
};

/// The physical value, in the unit that the catalogue gives the signal.
using ValueFunction = double (*)(const Sample& sample);

struct SignalSource {
  ValueFunction value;
  std::size_t index;
};

/// The source of a signal that follows the chassis; nothing for any other.
[[nodiscard]] std::optional<SignalSource> find_source(std::string_view message, std::string_view signal);

/// The value of a signal that never changes and is not zero, in the catalogue's words ("can"); empty for any
/// other.
[[nodiscard]] std::string_view find_constant(std::string_view message, std::string_view signal);

}  // namespace rangerctl::sim
