#include "rangerctl/command/mode.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/host.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::vector<std::string> modes;
  command::ModeOptions mode;
  bool no_wait = false;
  HostOptions host;
};

ExitStatus run_mode(const Options& options, const Globals& globals) {
  const protocol::Catalogue& catalogue = protocol::kDefaultCatalogue;
  for (const std::string& mode : options.modes) {
    if (auto known = command::mode_change(catalogue, mode, options.mode); !known) return fail(known.error());
  }
  if (options.modes.size() > 1) {
    return fail({ExitStatus::usage, fmt::format("one mode at a time, not {}; run the command once for each",
                                                fmt::join(options.modes, " and "))});
  }
  command::ModeOptions mode = options.mode;
  mode.wait = !options.no_wait;
  command::ChangeProcedure procedure(
      std::move(*command::mode_change(catalogue, options.modes.front(), mode)));
  return run_procedure("mode", procedure, globals.address_or_default({}), options.host);
}

}  // namespace

void add_mode(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "mode", "Change the control, motion or drive mode and wait until the chassis confirms");
  command
      ->add_option("MODE", options->modes,
                   fmt::format("{}", fmt::join(command::mode_names(protocol::kDefaultCatalogue), ", ")))
      ->required()
      ->type_name("");
  add_duration(*command, "--timeout", options->mode.timeout,
               "how long to wait for the confirmation (default 5s for motion modes, else 1s)");
  command->add_flag("--no-wait", options->no_wait, "end as soon as the command is on the bus");
  add_host_options(*command, options->host);
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_mode(*options, globals); }; });
}

}  // namespace rangerctl::cli
