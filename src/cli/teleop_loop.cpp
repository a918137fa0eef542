#include "cli/teleop_loop.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "io/stop_signal.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A decision that is older is not sent: whoever was stopped in between must not move the robot afterwards.
constexpr auto kFreshDecision = 20ms;
/// How many ticks between two statuses for the screen; a change is told at once.
constexpr std::uint64_t kTellEvery = 5;
/// Frames taken in one tick; the rest waits for the next. A receive queue holds a few hundred.
constexpr int kMostBatches = 64;
/// For the answers to the last status queries, at the end.
constexpr auto kAnswerPatience = 500ms;

milliseconds whole_ms(std::chrono::nanoseconds duration) {
  return std::chrono::floor<milliseconds>(duration);
}

teleop::Leave leave_of(ExitStatus status) {
  if (status == ExitStatus::hung_up) return teleop::Leave::hang_up;
  return status == ExitStatus::terminated ? teleop::Leave::terminate : teleop::Leave::interrupt;
}

}  // namespace

TeleopLoop::TeleopLoop(const Parts& parts, const protocol::Catalogue& catalogue, std::uint32_t bit_rate,
                       const teleop::Options& options)
    : parts_(parts),
      catalogue_(catalogue),
      dry_run_(options.dry_run),
      gate_(catalogue, Role::host, parts.transport),
      machine_(catalogue, bit_rate, options, steady_clock::now()),
      random_(std::random_device{}()),
      hold_ups_(parts.guard.hold_ups()) {}

Result<TeleopLoop::End> TeleopLoop::run() {
  auto ticker = io::Ticker::start(teleop::kPeriod);
  if (!ticker) return ticker.error();
  forget_what_waits();
  while (!end_) {
    wait(ticker->descriptor());
    take_input();
    if (const io::Tick due = ticker->take(); due.expirations > 0) tick(due);
  }
  await_answers();
  return End{*end_, vanished_};
}

/// What has waited since before the start is old, and would look new.
void TeleopLoop::forget_what_waits() {
  for (auto count = parts_.transport.receive(buffer_, SteadyTime::min()); count && *count > 0;)
    count = parts_.transport.receive(buffer_, SteadyTime::min());
}

void TeleopLoop::wait(int ticker) {
  const int keyboard = vanished_ ? -1 : parts_.tty.input();
  std::array<pollfd, 2> ready{{{ticker, POLLIN, 0}, {keyboard, POLLIN, 0}}};
  ::poll(ready.data(), ready.size(), -1);
}

/// An answer that comes after the end would be typed into the shell.
void TeleopLoop::await_answers() {
  const SteadyTime deadline = steady_clock::now() + kAnswerPatience;
  while (!vanished_ && machine_.unanswered() > 0 && steady_clock::now() < deadline) {
    pollfd keyboard{parts_.tty.input(), POLLIN, 0};
    ::poll(&keyboard, 1, 10);
    take_input();
  }
}

void TeleopLoop::take_event(const terminal::Event& event) {
  machine_.take(event, batch_, steady_clock::now());
}

void TeleopLoop::take_input() {
  if (vanished_) return;
  std::array<char, 4096> bytes;
  const tui::Tty::Read got = parts_.tty.read(bytes);
  const SteadyTime now = steady_clock::now();
  ++batch_;
  for (std::size_t i = 0; i < got.count; ++i) {
    if (const auto event = parts_.parser.take(bytes[i], now)) take_event(*event);
  }
  if (got.count > 0) {
    if (const auto event = parts_.parser.end_of_read()) take_event(*event);
  }
  if (const auto event = parts_.parser.idle(now)) take_event(*event);
  vanished_ = got.vanished;
}

void TeleopLoop::take_frames() {
  for (int batch = 0; batch < kMostBatches; ++batch) {
    const auto count = parts_.transport.receive(buffer_, SteadyTime::min());
    if (!count) {
      machine_.take_link({.state = LinkState::gone}, steady_clock::now());
      return;
    }
    const SteadyTime now = steady_clock::now();
    for (const Received& received : std::span(buffer_).first(*count)) {
      machine_.take(received, now);
      if (parts_.record != nullptr) parts_.record->frame(received);
    }
    if (*count == 0) break;
  }
  machine_.take_link(parts_.transport.status(), steady_clock::now());
}

void TeleopLoop::take_signals() {
  if (vanished_ || parts_.screen.vanished()) machine_.leave(teleop::Leave::hang_up);
  if (io::was_continued()) take_terminal_again();
  if (io::suspend_asked()) machine_.leave(teleop::Leave::suspend);
  if (const auto stopped = io::stop_signal()) machine_.leave(leave_of(*stopped));
}

/// Who continues this process after a SIGSTOP has used the terminal for itself.
void TeleopLoop::take_terminal_again() {
  parts_.tty.raw(false);
  parts_.guard.take_terminal();
  parts_.screen.repaint();
}

void TeleopLoop::tick(const io::Tick& due) {
  take_frames();
  take_signals();
  const std::uint32_t hold_ups = parts_.guard.hold_ups();
  const SteadyTime now = steady_clock::now();
  const teleop::Output output =
      machine_.step({.now = now,
                     .expirations = static_cast<int>(due.expirations),
                     .late = whole_ms(due.late),
                     .held_up = whole_ms(due.held_up),
                     .guard_alive = parts_.guard.alive(),
                     .guard_intervened = hold_ups != std::exchange(hold_ups_, hold_ups),
                     .guard_zeros = parts_.guard.zeros(),
                     .tcp_missing = parts_.screen.tcp_missing(),
                     .window_fits = parts_.screen.fits(),
                     .random = static_cast<std::uint32_t>(random_())});
  parts_.guard.beat(machine_.must_be_guarded(), machine_.standstill());
  for (const Frame& frame : output.to_send()) send(frame, now);
  if (output.ask_terminal) parts_.screen.ask();
  tell();
  end_ = output.end;
}

void TeleopLoop::send(const Frame& frame, SteadyTime decided) {
  const SteadyTime now = steady_clock::now();
  if (dry_run_) {
    if (parts_.record != nullptr) parts_.record->not_sent(frame, TeleopRecord::NotSent::dry_run);
    return;
  }
  const bool is_old = now - decided > kFreshDecision && commands_motion(catalogue_, frame);
  if (is_old) return;
  const auto result = gate_.send(frame, command::situation(machine_.view(), now));
  machine_.sent(result, now);
  if (parts_.record == nullptr || (result && *result == Sent::queued)) return;
  parts_.record->not_sent(frame, result ? TeleopRecord::NotSent::queue_full : TeleopRecord::NotSent::refused);
}

void TeleopLoop::tell() {
  for (const teleop::Event& event : machine_.events()) {
    parts_.screen.event(event);
    if (parts_.record != nullptr) parts_.record->event(event);
  }
  const bool is_due = ++ticks_ % kTellEvery == 0 || !machine_.events().empty();
  if (!is_due && parts_.record == nullptr) return;
  const teleop::Status status = machine_.status();
  if (is_due) parts_.screen.show(status);
  if (parts_.record == nullptr) return;
  for (const teleop::KeyRecord& key : machine_.keys()) parts_.record->key(key);
  std::array<teleop::Action, teleop::kRuleCount> actions;
  std::transform(status.findings.begin(), status.findings.end(), actions.begin(),
                 [](const teleop::Finding& finding) { return finding.action; });
  if (std::exchange(recorded_, actions) != actions) parts_.record->findings(status);
}

}  // namespace rangerctl::cli
