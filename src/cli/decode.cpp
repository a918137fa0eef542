#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/link_change.hpp"
#include "io/diagnostics.hpp"
#include "io/line_reader.hpp"
#include "io/open_transport.hpp"
#include "io/output.hpp"
#include "io/stop_signal.hpp"
#include "io/wait.hpp"
#include "rangerctl/output/filter.hpp"
#include "rangerctl/output/record_writer.hpp"
#include "rangerctl/output/summary.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;

/// As typed.
struct Options {
  std::vector<std::string> files;
  output::Format format = output::Format::text;
  std::vector<std::string> only;
  std::vector<std::string> signals;
  std::string from;
  std::string to;
  bool raw = false;
  bool strict = false;
};

/// Results leave in pieces of about this size, or whenever the input may have to wait.
constexpr std::size_t kFlushAt = std::size_t{256} * 1024;

/// Decodes, filters, writes and counts frames, wherever they come from.
class Decoder {
 public:
  static Result<std::unique_ptr<Decoder>> make(const Options& options, const protocol::Catalogue& catalogue);

  Decoder(const protocol::Catalogue& catalogue, output::WriterOptions options,
          std::vector<output::IdFilter> only, output::TimeWindow window)
      : catalogue_(catalogue),
        writer_(catalogue, std::move(options)),
        only_(std::move(only)),
        window_(window) {
    writer_.write_header(buffer_);
  }

  void take(const output::Record& record) {
    const output::Lookup found = output::look_up(catalogue_, record.frame);
    summary_.add_frame(record.frame, found.decoding);
    if (!in_window(record.time)) return;
    if (!passes(record.frame) || !writer_.write(record, found, buffer_)) summary_.add_left_out();
  }

  [[nodiscard]] bool is_full() const { return buffer_.size() >= kFlushAt; }
  /// False once the output cannot be written any more; output() says why.
  bool flush() {
    if (output_) output_ = io::write_stdout(buffer_.view());
    buffer_.clear();
    return output_.has_value();
  }
  [[nodiscard]] const Result<void>& output() const { return output_; }
  [[nodiscard]] output::Summary& summary() { return summary_; }

 private:
  [[nodiscard]] bool passes(const Frame& frame) const {
    if (only_.empty()) return true;
    for (const output::IdFilter& filter : only_) {
      if (filter.matches(frame)) return true;
    }
    return false;
  }

  bool in_window(const Timestamp& time) {
    if (window_.is_open()) return true;
    if (!time.known()) {
      summary_.add_timeless();
      return false;
    }
    const bool inside = window_.contains(time);
    if (!inside) summary_.add_left_out();
    return inside;
  }

  const protocol::Catalogue& catalogue_;
  output::RecordWriter writer_;
  output::TextBuffer buffer_;
  std::vector<output::IdFilter> only_;
  output::TimeWindow window_;
  output::Summary summary_;
  Result<void> output_;
};

Result<std::optional<output::TimeBound>> parse_bound(const std::string& text) {
  if (text.empty()) return std::optional<output::TimeBound>{};
  auto bound = output::parse_time_bound(text);
  if (!bound) return bound.error();
  return std::optional(*bound);
}

Result<std::unique_ptr<Decoder>> Decoder::make(const Options& options, const protocol::Catalogue& catalogue) {
  std::vector<output::IdFilter> only;
  for (const std::string& text : options.only) {
    auto filter = output::parse_id_filter(text, catalogue);
    if (!filter) return filter.error();
    only.push_back(*filter);
  }
  output::WriterOptions writer{.format = options.format, .raw = options.raw};
  for (const std::string& text : options.signals) {
    auto signal = output::parse_signal_choice(text, catalogue);
    if (!signal) return signal.error();
    writer.signals.push_back(*signal);
  }
  auto from = parse_bound(options.from);
  if (!from) return from.error();
  auto to = parse_bound(options.to);
  if (!to) return to.error();
  return std::make_unique<Decoder>(catalogue, std::move(writer), std::move(only),
                                   output::TimeWindow(*from, *to));
}

// ---- Logs -----------------------------------------------------------------------------------------------

/// Counts one line and hands its frame on.
void take_line(Decoder& decoder, log::CandumpParser& parser, const io::Line& line, log::LogFrame& frame,
               const std::string& file) {
  const log::LineKind kind =
      line.too_long ? log::LineKind::too_long : parser.parse(line.text, line.end, frame);
  decoder.summary().add_line(kind, [&] {
    return file.empty() ? fmt::format("line {}", line.number) : fmt::format("{}:{}", file, line.number);
  });
  if (kind == log::LineKind::drop_count) decoder.summary().add_dropped(frame.drops);
  if (kind != log::LineKind::frame) return;
  const log::XlFrame* const xl = frame.frame.kind == FrameKind::xl ? &frame.xl : nullptr;
  decoder.take({frame.time, frame.bus, frame.direction, frame.frame, xl});
}

/// `label` stands before line numbers; empty where only one file is read.
Result<void> decode_file(Decoder& decoder, const std::string& path, const std::string& label) {
  auto input = io::open_input(path);
  if (!input) return input.error();
  io::LineReader lines(std::move(*input));
  lines.before_wait([&] { return decoder.flush(); });
  log::CandumpParser parser(protocol::kDefaultCatalogue);
  const auto frame = std::make_unique<log::LogFrame>();
  io::Line line;
  while (decoder.output() && lines.next(line)) {
    take_line(decoder, parser, line, *frame, label);
    if (decoder.is_full()) decoder.flush();
  }
  if (lines.error()) return *lines.error();
  return {};
}

