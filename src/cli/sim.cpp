#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/link_change.hpp"
#include "io/can_interfaces.hpp"
#include "io/diagnostics.hpp"
#include "io/drain.hpp"
#include "io/interface_facts.hpp"
#include "io/line_reader.hpp"
#include "io/live_lines.hpp"
#include "io/socketcan.hpp"
#include "io/stop_signal.hpp"
#include "io/wait.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/sim/chassis.hpp"
#include "rangerctl/sim/command_log.hpp"
#include "rangerctl/sim/scenario.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

struct SimOptions {
  std::string scenario;
  std::string script;
  bool real_bus = false;
  bool list = false;
};

constexpr const protocol::Catalogue& kCatalogue = protocol::kDefaultCatalogue;

// ---- Whether it may start -----------------------------------------------------------------------------

/// Two chassis on a bus cannot be told apart, and the false one hides what the true one reports.
bool is_feedback(const Frame& frame) { return role_of(kCatalogue, frame) == Role::chassis; }

Error another_chassis(std::string_view interface, const Frame& frame) {
  return {ExitStatus::refused,
          fmt::format("refused: another chassis sends feedback on {} (0x{:03X}); two of them cannot be told "
                      "apart. Use an interface of its own: sudo ip link add vcan1 type vcan && sudo ip link "
                      "set vcan1 up",
                      interface, frame.id)};
}

Result<void> check_kind(const std::string& interface) {
  const auto facts = io::interface_facts(interface);
  if (facts && (facts->kind == "vcan" || facts->kind == "vxcan")) return {};
  return Error{
      ExitStatus::refused,
      fmt::format("refused: {} is no virtual interface ({}); on a robot's bus false feedback hides an "
                  "emergency stop. Use vcan0, or, where no robot is on that bus, --real-bus",
                  interface,
                  !facts                ? facts.error().message
                  : facts->kind.empty() ? "its kind has no name"
                                        : "its kind is " + facts->kind)};
}

/// Listens before it speaks: longer than the period of any feedback.
Result<void> check_silence(Transport& transport) {
  constexpr auto kListen = 600ms;
  std::array<Received, 64> batch;
  const SteadyTime end = steady_clock::now() + kListen;
  while (steady_clock::now() < end) {
    const auto count = transport.receive(batch, end);
    if (!count) return count.error();
    if (const auto stopped = io::stop_signal()) return Error{*stopped, {}};
    for (std::size_t i = 0; i < *count; ++i) {
      if (is_feedback(batch[i].frame)) return another_chassis(transport.address(), batch[i].frame);
    }
  }
  return {};
}

Result<std::unique_ptr<Transport>> open_bus(const std::string& interface, bool real_bus) {
  auto transport = io::open_socketcan(interface, io::Listen::to_others);
  if (!transport) return transport.error();
  if (!real_bus) {
    if (auto checked = check_kind(interface); !checked) return checked.error();
  }
  if (auto checked = check_silence(**transport); !checked) return checked.error();
  return transport;
}

// ---- What it runs -------------------------------------------------------------------------------------

/// A line that is wrong is said and left out.
Result<std::vector<sim::TimedControl>> read_script(const std::string& path) {
  auto input = io::open_input(path);
  if (!input) return input.error();
  io::LineReader reader(std::move(*input));
  std::vector<sim::TimedControl> lines;
  io::Line line;
  while (reader.next(line)) {
    auto parsed = sim::parse_script_line(kCatalogue, line.text);
    if (!parsed) {
      io::show_warning(fmt::format("{}: line {}: {}", path, line.number, parsed.error().message));
    } else if (*parsed) {
      lines.push_back(std::move(**parsed));
    }
  }
  if (reader.error()) return *reader.error();
  return lines;
}

/// The chassis on its bus.
class Simulation {
 public:
  Simulation(Transport& transport, sim::Script script)
      : transport_(transport),
        gate_(kCatalogue, Role::chassis, transport),
        chassis_(kCatalogue),
        script_(std::move(script)) {}

  void schedule(std::vector<sim::TimedControl> scenario) { chassis_.schedule(std::move(scenario)); }

  /// Until a stop signal, another chassis, or an interface that cannot be used any more.
  ExitStatus run() {
    while (true) {
      if (const auto stopped = io::stop_signal()) return *stopped;
      if (const auto done = step(); !done) return fail(done.error());
      io::wait_until(next_wake());
    }
  }

  [[nodiscard]] std::string summary() const {
    const std::uint64_t lost = transport_.status().dropped;
    const std::string unseen = lost == 0 ? "" : fmt::format("; {} received frames lost unseen", lost);
    return fmt::format("sent {} frames, {} dropped; {}{}", sent_, dropped_, commands_.summary(), unseen);
  }

 private:
  /// How often commands and lines are looked for: seldom enough to cost little beside a thousand frames a
  /// second, often enough to seem at once.
  static constexpr auto kLookAround = 5ms;

  Result<void> step() {
    const SteadyTime now = steady_clock::now();
    if (now >= next_look_) {  // before time goes on, so that commands act soon where this computer is slow
      next_look_ = now + kLookAround;
      if (auto taken = take_frames(); !taken) return taken;
      take_lines();
    }
    advance(now - started_);
    return send_frames();
  }

