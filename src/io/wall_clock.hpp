#pragma once

#include <cstdint>
#include <string>

#include "rangerctl/frame.hpp"

/// The time of day, for people and files; deadlines and ages are on the steady clock.
namespace rangerctl::io {

/// Now, in microseconds.
[[nodiscard]] Timestamp wall_clock();

/// "14:03:20" in the local time zone, of seconds since 1970.
[[nodiscard]] std::string local_time_of_day(std::int64_t seconds);
/// "2026-11-30 14:03:20"
[[nodiscard]] std::string local_date_and_time(std::int64_t seconds);
/// "2026-11-30_140320", as candump names its logs.
[[nodiscard]] std::string time_for_file_name(std::int64_t seconds);

}  // namespace rangerctl::io
