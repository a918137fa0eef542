#include "cli/dashboard.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "io/stop_signal.hpp"
#include "io/wall_clock.hpp"
#include "rangerctl/monitor/keys.hpp"
#include "rangerctl/monitor/report.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using monitor::Request;
using monitor::Style;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How long frames are left to the kernel before they are taken together: waking for each would cost many
/// times as much, and its queue holds several hundred.
constexpr milliseconds kNap{20};
constexpr auto kNoticeTime = 6s;

/// A picture that somebody keeps.
struct Frozen {
  monitor::Watched watched;
  SteadyTime now;
};

class Dashboard {
 public:
  Dashboard(LiveFeed* live, ReplayFeed* replay, tui::Terminal& terminal, std::string_view address,
            const DashboardOptions& options)
      : live_(live),
        replay_(replay),
        feed_(live != nullptr ? static_cast<Feed&>(*live) : static_cast<Feed&>(*replay)),
        terminal_(terminal),
        address_(address),
        options_(options) {}

  /// A record that could not be written ends in an error, whatever ended the watching.
  Result<ExitStatus> run() {
    Result<ExitStatus> ended = watch();
    const Outcome record = end_record();
    if (record.style == Style::fault) return Error{ExitStatus::failed, record.text};
    return ended;
  }

 private:
  Result<ExitStatus> watch() {
    const auto period = std::chrono::duration_cast<SteadyTime::duration>(
        std::chrono::duration<double>(1.0 / options_.repaints_per_second));
    SteadyTime next_paint = steady_clock::now();
    while (true) {
      if (const auto stopped = io::stop_signal()) return *stopped;
      if (const auto advanced = feed_.advance(); !advanced) return advanced.error();
      step_clearing();
      watch_record();
      if (replay_ != nullptr) {
        if (std::string trouble = replay_->take_trouble(); !trouble.empty())
          tell(std::move(trouble), Style::fault);
      }
      const SteadyTime now = steady_clock::now();
      if (now >= next_paint) {
        paint(now);
        next_paint = now + period;
      }
      const tui::Terminal::Event event = terminal_.wait(kNap);
      if (event.vanished) return ExitStatus::hung_up;
      if (event.redraw || event.key) next_paint = steady_clock::now();
      if (event.key && !handle(*event.key)) return ExitStatus::ok;
    }
  }

  [[nodiscard]] monitor::Scene shown() const {
    return frozen_ ? monitor::Scene{frozen_->watched, frozen_->now} : feed_.scene();
  }

  void paint(SteadyTime now) {
    const std::string clock = clock_text();
    monitor::DrawOptions drawing{.ascii = options_.ascii,
                                 .graph = options_.graph,
                                 .address = address_,
                                 .clock = clock,
                                 .time_of_day = io::local_time_of_day};
    if (replay_ != nullptr) drawing.replay = replay_->view();
    if (const auto* const recorder = live_ != nullptr ? live_->recorder() : nullptr; recorder != nullptr)
      drawing.record = monitor::RecordView{recorder->frames(), recorder->lost(), recorder->failed()};
    if (now < notice_until_) {
      drawing.notice = notice_;
      drawing.notice_style = notice_style_;
    }
    terminal_.paint(monitor::draw(feed_.scene(), shown(), terminal_.size(), choices_, drawing));
  }

  /// Of the log, in a replay, where it has one.
  [[nodiscard]] std::string clock_text() const {
    if (replay_ == nullptr) return io::local_time_of_day(io::wall_clock().seconds);
    const Timestamp& time = feed_.scene().watched.state.time;
    return time.is_time_of_day() ? io::local_time_of_day(time.seconds) : "";
  }

  void tell(std::string text, Style style = Style::normal) {
    notice_ = std::move(text);
    notice_style_ = style;
    notice_until_ = steady_clock::now() + kNoticeTime;
  }
  struct Outcome {
    std::string text;
    Style style = Style::normal;
  };
  void tell(const Outcome& outcome) { tell(outcome.text, outcome.style); }
  void tell(const Result<void>& result) {
    if (!result) tell(result.error().message, Style::caution);
  }

  /// False: somebody wants to leave.
  bool handle(const terminal::Event& key) {
    notice_until_ = {};
    const Request request =
        monitor::react(choices_, key, {shown(), terminal_.size(), replay_ != nullptr, frozen_ != nullptr},
                       steady_clock::now());
    if (request.kind == Request::Kind::quit) return false;
    if (!request.refusal.empty()) tell(std::string(request.refusal), Style::caution);
    replay_ != nullptr ? do_in_replay(request) : do_live(request);
    if (request.kind == Request::Kind::save) save_report();
    return true;
  }

