#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/output/record_writer.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

/// What a user asks to see of a log or of a bus.
namespace rangerctl::output {

/// Frames whose id equals `id` in the bits of `mask`, among ids written in the same way (3 or 8 digits).
struct IdFilter {
  std::uint32_t id = 0;
  std::uint32_t mask = 0;
  bool eight_digits = false;  ///< 29-bit ids, and error frames as candump writes them: 20000004

  [[nodiscard]] bool matches(const Frame& frame) const;
};

/// "MESSAGE", "ID" or "ID:MASK" (hex, 3 digits at most or 8). An unknown name is a usage error with the
/// nearest one.
Result<IdFilter> parse_id_filter(std::string_view text, const protocol::Catalogue& catalogue);

/// "MESSAGE.SIGNAL". An unknown name is a usage error with the nearest one.
Result<SignalChoice> parse_signal_choice(std::string_view text, const protocol::Catalogue& catalogue);

/// One end of a time window.
struct TimeBound {
  bool relative = false;  ///< `time` counts from the first frame that has a time
  Timestamp time;
};

/// "SECONDS" as in the log, "+SECONDS" from the first frame, or local date and time
/// ("2024-04-05 19:34:38.5", also with T between, seconds may be missing).
Result<TimeBound> parse_time_bound(std::string_view text, log::LocalToUtc to_utc = log::local_to_utc);

/// A window in time; remembers the first time that it saw.
class TimeWindow {
 public:
  TimeWindow() = default;
  TimeWindow(std::optional<TimeBound> from, std::optional<TimeBound> to) : from_(from), to_(to) {}

  [[nodiscard]] bool is_open() const { return !from_ && !to_; }
  /// Whether a bound counts from the first time, and none was seen yet.
  [[nodiscard]] bool needs_first() const {
    return !first_ && ((from_ && from_->relative) || (to_ && to_->relative));
  }
  /// Whether `time` lies between both bounds, which are inclusive. Precondition: time.known().
  bool contains(const Timestamp& time);

 private:
  std::optional<TimeBound> from_;
  std::optional<TimeBound> to_;
  std::optional<Timestamp> first_;
};

}  // namespace rangerctl::output