/// The last words of a run that came to its end as `status` says: what was counted, and what was wrong with
/// it.
ExitStatus finish(Decoder& decoder, ExitStatus status) {
  decoder.flush();
  const Result<void>& output = decoder.output();
  if (!output && output.error().status == ExitStatus::ok)
    return ExitStatus::ok;  // the reader has gone: nothing to say
  for (const std::string& row : decoder.summary().text()) io::show_info(row);
  return output || status != ExitStatus::ok ? status : fail(output.error());
}

ExitStatus decode_files(Decoder& decoder, const Options& options) {
  if (options.files.empty() && ::isatty(STDIN_FILENO) != 0) {
    io::show_info(
        "reading a candump log from the terminal; Ctrl-D ends it. Other uses: rangerctl decode --help");
  }
  const auto files = options.files.empty() ? std::vector<std::string>{"-"} : options.files;
  ExitStatus status = ExitStatus::ok;
  for (const std::string& file : files) {
    const auto decoded = decode_file(decoder, file, files.size() > 1 ? io::input_name(file) : std::string{});
    if (!decoded) status = fail(decoded.error());
    if (!decoder.output() || io::stop_signal()) break;
  }
  const output::Summary& summary = decoder.summary();
  if (status == ExitStatus::failed && summary.lines() == 0) return status;  // no file could be opened
  status = finish(decoder, status);
  if (status == ExitStatus::ok && decoder.output() && summary.frames() == 0) {
    io::show_warning("no frame found; is this a candump log? Record one with: candump -L can0 > drive.log");
  }
  const bool refused =
      options.strict && status == ExitStatus::ok && decoder.output() && summary.not_understood() > 0;
  return refused ? ExitStatus::not_understood : status;
}

// ---- Live -----------------------------------------------------------------------------------------------

/// The name that stands in the output: an interface's, "sim" or "replay".
std::string_view bus_name(std::string_view address) { return address.substr(0, address.find(':')); }

/// Until the transport ends, an error, a stop signal, or until nobody reads the output.
Result<void> follow(Decoder& decoder, Transport& transport) {
  constexpr auto kNap = 20ms;  // frames are taken in batches: waking up for each costs five times as much
  constexpr auto kPatience = 500ms;
  std::array<Received, 64> batch;
  LinkState before = LinkState::up;
  while (before != LinkState::ended && decoder.output()) {
    const auto count = transport.receive(batch, std::chrono::steady_clock::now() + kPatience);
    if (!count) return count.error();
    for (const Received& one : std::span(batch).first(*count)) {
      decoder.take({one.time, bus_name(transport.address()), one.direction, one.frame});
    }
    if (const auto stopped = io::stop_signal()) return Error{*stopped, {}};
    show_link_change(transport.address(), before, transport.status().state);
    before = transport.status().state;
    if (*count == batch.size() && !decoder.is_full()) continue;
    if (decoder.flush() && *count < batch.size()) io::wait_until(std::chrono::steady_clock::now() + kNap);
  }
  return {};
}

ExitStatus decode_live(Decoder& decoder, const std::string& address) {
  auto transport = io::open_transport(address, protocol::kDefaultCatalogue);
  if (!transport) return fail(transport.error());
  const auto followed = follow(decoder, **transport);
  decoder.summary().add_dropped((*transport)->status().dropped);
  return finish(decoder, followed ? ExitStatus::ok : fail(followed.error()));
}

ExitStatus run_decode(const Options& options, const Globals& globals) {
  const bool live = !globals.address.empty();
  if (live && !options.files.empty()) {
    return fail(
        {ExitStatus::usage, fmt::format("decode reads either {} or files, not both", globals.address)});
  }
  auto decoder = Decoder::make(options, protocol::kDefaultCatalogue);
  if (!decoder) return fail(decoder.error());
  return live ? decode_live(**decoder, globals.address) : decode_files(**decoder, options);
}

}  // namespace

void add_decode(CLI::App& app, const Globals& globals, Run& run) {
  const auto options = std::make_shared<Options>();
  CLI::App* const command =
      app.add_subcommand("decode", "Decode candump logs, standard input, or live traffic (-i)");
  command->add_option("FILE", options->files, "candump logs, also .gz and .zst; '-' or none: standard input");
  add_choice<output::Format>(
      *command, "--format", options->format,
      {{"text", output::Format::text}, {"json", output::Format::json}, {"csv", output::Format::csv}},
      "text, json (a line a frame) or csv (a row a signal)");
  command->add_option("--only", options->only, "only these frames: MESSAGE, ID or ID:MASK; repeatable")
      ->type_name("MESSAGE")
      ->allow_extra_args(false);
  command->add_option("--signal", options->signals, "only this signal: MESSAGE.SIGNAL; repeatable")
      ->type_name("SIGNAL")
      ->allow_extra_args(false);
  command
      ->add_option("--from", options->from,
                   "from this time on: seconds as in the log, +S, or local date and time")
      ->type_name("TIME");
  command->add_option("--to", options->to, "up to this time")->type_name("TIME");
  command->add_flag("--raw", options->raw, "raw integers instead of values with units and names");
  command->add_flag("--strict", options->strict, "exit with 6 when a line was not understood");
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_decode(*options, globals); }; });
}

}  // namespace rangerctl::cli
