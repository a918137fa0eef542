#pragma once

#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "rangerctl/command/procedure.hpp"

/// What the commands that talk to the chassis share.
namespace rangerctl::cli {

/// Options of each of them.
struct HostOptions {
  bool json = false;
};

/// Adds `--json`.
void add_host_options(CLI::App& command, HostOptions& options);

/// How such a command fails before anything is opened: like run_procedure(), but with wrong arguments (status
/// usage) there is no object.
ExitStatus fail_before(std::string_view name, const Error& error, const std::string& address,
                       const HostOptions& options);

/// Says how a command ended: the report is one line on stdout, as text or as a JSON object; a failure goes to
/// stderr too. Returns the status to exit with.
ExitStatus show_report(std::string_view name, const std::string& address, const command::Report& report,
                       const HostOptions& options);

/// Runs a procedure on an address to its end: frames in, frames out through the gate, stop signals handed on.
/// The report is shown by show_report(). `name` is the command's.
ExitStatus run_procedure(std::string_view name, command::Procedure& procedure, const std::string& address,
                         const HostOptions& options);

}  // namespace rangerctl::cli
