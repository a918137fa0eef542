#include "rangerctl/command/clear_error.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/host.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::vector<std::string> words;
  std::optional<std::chrono::milliseconds> timeout;
  bool no_wait = false;
  bool list = false;
  HostOptions host;
};

ExitStatus run_clear_error(const Options& options, const Globals& globals) {
  const protocol::Catalogue& catalogue = protocol::kDefaultCatalogue;
  if (options.list) return print(command::clear_code_table(catalogue));
  if (options.words.empty())
    return fail({ExitStatus::usage, "which error? give a code or a name; see: rangerctl clear-error --list"});
  const std::string address = globals.address_or_default({});
  std::vector<command::ClearCode> codes;
  for (const std::string& word : options.words) {
    const auto code = command::parse_clear_code(catalogue, word);
    if (!code) return fail_before("clear-error", code.error(), address, options.host);
    if (std::find(codes.begin(), codes.end(), *code) == codes.end()) codes.push_back(*code);
  }
  command::ClearErrorOptions clear;
  if (options.timeout) clear.timeout = *options.timeout;
  clear.wait = !options.no_wait;
  command::ClearErrorProcedure procedure(catalogue, std::move(codes), clear);
  return run_procedure("clear-error", procedure, address, options.host);
}

}  // namespace

void add_clear_error(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command =
      app.add_subcommand("clear-error", "Clear errors and wait until the chassis shows that they are gone");
  command
      ->add_option("CODE", options->words,
                   "0x00 to 0x10, the name of a code or of an error, or all (0x00); several are allowed")
      ->type_name("");
  command->add_flag("--list", options->list, "print the table of codes and exit");
  add_duration(*command, "--timeout", options->timeout, "how long to wait for each code (default 2s)");
  command->add_flag("--no-wait", options->no_wait, "end as soon as the command is on the bus");
  add_host_options(*command, options->host);
  command->callback([options, &globals, &run] {
    run = [options, &globals] { return run_clear_error(*options, globals); };
  });
}

}  // namespace rangerctl::cli
