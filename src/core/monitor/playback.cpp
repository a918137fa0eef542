#include "rangerctl/monitor/playback.hpp"

#include <algorithm>

namespace rangerctl::monitor {

using std::chrono::nanoseconds;

void Playback::advance(SteadyTime now) {
  const nanoseconds passed = now - last_round_;
  last_round_ = now;
  if (stands() || passed > kLongestRound) return;
  position_ = std::min(position_ + passed * speed().numerator / speed().denominator, kMostPosition);
}

nanoseconds Playback::position(SteadyTime now) {
  advance(now);
  return position_;
}

void Playback::toggle_pause(SteadyTime now) {
  advance(now);
  paused_ = !paused_;
}

void Playback::faster(SteadyTime now) {
  advance(now);
  speed_ = std::min(speed_ + 1, kPlaybackSpeeds.size() - 1);
}

void Playback::slower(SteadyTime now) {
  advance(now);
  speed_ = speed_ == 0 ? 0 : speed_ - 1;
}

void Playback::seek_to(nanoseconds position, SteadyTime now) {
  advance(now);
  const nanoseconds most = length().value_or(kMostPosition);
  ended_ = ended_ && position >= most;
  position_ = std::clamp(position, nanoseconds(0), most);
}

void Playback::seek_by(nanoseconds delta, SteadyTime now) {
  advance(now);
  seek_to(position_ + std::clamp(delta, -kMostPosition, kMostPosition), now);
}

void Playback::hold(SteadyTime now) {
  advance(now);
  held_ = true;
}

void Playback::release(SteadyTime now) {
  advance(now);
  held_ = false;
}

void Playback::note_end(nanoseconds position) {
  position_ = position;
  ended_ = true;
}

}  // namespace rangerctl::monitor
