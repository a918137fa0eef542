#include "cli/frame_choice.hpp"

namespace rangerctl::cli {

void add_frame_choice(CLI::App& command, output::FrameChoiceWords& words) {
  command.add_option("--only", words.only, "only these frames: MESSAGE, ID or ID:MASK; repeatable")
      ->type_name("MESSAGE")
      ->allow_extra_args(false);
  command.add_option("--not", words.except, "all but these frames; repeatable")
      ->type_name("MESSAGE")
      ->allow_extra_args(false);
  command
      .add_option("--from", words.from,
                  "from this time on: seconds as in the log, +S, or local date and time")
      ->type_name("TIME");
  command.add_option("--to", words.to, "up to this time")->type_name("TIME");
}

}  // namespace rangerctl::cli
