#pragma once

#include <optional>
#include <vector>

#include "rangerctl/analysis/analysis.hpp"

namespace rangerctl::analysis {

/// A stretch of a log in which an alarm was set, or in which an enumeration had a value. The signal is one of
/// a message from the chassis.
struct Stretch {
  const protocol::Message* message;
  const protocol::Signal* signal;
  std::int64_t value;           ///< the bit's number, or the raw value
  Timestamp from;               ///< its first frame
  bool since_before = false;    ///< it was so in the first frame that said anything about it
  std::optional<Timestamp> to;  ///< the first frame with something else; nothing: until the end of the log
};

/// Alarms (see protocol::is_alarm), in the order in which they were set. Only as far as Analysis::changes()
/// goes.
[[nodiscard]] std::vector<Stretch> alarm_stretches(const Analysis& analysis);
/// Values of enumerations, in the order in which they began; in each signal one follows the other.
[[nodiscard]] std::vector<Stretch> choice_stretches(const Analysis& analysis);

}  // namespace rangerctl::analysis
