#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
void add_mode(CLI::App& app, const Globals& globals, Run& run);
void add_clear_error(CLI::App& app, const Globals& globals, Run& run);
void add_lights(CLI::App& app, const Globals& globals, Run& run);
void add_send(CLI::App& app, const Globals& globals, Run& run);
void add_wait(CLI::App& app, const Globals& globals, Run& run);
void add_teleop(CLI::App& app, const Globals& globals, Run& run);
void add_sim(CLI::App& app, const Globals& globals, Run& run);
void add_log(CLI::App& app, const Globals& globals, Run& run);

// Commands of the group "log".
void add_log_record(CLI::App& app, const Globals& globals, Run& run);
void add_log_replay(CLI::App& app, const Globals& globals, Run& run);
void add_log_info(CLI::App& app, const Globals& globals, Run& run);
void add_log_diff(CLI::App& app, const Globals& globals, Run& run);
void add_log_convert(CLI::App& app, const Globals& globals, Run& run);

/// Checks an address: `-i "$BUS"` with an unset variable must not mean the robot. Empty: nothing is wrong.
[[nodiscard]] std::string check_address(const std::string& address);

/// An option that takes a duration, such as 20ms or 1.5s.
CLI::Option* add_duration(CLI::App& command, const std::string& name,
                          std::optional<std::chrono::milliseconds>& target, const std::string& help);

/// Adds an option that takes one of a few words. The usage error names them all.
template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& target,
                        std::vector<std::pair<std::string, Value>> words, const std::string& help) {
  const auto choose = [&target, name, words](const std::string& word) {
    std::string accepted;
    for (const auto& [text, value] : words) {
      if (text == word) {
        target = value;
        return;
      }
      accepted += accepted.empty() ? text : ", " + text;
    }
    throw CLI::ValidationError(name, "no '" + word + "'; use one of: " + accepted);
  };
  return command.add_option_function<std::string>(name, choose, help)->type_name("WORD");
}

/// Prints the error's message to stderr and returns its status: the one way a command fails.
ExitStatus fail(const Error& error);

/// Writes a result to stdout; a reader that has gone away is no failure.
ExitStatus print(std::string_view text);

/// argv -> exit status: the whole program.
int run_program(int argc, char** argv);

}  // namespace rangerctl::cli
