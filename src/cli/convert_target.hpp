#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rangerctl/convert/log_writer.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::cli {

/// What somebody wants a log to become, as typed.
struct TargetWords {
  std::string file;                               ///< its suffix says the format where nothing else does
  std::string format;                             ///< empty: not given
  std::vector<std::string> signals;               ///< of decoded formats only
  std::optional<std::chrono::milliseconds> grid;  ///< of the table only
};

/// The writer for that. `catalogue` is kept by reference. The error is of status usage.
Result<std::unique_ptr<convert::LogWriter>> make_target_writer(const TargetWords& words,
                                                               const protocol::Catalogue& catalogue);

/// Every format in words.
[[nodiscard]] std::string target_help();

}  // namespace rangerctl::cli
