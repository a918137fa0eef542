#pragma once

#include <string>
#include <string_view>

#include "rangerctl/monitor/draw.hpp"

namespace rangerctl::monitor {

/// What a report says about itself.
struct ReportHead {
  std::string_view address;                                    ///< as the user wrote it; may contain anything
  std::string_view made_at;                                    ///< local date and time
  std::string (*time_of_day)(std::int64_t seconds) = nullptr;  ///< as DrawOptions
};

/// The history of the faults as text for somebody who was not there: what is active and what to do about it,
/// every bit that was ever set with its times, all events that are kept, and the values of this moment.
[[nodiscard]] std::string fault_report(const Scene& scene, const ReportHead& head);

}  // namespace rangerctl::monitor
