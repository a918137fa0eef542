#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/frame_choice.hpp"
#include "cli/log_analysis.hpp"
#include "io/input.hpp"
#include "io/stop_signal.hpp"
#include "io/wall_clock.hpp"
#include "rangerctl/analysis/info.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  output::FrameChoiceWords choice;
  bool all = false;
  bool json = false;
  bool strict = false;
};

ExitStatus show_info_of(const std::string& file, const output::FrameChoice& choice, const Options& options) {
  const auto log = analyse_log(file, choice);
  if (!log) return fail(log.error());
  const std::string name = io::input_name(file);
  const analysis::InfoHead head{name, log->summary, log->error ? std::string_view(log->error->message) : "",
                                io::local_date_and_time};
  const auto detail = options.all ? analysis::Detail::all : analysis::Detail::overview;
  const ExitStatus printed = print(options.json ? analysis::info_json(log->analysis, head)
                                                : analysis::info_text(log->analysis, head, detail));
  if (printed != ExitStatus::ok) return printed;
  if (log->error) return fail(*log->error);
  return options.strict && log->summary.not_understood() > 0 ? ExitStatus::not_understood : ExitStatus::ok;
}

ExitStatus run_log_info(const Options& options) {
  auto choice = output::parse_frame_choice(options.choice, protocol::kDefaultCatalogue);
  if (!choice) return fail(choice.error());
  const auto files = options.files.empty() ? std::vector<std::string>{"-"} : options.files;
  ExitStatus status = ExitStatus::ok;
  for (const std::string& file : files) {
    if (&file != &files.front() && !options.json && print("\n") != ExitStatus::ok) return status;
    if (const ExitStatus one = show_info_of(file, *choice, options); one != ExitStatus::ok) status = one;
    if (io::stop_signal()) break;
  }
  return status;
}

}  // namespace

void add_log_info(CLI::App& app, const Globals& /*globals*/, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "info", "Say what is in a log: faults, modes, motion, energy, and how regularly messages came");
  command->add_option("FILE", options->files, "logs, also .gz and .zst; '-' or none: standard input");
  add_frame_choice(*command, options->choice);
  command->add_flag("--all", options->all, "every event, and the range of every signal");
  command->add_flag("--json", options->json, "one JSON object a log, with everything");
  command->add_flag("--strict", options->strict, "exit with 6 when a line was not understood");
  command->callback([options, &run] { run = [options] { return run_log_info(*options); }; });
}

}  // namespace rangerctl::cli
