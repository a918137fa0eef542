#pragma once

#include <string>

#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::protocol {

/// A bit of a flags signal by a name that is its alone: "emergency_stop", "motor3 over_current", "battery
/// alarm undervoltage", or "bit9" where it has no name.
[[nodiscard]] std::string flag_words(const Message& message, const Signal& signal, unsigned bit);

/// What it means and what to do about it; empty where the sources say nothing.
[[nodiscard]] std::string flag_advice(const Flag& flag);

}  // namespace rangerctl::protocol
