#include "cli/host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/procedure_run.hpp"
#include "io/diagnostics.hpp"
#include "io/drain.hpp"
#include "io/open_transport.hpp"
#include "io/stop_signal.hpp"
#include "io/wait.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::cli {
namespace {

using command::Action;
using command::Procedure;
using command::Report;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A command that runs, and nothing else does.
class Runner {
 public:
  Runner(Procedure& procedure, Transport& transport)
      : procedure_(procedure), transport_(transport), run_(procedure, transport) {}

  Report run() {
    while (true) {
      if (const auto stopped = io::stop_signal()) procedure_.stop({*stopped, "stopped"});
      Action action = run_.step();
      for (const std::string& warning : action.warnings) io::show_warning(warning);
      if (!action.progress.empty()) io::show_info(action.progress);
      if (action.end) return std::move(*action.end);
      wait(std::min(action.wake, steady_clock::now() + kLongestNap));
    }
  }

 private:
  static constexpr milliseconds kLongestNap{20};
  static constexpr int kMostDrains = 64;  ///< far more than any receive queue holds

  /// Takes what arrives until then. A transport that cannot be read any more ends the procedure, which may
  /// still have to send.
  void wait(SteadyTime wake) {
    if (!deaf_) take_frames(wake);
    if (deaf_) io::wait_until(wake);
    run_.end_round();
  }

  /// Also after a hold-up everything: what stays behind is older than what came before it.
  void take_frames(SteadyTime deadline) {
    const auto take = [this](const Received& received, SteadyTime now) {
      run_.take(received, now);
      return Result<void>();
    };
    auto drained = io::drain(transport_, buffer_, deadline, take);
    for (int more = 0; more < kMostDrains && drained && !*drained; ++more)
      drained = io::drain(transport_, buffer_, SteadyTime::min(), take);
    if (drained) return;
    procedure_.stop(drained.error());
    deaf_ = true;
  }

  Procedure& procedure_;
  Transport& transport_;
  ProcedureRun run_;
  bool deaf_ = false;
  std::array<Received, 256> buffer_;
};

bool is_stop(ExitStatus status) {
  return status == ExitStatus::interrupted || status == ExitStatus::terminated ||
         status == ExitStatus::hung_up;
}

std::string report_json(std::string_view name, const std::string& address, const Report& report) {
  nlohmann::ordered_json json{{"command", name},
                              {"address", address},
                              {"result", report.result},
                              {"exit_status", static_cast<int>(report.status)}};
  if (report.after) json["after"] = static_cast<double>(report.after->count()) / 1000;
  for (const command::Detail& detail : report.details) {
    if (detail.number) {
      json[detail.name] = *detail.number;
    } else {
      json[detail.name] = detail.words;
    }
  }
  json["text"] = report.text;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

Report not_opened(std::string_view name, const Error& error) {
  return {error.status, "not_sent", fmt::format("{}: {}", name, error.message)};
}

}  // namespace

/// The line on stdout even after a stop signal: it says what was confirmed.
ExitStatus show_report(std::string_view name, const std::string& address, const Report& report,
                       const HostOptions& options) {
  const bool is_result = report.status == ExitStatus::ok || is_stop(report.status);
  if (options.json || is_result) {
    const ExitStatus printed =
        print(options.json ? report_json(name, address, report) : printable(report.text) + '\n');
    if (printed != ExitStatus::ok) return printed;
  }
  return is_result ? report.status : fail({report.status, report.text});
}

void add_host_options(CLI::App& command, HostOptions& options) {
  command.add_flag("--json", options.json, "print the result as a JSON object");
}

ExitStatus fail_before(std::string_view name, const Error& error, const std::string& address,
                       const HostOptions& options) {
  if (error.status == ExitStatus::usage) return fail(error);
  return show_report(name, address, not_opened(name, error), options);
}

ExitStatus run_procedure(std::string_view name, Procedure& procedure, const std::string& address,
                         const HostOptions& options) {
  auto transport = io::open_transport(address, protocol::kDefaultCatalogue);
  if (!transport) return show_report(name, address, not_opened(name, transport.error()), options);
  if (!(*transport)->can_send() && !procedure.only_listens()) {
    const Error error{ExitStatus::usage, fmt::format("{}: a log takes no commands", address)};
    return show_report(name, address, not_opened(name, error), options);
  }
  if (!procedure.only_listens()) io::catch_suspend();
  return show_report(name, address, Runner(procedure, **transport).run(), options);
}

}  // namespace rangerctl::cli
