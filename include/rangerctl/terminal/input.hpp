#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rangerctl/transport.hpp"

/// What a terminal sends: bytes in, events out.
namespace rangerctl::terminal {

/// Keys that are no character have the numbers that the kitty keyboard protocol gives them, which lie in
/// Unicode's private use area; in every protocol a key has the same number here.
inline constexpr char32_t kEnter = U'\r';
inline constexpr char32_t kTab = U'\t';
inline constexpr char32_t kEscape = U'\x1b';
inline constexpr char32_t kBackspace = U'\x7f';
inline constexpr char32_t kLeft = 57350;
inline constexpr char32_t kRight = 57351;
inline constexpr char32_t kUp = 57352;
inline constexpr char32_t kDown = 57353;
inline constexpr char32_t kPageUp = 57354;
inline constexpr char32_t kPageDown = 57355;
inline constexpr char32_t kHome = 57356;
inline constexpr char32_t kEnd = 57357;
/// A key, or bytes that look like one, that has no meaning here. Never a motion key.
inline constexpr char32_t kUnknownKey = 0;

/// Modifiers of a key, a bit set. Caps lock and num lock are not among them.
inline constexpr std::uint8_t kShift = 1, kAlt = 2, kControl = 4, kSuper = 8, kHyper = 16, kMeta = 32;

enum class KeyAction : std::uint8_t { press, repeat, release };

enum class EventKind : std::uint8_t {
  key,            ///< see Event::key
  status_report,  ///< the answer to `CSI 5 n`: the terminal is well
  focus_in,       ///< the window has the keyboard
  focus_out,      ///< it has lost it
  paste_start,    ///< what follows was pasted, and is swallowed
  paste_end,
  paste_too_long,        ///< no end within a second or 64 KiB; what follows is taken as typed after a pause
  primary_attributes,    ///< the answer to `CSI c`
  secondary_attributes,  ///< the answer to `CSI > c`, with its first two numbers
  kitty_flags,           ///< the answer to `CSI ? u`, with the flags
  incomplete,            ///< a read ended inside of a sequence: an ESC key, or the beginning of anything
};

/// A trap of the kitty protocol: shift counts at each event, so 'w' may be pressed and 'W' released.
struct Event {
  EventKind kind = EventKind::key;
  char32_t key = kUnknownKey;           ///< a letter as typed: 'A' with shift or, without kitty, caps lock
  KeyAction action = KeyAction::press;  ///< without the kitty protocol every key is a press
  std::uint8_t modifiers = 0;           ///< kShift to kMeta; shift is left out where it made the character
  std::uint32_t first = 0, second = 0;  ///< numbers of an answer
  bool operator==(const Event&) const = default;
};

/// An own parser, for a library that waits for the rest of a sequence, or guesses, would turn the end of one
/// into a key that moves a robot. What lies inside of a sequence, or breaks one, is never a key of its own.
/// Bounded: any number of bytes in any pieces, a state of a fixed size, no allocation.
///
/// A byte that cannot stand in a sequence breaks it: one unknown key. What follows a broken sequence, a
/// sequence without an end or a paste without an end may be its rest, and is swallowed until nothing came for
/// kQuiet. An ESC ends that, for no sequence has one inside; it ends a sequence that it breaks, and opens the
/// next. An answer that nobody here asks for is no event, a string (OSC, DCS, APC, PM, SOS) neither.
///
/// Sources: ECMA-48 section 5.4 (sequences), xterm's ctlseqs (keys, mouse, focus, paste), kitty's
/// keyboard-protocol (`CSI u`).
class InputParser {
 public:
  /// The event that `byte`, read at `now`, completes. After a delay that idle() was not told of it is the
  /// event of that delay, and a key that `byte` would have been is used up.
  std::optional<Event> take(char byte, SteadyTime now);

  /// To be called again and again while nothing arrives: a lone ESC becomes the key after kEscapeDelay, a
  /// sequence without an end an unknown key after kSequenceDelay, a paste without an end too long. All are
  /// counted from the first byte. The rest of a sequence whose ESC has become the key is still recognised
  /// within kSequenceDelay: an answer or a release counts, any other key is an unknown one.
  std::optional<Event> idle(SteadyTime now);

  /// To be called behind the bytes of each read: `incomplete` where the last of them began something. A key
  /// beside it in the same read may be older than a stop.
  [[nodiscard]] std::optional<Event> end_of_read() const;

  static constexpr std::chrono::milliseconds kEscapeDelay{30};
  static constexpr std::chrono::milliseconds kSequenceDelay{500};
  static constexpr std::chrono::milliseconds kQuiet{50};
  static constexpr std::chrono::milliseconds kLongestPaste{1000};
  static constexpr std::size_t kMostPasted = std::size_t{64} * 1024;
  static constexpr std::size_t kLongestSequence = 128;  ///< a longer one is swallowed: an unknown key

 private:
  enum class State : std::uint8_t {
    ground,
    character,     ///< inside of a UTF-8 character
    escape,        ///< after ESC
    late_escape,   ///< after an ESC that idle() has reported
    sequence,      ///< after CSI
    tail,          ///< after a final byte that has bytes behind it
    single_shift,  ///< after SS3
    string,
    string_escape,
    paste,
    timed_out,  ///< the rest of a sequence is still to come
    rest,       ///< what comes is the rest of a sequence
  };

  std::optional<Event> step(char byte, SteadyTime now);
  std::optional<Event> on_escape(SteadyTime now);
  std::optional<Event> on_ground(char byte, SteadyTime now);
  std::optional<Event> in_character(char byte);
  std::optional<Event> after_escape(char byte);
  std::optional<Event> after_late_escape(char byte, SteadyTime now);
  std::optional<Event> in_sequence(char byte, SteadyTime now);
  std::optional<Event> in_tail(char byte);
  std::optional<Event> in_string(char byte);
  std::optional<Event> in_paste(char byte);
  std::optional<Event> in_rest(char byte, SteadyTime now);
  std::optional<Event> finish(char final, SteadyTime now);
  std::optional<Event> end(Event event, State next);
  std::optional<Event> expire(SteadyTime now, std::chrono::milliseconds delay, State next, Event event);
  void open(char introducer);
  void collect(char byte);
  [[nodiscard]] bool fits(char byte) const;

  State state_ = State::ground;
  bool late_ = false;                              ///< the ESC of this sequence has been reported as a key
  SteadyTime since_{};                             ///< of the first byte of what is not complete
  SteadyTime last_{};                              ///< of the last byte
  std::size_t left_ = 0;                           ///< bytes still to come, of a character or a tail
  std::size_t pasted_ = 0;                         ///< bytes
  std::size_t length_ = 0;                         ///< of text_; in a paste how much of its end is there
  std::array<char, kLongestSequence + 1> text_{};  ///< of a sequence or a character; the last is overwritten
};

}  // namespace rangerctl::terminal
