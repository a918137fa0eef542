#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/link_change.hpp"
#include "io/diagnostics.hpp"
#include "io/frame_recorder.hpp"
#include "io/open_transport.hpp"
#include "io/progress_line.hpp"
#include "io/stop_signal.hpp"
#include "io/wait.hpp"
#include "io/wall_clock.hpp"
#include "rangerctl/output/frame_choice.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/record/trigger.hpp"
#include "rangerctl/size.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Options {
  std::string address;
  std::string output;
  std::optional<std::uint64_t> file_bytes;
  std::optional<milliseconds> file_time;
  std::optional<unsigned> keep;
  std::string trigger;
  std::optional<milliseconds> before;
  std::optional<milliseconds> after;
  std::optional<milliseconds> sync;
  bool no_sync = false;
  std::optional<milliseconds> duration;
  std::optional<std::uint64_t> count;
  output::FrameChoiceWords choice;
  bool directions = false;
};

Result<void> check(const Options& options) {
  const bool is_cut = options.file_bytes || options.file_time;
  const auto wrong = [](std::string message) { return Error{ExitStatus::usage, std::move(message)}; };
  if (options.keep && !is_cut)
    return wrong("--keep needs files to choose from: add --rotate-size or --rotate-every");
  if (options.output == "-" && is_cut)
    return wrong("standard output is one stream: use -o FILE with --rotate-size or --rotate-every");
  if (options.trigger.empty() && (options.before || options.after))
    return wrong("--before and --after need --trigger");
  if (options.no_sync && options.sync) return wrong("either --sync or --no-sync, not both");
  return {};
}

Result<std::optional<record::Trigger>> make_trigger(const Options& options) {
  if (options.trigger.empty()) return std::optional<record::Trigger>();
  auto condition = record::parse_trigger(protocol::kDefaultCatalogue, options.trigger);
  if (!condition) return Error{condition.error().status, "--trigger: " + condition.error().message};
  record::TriggerOptions trigger{*condition, options.before.value_or(0ms), options.after};
  return std::optional<record::Trigger>(std::in_place, protocol::kDefaultCatalogue, std::move(trigger));
}

io::RecordOptions record_options(const Options& options) {
  const std::string by_time = "candump-" + io::time_for_file_name(io::wall_clock().seconds) + ".log";
  io::RecordOptions record{options.output.empty() ? by_time : options.output};
  record.file_bytes = options.file_bytes;
  record.file_time = options.file_time;
  record.keep = options.keep;
  if (options.no_sync) record.sync.reset();
  if (options.sync) record.sync = options.sync;
  return record;
}

/// A log has no interface; the one of the simulated chassis is called as its address is.
std::string bus_name(const Transport& transport) {
  const std::string_view address = transport.address();
  return std::string(transport.interface().empty() ? address.substr(0, address.find(':'))
                                                   : transport.interface());
}

/// A recording while it lasts.
class Recording {
 public:
  Recording(Transport& transport, io::FrameRecorder& recorder, const Options& options,
            std::optional<record::Trigger> trigger, output::FrameChoice choice)
      : transport_(transport),
        recorder_(recorder),
        options_(options),
        trigger_(std::move(trigger)),
        choice_(std::move(choice)) {}

  /// Until its end, as the options say, or what else ended it.
  Result<void> run() {
    // Frames are taken in batches: waking up for each costs five times as much.
    constexpr auto kNap = 40ms;
    constexpr auto kPatience = 200ms;
    while (!is_over()) {
      const auto count = transport_.receive(batch_, std::min(steady_clock::now() + kPatience, deadline()));
      if (!count) return count.error();
      take(std::span(batch_).first(*count));
      if (const auto stopped = io::stop_signal()) return Error{*stopped, {}};
      look_at_link();
      if (options_.output != "-" && progress_.is_due(steady_clock::now()))
        progress_.show(text(), steady_clock::now());
      if (*count < batch_.size()) io::wait_until(std::min(steady_clock::now() + kNap, deadline()));
    }
    return {};
  }

  void take_away_progress() { progress_.clear(); }

  /// "1234 frames in 12.0 s (103/s), 0 lost, 55.5 kB in drive.log, 12.3 GB free"
  [[nodiscard]] std::string text() const {
    const io::RecordSink& sink = recorder_.sink();
    const auto elapsed = std::chrono::duration<double>(steady_clock::now() - start_).count();
    std::string text =
        fmt::format("{} frames in {:.1f} s ({:.0f}/s), {} lost, {} in {}", recorder_.frames(), elapsed,
                    static_cast<double>(recorder_.frames()) / std::max(elapsed, 0.001),
                    transport_.status().dropped + recorder_.lost(), size_text(sink.bytes()), sink.file());
    if (sink.files() > 1) text += fmt::format(" ({} files)", sink.files());
    if (const auto free = sink.free_bytes()) text += fmt::format(", {} free", size_text(*free));
    if (trigger_)
      text += fmt::format(", triggered {}{}", trigger_->count(), trigger_->count() == 1 ? " time" : " times");
    return text;
  }

  /// Frames before a trigger that could not be kept.
  [[nodiscard]] std::uint64_t incomplete() const { return trigger_ ? trigger_->incomplete() : 0; }

 private:
  [[nodiscard]] bool is_over() const {
    return ended_ || recorder_.failed() || steady_clock::now() >= deadline() ||
           (options_.count && recorder_.frames() >= *options_.count);
  }

  [[nodiscard]] SteadyTime deadline() const {
    return options_.duration ? start_ + *options_.duration : SteadyTime::max();
  }

