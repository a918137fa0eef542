#include "cli/replay_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/diagnostics.hpp"
#include "io/drain.hpp"
#include "io/output.hpp"
#include "io/stop_signal.hpp"
#include "io/wait.hpp"
#include "io/wall_clock.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using replay::Step;
using std::chrono::steady_clock;

constexpr const protocol::Catalogue& kCatalogue = protocol::kDefaultCatalogue;

/// How often the bus is looked at: before every frame, and often enough for a robot that moves; what the
/// computer was suspended for is seen before anything leaves.
constexpr auto kLookWithCommands = 5ms;
constexpr auto kLook = 20ms;

std::array<Gate, 3> gates_of(Transport& transport) {
  return {Gate(kCatalogue, Role::host, transport), Gate(kCatalogue, Role::chassis, transport),
          Gate(kCatalogue, Role::nobody, transport)};
}

Error another_chassis(std::string_view interface, const Frame& frame) {
  return {ExitStatus::refused,
          fmt::format(
              "refused: a chassis sends feedback on {} (0x{:03X}), and the log's beside it could not be told "
              "apart; use a bus of its own: sudo ip link add vcan1 type vcan && sudo ip link set vcan1 up",
              interface, frame.id)};
}

std::string time_text(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace

ReplayBus::ReplayBus(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)), gates_(gates_of(*transport_)) {}

Result<Sent> ReplayBus::send(const Step& step, const Situation& situation) {
  return gates_.at(static_cast<std::size_t>(step.role)).send(step.frame, situation);
}

ReplayRun::ReplayRun(ReplayLog& log, const ReplaySurvey& survey, const replay::Plan& plan,
                     std::vector<ReplayBus> buses)
    : log_(log),
      survey_(survey),
      plan_(plan),
      buses_(std::move(buses)),
      machine_(kCatalogue, plan),
      watch_(buses_.front().transport()),
      next_look_(steady_clock::now()),
      writer_(kCatalogue, {.format = output::Format::text}) {}

command::Report ReplayRun::run() {
  while (true) {
    if (const auto stopped = io::stop_signal()) machine_.stop({*stopped, "stopped"});
    if (log_.error()) machine_.stop({ExitStatus::failed, log_.error()->message});
    const bool looks_always = plan_.with_commands || machine_.frames() == 0;
    if (looks_always || steady_clock::now() >= next_look_) look_around(steady_clock::now());
    const SteadyTime now = steady_clock::now();
    Step step = machine_.step(watch_.view(), log_.next(), now);
    switch (step.kind) {
      case Step::Kind::wait:
        io::wait_until(std::min(step.wake, next_look_));
        break;
      case Step::Kind::send:
        send(step, now);
        break;
      case Step::Kind::skip:
        log_.advance();
        break;
      case Step::Kind::rewind:
        rewind();
        break;
      case Step::Kind::end:
        progress_.clear();
        return with_advice(std::move(step.report), buses_.front().transport());
    }
    if (!step.warnings.empty()) progress_.clear();
    for (const std::string& warning : step.warnings) io::show_warning(warning);
  }
}

void ReplayRun::look_around(SteadyTime now) {
  next_look_ = now + (plan_.with_commands ? kLookWithCommands : kLook);
  for (ReplayBus& bus : buses_) take_frames(bus);
  watch_.end_round();
  if (plan_.by_step) take_lines();
  // A terminal that takes nothing may not hold up a robot that moves.
  if (!plan_.with_commands && !plan_.by_step && progress_.is_due(now)) show_progress(now);
}

void ReplayRun::take_frames(ReplayBus& bus) {
  const auto drained = io::drain(bus.transport(), buffer_, SteadyTime::min(),
                                 [this, &bus](const Received& received, SteadyTime now) {
                                   take(bus, received, now);
                                   return Result<void>();
                                 });
  if (!drained) return machine_.stop(drained.error());
  const LinkStatus status = bus.transport().status();
  if (status.state == LinkState::up && status.outages > 0)  // it may be another one now
    return machine_.stop(
        {ExitStatus::bus, fmt::format("{} was away for a moment", bus.transport().address())});
  const LinkState state = status.state;
  if (state == LinkState::up) return;
  machine_.stop({ExitStatus::bus, fmt::format("{} {}", bus.transport().address(),
                                              state == LinkState::down ? "went down" : "is gone")});
}

/// The log's own feedback is no news about a chassis.
void ReplayRun::take(ReplayBus& bus, const Received& received, SteadyTime now) {
  const Role role = role_of(kCatalogue, received.frame);
  const bool is_feedback = role == Role::chassis && !received.own_echo;
  if (is_feedback && !machine_.accepts_feedback())
    machine_.stop(another_chassis(bus.transport().address(), received.frame));
  if (received.own_echo && role != Role::host) return;
  watch_.take(received, now);
}

/// One after the other: a line counts when what the one before asked for has left.
void ReplayRun::take_lines() {
  while (machine_.permits() == 0) {
    const auto line = lines_.next();
    if (!line) break;
    std::uint64_t count = 1;
    const char* const end = line->text.data() + line->text.size();
    const auto [behind, error] = std::from_chars(line->text.data(), end, count);
    if (line->text == "q") return machine_.stop({ExitStatus::ok, "ended"});
    if (line->text.empty() || (error == std::errc{} && behind == end)) {
      machine_.permit(count);
    } else {
      io::show_warning("Enter sends the next frame, a number so many, q ends");
    }
  }
  if (lines_.ended() && machine_.permits() == 0) machine_.stop({ExitStatus::ok, "ended"});
}

void ReplayRun::send(const Step& step, SteadyTime now) {
  const auto result = buses_.at(step.bus).send(step, command::situation(watch_.view(), now));
  if (step.role == Role::host && result && *result == Sent::queued) watch_.note_sent(now);
  if (!machine_.sent(result, now)) {
    if (step.wake > now) io::wait_until(std::min(step.wake, next_look_));
    return;
  }
  if (plan_.by_step && result && *result == Sent::queued) show_sent(*log_.next());
  log_.advance();
}

void ReplayRun::show_sent(const replay::Item& item) {
  writer_.write({.time = io::wall_clock(),
                 .bus = buses_.at(item.bus).transport().address(),
                 .direction = FrameDirection::tx,
                 .frame = item.frame},
                text_);
  const auto written = io::write_stdout(text_.view());
  text_.clear();
  if (!written) machine_.stop(written.error());
}

void ReplayRun::rewind() {
  if (const auto begun = log_.begin(survey_); !begun) machine_.stop(begun.error());
}

void ReplayRun::show_progress(SteadyTime now) {
  const replay::Item* const next = log_.next();
  std::string text =
      fmt::format("{} of {}, {} frames", time_text(next == nullptr ? survey_.length : next->offset),
                  time_text(survey_.length), machine_.frames());
  if (plan_.passes != 1) text += fmt::format(", pass {}", machine_.pass());
  if (machine_.waits() > 0) text += fmt::format(", {} waits", machine_.waits());
  progress_.show(text, now);
}

}  // namespace rangerctl::cli
