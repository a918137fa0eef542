#include "rangerctl/command/lights.hpp"

#include <memory>

#include "cli/host.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  command::Lights wanted = command::Lights::on;
  std::optional<std::chrono::milliseconds> hold;
  std::optional<std::chrono::milliseconds> timeout;
  HostOptions host;
};

ExitStatus run_lights(const Options& options, const Globals& globals) {
  if (options.wanted == command::Lights::release && options.hold)
    return fail({ExitStatus::usage, "lights release holds nothing: leave out --for"});
  command::LightsOptions lights;
  lights.hold = options.hold;
  if (options.timeout) lights.timeout = *options.timeout;
  command::LightsProcedure procedure(protocol::kDefaultCatalogue, options.wanted, lights);
  return run_procedure("lights", procedure, globals.address_or_default({}), options.host);
}

}  // namespace

void add_lights(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "lights", "Switch the lights for as long as the command runs, then give them back to the chassis");
  add_choice<command::Lights>(
      *command, "WHAT", options->wanted,
      {{"on", command::Lights::on}, {"off", command::Lights::off}, {"release", command::Lights::release}},
      "on, off, or release: give them back to the chassis")
      ->required();
  add_duration(*command, "--for", options->hold, "how long to hold them (default: until Ctrl-C)");
  add_duration(*command, "--timeout", options->timeout, "how long to wait for the confirmation (default 2s)");
  add_host_options(*command, options->host);
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_lights(*options, globals); }; });
}

}  // namespace rangerctl::cli
