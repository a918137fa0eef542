#pragma once

#include <optional>
#include <string>

#include "rangerctl/analysis/analysis.hpp"
#include "rangerctl/output/frame_choice.hpp"
#include "rangerctl/output/summary.hpp"
#include "rangerctl/result.hpp"

/// What `log info` and `log diff` have in common.
namespace rangerctl::cli {

struct AnalysedLog {
  analysis::Analysis analysis;
  output::Summary summary;
  std::optional<Error> error = {};  ///< why it could not be read to its end
};

/// Reads a log by all threads that make sense; warns where it has no frame. The error: it cannot be opened,
/// or a stop signal, with its status and without a message.
Result<AnalysedLog> analyse_log(const std::string& file, const output::FrameChoice& choice);

}  // namespace rangerctl::cli
