#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/frame_choice.hpp"
#include "io/diagnostics.hpp"
#include "io/input.hpp"
#include "io/log_run.hpp"
#include "io/stop_signal.hpp"
#include "io/wall_clock.hpp"
#include "rangerctl/analysis/info.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  output::FrameChoiceWords choice;
  bool all = false;
  bool strict = false;
};

class InfoPart : public io::LogPartOf<InfoPart> {
 public:
  explicit InfoPart(output::FrameChoice choice) : choice_(std::move(choice)) {}

  void take(const io::Piece& piece, const log::LogFrame& frame) {
    summary_.add_line(piece.kind, piece.number);
    if (piece.kind == log::LineKind::drop_count) analysis_.add_drops(frame.drops);
    if (piece.kind == log::LineKind::frame && choice_.wants(frame.time, frame.frame, summary_))
      analysis_.add(frame);
  }

  [[nodiscard]] const analysis::Analysis& analysis() const { return analysis_; }
  [[nodiscard]] const output::Summary& summary() const { return summary_; }
  [[nodiscard]] output::FrameChoice& choice() { return choice_; }
  void clear() {
    analysis_ = analysis::Analysis(protocol::kDefaultCatalogue);
    summary_ = {};
  }

 private:
  output::FrameChoice choice_;
  analysis::Analysis analysis_{protocol::kDefaultCatalogue};
  output::Summary summary_;
};

class Info : public io::LogClient {
 public:
  explicit Info(output::FrameChoice choice) : choice_(std::move(choice)) {}

  std::unique_ptr<io::LogPart> make_part() override {
    auto part = std::make_unique<InfoPart>(choice_);
    parts_.push_back(part.get());
    return part;
  }
  bool take_over(io::LogPart& part, std::uint64_t pieces_before) override {
    auto& taken = static_cast<InfoPart&>(part);
    if (choice_.needs_first()) {
      choice_ = taken.choice();
      for (InfoPart* const other : parts_) other->choice() = choice_;
    }
    analysis_.append(taken.analysis());
    summary_.append(taken.summary(), pieces_before, {});
    taken.clear();
    return !io::stop_signal();
  }
  [[nodiscard]] bool needs_order() const override { return choice_.needs_first(); }

  [[nodiscard]] const analysis::Analysis& analysis() const { return analysis_; }
  [[nodiscard]] const output::Summary& summary() const { return summary_; }

 private:
  output::FrameChoice choice_;
  std::vector<InfoPart*> parts_;
  analysis::Analysis analysis_{protocol::kDefaultCatalogue};
  output::Summary summary_;
};

ExitStatus show_info_of(const std::string& file, const output::FrameChoice& choice, const Options& options) {
  io::tell_of_terminal(file);
  auto input = io::open_input(file);
  if (!input) return fail(input.error());
  Info info(choice);
  const auto read = io::run_log(std::move(*input), protocol::kDefaultCatalogue, info, io::useful_threads());
  if (const auto stopped = io::stop_signal()) return *stopped;
  const std::string name = io::input_name(file);
  const analysis::InfoHead head{name, info.summary(), read ? std::string_view() : read.error().message,
                                io::local_date_and_time};
  const auto detail = options.all ? analysis::Detail::all : analysis::Detail::overview;
  const ExitStatus printed = print(analysis::info_text(info.analysis(), head, detail));
  if (printed != ExitStatus::ok) return printed;
  if (!read) return fail(read.error());
  if (info.analysis().frames() == 0)
    io::show_warning(name + ": no frame found; is this a candump log? Record one with: rangerctl log record");
  return options.strict && info.summary().not_understood() > 0 ? ExitStatus::not_understood : ExitStatus::ok;
}

ExitStatus run_log_info(const Options& options) {
  auto choice = output::parse_frame_choice(options.choice, protocol::kDefaultCatalogue);
  if (!choice) return fail(choice.error());
  const auto files = options.files.empty() ? std::vector<std::string>{"-"} : options.files;
  ExitStatus status = ExitStatus::ok;
  for (const std::string& file : files) {
    if (&file != &files.front() && print("\n") != ExitStatus::ok) return status;
    if (const ExitStatus one = show_info_of(file, *choice, options); one != ExitStatus::ok) status = one;
    if (io::stop_signal()) break;
  }
  return status;
}

}  // namespace

void add_log_info(CLI::App& app, const Globals& /*globals*/, Run& run) {
  auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "info", "Say what is in a log: faults, modes, motion, energy, and how regularly messages came");
  command->add_option("FILE", options->files, "logs, also .gz and .zst; '-' or none: standard input");
  add_frame_choice(*command, options->choice);
  command->add_flag("--all", options->all, "every event, and the range of every signal");
  command->add_flag("--strict", options->strict, "exit with 6 when a line was not understood");
  command->callback([options, &run] { run = [options] { return run_log_info(*options); }; });
}

}  // namespace rangerctl::cli
