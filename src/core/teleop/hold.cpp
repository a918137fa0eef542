#include "rangerctl/teleop/hold.hpp"

#include <algorithm>

namespace rangerctl::teleop {

Hold::Key* Hold::find(char32_t key) {
  const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto found = std::find_if(keys_.begin(), end, [key](const Key& row) { return row.key == key; });
  return found == end ? nullptr : &*found;
}

void Hold::press(char32_t key, Direction direction, bool drives, SteadyTime now) {
  if (!key_releases_) return take_token(direction, drives, now);
  last_token_ = now;
  if (Key* const again = find(key)) {
    again->direction = direction;  // its release was lost; what a lock holds stays locked
  } else if (count_ < kMostKeys) {
    keys_[count_++] = {key, direction, true};
  }
  Key* const held = find(key);
  if (held != nullptr && locked(now)) held->counts = false;
}

void Hold::repeat(Direction direction, bool drives, SteadyTime now) {
  if (!key_releases_) return take_token(direction, drives, now);
  last_token_ = now;
  repeats_seen_ = true;
}

void Hold::release(char32_t key) {
  Key* const released = find(key);
  if (released == nullptr) return;
  const Key* const last = &keys_[--count_];
  *released = *last;
}

void Hold::release_all() {
  count_ = 0;
  tokens_ = 0;
}

void Hold::lock(SteadyTime now) {
  for (Key& key : keys_) key.counts = false;
  tokens_ = 0;
  if (!key_releases_) locked_at_ = now;
}

bool Hold::locked(SteadyTime now) const {
  if (key_releases_) {
    const auto end = keys_.begin() + static_cast<std::ptrdiff_t>(count_);
    return std::any_of(keys_.begin(), end, [](const Key& key) { return !key.counts; });
  }
  if (!locked_at_) return false;
  return now - std::max(*locked_at_, last_token_.value_or(*locked_at_)) < kUnlock;
}

bool Hold::any_down(SteadyTime now) const { return key_releases_ ? count_ > 0 : token_holds(now); }

/// A key that only steers keeps alive what is held, and starts nothing.
void Hold::take_token(Direction direction, bool drives, SteadyTime now) {
  const bool was_locked = locked(now);
  last_token_ = now;
  if (was_locked) return;
  locked_at_.reset();
  if (drives) {
    take_driving_token(direction, now);
  } else if (repeating() && token_holds(now)) {
    fed_at_ = now;
  }
}

void Hold::take_driving_token(Direction direction, SteadyTime now) {
  const bool same = direction.forward * direction_.forward + direction.left * direction_.left > 0;
  const Duration gap = driven_at_ ? now - *driven_at_ : Duration::max();
  if (tokens_ == 0 || !same || gap > (tokens_ == 1 ? kLongestDelay : kLongestGap)) {
    tokens_ = 1;
    gap_count_ = 0;
  } else {
    if (tokens_ > 1) gaps_[gap_count_++ % kGaps] = gap;
    tokens_ = std::min(tokens_ + 1, kHoldFrom);
  }
  direction_ = direction;
  driven_at_ = now;
  fed_at_ = now;
}

Hold::Duration Hold::patience() const {
  const std::size_t count = std::min(gap_count_, kGaps);
  if (count == 0) return kLeastPatience;
  auto sorted = gaps_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
  std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(count));
  return std::clamp<Duration>(3 * *middle, kLeastPatience, kMostPatience);
}

bool Hold::token_holds(SteadyTime now) const {
  if (tokens_ == 0) return false;
  return repeating() ? now - *fed_at_ <= patience() : now - *driven_at_ <= kNudge;
}

Direction Hold::held_direction() const {
  int forward = 0;
  int left = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (!keys_[i].counts) return {};
    forward += keys_[i].direction.forward;
    left += keys_[i].direction.left;
  }
  return {static_cast<std::int8_t>(std::clamp(forward, -1, 1)),
          static_cast<std::int8_t>(std::clamp(left, -1, 1))};
}

Wish Hold::wish(SteadyTime now) const {
  if (locked(now)) return {};
  if (key_releases_) return {held_direction(), false};
  return token_holds(now) ? Wish{direction_, !repeating()} : Wish{};
}

bool Hold::release_lost(SteadyTime now) const {
  if (!key_releases_ || count_ == 0 || !last_token_) return false;
  return now - *last_token_ > (repeats_seen_ ? Duration(kRepeatLost) : Duration(kLongestHold));
}

}  // namespace rangerctl::teleop
