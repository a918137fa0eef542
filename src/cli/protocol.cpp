#include <memory>

#include "cli/command.hpp"
#include "cli/protocol_json.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/dbc.hpp"
#include "rangerctl/protocol/table.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  bool json = false;
  bool dbc = false;
};

std::string catalogue_text(const Options& options) {
  const protocol::Catalogue& catalogue = protocol::kDefaultCatalogue;
  if (options.json) return protocol_json(catalogue).dump(2) + '\n';
  return options.dbc ? protocol::to_dbc(catalogue) : protocol::to_table(catalogue);
}

}  // namespace

void add_protocol(CLI::App& app, const Globals& /*globals*/, Run& run) {
  CLI::App* const command =
      app.add_subcommand("protocol", "Show every message that the robot sends and takes");
  const auto options = std::make_shared<Options>();
  CLI::Option* const json =
      command->add_flag("--json", options->json, "as JSON, with everything that is known");
  command->add_flag("--dbc", options->dbc, "as a DBC file, for cantools, SavvyCAN, Wireshark")
      ->excludes(json);
  command->callback([&run, options] { run = [options] { return print(catalogue_text(*options)); }; });
}

}  // namespace rangerctl::cli
