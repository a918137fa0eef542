#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/protocol/schema.hpp"

/// Values of the status as text of fixed width, and words in lines.
namespace rangerctl::teleop {

/// Thousandths of m/s or rad/s: " +0.300"; seven columns.
[[nodiscard]] std::string speed_text(std::optional<std::int64_t> milli);
/// Thousandths of rad in degrees: "  +10.0"; seven columns.
[[nodiscard]] std::string degrees_text(std::optional<std::int64_t> mrad);
/// Where an angle or a yaw rate points: "left ", "right", "     ".
[[nodiscard]] std::string_view side_text(std::optional<std::int64_t> left);
/// " 28ms"; five columns.
[[nodiscard]] std::string age_text(std::optional<std::chrono::microseconds> age);
/// "w    ", "SPACE"; five columns.
[[nodiscard]] std::string key_text(char32_t key);
/// The value of a signal, as wide as the longest name that the signal has.
[[nodiscard]] std::string word(const protocol::Catalogue& catalogue, std::string_view message,
                               std::string_view signal, std::optional<std::int64_t> raw);

}  // namespace rangerctl::teleop
