#include "cli/log_analysis.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "io/diagnostics.hpp"
#include "io/input.hpp"
#include "io/log_run.hpp"
#include "io/stop_signal.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

class AnalysisPart : public io::LogPartOf<AnalysisPart> {
 public:
  explicit AnalysisPart(output::FrameChoice choice) : choice_(std::move(choice)) {}

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

class Analyser : public io::LogClient {
 public:
  explicit Analyser(output::FrameChoice choice) : choice_(std::move(choice)) {}

  std::unique_ptr<io::LogPart> make_part() override {
    auto part = std::make_unique<AnalysisPart>(choice_);
    parts_.push_back(part.get());
    return part;
  }
  bool take_over(io::LogPart& part, std::uint64_t pieces_before) override {
    auto& taken = static_cast<AnalysisPart&>(part);
    if (choice_.needs_first()) {
      choice_ = taken.choice();
      for (AnalysisPart* const other : parts_) other->choice() = choice_;
    }
    analysis_.append(taken.analysis());
    summary_.append(taken.summary(), pieces_before, {});
    taken.clear();
    return !io::stop_signal();
  }
  [[nodiscard]] bool needs_order() const override { return choice_.needs_first(); }

  [[nodiscard]] AnalysedLog take() { return {std::move(analysis_), std::move(summary_)}; }

 private:
  output::FrameChoice choice_;
  std::vector<AnalysisPart*> parts_;
  analysis::Analysis analysis_{protocol::kDefaultCatalogue};
  output::Summary summary_;
};

}  // namespace

Result<AnalysedLog> analyse_log(const std::string& file, const output::FrameChoice& choice) {
  io::tell_of_terminal(file);
  auto input = io::open_input(file);
  if (!input) return input.error();
  Analyser analyser(choice);
  const auto read =
      io::run_log(std::move(*input), protocol::kDefaultCatalogue, analyser, io::useful_threads());
  if (const auto stopped = io::stop_signal()) return Error{*stopped, {}};
  AnalysedLog log = analyser.take();
  if (!read) log.error = read.error();
  if (read && log.analysis.frames() == 0)
    io::show_warning(io::input_name(file) +
                     ": no frame found; is this a log? Record one with: rangerctl log record");
  return log;
}

}  // namespace rangerctl::cli
