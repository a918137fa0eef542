#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <exception>

#include "cli/command.hpp"
#include "io/diagnostics.hpp"
#include "io/output.hpp"
#include "io/standard_streams.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/duration.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::cli {
namespace {

constexpr std::array kCommands{add_monitor, add_decode, add_send, add_mode, add_clear_error, add_lights,
                               add_wait,    add_teleop, add_sim,  add_log,  add_explain,     add_protocol};

std::string exit_status_help() {
  std::string text = "Exit status:\n";
  for (const ExitStatusRow& row : kExitStatuses) {
    text += fmt::format("  {:<4} {}\n", static_cast<int>(row.status), row.meaning);
  }
  return text +
         "\nAn address is an interface (can0), sim or sim:SCENARIO (a simulated "
         "chassis; rangerctl sim --list), or replay:FILE (a log).";
}

struct Program {
  CLI::App app{"Watch, command and test an AgileX RANGER MINI 3.0 over CAN.", "rangerctl"};
  Globals globals;
  bool verbose = false;
  bool quiet = false;
  Run run;
};

void set_up(Program& program) {
  CLI::App& app = program.app;
  app.set_version_flag("--version", "rangerctl " RANGERCTL_VERSION);
  app.add_option("-i,--interface", program.globals.address,
                 "can0, sim, sim:SCENARIO or replay:FILE; else $RANGERCTL_INTERFACE, else can0")
      ->check(check_address)
      ->type_name("ADDR");
  add_choice<ColorMode>(
      app, "--color", program.globals.color,
      {{"auto", ColorMode::automatic}, {"always", ColorMode::always}, {"never", ColorMode::never}},
      "auto, always or never; NO_COLOR is honoured");
  app.add_flag("-v,--verbose", program.verbose, "say more on stderr");
  app.add_flag("-q,--quiet", program.quiet, "only errors on stderr, no summary");
  app.require_subcommand(1);
  app.fallthrough();
  for (const AddCommand add : kCommands) add(app, program.globals, program.run);
  for (CLI::App* const command : app.get_subcommands({})) {
    command->fallthrough();
    const std::string own = command->get_footer();
    command->footer(own + (own.empty() ? "" : "\n") +
                    "Options of every command, addresses and exit statuses: rangerctl --help");
  }
  app.footer(exit_status_help());  // last: a command would inherit it
}

/// The chosen command, with the group that it is in: "log info".
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.front());
}

std::string help_command(const CLI::App& app) {
  std::string words = "rangerctl ";
  for (const CLI::App* at = &app; !at->get_subcommands().empty();) {
    at = at->get_subcommands().front();
    words += at->get_name() + ' ';
  }
  return words + "--help";
}

bool is_group(const CLI::App& command) {
  return !command.get_subcommands([](const CLI::App*) { return true; }).empty();
}

std::string unknown_command_message(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* const command : innermost(app).get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return fmt::format("no command '{}'; see: {}{}", word, help_command(app),
                     suggestion(word, std::vector<std::string_view>(names.begin(), names.end())));
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> rest = app.remaining(true);
  const bool has_command = !is_group(innermost(app));
  if (!rest.empty() && rest.front().starts_with('-')) {
    return fmt::format("no option '{}' here; see: {}", rest.front(), help_command(app));
  }
  if (!rest.empty() && !has_command) return unknown_command_message(app, rest.front());
  if (!rest.empty())
    return fmt::format("'{}' is one argument too many; see: {}", rest.front(), help_command(app));
  if (!has_command && error.get_name() == "RequiredError")
    return "no command given; see: " + help_command(app);
  return fmt::format("{}; see: {}", error.what(), help_command(app));
}

ExitStatus parse_and_run(Program& program, int argc, char** argv) {
  CLI::App& app = program.app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(app.help());
  } catch (const CLI::CallForAllHelp&) {
    return print(app.help("", CLI::AppFormatMode::All));
  } catch (const CLI::CallForVersion& version) {
    return print(std::string(version.what()) + '\n');
  } catch (const CLI::ParseError& error) {
    return fail({ExitStatus::usage, usage_message(app, error)});
  }
  if (program.quiet && program.verbose) return fail({ExitStatus::usage, "either -q or -v, not both"});
  io::set_up_diagnostics(program.quiet     ? io::Verbosity::quiet
                         : program.verbose ? io::Verbosity::verbose
                                           : io::Verbosity::normal);
  return program.run();
}

}  // namespace

std::string Globals::address_or_default(const std::string& own) const {
  const char* const from_environment = std::getenv("RANGERCTL_INTERFACE");
  if (!own.empty()) return own;
  if (!address.empty()) return address;
  return from_environment != nullptr && *from_environment != '\0' ? from_environment : "can0";
}

std::string check_address(const std::string& address) {
  return address.empty() ? "an empty address; use an interface such as can0, sim, or replay:FILE" : "";
}

CLI::Option* add_duration(CLI::App& command, const std::string& name,
                          std::optional<std::chrono::milliseconds>& target, const std::string& help) {
  const auto take = [&target, name](const std::string& text) {
    const auto duration = parse_duration(text);
    if (!duration) throw CLI::ValidationError(name, duration.error().message);
    target = *duration;
  };
  return command.add_option_function<std::string>(name, take, help)->type_name("DURATION");
}

ExitStatus fail(const Error& error) {
  if (!error.message.empty()) io::show_error(error.message);
  return error.status;
}

ExitStatus print(std::string_view text) {
  const auto written = io::write_stdout(text);
  return written ? ExitStatus::ok : fail(written.error());
}

int run_program(int argc, char** argv) {
  io::keep_standard_streams();
  io::set_up_diagnostics(io::Verbosity::normal);
  io::catch_stop_signals();
  ExitStatus status = ExitStatus::failed;
  try {
    Program program;
    set_up(program);
    status = parse_and_run(program, argc, argv);
  } catch (const std::exception& unexpected) {
    status = fail({ExitStatus::failed, fmt::format("unexpected failure: {}", unexpected.what())});
  }
  return static_cast<int>(status);
}

}  // namespace rangerctl::cli
