#include "rangerctl/terminal/input.hpp"

#include <algorithm>
#include <string_view>

#include "meaning.hpp"

namespace rangerctl::terminal {
namespace {

constexpr char kEsc = '\x1b';
constexpr char kBel = '\a';
constexpr std::string_view kIntroducers = "[O]PX^_";  // CSI, SS3, OSC, DCS, SOS, PM, APC
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr Event kUnknown{};

constexpr bool between(char byte, char first, char last) { return byte >= first && byte <= last; }

// The bytes of a sequence, ECMA-48 section 5.4. `char` may be signed: what is not ASCII is in none of them.
constexpr bool is_printable(char byte) { return between(byte, ' ', '~'); }
constexpr bool is_intermediate(char byte) { return between(byte, ' ', '/'); }
constexpr bool is_parameter(char byte) { return between(byte, '0', '?'); }
constexpr bool is_marker(char byte) { return between(byte, '<', '?'); }
constexpr bool is_final(char byte) { return between(byte, '@', '~'); }
constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }
constexpr bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

constexpr bool is_introducer(char byte) { return kIntroducers.find(byte) != std::string_view::npos; }

/// Bytes behind a final byte that has no parameters: the three of a mouse report, the key of a Linux console.
constexpr std::size_t tail_of(char final) { return final == 'M' ? 3 : final == '[' ? 1 : 0; }

}  // namespace

std::optional<Event> InputParser::take(char byte, SteadyTime now) {
  const std::optional<Event> overdue = idle(now);
  const std::optional<Event> event = step(byte, now);
  last_ = now;
  return overdue ? overdue : event;
}

std::optional<Event> InputParser::idle(SteadyTime now) {
  switch (state_) {
    case State::ground:
    case State::late_escape:
    case State::timed_out:
    case State::rest:
      return std::nullopt;
    case State::escape:
      return expire(now, kEscapeDelay, State::late_escape, {.key = kEscape});
    case State::paste:
      return expire(now, kLongestPaste, State::timed_out, {.kind = EventKind::paste_too_long});
    case State::character:  // what may follow is no key in any case
      return expire(now, kSequenceDelay, State::ground, kUnknown);
    case State::sequence:
    case State::tail:
    case State::single_shift:
    case State::string:
    case State::string_escape:
      return expire(now, kSequenceDelay, State::timed_out, kUnknown);
  }
  return std::nullopt;
}

std::optional<Event> InputParser::expire(SteadyTime now, std::chrono::milliseconds delay, State next,
                                         Event event) {
  return now - since_ < delay ? std::nullopt : end(event, next);
}

std::optional<Event> InputParser::end(Event event, State next) {
  state_ = next;
  return event;
}

std::optional<Event> InputParser::step(char byte, SteadyTime now) {
  if (state_ == State::paste) return in_paste(byte);
  if (byte == kEsc) return on_escape(now);
  switch (state_) {
    case State::ground:
      return on_ground(byte, now);
    case State::character:
      return in_character(byte);
    case State::escape:
      return after_escape(byte);
    case State::late_escape:
      return after_late_escape(byte, now);
    case State::sequence:
    case State::single_shift:
      return in_sequence(byte, now);
    case State::tail:
      return in_tail(byte);
    case State::string:
    case State::string_escape:
      return in_string(byte);
    case State::timed_out:
    case State::rest:
      return in_rest(byte, now);
    case State::paste:
      break;
  }
  return std::nullopt;
}

/// ESC opens a sequence, except that it may be the first byte of a string's end.
std::optional<Event> InputParser::on_escape(SteadyTime now) {
  const State before = state_;
  state_ = before == State::string ? State::string_escape : State::escape;
  if (before == State::string) return std::nullopt;
  since_ = now;
  late_ = false;
  switch (before) {
    case State::escape:
      return Event{.key = kEscape};
    case State::character:
    case State::sequence:
    case State::tail:
    case State::single_shift:
    case State::string_escape:
      return kUnknown;
    default:
      return std::nullopt;
  }
}

std::optional<Event> InputParser::on_ground(char byte, SteadyTime now) {
  if (is_ascii(byte)) return byte_event(byte);
  left_ = bytes_behind(byte);
  if (left_ == 0) return kUnknown;
  state_ = State::character;
  since_ = now;
  text_[0] = byte;
  length_ = 1;
  return std::nullopt;
}

