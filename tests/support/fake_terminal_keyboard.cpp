#include "support/fake_terminal.hpp"

// The keyboard of the terminal.
namespace rangerctl::support {
namespace {

constexpr int kFocusMode = 1004;
constexpr int kPasteMode = 2004;

}  // namespace

FakeTerminal::Moment FakeTerminal::push(const Lock&, std::string_view bytes) {
  to_program_.push(bytes, std::chrono::steady_clock::now());
  wake();
  return std::chrono::system_clock::now();
}

FakeTerminal::Moment FakeTerminal::press(std::string_view key) {
  const Lock lock(mutex_);
  repeat_ = Repeat{std::string(key), std::chrono::steady_clock::now() + repeat_delay_};
  return last_key_ = push(lock, key_bytes(key, KeyAction::press, picture_.kitty_flags()));
}

FakeTerminal::Moment FakeTerminal::release(std::string_view key) {
  const Lock lock(mutex_);
  if (repeat_ && repeat_->key == key) repeat_.reset();
  return push(lock, key_bytes(key, KeyAction::release, picture_.kitty_flags()));
}

FakeTerminal::Moment FakeTerminal::tap(std::string_view key) {
  const Lock lock(mutex_);
  const int flags = picture_.kitty_flags();
  return last_key_ =
             push(lock, key_bytes(key, KeyAction::press, flags) + key_bytes(key, KeyAction::release, flags));
}

void FakeTerminal::type(std::string_view text) {
  for (const char character : text) tap({&character, 1});
}

FakeTerminal::Moment FakeTerminal::hold(std::string_view key, Milliseconds time) {
  press(key);
  pass(time);
  return release(key);
}

void FakeTerminal::set_repeat(Milliseconds delay, Milliseconds interval) {
  const Lock lock(mutex_);
  repeat_delay_ = delay;
  repeat_interval_ = interval;
}

FakeTerminal::Moment FakeTerminal::last_key() {
  const Lock lock(mutex_);
  return last_key_;
}

FakeTerminal::Moment FakeTerminal::paste(std::string_view text) {
  const Lock lock(mutex_);
  if (!picture_.mode(kPasteMode)) return push(lock, text);
  return push(lock, std::string(kPasteStart) + std::string(text) + std::string(kPasteEnd));
}

FakeTerminal::Moment FakeTerminal::focus(bool has_focus) {
  const Lock lock(mutex_);
  return push(lock, !picture_.mode(kFocusMode) ? "" : has_focus ? kFocusIn : kFocusOut);
}

FakeTerminal::Moment FakeTerminal::send(std::string_view bytes) {
  const Lock lock(mutex_);
  return push(lock, bytes);
}

FakeTerminal::Moment FakeTerminal::send_torn(std::string_view bytes, std::size_t count, Milliseconds pause) {
  const Lock lock(mutex_);
  const SteadyTime now = std::chrono::steady_clock::now();
  to_program_.push(bytes.substr(0, count), now);
  to_program_.push(bytes.substr(count), now, pause);
  wake();
  return std::chrono::system_clock::now();
}

void FakeTerminal::repeat_key(SteadyTime now) {
  while (repeat_ && repeat_->next <= now) {
    to_program_.push(key_bytes(repeat_->key, KeyAction::repeat, picture_.kitty_flags()), now);
    last_key_ = std::chrono::system_clock::now();
    repeat_->next += repeat_interval_;
  }
}

}  // namespace rangerctl::support
