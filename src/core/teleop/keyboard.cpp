#include "rangerctl/teleop/keyboard.hpp"

#include <algorithm>
#include <utility>

namespace rangerctl::teleop {
namespace {

using chassis::MotionMode;
using terminal::Event;
using terminal::EventKind;
using terminal::KeyAction;

Microseconds us(SteadyTime::duration duration) { return std::chrono::ceil<Microseconds>(duration); }

std::optional<Microseconds> us(std::optional<SteadyTime::duration> duration) {
  return duration ? std::optional(us(*duration)) : std::nullopt;
}

/// Commands that end a motion, and so outrank every motion key that arrived with them.
bool ends_motion(Command command) {
  switch (command) {
    case Command::stop:
    case Command::disarm:
    case Command::quit:
    case Command::interrupt:
    case Command::abort:
    case Command::suspend:
      return true;
    default:
      return false;
  }
}

/// A key may go up with other modifiers than it went down with: it is the same key.
Event plain(Event event) {
  if (event.action != KeyAction::release) return event;
  event.modifiers = 0;
  if (event.key >= U'A' && event.key <= U'Z') event.key += U'a' - U'A';
  return event;
}

}  // namespace

bool drives(MotionMode mode, Direction direction) {
  return mode == MotionMode::spin ? direction.left != 0 : direction.forward != 0;
}

bool has_effect(MotionMode mode, Direction direction) {
  return mode != MotionMode::spin || direction.left != 0;
}

Keyboard::Keyboard(Layout layout, const terminal::Capabilities& terminal)
    : layout_(layout), answers_(terminal.answers), hold_(terminal.key_releases) {}

void Keyboard::take(const Event& event, std::uint64_t batch, SteadyTime now) {
  switch (event.kind) {
    case EventKind::key:
      return queue(event, batch, now);
    case EventKind::incomplete:
      incomplete_batch_ = batch;
      return;
    case EventKind::status_report:
      return fence_.answer(now);
    case EventKind::focus_in:
      unfocused_since_.reset();
      return;
    case EventKind::focus_out:
      unfocused_since_ = now;
      focus_lost_ = true;
      return hold_.release_all();
    case EventKind::paste_start:
      pasting_ = pasted_ = true;
      return hold_.release_all();
    case EventKind::paste_end:
      pasting_ = false;
      return;
    case EventKind::paste_too_long:
      pasting_ = false;
      paste_too_long_ = true;
      return;
    default:
      return;
  }
}

bool Keyboard::ask(SteadyTime now) {
  if (!first_ask_) first_ask_ = now;
  return fence_.ask(now);
}

bool Keyboard::answers(SteadyTime now) const {
  const bool mute = !fence_.fence() && first_ask_ && now - *first_ask_ > kMute;
  return answers_ && !mute;
}

void Keyboard::queue(const Event& event, std::uint64_t batch, SteadyTime now) {
  if (queued_count_ == kMostKeys) {
    overflow_ = true;
    return;
  }
  queued_[queued_count_++] = {plain(event), batch, now, fence_.fence(), us(fence_.bound(now))};
}

bool Keyboard::stops(const Event& event) const {
  const Binding* const binding = find_binding(layout_, event);
  if (event.action == KeyAction::release) return binding != nullptr && binding->command == Command::drive;
  return binding == nullptr || ends_motion(binding->command);
}

bool Keyboard::batch_stops(std::uint64_t batch) const {
  return batch == incomplete_batch_ ||
         std::any_of(queued_.begin(), queued_.begin() + static_cast<std::ptrdiff_t>(queued_count_),
                     [&](const Queued& key) { return key.batch == batch && stops(key.event); });
}

bool Keyboard::is_stale(const Queued& key) const {
  return answers(key.read_at) && key.bound.value_or(Microseconds::max()) > AgeFence::kStop;
}

std::span<const Keyboard::Press> Keyboard::sort(MotionMode mode, SteadyTime now) {
  press_count_ = 0;
  steering_steps_ = 0;
  stale_in_tick_ = 0;
  const bool flood = std::exchange(overflow_, false) || queued_count_ > kMostInTick;
  burst_ = flood;
  for (std::size_t i = 0; i < queued_count_; ++i) {
    const bool used = (!flood || stops(queued_[i].event)) && sort_one(queued_[i], mode);
    records_[i] = {queued_[i].event, queued_[i].bound, !used};
    last_key_at_ = now;
    last_key_ = queued_[i].event.key;
  }
  record_count_ = std::exchange(queued_count_, 0);
  return {presses_.data(), press_count_};
}

bool Keyboard::sort_one(const Queued& key, MotionMode mode) {
  const Binding* const binding = find_binding(layout_, key.event);
  const bool moves =
      binding != nullptr && binding->command == Command::drive && has_effect(mode, binding->direction);
  if (moves) return sort_motion_key(key, *binding, mode);
  if (key.event.action == KeyAction::release) return true;
  if (binding != nullptr && binding->command == Command::drive) without_effect_ = key.read_at;
  const bool is_stop =
      binding == nullptr || binding->command == Command::drive || ends_motion(binding->command);
  if (!is_stop && key.event.action == KeyAction::repeat) return false;
  if (!is_stop && is_stale(key)) {
    ++stale_keys_;
    return false;
  }
  push(key, binding != nullptr && binding->command == Command::drive ? nullptr : binding);
  return true;
}

void Keyboard::push(const Queued& key, const Binding* binding) {
  presses_[press_count_++] = {binding, key.event.key, key.fence};
}

bool Keyboard::sort_motion_key(const Queued& key, const Binding& binding, MotionMode mode) {
  if (key.event.action == KeyAction::release) {
    hold_.release(key.event.key);
    if (key.event.key == not_counted_) not_counted_ = 0;
    return true;
  }
  note_token(key);
  if (key.event.key == not_counted_) not_counted_at_ = key.read_at;
  if (is_stale(key)) {
    ++stale_in_tick_;
    ++stale_keys_;
    return false;
  }
  if (batch_stops(key.batch)) {
    if (key_releases() && key.event.action == KeyAction::press) {
      not_counted_ = key.event.key;
      not_counted_at_ = key.read_at;
    }
    return false;
  }
  const bool moves = drives(mode, binding.direction);
  if (key.event.action == KeyAction::repeat) {
    hold_.repeat(binding.direction, moves, key.read_at);
  } else {
    hold_.press(key.event.key, binding.direction, moves, key.read_at);
    if (key.event.key == not_counted_) not_counted_ = 0;
  }
  const bool steers = mode == MotionMode::ackermann || mode == MotionMode::oblique;
  if (!key_releases() && steers && !hold_.locked(key.read_at)) steering_steps_ += binding.direction.left;
  return true;
}

void Keyboard::note_token(const Queued& key) {
  const bool first_of_batch = token_count_ == 0 || key.batch != token_batch_;
  if (first_of_batch) {
    const SteadyTime before = tokens_[(token_count_ + kTokens - 1) % kTokens];
    after_pause_ = token_count_ == 0 || key.read_at - before > kPause;
    token_batch_ = key.batch;
    tokens_in_batch_ = 0;
  }
  tokens_[token_count_++ % kTokens] = key.read_at;
  if (++tokens_in_batch_ > kMostTokensInBatch && after_pause_) burst_ = true;
}

void Keyboard::lock(SteadyTime now) {
  if (hold_.release_lost(now)) hold_.release_all();
  hold_.lock(now);
}

void Keyboard::report(Facts& facts, SteadyTime now) {
  const auto since = [now](const std::optional<SteadyTime>& time) {
    return time ? std::optional(std::chrono::floor<milliseconds>(now - *time)) : std::nullopt;
  };
  facts.answers = answers(now);
  facts.bound = us(fence_.bound(now));
  facts.worst_bound = us(fence_.worst_bound(now));
  facts.answers_in_a_row = fence_.answers_in_a_row(now);
  facts.bound_p95 = us(fence_.percentile95());
  facts.silence = std::chrono::floor<milliseconds>(fence_.silence(now));
  facts.unasked_answer = std::exchange(unasked_reported_, fence_.unasked()) != fence_.unasked();
  facts.stale_keys = stale_in_tick_;
  facts.burst = burst_;
  const bool many =
      token_count_ >= kTokens && now - tokens_[token_count_ % kTokens] <= std::chrono::seconds(1);
  facts.keys_per_second = many ? static_cast<int>(kTokens) : 0;
  facts.release_lost = hold_.release_lost(now);
  facts.not_counted = not_counted_ != 0 && now - not_counted_at_ <= kTellFor;
  facts.no_effect = without_effect_ && now - *without_effect_ <= kTellFor;
  facts.unfocused = since(unfocused_since_);
  if (std::exchange(focus_lost_, false) && !facts.unfocused) facts.unfocused = milliseconds(0);
  facts.pasted = std::exchange(pasted_, false) || pasting_;
  facts.paste_too_long = std::exchange(paste_too_long_, false);
}

}  // namespace rangerctl::teleop
