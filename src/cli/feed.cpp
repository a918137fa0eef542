#include "cli/feed.hpp"

#include <algorithm>
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
  const auto drained =
      io::drain(transport_, buffer_, deadline, [this](const Received& received, SteadyTime now) {
        take(received, now);
        return Result<void>();
      });
  if (!drained) return drained.error();
  note_round(steady_clock::now());
  return {};
}

monitor::Scene LiveFeed::scene() const { return {watched_, steady_clock::now()}; }

void LiveFeed::take(const Received& received, SteadyTime now) {
  monitor::reduce(watched_, received, now);
  if (recorder_ != nullptr) recorder_->take(received);
  if (clearing_ != nullptr) clearing_->run.take(received, now);
}

void LiveFeed::note_round(SteadyTime now) {
  // What waited while the program did not run says nothing about now.
  constexpr auto kHeldUp = 1s;
  const nanoseconds round = io::boot_time();
  if (round - std::exchange(last_round_, round) > kHeldUp) watched_.state.broken_at = now + 1ns;

  const LinkStatus status = transport_.status();
  const std::uint64_t drops = status.dropped - watched_.state.link.dropped;
  if (recorder_ != nullptr && drops > 0) recorder_->take_drops(drops);
  const monitor::Moment moment{io::wall_clock(), now};
  monitor::take_link(watched_, status, moment);
  monitor::look_for_silence(watched_, moment);
  if (clearing_ != nullptr) clearing_->run.end_round();
  if (driver_) {
    if (auto facts = driver_->take()) monitor::take_interface(watched_, std::move(*facts), moment);
  }
}

Result<void> LiveFeed::record(const std::string& path) {
  const std::string_view name = transport_.interface();
  auto recorder = io::FrameRecorder::create(path, std::string(name.empty() ? "sim" : name));
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
  const nanoseconds target = playback_.position(steady_clock::now());
  if (target < taken_to_) {
    if (const auto begun = rewind(); !begun) return begun;
  }
  take_frames(target);
  catching_up_ ? playback_.hold(steady_clock::now()) : playback_.release(steady_clock::now());
  if (!catching_up_) taken_to_ = target;
  if (player_->status().state == LinkState::ended) {
    playback_.note_end(last_);
    taken_to_ = last_;
  }
  note_round();
  if (player_->error()) return *player_->error();
  return {};
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
  if (target < taken_to_ && !player_->can_rewind())
    return Error{ExitStatus::refused, "this log comes out of a pipe: there is no way back"};
  playback_.seek_to(target, steady_clock::now());
  return {};
}

Result<void> ReplayFeed::seek_by(std::chrono::milliseconds delta) {
  return seek(playback_.position(steady_clock::now()) + delta);
}

Result<void> ReplayFeed::seek_to(std::chrono::milliseconds position) { return seek(position); }

Result<void> ReplayFeed::step(int frames) {
  if (!playback_.paused()) playback_.toggle_pause(steady_clock::now());
  if (frames < 0) return seek(taken_to_ > last_ ? last_ : before_last_);
  const auto next = player_->next_offset();
  return next ? seek(*next) : Result<void>();
}

monitor::ReplayView ReplayFeed::view() const {
  return {catching_up_ ? last_ : taken_to_, playback_.length(), playback_.speed().text, playback_.paused(),
          catching_up_};
}

}  // namespace rangerctl::cli
