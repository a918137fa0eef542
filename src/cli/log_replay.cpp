#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/frame_choice.hpp"
#include "cli/host.hpp"
#include "cli/replay_log.hpp"
#include "cli/replay_run.hpp"
#include "io/diagnostics.hpp"
#include "io/socketcan.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/command/send.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::string file;
  output::FrameChoiceWords choice;
  std::vector<std::string> map;
  std::string speed;
  std::optional<std::string> max_speed;
  std::string loop;  ///< empty: not given; "0": without an end
  bool step = false;
  bool all = false;
  bool with_commands = false;
  HostOptions host;
};

Error usage(std::string message) { return {ExitStatus::usage, std::move(message)}; }

Result<void> check_address(const std::string& address) {
  if (!address.empty() && address != "sim" && address.find(':') == std::string::npos) return {};
  return usage(
      "log replay needs the CAN interface to send to: rangerctl log replay -i vcan0 FILE; to look at a log "
      "use any "
      "command with replay:FILE");
}

/// 0: until it is stopped.
Result<std::uint64_t> parse_passes(const std::string& text) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  if (text.empty()) return std::uint64_t{1};
  std::uint64_t passes = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, passes);
  if (error == std::errc{} && behind == end && passes <= kMost) return passes;
  return usage(fmt::format("--loop: '{}' is no number of passes; use --loop, or --loop=3", text));
}

/// Commands leave as they came, or not at all.
Result<void> check_commands(const Options& options, const replay::Plan& plan, const replay::BusMap& map) {
  if (!options.with_commands) {
    if (options.max_speed) return usage("--max-speed is for --with-commands: without it no command is sent");
    return {};
  }
  if (!plan.speed.is_one() || plan.passes != 1 || plan.by_step)
    return usage(
        "--with-commands goes with neither --speed, --loop nor --step: commands leave once, at their time");
  if (map.interfaces().size() > 1)
    return usage("--with-commands sends to one interface only; leave out other buses with --map BUS=-");
  return {};
}

Result<replay::Plan> make_plan(const Options& options) {
  replay::Plan plan;
  if (!options.speed.empty()) {
    const auto speed = replay::Speed::parse(options.speed);
    if (!speed) return speed.error();
    plan.speed = *speed;
  }
  const auto passes = parse_passes(options.loop);
  if (!passes) return passes.error();
  plan.passes = *passes;
  plan.by_step = options.step;
  plan.with_commands = options.with_commands;
  return plan;
}

Result<ReplayChoice> make_choice(const Options& options, const std::string& interface) {
  auto frames = output::parse_frame_choice(options.choice, protocol::kDefaultCatalogue);
  if (!frames) return frames.error();
  auto map = replay::BusMap::parse(options.map, interface);
  if (!map) return map.error();
  ReplayChoice choice{std::move(*frames),
                      {options.all, options.with_commands, command::kDefaultMaxSpeedMmps},
                      std::move(*map)};
  if (options.max_speed) {
    const auto speed = command::parse_max_speed(protocol::kDefaultCatalogue, *options.max_speed);
    if (!speed) return speed.error();
    choice.options.max_speed_mmps = *speed;
  }
  return choice;
}

/// Frames of two buses must not meet on one because nobody thought of it.
Result<void> check_buses(const ReplaySurvey& survey, const std::string& interface) {
  if (survey.buses.size() < 2) return {};
  std::string map;
  for (const std::string& bus : survey.buses)
    map += fmt::format(" --map {}={}", bus, bus == survey.buses.front() ? interface : "-");
  return usage(
      fmt::format("the log has frames of {} buses; say where each goes, for example:{} ('-' is nowhere)",
                  survey.buses.size(), map));
}

Result<std::vector<ReplayBus>> open_buses(const std::vector<std::string>& interfaces, bool with_commands) {
  std::vector<ReplayBus> buses;
  for (const std::string& interface : interfaces) {
    auto transport =
        io::open_socketcan(interface, with_commands ? io::Listen::to_all : io::Listen::to_others);
    if (!transport) return transport.error();
    buses.emplace_back(std::move(*transport));
  }
  return buses;
}