  [[nodiscard]] SteadyTime next_wake() const {
    const sim::SimTime due = std::min(chassis_.next_due(), script_.next_at());
    return due < next_look_ - started_ ? started_ + due : next_look_;
  }

  /// Everything that is there: what stays behind would act late.
  Result<void> take_frames() {
    const auto drained =
        io::drain(transport_, batch_, steady_clock::now(),
                  [this](const Received& received, SteadyTime) { return take(received.frame); });
    if (!drained) return drained.error();
    show_link_change(transport_.address(), std::exchange(link_, transport_.status().state),
                     transport_.status().state);
    return {};
  }

  Result<void> take(const Frame& frame) {
    if (is_feedback(frame)) return another_chassis(transport_.address(), frame);
    if (const auto words = commands_.note(chassis_.apply(frame))) io::show_info(*words);
    return {};
  }

  void take_lines() {
    while (const auto line = lines_.next()) {
      const auto control = sim::parse_live_line(kCatalogue, line->text);
      if (!control) {
        io::show_warning(fmt::format("line {}: {}", line->number, control.error().message));
      } else if (*control) {
        chassis_.control(**control);
        io::show_info(fmt::format("line {}: {}", line->number, line->text));
      }
    }
  }

  void advance(sim::SimTime now) {
    while (const auto line = script_.take(now)) {
      chassis_.advance(line->at, frames_);
      chassis_.control(line->control);
      io::show_info(fmt::format("script: {}", line->text));
    }
    chassis_.advance(now, frames_);
  }

  Result<void> send_frames() {
    for (const sim::TimedFrame& one : frames_) {
      if (one.from_host) continue;
      if (auto sent = send(one); !sent) return sent;
    }
    frames_.clear();
    return {};
  }

  /// What cannot be sent in time is lost, as on a bus. After the process was stopped (Ctrl-Z) everything of
  /// that time is late.
  Result<void> send(const sim::TimedFrame& due) {
    constexpr auto kTooLate = 100ms;
    if (link_ != LinkState::up || steady_clock::now() - started_ - due.at > kTooLate) return drop();
    const auto sent = gate_.send(due.frame);
    if (!sent && transport_.status().state == LinkState::up) return sent.error();
    if (!sent || *sent == Sent::queue_full) return drop();
    ++sent_;
    return {};
  }

  Result<void> drop() {
    ++dropped_;
    return {};
  }

  Transport& transport_;
  Gate gate_;
  sim::Chassis chassis_;
  sim::Script script_;
  sim::CommandLog commands_;
  io::LiveLines lines_;
  SteadyTime started_ = steady_clock::now();
  SteadyTime next_look_ = started_;
  LinkState link_ = LinkState::up;
  std::array<Received, 64> batch_;
  std::vector<sim::TimedFrame> frames_;
  std::uint64_t sent_ = 0;
  std::uint64_t dropped_ = 0;
};

// ---- The command --------------------------------------------------------------------------------------

Result<void> check_bus_address(const std::string& address) {
  if (!address.empty() && address != "sim" && address.find(':') == std::string::npos) return {};
  return Error{
      ExitStatus::usage,
      "sim needs the CAN interface on which it is to be a chassis: rangerctl sim -i vcan0; without one, "
      "any command takes the address sim:SCENARIO"};
}

ExitStatus simulate(const SimOptions& options, const std::string& interface) {
  auto scenario = sim::load_scenario(kCatalogue, options.scenario);
  if (!scenario) return fail(scenario.error());
  sim::Script script;
  if (!options.script.empty()) {
    auto lines = read_script(options.script);
    if (!lines) return fail(lines.error());
    script.add(std::move(*lines));
  }
  auto transport = open_bus(interface, options.real_bus);
  if (!transport) return fail(transport.error());
  Simulation simulation(**transport, std::move(script));
  simulation.schedule(std::move(*scenario));
  io::show_info(fmt::format("{} has a simulated chassis now, in standby; Ctrl-C ends it", interface));
  const ExitStatus status = simulation.run();
  io::show_info(simulation.summary());
  return status;
}

ExitStatus run_sim(const SimOptions& options, const Globals& globals) {
  if (options.list) return print(sim::scenario_table());
  if (const auto checked = check_bus_address(globals.address); !checked) return fail(checked.error());
  return simulate(options, globals.address);
}

std::string control_help() {
  std::string text =
      "Lines on standard input act at once; in a script each begins with its time in seconds:\n";
  for (const sim::Verb& verb : sim::control_verbs())
    text += fmt::format("  {:<35} {}\n", fmt::format("{} {}", verb.name, verb.argument), verb.meaning);
  return text;
}

}  // namespace

void add_sim(CLI::App& app, const Globals& globals, Run& run) {
  const auto options = std::make_shared<SimOptions>();
  CLI::App* const command =
      app.add_subcommand("sim", "Be a chassis on a virtual CAN interface, to test other software");
  command->add_option("SCENARIO", options->scenario, "what it is like; without one healthy and at rest");
  command->add_option("--script", options->script, "lines that act at their time, see below")
      ->type_name("FILE");
  command->add_flag("--real-bus", options->real_bus, "also on an interface that is neither vcan nor vxcan");
  command->add_flag("--list", options->list, "print the scenarios and what they mean");
  command->footer(control_help());
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_sim(*options, globals); }; });
}

}  // namespace rangerctl::cli
