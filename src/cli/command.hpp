#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "rangerctl/exit_status.hpp"
#include "rangerctl/result.hpp"

/// One file per subcommand; each adds its options to the application and says what to run.
namespace rangerctl::cli {

enum class ColorMode { automatic, always, never };

/// Options that stand before or after any command.
struct Globals {
  std::string address;  ///< of -i; empty: not given
  ColorMode color = ColorMode::automatic;

  /// The address to use: `own` (the command's own argument), else -i, else $RANGERCTL_INTERFACE, else "can0".
  [[nodiscard]] std::string address_or_default(const std::string& own) const;
};

/// What the chosen command does after all options are parsed.
using Run = std::function<ExitStatus()>;

/// Adds a subcommand; when it is chosen, its callback sets `run`. `globals` outlives the run.
using AddCommand = void (*)(CLI::App& app, const Globals& globals, Run& run);

void add_monitor(CLI::App& app, const Globals& globals, Run& run);
void add_decode(CLI::App& app, const Globals& globals, Run& run);
void add_explain(CLI::App& app, const Globals& globals, Run& run);
void add_protocol(CLI::App& app, const Globals& globals, Run& run);

/// Prints the error's message to stderr and returns its status: the one way a command fails.
ExitStatus fail(const Error& error);

/// argv -> exit status: the whole program.
int run_program(int argc, char** argv);

}  // namespace rangerctl::cli
