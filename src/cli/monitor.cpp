#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/dashboard.hpp"
#include "io/can_interfaces.hpp"
#include "io/diagnostics.hpp"
#include "io/open_transport.hpp"
#include "io/stop_signal.hpp"
#include "io/wall_clock.hpp"
#include "rangerctl/monitor/snapshot.hpp"
#include "rangerctl/monitor/state.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "tui/terminal.hpp"
#include "tui/terminfo.hpp"

namespace rangerctl::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct MonitorOptions {
  std::string address;
  bool once = false;
  bool json = false;
  bool ascii = false;
  monitor::Graph graph = monitor::Graph::braille;
  double repaints_per_second = 4;
  double timeout_seconds = 1.5;
};

// ---- Snapshots ----------------------------------------------------------------------------------------

/// Every message twice, so that it has a rate.
bool saw_everything(const monitor::State& state) {
  for (std::size_t i = 0; i < state.messages.size(); ++i) {
    if (monitor::is_expected(state.catalogue->messages()[i]) && state.messages[i].count < 2) return false;
  }
  return true;
}

Error no_answer(const monitor::State& state, std::string_view address, double timeout) {
  if (state.link.state == LinkState::down || state.link.state == LinkState::gone) {
    return {ExitStatus::bus, fmt::format("{}: the interface is {}; bring it up with: {}", address,
                                         state.link.state == LinkState::down ? "down" : "gone",
                                         io::bring_up_command(std::string(address)))};
  }
  if (state.link.state == LinkState::ended) {
    return {ExitStatus::no_answer, fmt::format("{}: no feedback of the chassis in this log", address)};
  }
  return {ExitStatus::no_answer,
          fmt::format(
              "{}: {} from the chassis within {} s; is it switched on, the cable connected and the bit rate "
              "500 kbit/s?",
              address, state.frame_count == 0 ? "nothing received" : "frames, but none", timeout)};
}

ExitStatus snapshot(Transport& transport, const MonitorOptions& options) {
  LiveFeed feed(transport);
  const monitor::State& state = feed.scene().watched.state;
  const auto timeout = std::chrono::duration<double>(options.timeout_seconds);
  const SteadyTime deadline = steady_clock::now() + std::chrono::duration_cast<milliseconds>(timeout);
  const auto is_complete = [&state] { return saw_everything(state) || state.link.state == LinkState::ended; };
  while (!is_complete() && steady_clock::now() < deadline) {
    if (const auto taken = feed.advance_until(deadline); !taken) return fail(taken.error());
    if (const auto stopped = io::stop_signal()) return *stopped;
  }
  const monitor::SnapshotHead head{transport.address(), io::wall_clock()};
  const auto make = options.json ? monitor::snapshot_json : monitor::snapshot_text;
  const ExitStatus printed = print(make(state, steady_clock::now(), head));
  if (printed != ExitStatus::ok || state.last_feedback) return printed;
  return fail(no_answer(state, transport.address(), options.timeout_seconds));
}

// ---- The screen ---------------------------------------------------------------------------------------

bool wants_colors(ColorMode mode) {
  if (mode != ColorMode::automatic) return mode == ColorMode::always;
  const char* const no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

DashboardOptions dashboard_options(const MonitorOptions& options) {
  return {options.ascii || !tui::speaks_utf8(), options.graph, options.repaints_per_second};
}

template <class AnyFeed>
ExitStatus watch_on_screen(AnyFeed& feed, std::string_view address, const MonitorOptions& options,
                           ColorMode colors) {
  const DashboardOptions dashboard = dashboard_options(options);
  auto terminal = tui::Terminal::open(wants_colors(colors));
  if (!terminal) return fail(terminal.error());
  const Result<ExitStatus> ended = run_dashboard(feed, **terminal, address, dashboard);
  terminal->reset();  // before anything is printed
  return ended ? ended.value() : fail(ended.error());
}

ExitStatus watch_log(const std::string& address, const std::string& file, const MonitorOptions& options,
                     ColorMode colors) {
  auto player = io::Player::open(file, protocol::kDefaultCatalogue);
  if (!player) return fail(player.error());
  ReplayFeed feed(std::move(*player));
  return watch_on_screen(feed, address, options, colors);
}

ExitStatus run_monitor(const MonitorOptions& options, const Globals& globals) {
  const std::string address = globals.address_or_default(options.address);
  const bool wants_snapshot = options.once || options.json;
  const std::string no_screen = tui::why_no_screen();
  const auto log = io::replayed_file(address);
  if (log && !wants_snapshot && no_screen.empty()) return watch_log(address, *log, options, globals.color);
  auto transport = io::open_transport(address, protocol::kDefaultCatalogue);
  if (!transport) return fail(transport.error());
  if (!wants_snapshot && no_screen.empty()) {
    LiveFeed feed(**transport);
    return watch_on_screen(feed, address, options, globals.color);
  }
  if (!wants_snapshot && tui::is_terminal())
    io::show_info(no_screen + ": printing one snapshot instead of the screen");
  return snapshot(**transport, options);
}

}  // namespace

void add_monitor(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<MonitorOptions>();
  CLI::App* const command = app.add_subcommand(
      "monitor", "Watch a chassis: its state, motion, battery, motors, errors and the bus");
  command
      ->add_option("address", options->address,
                   "can0, sim, replay:FILE (default: -i, $RANGERCTL_INTERFACE, can0)")
      ->check(check_address)
      ->type_name("ADDR");
  command->add_flag("--once", options->once, "print one snapshot as text, one line a message, and exit");
  command->add_flag("--json", options->json, "print one snapshot as a JSON object and exit");
  command->add_flag("--ascii", options->ascii, "draw with ASCII characters only");
  add_choice<monitor::Graph>(*command, "--graph", options->graph,
                             {{"braille", monitor::Graph::braille},
                              {"block", monitor::Graph::block},
                              {"ascii", monitor::Graph::ascii}},
                             "characters of the plots: braille (default), block or ascii");
  command->add_option("--rate", options->repaints_per_second, "repaints per second (default 4)")
      ->check(CLI::Range(1.0, 20.0))
      ->type_name("HZ");
  command
      ->add_option("--timeout", options->timeout_seconds,
                   "how long a snapshot waits for messages (default 1.5)")
      ->check(CLI::Range(0.01, 3600.0))
      ->type_name("SECONDS");
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_monitor(*options, globals); }; });
}

}  // namespace rangerctl::cli
