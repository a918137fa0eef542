#include "cli/feed.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "io/drain.hpp"
#include "io/wall_clock.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;

monitor::Watched fresh(SteadyTime start) {
  return {protocol::kDefaultCatalogue, protocol::ranger_mini_3::kBitRate, start};
}

/// A log plays on a clock of its own, which begins anywhere but at zero.
constexpr SteadyTime kLogStart{1h};

}  // namespace

// ---- Live ---------------------------------------------------------------------------------------------

LiveFeed::Clearing::Clearing(command::ClearCode code, Transport& transport)
    : procedure(protocol::kDefaultCatalogue, {code}, {}), run(procedure, transport) {}

LiveFeed::LiveFeed(Transport& transport) : transport_(transport), watched_(fresh(steady_clock::now())) {
  if (!transport.interface().empty()) driver_.emplace(std::string(transport.interface()));
}

Result<void> LiveFeed::advance_until(SteadyTime deadline) {
  constexpr auto kHeldUp = 1s;
  constexpr int kMostDrains = 64;  // far more than any receive queue holds
  const nanoseconds held_up = io::boot_time() - last_round_;
  auto drained = drain(deadline);
  // After a hold-up everything: what stays behind is older than what came before it.
  for (int more = 0; more < kMostDrains && held_up > kHeldUp && drained && !*drained; ++more)
    drained = drain(SteadyTime::min());
  if (!drained) return drained.error();
  note_round(steady_clock::now(), held_up > kHeldUp ? held_up : 0ns);
  last_round_ = io::boot_time();
  return {};
}

/// Whether nothing is left.
Result<bool> LiveFeed::drain(SteadyTime deadline) {
  return io::drain(transport_, buffer_, deadline, [this](const Received& received, SteadyTime now) {
    take(received, now);
    return Result<void>();
  });
}

monitor::Scene LiveFeed::scene() const { return {watched_, steady_clock::now()}; }

void LiveFeed::take(const Received& received, SteadyTime now) {
  monitor::reduce(watched_, received, now);
  if (recorder_ != nullptr) recorder_->take(received);
  if (clearing_ != nullptr) clearing_->run.take(received, now);
}

void LiveFeed::note_round(SteadyTime now, nanoseconds held_up) {
  const monitor::Moment moment{io::wall_clock(), now};
  if (held_up > 0ns)
    monitor::note_hold_up(watched_, moment, std::chrono::duration_cast<std::chrono::milliseconds>(held_up));
  const LinkStatus status = transport_.status();
  const std::uint64_t drops = status.dropped - watched_.state.link.dropped;
  if (recorder_ != nullptr && drops > 0) recorder_->take_drops(drops);
  monitor::take_link(watched_, status, moment);
  monitor::look_for_silence(watched_, moment);
  if (clearing_ != nullptr) clearing_->run.end_round();
  if (driver_) {
    if (auto facts = driver_->take()) monitor::take_interface(watched_, std::move(*facts), moment);
  }
}

Result<void> LiveFeed::record(const std::string& path) {
  const std::string_view name = transport_.interface();
  auto recorder = io::FrameRecorder::create({path}, std::string(name.empty() ? "sim" : name));
  if (!recorder) return recorder.error();
  recorder_ = std::move(*recorder);
  return {};
}

void LiveFeed::clear_error(command::ClearCode code) {
  clearing_ = std::make_unique<Clearing>(code, transport_);
}

std::optional<command::Action> LiveFeed::step_clearing() {
  if (clearing_ == nullptr) return std::nullopt;
  command::Action action = clearing_->run.step();
  if (action.end) clearing_.reset();
  return action;
}

// ---- Replay -------------------------------------------------------------------------------------------

ReplayFeed::ReplayFeed(std::unique_ptr<io::Player> player)
    : player_(std::move(player)), playback_(steady_clock::now()), watched_(fresh(kLogStart)) {}

