#pragma once

#include <array>
#include <string_view>

namespace rangerctl::monitor {

struct Motor {
  int number;
  std::string_view place;
  std::string_view role;
};
inline constexpr std::array kMotors{Motor{1, "RF", "drive"}, Motor{2, "RR", "drive"}, Motor{3, "LR", "drive"},
                                    Motor{4, "LF", "drive"}, Motor{5, "RF", "steer"}, Motor{6, "RR", "steer"},
                                    Motor{7, "LR", "steer"}, Motor{8, "LF", "steer"}};

/// One letter for each bit of driver_status; the enable bit is a small letter, for it is never an alarm.
inline constexpr std::string_view kStatusLetters = "UMCDSFe7";

}  // namespace rangerctl::monitor
