#include "rangerctl/command/send.hpp"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/host.hpp"
#include "io/diagnostics.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::cli {
namespace {

using std::chrono::milliseconds;

struct Options {
  std::vector<std::string> words;
  std::optional<milliseconds> every;
  std::optional<std::uint64_t> count;
  std::optional<milliseconds> duration;
  std::optional<std::string> max_speed;
  bool dry_run = false;
  bool is_unsafe = false;
  HostOptions host;
};

/// Decimal, whatever zeros stand in front.
std::uint64_t parse_count(const std::string& text) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > kMost)
    throw CLI::ValidationError("--count", fmt::format("'{}' is no number from 1 to {}", text, kMost));
  return count;
}

/// --for and --count without --every take the period that the message has.
Result<std::optional<milliseconds>> period(const Options& options, const Frame& frame) {
  if (options.every || (!options.count && !options.duration)) return options.every;
  const protocol::Message* const message = protocol::kDefaultCatalogue.find(frame);
  if (message == nullptr || message->period_ms == 0)
    return Error{ExitStatus::usage,
                 "--for and --count need --every here: this message has no period of its own"};
  return std::optional(milliseconds(message->period_ms));
}

Result<command::SendPlan> make_plan(const Options& options) {
  auto frame = command::parse_send_words(protocol::kDefaultCatalogue, options.words);
  if (!frame) return frame.error();
  auto every = period(options, *frame);
  if (!every) return every.error();
  command::SendPlan plan{
      *frame, *every, options.count, options.duration, command::kDefaultMaxSpeedMmps, options.is_unsafe};
  if (options.max_speed) {
    auto speed = command::parse_max_speed(protocol::kDefaultCatalogue, *options.max_speed);
    if (!speed) return speed.error();
    plan.max_speed_mmps = *speed;
  }
  return plan;
}

/// The limits of the table alone; nothing is opened.
ExitStatus show_frame(const command::SendPlan& plan, const Options& options, const std::string& address) {
  if (!plan.is_unsafe) {
    if (auto checked = check_table(protocol::kDefaultCatalogue, Role::host, plan.frame); !checked)
      return fail_before("send", checked.error(), address, options.host);
  }
  const std::string frame = log::written_frame(plan.frame);
  const std::string candump = log::candump_text(address, plan.frame);
  if (!options.host.json) return print(fmt::format("{}\n{}\n", frame, candump));
  const nlohmann::ordered_json json{{"command", "send"}, {"address", address}, {"result", "dry_run"},
                                    {"exit_status", 0},  {"frame", frame},     {"candump", candump}};
  return print(json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
}

ExitStatus run_send(const Options& options, const Globals& globals) {
  const std::string address = globals.address_or_default({});
  const auto plan = make_plan(options);
  if (!plan) return fail_before("send", plan.error(), address, options.host);
  if (options.dry_run) return show_frame(*plan, options, address);
  if (auto checked = command::check_plan(protocol::kDefaultCatalogue, *plan); !checked)
    return fail_before("send", checked.error(), address, options.host);
  if (plan->is_unsafe)
    io::show_warning(
        "--unsafe: no limit is checked, and neither the chassis nor other controllers are looked at");
  command::SendProcedure procedure(protocol::kDefaultCatalogue, *plan);
  return run_procedure("send", procedure, address, options.host);
}

}  // namespace

void add_send(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand("send", "Send a frame, raw or by name, once or periodically");
  command
      ->add_option("FRAME", options->words,
                   "111#0096000000000000, or a message and values: motion_command linear_velocity=0.15")
      ->required()
      ->type_name("");
  add_duration(*command, "--every", options->every, "send again and again, on an absolute timer");
  command
      ->add_option_function<std::string>(
          "--count", [options](const std::string& text) { options->count = parse_count(text); },
          "end after so many frames")
      ->type_name("N");
  add_duration(*command, "--for", options->duration, "end after this time; motion then ends with zeros");
  command
      ->add_option("--max-speed", options->max_speed,
                   "allow motion beyond 0.3 m/s up to this; in spin the speed of the wheels")
      ->type_name("M/S");
  command->add_flag(
      "--dry-run", options->dry_run,
      "print the frame and how candump shows it, checked against the table's limits; send nothing");
  command->add_flag("--unsafe", options->is_unsafe, "send whatever it is, without any check");
  add_host_options(*command, options->host);
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_send(*options, globals); }; });
}

}  // namespace rangerctl::cli
