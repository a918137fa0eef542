#include "cli/teleop_screen.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "io/wall_clock.hpp"
#include "rangerctl/terminal/handshake.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// Ten pictures in a second, and at once when the state changes.
constexpr auto kPaintEvery = 100ms;
/// A terminal that answers, and has not for so long, gets no picture but that of another state.
constexpr auto kSilent = 400ms;
constexpr std::chrono::milliseconds kGone = 1h;
constexpr std::size_t kMostLines = 200;

std::string time_of_day() {
  const Timestamp now = io::wall_clock();
  return fmt::format("{}.{:03}", io::local_time_of_day(now.seconds), now.nanoseconds / 1'000'000);
}

}  // namespace

Result<std::unique_ptr<TeleopScreen>> TeleopScreen::start(tui::Tty& tty, tui::Painter& painter,
                                                          const protocol::Catalogue& catalogue,
                                                          Options options) {
  io::Descriptor wake(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (wake.get() < 0)
    return Error{ExitStatus::failed, "cannot make an eventfd: " + std::generic_category().message(errno)};
  std::unique_ptr<TeleopScreen> screen(
      new TeleopScreen(tty, painter, catalogue, std::move(options), std::move(wake)));
  screen->thread_ = std::thread([&self = *screen] { self.run(); });
  return screen;
}

TeleopScreen::TeleopScreen(tui::Tty& tty, tui::Painter& painter, const protocol::Catalogue& catalogue,
                           Options options, io::Descriptor wake)
    : tty_(tty),
      painter_(painter),
      catalogue_(catalogue),
      options_(std::move(options)),
      wake_(std::move(wake)) {}

TeleopScreen::~TeleopScreen() {
  ends_ = true;
  wake();
  if (thread_.joinable()) thread_.join();
}

void TeleopScreen::wake() {
  const std::uint64_t one = 1;
  static_cast<void>(::write(wake_.get(), &one, sizeof one));  // a full counter wakes as well
}

void TeleopScreen::ask() {
  ++asked_;
  wake();
}

void TeleopScreen::show(const teleop::Status& status) {
  status_.put(status);
  wake();
}

void TeleopScreen::event(const teleop::Event& event) { static_cast<void>(events_.push(event)); }

void TeleopScreen::repaint() {
  all_anew_ = true;
  wake();
}

void TeleopScreen::run() {
  while (!ends_) {
    wait();
    tty_.writer().flush();
    write_queries();
    take_events();
    look_at_tcp();
    if (const teleop::Status* const newer = status_.take()) {
      newest_ = newer;
      is_news_ = true;
    }
    if (newest_ != nullptr && should_paint(*newest_)) paint();
    vanished_ = tty_.writer().vanished();
  }
}

void TeleopScreen::wait() {
  const bool pending = tty_.writer().pending() > 0;
  std::array<pollfd, 2> ready{{{wake_.get(), POLLIN, 0}, {pending ? tty_.output() : -1, POLLOUT, 0}}};
  ::poll(ready.data(), ready.size(), static_cast<int>(kPaintEvery.count()));
  std::uint64_t count = 0;
  static_cast<void>(::read(wake_.get(), &count, sizeof count));
}

void TeleopScreen::write_queries() {
  std::string queries;
  const std::uint32_t asked = asked_;
  for (std::uint32_t i = written_; i != asked; ++i) queries += terminal::kStatusQuery;
  if (!queries.empty() && tty_.writer().write(queries)) written_ = asked;
}

void TeleopScreen::take_events() {
  teleop::Event event;
  while (events_.pop(event)) add_line(teleop::event_text(event, catalogue_));
  if (options_.record != nullptr && options_.record->failed() && !told_record_failed_) {
    add_line(options_.record->trouble());
    told_record_failed_ = true;
  }
}

void TeleopScreen::add_line(std::string text) {
  lines_.push_back({time_of_day(), std::move(text)});
  if (lines_.size() > kMostLines) lines_.pop_front();
}

std::optional<std::chrono::milliseconds> TeleopScreen::tcp_missing() const {
  return options_.tcp ? std::optional(std::chrono::milliseconds(tcp_missing_ms_)) : std::nullopt;
}

/// A connection that is gone answers nothing any more.
void TeleopScreen::look_at_tcp() {
  const auto now = steady_clock::now();
  if (!options_.tcp || now - tcp_at_ < kPaintEvery) return;
  tcp_at_ = now;
  tcp_missing_ms_ = options_.tcp->missing().value_or(kGone).count();
}

bool TeleopScreen::should_paint(const teleop::Status& status) const {
  if (!is_news_ || !tty_.writer().idle()) return false;
  if (status.state != painted_state_) return true;
  if (status.facts.answers && status.facts.silence > kSilent) return false;
  return steady_clock::now() - painted_at_ >= kPaintEvery;
}

void TeleopScreen::measure_rate(const teleop::Status& status) {
  const auto now = steady_clock::now();
  const std::chrono::duration<double> passed = now - rate_since_;
  if (passed < 1s) return;
  if (rate_since_ != steady_clock::time_point{})
    rate_ = static_cast<double>(status.counters.sent - rate_from_) / passed.count();
  rate_since_ = now;
  rate_from_ = status.counters.sent;
}

std::string TeleopScreen::take_again() {
  painter_.repaint();
  std::string bytes = painter_.enter();
  bytes += terminal::kSwitchOn;
  if (newest_->key_releases) bytes += terminal::kSwitchOnReleases;
  return bytes;
}

void TeleopScreen::paint() {
  if (const auto size = tty_.size()) painter_.resize(*size);
  const monitor::Size size = painter_.size();
  fits_ = size.rows >= teleop::kLeastWindow.rows && size.columns >= teleop::kLeastWindow.columns;
  measure_rate(*newest_);
  const std::string clock = time_of_day();
  const teleop::DrawOptions drawing{.ascii = options_.ascii,
                                    .address = options_.address,
                                    .clock = std::string_view(clock).substr(0, 8),
                                    .recording = options_.record != nullptr && !options_.record->failed(),
                                    .sent_per_second = rate_};
  const std::vector<teleop::EventLine> lines(lines_.begin(), lines_.end());
  std::string bytes = all_anew_.exchange(false) ? take_again() : "";
  bytes += painter_.paint(teleop::draw(*newest_, lines, size, drawing, catalogue_));
  tty_.writer().write(bytes);
  painted_at_ = steady_clock::now();
  painted_state_ = newest_->state;
  is_news_ = false;
}

}  // namespace rangerctl::cli