monitor::Scene ReplayFeed::scene() const {
  return {*watched_, kLogStart + (catching_up_ ? last_ : taken_to_)};
}

Result<void> ReplayFeed::advance() {
  playback_.note_length(player_->length());
  nanoseconds target = playback_.position(steady_clock::now());
  if (target < reached()) {
    if (const auto begun = rewind(); !begun) {
      trouble_ = begun.error().message;
      playback_.seek_to(reached(), steady_clock::now());
      target = reached();
    }
  }
  take_frames(target);
  catching_up_ ? playback_.hold(steady_clock::now()) : playback_.release(steady_clock::now());
  if (!catching_up_) taken_to_ = target;
  if (player_->status().state == LinkState::ended) {
    playback_.note_end(last_);
    taken_to_ = last_;
    tell_error();
  }
  note_round();
  return {};
}

nanoseconds ReplayFeed::reached() const { return std::max(taken_to_, last_); }

/// A log that cannot be read further is at its end, and what was read can still be looked at.
void ReplayFeed::tell_error() {
  if (!player_->error() || std::exchange(told_error_, true)) return;
  if (player_->error()->message.empty()) return;  // a stop signal
  trouble_ = player_->error()->message;
}

/// As many as there are up to then, but no longer than a person would notice.
void ReplayFeed::take_frames(nanoseconds until) {
  constexpr auto kLongest = 50ms;
  constexpr int kBatch = 256;
  const SteadyTime deadline = steady_clock::now() + kLongest;
  Received received;
  nanoseconds offset{0};
  catching_up_ = false;
  for (int count = 1; player_->next(until, received, offset); ++count) {
    if (offset != last_) before_last_ = std::exchange(last_, offset);
    monitor::reduce(*watched_, received, kLogStart + offset);
    catching_up_ = count % kBatch == 0 && steady_clock::now() >= deadline;
    if (catching_up_) return;
  }
}

void ReplayFeed::note_round() {
  const monitor::Moment moment{watched_->state.time, scene().now};
  monitor::take_link(*watched_, player_->status(), moment);
  monitor::look_for_silence(*watched_, moment);
}

Result<void> ReplayFeed::rewind() {
  if (const auto begun = player_->rewind(); !begun) return begun;
  watched_.emplace(fresh(kLogStart));
  taken_to_ = last_ = before_last_ = nanoseconds(0);
  return {};
}

void ReplayFeed::toggle_pause() { playback_.toggle_pause(steady_clock::now()); }

void ReplayFeed::change_speed(int steps) {
  steps > 0 ? playback_.faster(steady_clock::now()) : playback_.slower(steady_clock::now());
}

Result<void> ReplayFeed::seek(nanoseconds target) {
  if (target < reached() && !player_->can_rewind())
    return Error{ExitStatus::refused, "this log comes out of a pipe: there is no way back"};
  playback_.seek_to(target, steady_clock::now());
  return {};
}

Result<void> ReplayFeed::seek_by(std::chrono::milliseconds delta) {
  return seek(playback_.position(steady_clock::now()) + delta);
}

Result<void> ReplayFeed::seek_to(std::chrono::milliseconds position) {
  return seek(std::min<std::chrono::milliseconds>(
      position, std::chrono::duration_cast<std::chrono::milliseconds>(monitor::Playback::kMostPosition)));
}

Result<void> ReplayFeed::step(int frames) {
  if (!playback_.paused()) playback_.toggle_pause(steady_clock::now());
  if (frames < 0) return seek(!catching_up_ && taken_to_ > last_ ? last_ : before_last_);
  const auto next = player_->next_offset();
  return next ? seek(*next) : Result<void>();
}

monitor::ReplayView ReplayFeed::view() const {
  return {catching_up_ ? last_ : taken_to_, playback_.length(), playback_.speed().text, playback_.paused(),
          catching_up_};
}

}  // namespace rangerctl::cli
