#include <memory>
#include <string>

#include "cli/host.hpp"
#include "rangerctl/command/wait_for.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::string signal;
  std::string comparison;
  std::string value;
  std::optional<std::chrono::milliseconds> hold;
  std::optional<std::chrono::milliseconds> timeout;
  HostOptions host;
};

ExitStatus run_wait(const Options& options, const Globals& globals) {
  auto condition = command::parse_condition(protocol::kDefaultCatalogue, options.signal, options.comparison,
                                            options.value);
  if (!condition) return fail(condition.error());
  command::WaitOptions wait;
  if (options.hold) wait.hold = *options.hold;
  if (options.timeout) wait.timeout = *options.timeout;
  if (wait.hold >= wait.timeout)
    return fail({ExitStatus::usage, "--for must be shorter than --timeout, or it can never be true"});
  command::WaitProcedure procedure(std::move(*condition), wait);
  return run_procedure("wait", procedure, globals.address_or_default({}), options.host);
}

}  // namespace

void add_wait(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand("wait", "Wait until a signal has a value; for scripts");
  command->add_option("SIGNAL", options->signal, "MESSAGE.SIGNAL, as in system_status.control_mode")
      ->required()
      ->type_name("");
  command
      ->add_option(
          "OP", options->comparison,
          "==, !=, <, <=, >, >= (or eq, ne, lt, le, gt, ge, which need no quotes); for flags has or lacks")
      ->required()
      ->type_name("");
  command->add_option("VALUE", options->value, "in the unit of the signal, or a name")
      ->required()
      ->type_name("");
  add_duration(*command, "--for", options->hold, "it must stay true for so long");
  add_duration(*command, "--timeout", options->timeout, "give up after this (default 10s)");
  add_host_options(*command, options->host);
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_wait(*options, globals); }; });
}

}  // namespace rangerctl::cli
