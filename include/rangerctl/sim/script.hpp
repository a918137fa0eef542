#pragma once

#include <optional>
#include <vector>

#include "rangerctl/sim/control.hpp"

namespace rangerctl::sim {

/// Controls that wait for their time, whatever the order in which they were added; those of the same time
/// act in that order.
class Script {
 public:
  void add(std::vector<TimedControl> lines);

  /// SimTime::max() where nothing waits.
  [[nodiscard]] SimTime next_at() const;

  /// The next control whose time is `now` or before, no longer waiting.
  std::optional<TimedControl> take(SimTime now);

 private:
  std::vector<TimedControl> waiting_;  ///< the next one last
};

}  // namespace rangerctl::sim