std::string span_text(std::chrono::nanoseconds length) {
  return fmt::format("{:.3f} s", std::chrono::duration<double>(length).count());
}

void tell(const ReplaySurvey& survey, const Options& options, const replay::BusMap& map) {
  if (survey.is_cut) io::show_warning("the last line of the log is cut, and left out");
  std::string text =
      fmt::format("{} frames, {}, to {}", survey.frames, span_text(survey.length), map.interfaces().front());
  const std::string left_out = survey.left_out.text();
  if (!left_out.empty()) text += "; left out: " + left_out;
  io::show_info(text);
  if (options.step) io::show_info("Enter sends the next frame, a number so many, q ends");
}

Error nothing_to_send(const ReplaySurvey& survey, const std::string& name) {
  const std::string left_out = survey.left_out.text();
  return {ExitStatus::failed, left_out.empty()
                                  ? fmt::format("{} has no frame", name)
                                  : fmt::format("{} has no frame to send; left out: {}", name, left_out)};
}

ExitStatus run_log_replay(const Options& options, const Globals& globals) {
  const std::string& interface = globals.address;
  const auto fail_with = [&](const Error& error) {
    return fail_before("replay", error, interface, options.host);
  };
  if (const auto checked = check_address(interface); !checked) return fail(checked.error());
  if (options.step && options.file == "-")
    return fail(usage(
        "--step reads what to do from standard input, where the log would come from; give it as a file"));
  auto plan = make_plan(options);
  if (!plan) return fail_with(plan.error());
  auto choice = make_choice(options, interface);
  if (!choice) return fail_with(choice.error());
  const replay::BusMap map = choice->map;
  if (const auto checked = check_commands(options, *plan, map); !checked) return fail_with(checked.error());
  auto log = ReplayLog::open(options.file, std::move(*choice));
  if (!log) return fail_with(log.error());
  const auto survey = log->survey();
  if (!survey) return fail_with(survey.error());
  if (const auto checked = check_buses(*survey, interface); !checked) return fail_with(checked.error());
  if (survey->frames == 0) return fail_with(nothing_to_send(*survey, io::input_name(options.file)));
  plan->frames = survey->frames;
  plan->moving = survey->moving;
  plan->length = survey->length;
  auto buses = open_buses(map.interfaces(), options.with_commands);
  if (!buses) return fail_with(buses.error());
  if (const auto begun = log->begin(*survey); !begun) return fail_with(begun.error());
  if (options.with_commands) io::catch_suspend();
  tell(*survey, options, map);
  return show_report("replay", interface, ReplayRun(*log, *survey, *plan, std::move(*buses)).run(),
                     options.host);
}

}  // namespace

void add_log_replay(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "replay",
      "Send a log to a CAN interface (-i), at its own times; feedback alone, unless more is asked for");
  command->add_option("FILE", options->file, "a log, also .gz and .zst; '-': standard input")->required();
  add_frame_choice(*command, options->choice);
  command->add_option("--speed", options->speed, "so many times as fast: 0.01 to 100")->type_name("X");
  command->add_flag("--loop{0}", options->loop, "again and again; --loop=N: N times in all");
  command->add_option("--map", options->map, "frames of bus A go to interface B, '-': nowhere; repeatable")
      ->type_name("A=B")
      ->allow_extra_args(false);
  command->add_flag("--step", options->step, "a frame each time that Enter is pressed");
  command->add_flag("--all", options->all, "also frames that the robot does not know");
  command->add_flag("--with-commands", options->with_commands,
                    "also commands, which can move the robot, under the supervision of send");
  command
      ->add_option("--max-speed", options->max_speed, "with commands: allow motion beyond 0.3 m/s up to this")
      ->type_name("M/S");
  add_host_options(*command, options->host);
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_log_replay(*options, globals); }; });
}

}  // namespace rangerctl::cli
