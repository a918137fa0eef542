#pragma once

#include <cstdint>

namespace rangerctl::tui {

/// Bytes that a terminal sends for keys in, keys that are plain characters out. Escape sequences (arrows,
/// function keys, Alt) are swallowed whole, also where they come in pieces: the '1' inside of one is no key.
class KeyParser {
 public:
  /// The character that `byte` completes, or 0.
  char take(char byte);

 private:
  enum class State : std::uint8_t { ground, escape, sequence, single_shift };
  State state_ = State::ground;
};

}  // namespace rangerctl::tui