std::optional<Event> InputParser::in_character(char byte) {
  if (!is_continuation(byte)) return end(kUnknown, State::ground);
  collect(byte);
  if (--left_ > 0) return std::nullopt;
  return end({.key = decoded({text_.data(), length_})}, State::ground);
}

std::optional<Event> InputParser::after_escape(char byte) {
  if (is_introducer(byte)) {
    open(byte);
    return std::nullopt;
  }
  if (!is_printable(byte)) return end(kUnknown, State::rest);
  Event event = byte_event(byte);
  event.modifiers = kAlt;
  return end(event, State::ground);
}

std::optional<Event> InputParser::after_late_escape(char byte, SteadyTime now) {
  state_ = State::ground;
  if (!is_introducer(byte) || now - since_ >= kSequenceDelay) return on_ground(byte, now);
  late_ = true;
  open(byte);
  return std::nullopt;
}

void InputParser::open(char introducer) {
  length_ = 0;
  state_ = introducer == '[' ? State::sequence : introducer == 'O' ? State::single_shift : State::string;
}

std::optional<Event> InputParser::in_sequence(char byte, SteadyTime now) {
  if (fits(byte)) {
    collect(byte);
    return std::nullopt;
  }
  if (!is_final(byte)) return end(kUnknown, State::rest);
  left_ = state_ == State::sequence && length_ == 0 ? tail_of(byte) : 0;
  if (left_ == 0) return finish(byte, now);
  state_ = State::tail;
  return std::nullopt;
}

/// A marker comes first, an intermediate byte after all parameters.
bool InputParser::fits(char byte) const {
  if (is_intermediate(byte)) return true;
  if (!is_parameter(byte)) return false;
  return length_ == 0 || (!is_marker(byte) && !is_intermediate(text_[length_ - 1]));
}

void InputParser::collect(char byte) {
  length_ = std::min(length_ + 1, text_.size());
  text_[length_ - 1] = byte;
}

std::optional<Event> InputParser::finish(char final, SteadyTime now) {
  const std::string_view text(text_.data(), length_);
  std::optional<Event> event = kUnknown;
  if (length_ <= kLongestSequence)
    event = state_ == State::sequence ? sequence_event(text, final) : single_shift_event(text, final);
  state_ = State::ground;
  if (!event) return std::nullopt;
  if (event->kind == EventKind::paste_start) {
    state_ = State::paste;
    since_ = now;
    length_ = pasted_ = 0;
  }
  const bool key_goes_down = event->kind == EventKind::key && event->action != KeyAction::release;
  return late_ && key_goes_down ? kUnknown : event;
}

std::optional<Event> InputParser::in_tail(char byte) {
  if (!is_printable(byte)) return end(kUnknown, State::rest);
  return --left_ > 0 ? std::nullopt : end(kUnknown, State::ground);
}

std::optional<Event> InputParser::in_string(char byte) {
  if (state_ == State::string) {
    if (byte == kBel) state_ = State::ground;
    return std::nullopt;
  }
  state_ = State::ground;
  if (byte == '\\') return std::nullopt;
  if (!is_introducer(byte)) return end(kUnknown, State::rest);
  since_ = last_;  // the ESC was no end, but the beginning of this
  late_ = false;
  open(byte);
  return kUnknown;
}

std::optional<Event> InputParser::in_paste(char byte) {
  ++pasted_;
  length_ = byte == kPasteEnd[length_] ? length_ + 1 : byte == kEsc ? 1 : 0;
  if (length_ == kPasteEnd.size()) return end({.kind = EventKind::paste_end}, State::ground);
  if (pasted_ - length_ <= kMostPasted) return std::nullopt;
  return end({.kind = EventKind::paste_too_long}, State::rest);
}

std::optional<Event> InputParser::in_rest(char byte, SteadyTime now) {
  const bool quiet = state_ == State::rest && now - last_ >= kQuiet;
  state_ = quiet ? State::ground : State::rest;
  return quiet ? on_ground(byte, now) : std::nullopt;
}

std::optional<Event> InputParser::end_of_read() const {
  return state_ == State::ground ? std::nullopt : std::optional(Event{.kind = EventKind::incomplete});
}

}  // namespace rangerctl::terminal
