#include <array>

#include "cli/command.hpp"

namespace rangerctl::cli {
namespace {

constexpr std::array kLogCommands{add_log_record, add_log_replay, add_log_info, add_log_convert,
                                  add_log_diff};

}  // namespace

void add_log(CLI::App& app, const Globals& globals, Run& run) {
  CLI::App* const log = app.add_subcommand("log", "Record, replay, summarise, convert and compare logs");
  log->require_subcommand(1);
  for (const AddCommand add : kLogCommands) add(*log, globals, run);
  for (CLI::App* const command : log->get_subcommands({})) command->fallthrough();
}

}  // namespace rangerctl::cli
