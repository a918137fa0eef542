#pragma once

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
/// A key, or bytes that look like one, that has no meaning here. Never a motion key.
inline constexpr char32_t kUnknownKey = 0;

/// Modifiers of a key, a bit set. Caps lock and num lock are not among them.
enum Modifier : std::uint8_t { kShift = 1, kAlt = 2, kControl = 4, kSuper = 8, kHyper = 16, kMeta = 32 };

enum class KeyAction : std::uint8_t { press, repeat, release };

enum class EventKind : std::uint8_t {
  key,            ///< see Event::key
  status_report,  ///< the answer to `CSI 5 n`: the terminal is well
  focus_in,       ///< the window has the keyboard
  focus_out,      ///< it has lost it
  paste_start,    ///< what follows was pasted, and is swallowed
  paste_end,
  paste_too_long,        ///< no end within a second or 64 KiB; what follows is taken as typed again
  primary_attributes,    ///< the answer to `CSI c`
  secondary_attributes,  ///< the answer to `CSI > c`, with its first two numbers
  kitty_flags,           ///< the answer to `CSI ? u`, with the flags
};

struct Event {
  EventKind kind = EventKind::key;
  char32_t key = kUnknownKey;           ///< a letter as typed: 'A' with shift or caps lock
  KeyAction action = KeyAction::press;  ///< without the kitty protocol every key is a press
  std::uint8_t modifiers = 0;           ///< of Modifier; shift is left out where it made the character
  std::uint32_t first = 0, second = 0;  ///< numbers of an answer
  bool operator==(const Event&) const = default;
};

/// An own parser, for a library that waits for the rest of a sequence, or guesses, would turn the end of one
/// into a key that moves a robot. What lies inside of a sequence, or breaks one, is never a key of its own.
/// Bounded: any number of bytes in any pieces, a state of a fixed size, no allocation.
class InputParser {
 public:
  /// The event that `byte`, read at `now`, completes.
  std::optional<Event> take(char byte, SteadyTime now);

  /// To be called again and again while nothing arrives: a lone ESC becomes the key after kEscapeDelay, a
  /// sequence without an end an unknown key after kSequenceDelay, a paste without an end too long.
  std::optional<Event> idle(SteadyTime now);

  static constexpr std::chrono::milliseconds kEscapeDelay{30};
  static constexpr std::chrono::milliseconds kSequenceDelay{500};
  static constexpr std::chrono::milliseconds kLongestPaste{1000};
  static constexpr std::size_t kMostPasted = 64 * 1024;
};

}  // namespace rangerctl::terminal
