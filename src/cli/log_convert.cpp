#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/convert_target.hpp"
#include "cli/frame_choice.hpp"
#include "io/compress.hpp"
#include "io/diagnostics.hpp"
#include "io/log_pieces.hpp"
#include "io/new_file.hpp"
#include "io/progress_line.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/output/summary.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::string in;
  std::string out;
  std::string format;
  output::FrameChoiceWords choice;
  std::vector<std::string> signals;
  std::optional<std::chrono::milliseconds> grid;
  bool force = false;
  bool strict = false;
};

/// What was written, compressed where the name of the file asks for that.
class Target {
 public:
  Target(io::NewFile file, std::unique_ptr<io::Compressor> compressor)
      : file_(std::move(file)), compressor_(std::move(compressor)) {}

  /// Takes everything out of `text`.
  Result<void> write(output::TextBuffer& text) {
    Result<void> written = compressor_ == nullptr ? file_.write(text.view()) : compress(text.view());
    text.clear();
    return written;
  }
  Result<void> finish() {
    if (compressor_ != nullptr) {
      compressor_->finish(compressed_);
      if (auto written = file_.write(compressed_); !written) return written;
    }
    return file_.finish();
  }

 private:
  Result<void> compress(std::string_view text) {
    compressed_.clear();
    compressor_->add(text, compressed_);
    return file_.write(std::exchange(compressed_, {}));
  }

  io::NewFile file_;
  std::unique_ptr<io::Compressor> compressor_;
  std::string compressed_;
};

/// Copies a log piece by piece.
class Conversion {
 public:
  Conversion(output::FrameChoice choice, std::unique_ptr<convert::LogWriter> writer, Target target)
      : choice_(std::move(choice)), writer_(std::move(writer)), target_(std::move(target)) {}

  /// To the end of the log. The error is of writing.
  Result<void> run(io::LogPieces& log) {
    io::Piece piece;
    io::ProgressLine progress;
    while (log.next(frame_, piece)) {
      take(piece);
      if (text_.size() < kFlushAt) continue;
      if (auto written = target_.write(text_); !written) return written;
      if (const auto stopped = io::stop_signal()) return Error{*stopped, {}};
      const auto now = std::chrono::steady_clock::now();
      if (progress.is_due(now)) progress.show(fmt::format("{} frames", summary_.frames()), now);
    }
    if (const auto stopped = io::stop_signal()) return Error{*stopped, {}};
    writer_->finish(text_);
    return target_.write(text_);
  }
  Result<void> finish() { return target_.finish(); }

  [[nodiscard]] const output::Summary& summary() const { return summary_; }
  [[nodiscard]] std::vector<std::string> lost() const { return writer_->lost(); }

 private:
  static constexpr std::size_t kFlushAt = std::size_t{256} * 1024;

  void take(const io::Piece& piece) {
    summary_.add_line(piece.kind, piece.number);
    if (piece.kind == log::LineKind::drop_count) {
      summary_.add_dropped(frame_.drops);
      writer_->write_drops(frame_, text_);
    }
    if (piece.kind != log::LineKind::frame) return;
    summary_.add_frame(frame_.frame, output::look_up(protocol::kDefaultCatalogue, frame_.frame).decoding);
    if (choice_.wants(frame_.time, frame_.frame, summary_)) writer_->write(frame_, text_);
  }

  output::FrameChoice choice_;
  std::unique_ptr<convert::LogWriter> writer_;
  Target target_;
  log::LogFrame frame_;
  output::TextBuffer text_;
  output::Summary summary_;
};

Result<Conversion> prepare(const Options& options) {
  auto choice = output::parse_frame_choice(options.choice, protocol::kDefaultCatalogue);
  if (!choice) return choice.error();
  auto writer = make_target_writer({options.out, options.format, options.signals, options.grid},
                                   protocol::kDefaultCatalogue);
  if (!writer) return writer.error();
  const auto existing = options.force ? io::NewFile::Existing::replace : io::NewFile::Existing::keep;
  auto file = io::NewFile::create(options.out, existing);
  if (!file) return file.error();
  return Conversion(std::move(*choice), std::move(*writer),
                    Target(std::move(*file), io::make_compressor(options.out)));
}

/// What the log had, and what of it is not in the new one.
void tell(const Conversion& conversion) {
  for (const std::string& row : conversion.summary().text()) io::show_info(row);
  for (const std::string& row : conversion.lost()) io::show_warning(row);
}

/// A log that cannot be read to its end gives what was there: it may be all that anybody has.
ExitStatus run_log_convert(const Options& options) {
  io::tell_of_terminal(options.in);
  auto input = io::open_input(options.in);
  if (!input) return fail(input.error());
  auto conversion = prepare(options);
  if (!conversion) return fail(conversion.error());
  const auto log = io::read_log(std::move(*input), protocol::kDefaultCatalogue);
  if (const auto written = conversion->run(*log); !written) return fail(written.error());
  const output::Summary& summary = conversion->summary();
  const bool refused = options.strict && summary.not_understood() > 0;
  const bool useless = log->error() && summary.frames() == 0;
  if (!refused && !useless) {
    if (const auto finished = conversion->finish(); !finished) return fail(finished.error());
  }
  if (!useless) tell(*conversion);
  if (log->error()) return fail(*log->error());
  if (refused) io::show_error(fmt::format("{} was not written: not every line was understood", options.out));
  if (summary.frames() == 0) io::show_warning(io::input_name(options.in) + ": no frame found");
  return refused ? ExitStatus::not_understood : ExitStatus::ok;
}

}  // namespace

void add_log_convert(CLI::App& app, const Globals& /*globals*/, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command =
      app.add_subcommand("convert",
                         "Write a log in another format, or decoded; the format of IN is known by "
                         "its content, that of OUT by --format or its suffix");
  command->add_option("IN", options->in, "a log, also .gz and .zst; '-': standard input")->required();
  command
      ->add_option("OUT", options->out,
                   "the new file, compressed where it ends in .gz or .zst; '-': standard output")
      ->required();
  command->add_option("--format", options->format, target_help())->type_name("FORMAT");
  add_frame_choice(*command, options->choice);
  command
      ->add_option("--signal", options->signals,
                   "json, csv and wide: only this signal: MESSAGE.SIGNAL; repeatable")
      ->type_name("SIGNAL")
      ->allow_extra_args(false);
  add_duration(*command, "--grid", options->grid, "wide: time from row to row (20ms)");
  command->add_flag("--force", options->force, "replace OUT where it is there already");
  command->add_flag("--strict", options->strict,
                    "exit with 6, and write no file, when a line was not understood");
  command->callback([options, &run] { run = [options] { return run_log_convert(*options); }; });
}

}  // namespace rangerctl::cli