  void do_in_replay(const Request& request) {
    const milliseconds time(request.value);
    switch (request.kind) {
      case Request::Kind::pause:
        return replay_->toggle_pause();
      case Request::Kind::step:
        return tell(replay_->step(static_cast<int>(request.value)));
      case Request::Kind::speed:
        return replay_->change_speed(static_cast<int>(request.value));
      case Request::Kind::seek_by:
        return tell(replay_->seek_by(time));
      case Request::Kind::seek_to:
        return tell(replay_->seek_to(time));
      default:
        return;
    }
  }

  void do_live(const Request& request) {
    switch (request.kind) {
      case Request::Kind::freeze:
        return toggle_frozen();
      case Request::Kind::record:
        return toggle_record();
      case Request::Kind::clear:
        return clear_error(request.value);
      default:
        return;
    }
  }

  void toggle_frozen() {
    if (frozen_) {
      frozen_.reset();
      return;
    }
    const monitor::Scene scene = feed_.scene();
    frozen_ = std::make_unique<Frozen>(Frozen{scene.watched, scene.now});
  }

  // ---- Files ------------------------------------------------------------------------------------------

  void save_report() {
    const std::int64_t now = io::wall_clock().seconds;
    const std::string name = "rangerctl-faults-" + io::time_for_file_name(now) + ".txt";
    auto sink = io::RecordSink::create({name});
    if (!sink) return tell(sink.error().message, Style::fault);
    (*sink)->write(monitor::fault_report(feed_.scene(),
                                         {address_, io::local_date_and_time(now), io::local_time_of_day}));
    (*sink)->finish();
    (*sink)->failed() ? tell("cannot write " + name + ": " + (*sink)->trouble(), Style::fault)
                      : tell("saved " + name);
  }

  void toggle_record() {
    if (live_->recorder() != nullptr) return tell(end_record());
    record_name_ = "candump-" + io::time_for_file_name(io::wall_clock().seconds) + ".log";
    const auto started = live_->record(record_name_);
    started ? tell("recording to " + record_name_) : tell(started.error().message, Style::fault);
  }

  /// "recorded 1234 frames to candump-....log", or why not all of them; nothing where nothing was recorded.
  Outcome end_record() {
    const auto recorder = live_ != nullptr ? live_->end_record() : nullptr;
    if (recorder == nullptr) return {};
    recorder->finish();
    if (!recorder->failed())
      return {fmt::format("recorded {} frames to {}", recorder->written(), record_name_), Style::normal};
    return {
        fmt::format("{}: {}; {} frames are in it", record_name_, recorder->trouble(), recorder->written()),
        Style::fault};
  }

  void watch_record() {
    const auto* const recorder = live_ != nullptr ? live_->recorder() : nullptr;
    const bool failed = recorder != nullptr && recorder->failed();
    if (failed && !told_record_failed_) tell(record_name_ + ": " + recorder->trouble(), Style::fault);
    told_record_failed_ = failed;
  }

  // ---- Clearing errors --------------------------------------------------------------------------------

  void clear_error(std::int64_t bit) {
    const protocol::Catalogue& catalogue = protocol::kDefaultCatalogue;
    const protocol::Message* const status = catalogue.find("system_status");
    const protocol::Signal* const errors = protocol::find_signal(*status, "errors");
    const std::string_view word =
        bit == Request::kAllErrors ? "all" : protocol::flag_name(*errors, static_cast<unsigned>(bit));
    const auto code = command::parse_clear_code(catalogue, word);
    if (!code) return tell(code.error().message, Style::caution);
    if (live_->is_clearing()) return tell("another error is being cleared", Style::caution);
    tell(fmt::format("clear-error {}: looking at the bus", word));
    live_->clear_error(*code);
  }

  void step_clearing() {
    const auto action = live_ == nullptr ? std::nullopt : live_->step_clearing();
    if (!action) return;
    for (const std::string& warning : action->warnings) tell(warning, Style::caution);
    if (!action->progress.empty()) tell(action->progress);
    if (action->end)
      tell(action->end->text, action->end->status == ExitStatus::ok ? Style::good : Style::fault);
  }

  LiveFeed* live_;      ///< null: a replay
  ReplayFeed* replay_;  ///< null: live
  Feed& feed_;
  tui::Terminal& terminal_;
  std::string_view address_;
  DashboardOptions options_;
  monitor::Choices choices_;
  std::unique_ptr<Frozen> frozen_;
  std::string notice_;
  Style notice_style_ = Style::normal;
  SteadyTime notice_until_;
  std::string record_name_;
  bool told_record_failed_ = false;
};

}  // namespace

Result<ExitStatus> run_dashboard(LiveFeed& feed, tui::Terminal& terminal, std::string_view address,
                                 const DashboardOptions& options) {
  return Dashboard(&feed, nullptr, terminal, address, options).run();
}

Result<ExitStatus> run_dashboard(ReplayFeed& feed, tui::Terminal& terminal, std::string_view address,
                                 const DashboardOptions& options) {
  return Dashboard(nullptr, &feed, terminal, address, options).run();
}

}  // namespace rangerctl::cli
