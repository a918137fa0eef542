#include "cli/host.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "io/can_interfaces.hpp"
#include "io/diagnostics.hpp"
#include "io/open_transport.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::cli {
namespace {

using command::Action;
using command::Procedure;
using command::Report;
using command::View;
using std::chrono::steady_clock;

/// A command that runs: the procedure, its view, and the way in and out.
class Runner {
 public:
  Runner(Procedure& procedure, Transport& transport)
      : procedure_(procedure),
        transport_(transport),
        gate_(protocol::kDefaultCatalogue, Role::host, transport),
        view_(protocol::kDefaultCatalogue, protocol::ranger_mini_3::kBitRate, steady_clock::now()) {}

  Report run() {
    SteadyTime wake = steady_clock::now();
    while (true) {
      if (const auto taken = take_frames(wake); !taken)
        return {taken.error().status, "bus", taken.error().message};
      if (const auto stopped = io::stop_signal()) procedure_.stop(*stopped);
      const SteadyTime now = steady_clock::now();
      Action action = procedure_.step(view_, now);
      for (const std::string& warning : action.warnings) io::show_warning(warning);
      if (!action.progress.empty()) io::show_info(action.progress);
      if (action.frame) send(*action.frame, now);
      if (action.end) return with_advice(std::move(*action.end));
      wake = action.wake;
    }
  }

 private:
  /// Takes what is there, waiting for it until `deadline`; but under a flood not for ever.
  Result<void> take_frames(SteadyTime deadline) {
    constexpr int kMostBatches = 16;
    for (int batch = 0; batch < kMostBatches; ++batch) {
      const auto taken = transport_.receive(buffer_, deadline);
      if (!taken) return taken.error();
      const SteadyTime now = steady_clock::now();
      for (std::size_t i = 0; i < *taken; ++i) command::reduce(view_, buffer_[i], now);
      if (*taken < buffer_.size()) break;
    }
    const SteadyTime now = steady_clock::now();
    if (now - last_taken_ >= command::kHeldUp) command::forget_feedback(view_, now);
    last_taken_ = now;
    monitor::take_link(view_.chassis, transport_.status(), now);
    return {};
  }

  void send(const Frame& frame, SteadyTime now) {
    const auto result = procedure_.unchecked() ? gate_.send_unchecked(frame)
                                               : gate_.send(frame, command::situation(view_, now));
    if (result && *result == Sent::queued) command::note_sent(view_, now);
    procedure_.sent(result, now);
  }

  Report with_advice(Report report) const {
    if (report.status == ExitStatus::bus && transport_.status().state == LinkState::down)
      report.text += "; bring it up with: " + io::bring_up_command(std::string(transport_.address()));
    return report;
  }

  Procedure& procedure_;
  Transport& transport_;
  Gate gate_;
  View view_;
  SteadyTime last_taken_ = steady_clock::now();
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

/// The line on stdout even after a stop signal: it says what was confirmed.
ExitStatus show(std::string_view name, const std::string& address, const Report& report,
                const HostOptions& options) {
  const bool is_result = report.status == ExitStatus::ok || is_stop(report.status);
  if (options.json || is_result) {
    const ExitStatus printed =
        print(options.json ? report_json(name, address, report) : printable(report.text) + '\n');
    if (printed != ExitStatus::ok) return printed;
  }
  return is_result ? report.status : fail({report.status, report.text});
}

Report not_opened(std::string_view name, const Error& error) {
  return {error.status, "not_sent", fmt::format("{}: {}", name, error.message)};
}

}  // namespace

void add_host_options(CLI::App& command, HostOptions& options) {
  command.add_flag("--json", options.json, "print the result as a JSON object");
}

ExitStatus run_procedure(std::string_view name, Procedure& procedure, const std::string& address,
                         const HostOptions& options) {
  auto transport = io::open_transport(address, protocol::kDefaultCatalogue);
  if (!transport) return show(name, address, not_opened(name, transport.error()), options);
  if (!(*transport)->can_send() && !procedure.only_listens()) {
    const Error error{ExitStatus::usage, fmt::format("{}: a log takes no commands", address)};
    return show(name, address, not_opened(name, error), options);
  }
  return show(name, address, Runner(procedure, **transport).run(), options);
}

}  // namespace rangerctl::cli
