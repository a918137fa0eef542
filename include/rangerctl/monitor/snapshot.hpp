#pragma once

#include <string>
#include <string_view>

#include "rangerctl/frame.hpp"
#include "rangerctl/monitor/state.hpp"

namespace rangerctl::monitor {

/// What a snapshot says about itself.
struct SnapshotHead {
  std::string_view address;  ///< as the user wrote it; may contain anything
  Timestamp time;            ///< wall-clock time of the snapshot
};

/// The state at `now` for reading and grep: the link, then one line a message with every signal by name,
/// ids that are not in the catalogue, error frames. Values of messages that are stale or were never received
/// are "----".
[[nodiscard]] std::string snapshot_text(const State& state, SteadyTime now, const SnapshotHead& head);

/// The same as one JSON object on one line. Numbers have exactly their signal's decimals; `signals` is null
/// where the message is stale or was never received.
[[nodiscard]] std::string snapshot_json(const State& state, SteadyTime now, const SnapshotHead& head);

}  // namespace rangerctl::monitor
