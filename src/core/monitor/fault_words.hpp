#pragma once

#include <string>

#include "lists.hpp"
#include "view.hpp"

/// What there is to say about one error bit.
namespace rangerctl::monitor {

/// "emergency_stop", "battery alarm undervoltage", "motor3 over_current"
[[nodiscard]] std::string place_name(const FaultPlace& place);
/// How often it was set, and when it was set and cleared.
[[nodiscard]] std::string history_text(const PageView& view, const FaultPlace& place);
/// "clear-error 0x09", or that there is no such code.
[[nodiscard]] std::string code_text(const FaultPlace& place);
/// What it means and what to do about it.
[[nodiscard]] std::string advice(const FaultPlace& place);

}  // namespace rangerctl::monitor