  void take(std::span<const Received> batch) {
    const std::uint64_t dropped = transport_.status().dropped;
    if (dropped != dropped_) recorder_.take_drops(dropped - dropped_);
    dropped_ = dropped;
    for (const Received& received : batch) {
      if (!choice_.wants(received.time, received.frame, left_out_)) continue;
      if (!trigger_) {
        record(received);
      } else {
        for (const Received& one : trigger_->take(received)) record(one);
      }
    }
  }

  void record(const Received& received) {
    if (!options_.count || recorder_.frames() < *options_.count) recorder_.take(received);
  }

  void look_at_link() {
    const LinkState now = transport_.status().state;
    if (now == before_) return;
    progress_.clear();
    show_link_change(transport_.address(), before_, now);
    ended_ = now == LinkState::ended;
    before_ = now;
  }

  Transport& transport_;
  io::FrameRecorder& recorder_;
  const Options& options_;
  std::optional<record::Trigger> trigger_;
  output::FrameChoice choice_;
  output::Summary left_out_;
  io::ProgressLine progress_;
  const SteadyTime start_ = steady_clock::now();
  LinkState before_ = LinkState::up;
  bool ended_ = false;
  std::uint64_t dropped_ = 0;
  std::array<Received, 64> batch_;  ///< what a transport gives at most at once: fewer are all there are
};

/// The last words, and the status.
ExitStatus finish(const Recording& recording, io::FrameRecorder& recorder, const Result<void>& ended) {
  recorder.finish();
  if (recorder.failed() && recorder.trouble().empty()) return ExitStatus::ok;  // nobody reads it any more
  io::show_info("recorded " + recording.text());
  if (recording.incomplete() > 0) {
    io::show_warning(
        fmt::format("{} times there was more before the trigger than the {} frames that are kept",
                    recording.incomplete(), record::Trigger::kMostKept));
  }
  if (const std::string trouble = recorder.trouble(); !trouble.empty()) {
    return fail({ExitStatus::failed, fmt::format("{}: {}; {} frames are in it", recorder.sink().file(),
                                                 trouble, recorder.written())});
  }
  if (recorder.lost() > 0)
    io::show_warning(fmt::format("the disk was too slow for {} frames; the log says where", recorder.lost()));
  return ended ? ExitStatus::ok : fail(ended.error());
}

ExitStatus run_log_record(const Options& options, const Globals& globals) {
  if (const auto checked = check(options); !checked) return fail(checked.error());
  auto trigger = make_trigger(options);
  if (!trigger) return fail(trigger.error());
  auto choice = output::parse_frame_choice(options.choice, protocol::kDefaultCatalogue);
  if (!choice) return fail(choice.error());
  auto transport =
      io::open_transport(globals.address_or_default(options.address), protocol::kDefaultCatalogue);
  if (!transport) return fail(transport.error());
  const auto directions = options.directions ? log::DirectionColumn::yes : log::DirectionColumn::no;
  auto recorder = io::FrameRecorder::create(record_options(options), bus_name(**transport), directions);
  if (!recorder) return fail(recorder.error());
  if (options.output != "-") io::show_detail("recording to " + (*recorder)->sink().file());
  Recording recording(**transport, **recorder, options, std::move(*trigger), std::move(*choice));
  const auto ended = recording.run();
  recording.take_away_progress();
  return finish(recording, **recorder, ended);
}

void add_files(CLI::App& command, Options& options) {
  command
      .add_option("-o,--output", options.output,
                  "file, also .gz or .zst, or - for standard output; default: candump-DATE_TIME.log here")
      ->type_name("FILE");
  const auto take_size = [&options](const std::string& text) {
    const auto size = parse_size(text);
    if (!size) throw CLI::ValidationError("--rotate-size", size.error().message);
    options.file_bytes = *size;
  };
  command
      .add_option_function<std::string>("--rotate-size", take_size,
                                        "begin another file before one is larger: 100MB")
      ->type_name("SIZE");
  add_duration(command, "--rotate-every", options.file_time, "begin another file after this time");
  command.add_option("--keep", options.keep, "keep only the last N files of this recording")
      ->check(CLI::Range(1U, 1'000'000U))
      ->type_name("N");
  add_duration(command, "--sync", options.sync, "how much a loss of power may cost (default 1s)");
  command.add_flag("--no-sync", options.no_sync, "leave it to the system when what was written is safe");
  command.add_flag("--direction", options.directions,
                   "say R (received) or T (sent here) behind each frame, as candump -x");
}

void add_choice_of_frames(CLI::App& command, Options& options) {
  command.add_option("--only", options.choice.only, "only these frames: MESSAGE, ID or ID:MASK; repeatable")
      ->type_name("MESSAGE")
      ->allow_extra_args(false);
  command
      .add_option("--trigger", options.trigger,
                  "record from here on: a message, an id, an error bit, or 'MESSAGE.SIGNAL OP VALUE'")
      ->type_name("CONDITION");
  add_duration(command, "--before", options.before, "and what came so long before the trigger");
  add_duration(command, "--after", options.after, "and only so long after it; then wait for the next");
  add_duration(command, "--for", options.duration, "end after this time");
  command.add_option("--count", options.count, "end after so many frames")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
      ->type_name("N");
}

}  // namespace

void add_log_record(CLI::App& app, const Globals& globals, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command =
      app.add_subcommand("record", "Record a bus to a candump log, without losing a frame");
  command
      ->add_option("address", options->address,
                   "can0, sim, replay:FILE (default: -i, $RANGERCTL_INTERFACE, can0)")
      ->check(check_address)
      ->type_name("ADDR");
  add_files(*command, *options);
  add_choice_of_frames(*command, *options);
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_log_record(*options, globals); }; });
}

}  // namespace rangerctl::cli
