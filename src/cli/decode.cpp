#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/frame_choice.hpp"
#include "cli/link_change.hpp"
#include "io/diagnostics.hpp"
#include "io/log_run.hpp"
#include "io/open_transport.hpp"
#include "io/output.hpp"
#include "io/stop_signal.hpp"
#include "io/wait.hpp"
#include "rangerctl/output/filter.hpp"
#include "rangerctl/output/frame_choice.hpp"
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
  output::FrameChoiceWords choice;
  std::vector<std::string> signals;
  bool raw = false;
  bool strict = false;
};

/// Decodes, filters, writes and counts frames, wherever they come from.
class DecodePart : public io::LogPartOf<DecodePart> {
 public:
  DecodePart(const protocol::Catalogue& catalogue, const output::WriterOptions& options,
             output::FrameChoice choice)
      : catalogue_(catalogue), writer_(catalogue, options), choice_(std::move(choice)) {}

  void take(const io::Piece& piece, const log::LogFrame& frame) {
    summary_.add_line(piece.kind, piece.number);
    if (piece.kind == log::LineKind::drop_count) summary_.add_dropped(frame.drops);
    if (piece.kind != log::LineKind::frame) return;
    const log::XlFrame* const xl = frame.frame.kind == FrameKind::xl ? &frame.xl : nullptr;
    take({frame.time, frame.bus, frame.direction, frame.frame, xl});
  }

  void take(const output::Record& record) {
    const output::Lookup found = output::look_up(catalogue_, record.frame);
    summary_.add_frame(record.frame, found.decoding);
    if (!choice_.wants(record.time, record.frame, summary_)) return;
    if (!writer_.write(record, found, text_)) summary_.add_left_out();
  }

  [[nodiscard]] output::TextBuffer& text() { return text_; }
  [[nodiscard]] output::FrameChoice& choice() { return choice_; }
  [[nodiscard]] const output::Summary& summary() const { return summary_; }
  void write_header() { writer_.write_header(text_); }
  void clear() {
    text_.clear();
    summary_ = {};
  }

 private:
  const protocol::Catalogue& catalogue_;
  output::RecordWriter writer_;
  output::TextBuffer text_;
  output::FrameChoice choice_;
  output::Summary summary_;
};

/// Puts the parts together on stdout.
class Decoder : public io::LogClient {
 public:
  static Result<Decoder> make(const Options& options, const protocol::Catalogue& catalogue);

  /// One part that is not of a log, with the header.
  std::unique_ptr<DecodePart> make_first() {
    auto part = std::make_unique<DecodePart>(*catalogue_, writer_, choice_);
    part->write_header();
    return part;
  }

  std::unique_ptr<io::LogPart> make_part() override {
    auto part = std::make_unique<DecodePart>(*catalogue_, writer_, choice_);
    parts_.push_back(part.get());
    return part;
  }
  bool take_over(io::LogPart& part, std::uint64_t pieces_before) override {
    auto& decoded = static_cast<DecodePart&>(part);
    if (choice_.needs_first()) share_first(decoded.choice());
    return take(decoded, pieces_before);
  }
  [[nodiscard]] bool needs_order() const override { return choice_.needs_first(); }

  /// False once the output cannot be written any more; output() says why.
  bool take(DecodePart& part, std::uint64_t pieces_before = 0) {
    summary_.append(part.summary(), pieces_before, file_);
    if (output_) output_ = io::write_stdout(part.text().view());
    part.clear();
    return output_.has_value();
  }

  /// Before each file; `label` stands before line numbers.
  void begin_file(std::string label) {
    file_ = std::move(label);
    parts_.clear();
  }

  [[nodiscard]] const Result<void>& output() const { return output_; }
  [[nodiscard]] output::Summary& summary() { return summary_; }

 private:
  Decoder(const protocol::Catalogue& catalogue, output::WriterOptions options, output::FrameChoice choice)
      : catalogue_(&catalogue), writer_(std::move(options)), choice_(std::move(choice)) {}

  /// The first time of all, from which relative bounds count, is known once a part has seen it.
  void share_first(const output::FrameChoice& choice) {
    choice_ = choice;
    for (DecodePart* const part : parts_) part->choice() = choice;
  }

  const protocol::Catalogue* catalogue_;
  output::WriterOptions writer_;
  output::FrameChoice choice_;
  std::string file_;
  std::vector<DecodePart*> parts_;  ///< of the file that is read
  output::Summary summary_;
  Result<void> output_;
};

