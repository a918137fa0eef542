#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/command/change.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::command {

/// Every word that `mode` takes, in the order of the catalogue: control modes, motion modes, drive modes.
[[nodiscard]] std::vector<std::string_view> mode_names(const protocol::Catalogue& catalogue);

struct ModeOptions {
  std::optional<std::chrono::milliseconds> timeout = {};  ///< default: by kind of mode
  bool wait = true;
};

/// The change behind `mode NAME`. A control mode is confirmed by system_status; a drive mode by
/// motion_mode_feedback; a motion mode by motion_mode_feedback and, since its number changes at once but the
/// wheels need about 0.6 s, by the wheels: they have the angles of the mode and have not moved for a while.
/// The error is of status usage and names the words that are accepted.
[[nodiscard]] Result<Change> mode_change(const protocol::Catalogue& catalogue, std::string_view name,
                                         const ModeOptions& options);

}  // namespace rangerctl::command
