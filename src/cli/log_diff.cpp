#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/frame_choice.hpp"
#include "cli/log_analysis.hpp"
#include "io/diagnostics.hpp"
#include "io/input.hpp"
#include "rangerctl/analysis/diff.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::string a;
  std::string b;
  output::FrameChoiceWords choice;
  bool json = false;
};

/// Half a log would differ in what it does not have.
Result<AnalysedLog> analyse_whole(const std::string& file, const output::FrameChoice& choice) {
  auto log = analyse_log(file, choice);
  if (!log) return log;
  if (log->error) return *log->error;
  if (const std::uint64_t count = log->summary.not_understood(); count > 0)
    io::show_warning(fmt::format("{}: {} line{} not understood; see: rangerctl log info",
                                 io::input_name(file), count, count == 1 ? "" : "s"));
  return log;
}

ExitStatus run_log_diff(const Options& options) {
  if (options.a == "-" && options.b == "-")
    return fail({ExitStatus::usage, "standard input can be only one of both logs"});
  const auto choice = output::parse_frame_choice(options.choice, protocol::kDefaultCatalogue);
  if (!choice) return fail(choice.error());
  const auto a = analyse_whole(options.a, *choice);
  if (!a) return fail(a.error());
  const auto b = analyse_whole(options.b, *choice);
  if (!b) return fail(b.error());
  const auto write = options.json ? analysis::diff_json : analysis::diff_text;
  return print(write(a->analysis, b->analysis, io::input_name(options.a), io::input_name(options.b)));
}

}  // namespace

void add_log_diff(CLI::App& app, const Globals& /*globals*/, Run& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "diff", "What differs between two logs: ids, bits, values, ranges, rates; exits with 0 either way");
  command->add_option("A", options->a, "a log, for example with the lights off; '-': standard input")
      ->required();
  command->add_option("B", options->b, "another one, with the lights on")->required();
  add_frame_choice(*command, options->choice);
  command->add_flag("--json", options->json, "one JSON object");
  command->callback([options, &run] { run = [options] { return run_log_diff(*options); }; });
}

}  // namespace rangerctl::cli