Result<Decoder> Decoder::make(const Options& options, const protocol::Catalogue& catalogue) {
  auto choice = output::parse_frame_choice(options.choice, catalogue);
  if (!choice) return choice.error();
  output::WriterOptions writer{.format = options.format, .raw = options.raw};
  for (const std::string& text : options.signals) {
    auto signal = output::parse_signal_choice(text, catalogue);
    if (!signal) return signal.error();
    writer.signals.push_back(*signal);
  }
  return Decoder(catalogue, std::move(writer), std::move(*choice));
}

// ---- Logs -----------------------------------------------------------------------------------------------

/// `label` stands before line numbers; empty where only one file is read.
Result<void> decode_file(Decoder& decoder, const std::string& path, const std::string& label) {
  io::tell_of_terminal(path);
  auto input = io::open_input(path);
  if (!input) return input.error();
  decoder.begin_file(label);
  return io::run_log(std::move(*input), protocol::kDefaultCatalogue, decoder, io::useful_threads());
}

/// The last words of a run that came to its end as `status` says: what was counted, and what was wrong with
/// it.
ExitStatus finish(Decoder& decoder, ExitStatus status) {
  const Result<void>& output = decoder.output();
  if (!output && output.error().status == ExitStatus::ok)
    return ExitStatus::ok;  // the reader has gone: nothing to say
  for (const std::string& row : decoder.summary().text()) io::show_info(row);
  return output || status != ExitStatus::ok ? status : fail(output.error());
}

ExitStatus decode_files(Decoder& decoder, const Options& options) {
  const auto files = options.files.empty() ? std::vector<std::string>{"-"} : options.files;
  ExitStatus status = ExitStatus::ok;
  decoder.take(*decoder.make_first());
  for (const std::string& file : files) {
    const auto decoded = decode_file(decoder, file, files.size() > 1 ? io::input_name(file) : std::string{});
    if (!decoded) status = fail(decoded.error());
    if (!decoder.output() || io::stop_signal()) break;
  }
  const output::Summary& summary = decoder.summary();
  if (status == ExitStatus::failed && summary.lines() == 0) return status;  // no file could be opened
  status = finish(decoder, status);
  if (status == ExitStatus::ok && decoder.output() && summary.frames() == 0) {
    io::show_warning("no frame found; is this a candump log? Record one with: rangerctl log record");
  }
  const bool refused =
      options.strict && status == ExitStatus::ok && decoder.output() && summary.not_understood() > 0;
  return refused ? ExitStatus::not_understood : status;
}

// ---- Live -----------------------------------------------------------------------------------------------

/// The name that stands in the output: an interface's, "sim" or "replay".
std::string_view bus_name(std::string_view address) { return address.substr(0, address.find(':')); }

/// Until the transport ends, an error, a stop signal, or until nobody reads the output.
Result<void> follow(Decoder& decoder, DecodePart& part, Transport& transport) {
  constexpr auto kNap = 20ms;  // frames are taken in batches: waking up for each costs five times as much
  constexpr auto kPatience = 500ms;
  constexpr std::size_t kFlushAt = std::size_t{256} * 1024;
  std::array<Received, 64> batch;
  LinkState before = LinkState::up;
  while (before != LinkState::ended && decoder.output()) {
    const auto count = transport.receive(batch, std::chrono::steady_clock::now() + kPatience);
    if (!count) return count.error();
    for (const Received& one : std::span(batch).first(*count)) {
      part.take({one.time, bus_name(transport.address()), one.direction, one.frame});
    }
    if (const auto stopped = io::stop_signal()) return Error{*stopped, {}};
    show_link_change(transport.address(), before, transport.status().state);
    before = transport.status().state;
    if (*count == batch.size() && part.text().size() < kFlushAt) continue;
    if (decoder.take(part) && *count < batch.size()) io::wait_until(std::chrono::steady_clock::now() + kNap);
  }
  return {};
}

ExitStatus decode_live(Decoder& decoder, const std::string& address) {
  auto transport = io::open_transport(address, protocol::kDefaultCatalogue);
  if (!transport) return fail(transport.error());
  const auto part = decoder.make_first();
  const auto followed = follow(decoder, *part, **transport);
  decoder.take(*part);
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
  return live ? decode_live(*decoder, globals.address) : decode_files(*decoder, options);
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
  add_frame_choice(*command, options->choice);
  command->add_option("--signal", options->signals, "only this signal: MESSAGE.SIGNAL; repeatable")
      ->type_name("SIGNAL")
      ->allow_extra_args(false);
  command->add_flag("--raw", options->raw, "raw integers instead of values with units and names");
  command->add_flag("--strict", options->strict, "exit with 6 when a line was not understood");
  command->callback(
      [options, &globals, &run] { run = [options, &globals] { return run_decode(*options, globals); }; });
}

}  // namespace rangerctl::cli
