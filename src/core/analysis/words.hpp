#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rangerctl/analysis/timeline.hpp"

/// What info and diff share in wording.
namespace rangerctl::analysis {

/// "1 frame", "2 frames".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view thing);
/// "1712345678.123456", with the digits that it has; "-" where it is not known.
[[nodiscard]] std::string time_text(const Timestamp& time);
/// "+12.345" from `start` on; "-" where either is not known.
[[nodiscard]] std::string offset_text(const Timestamp& start, const Timestamp& time);
/// "0:27:46.123" (hours:minutes:seconds).
[[nodiscard]] std::string span_text(std::chrono::nanoseconds span);
/// "emergency_stop", "motor3 motor_overheated", "battery bit4".
[[nodiscard]] std::string alarm_name(const Stretch& alarm);
/// "7FF", "00000211", "211 rtr", "20000004 error".
[[nodiscard]] std::string id_text(const OtherId& id);
/// The same without what it is besides data: "211", "20000004".
[[nodiscard]] std::string bare_id_text(const OtherId& id);
/// "data", "rtr", "error", "fd", "xl".
[[nodiscard]] std::string_view kind_name(FrameKind kind);
/// Nanoseconds as milliseconds with a few digits.
[[nodiscard]] std::string milliseconds_text(double nanoseconds);
/// Frames of an id in a second, by its periods; 0 without any.
[[nodiscard]] double rate_of(const IdStatistics& id);

}  // namespace rangerctl::analysis
