#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

/// The signals of the simulated chassis that are sets of flags, and how a person names one of their flags.
namespace rangerctl::sim {

struct FlagWordRow {
  std::string_view prefix;  ///< what stands before a flag's name: "motor3." of "motor3.over_current"
  std::string_view message;
  std::string_view signal;
  std::string_view healthy;  ///< the flags of a chassis without any trouble
};

/// A motor driver of a healthy chassis sends drive_enable_bit, see catalogue.hpp.
inline constexpr std::array kFlagWords{
    FlagWordRow{"", "system_status", "errors", "none"},
    FlagWordRow{"alarm_1.", "bms_alarms", "alarm_1", "none"},
    FlagWordRow{"alarm_2.", "bms_alarms", "alarm_2", "none"},
    FlagWordRow{"warning_1.", "bms_alarms", "warning_1", "none"},
    FlagWordRow{"warning_2.", "bms_alarms", "warning_2", "none"},
    FlagWordRow{"motor1.", "motor1_low_speed", "driver_status", "drive_enable_bit"},
    FlagWordRow{"motor2.", "motor2_low_speed", "driver_status", "drive_enable_bit"},
    FlagWordRow{"motor3.", "motor3_low_speed", "driver_status", "drive_enable_bit"},
    FlagWordRow{"motor4.", "motor4_low_speed", "driver_status", "drive_enable_bit"},
    FlagWordRow{"motor5.", "motor5_low_speed", "driver_status", "drive_enable_bit"},
    FlagWordRow{"motor6.", "motor6_low_speed", "driver_status", "drive_enable_bit"},
    FlagWordRow{"motor7.", "motor7_low_speed", "driver_status", "drive_enable_bit"},
    FlagWordRow{"motor8.", "motor8_low_speed", "driver_status", "drive_enable_bit"},
};

/// Index into kFlagWords of the errors of the whole chassis, the only flags that stay until they are cleared.
inline constexpr std::size_t kErrorsWord = 0;

/// Flags of one word.
struct FlagChoice {
  std::size_t word = kErrorsWord;  ///< index into kFlagWords
  std::uint32_t mask = 0;
  bool operator==(const FlagChoice&) const = default;
};

/// The signal of a row; null where the catalogue has none of that name.
[[nodiscard]] const protocol::Signal* find_flag_signal(const protocol::Catalogue& catalogue,
                                                       const FlagWordRow& row);

/// Which word a signal is; nothing where it is no set of flags of the simulated chassis.
[[nodiscard]] std::optional<std::size_t> find_flag_word(std::string_view message, std::string_view signal);

/// The mask of flags by name ("none" is 0); 0 too where the catalogue has not got them.
[[nodiscard]] std::uint32_t flag_mask(const protocol::Catalogue& catalogue, std::size_t word,
                                      std::string_view flags);

/// "emergency_stop", "bit9", "alarm_1.overvoltage", "motor3.over_current". An unknown name is a usage error
/// with the nearest one.
Result<FlagChoice> parse_flag_choice(const protocol::Catalogue& catalogue, std::string_view text);

}  // namespace rangerctl::sim
