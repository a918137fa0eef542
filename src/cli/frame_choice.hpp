#pragma once

#include "cli/command.hpp"
#include "rangerctl/output/frame_choice.hpp"

namespace rangerctl::cli {

/// Adds --only, --not, --from and --to.
void add_frame_choice(CLI::App& command, output::FrameChoiceWords& words);

}  // namespace rangerctl::cli
