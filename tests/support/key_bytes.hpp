// What a keyboard makes a terminal send.
#pragma once

#include <string>
#include <string_view>

namespace rangerctl::support {

enum class KeyAction { press = 1, repeat = 2, release = 3 };

// The bytes of one event of a key: "w", "A", " ", "C-c", "Enter", "Escape", "Tab", "Backspace", "Up", "Down",
// "Left", "Right". `kitty_flags` are those in force: with all of 1, 2 and 8 every event has its sequence, the
// releases and those of Shift and Ctrl included; else there are the bytes that terminals always sent, and
// none for a release. The keyboard is a US one.
std::string key_bytes(std::string_view key, KeyAction action, int kitty_flags);

// Events, and a paste, as a terminal reports them where the mode for it is on.
inline constexpr std::string_view kFocusIn = "\x1b[I";
inline constexpr std::string_view kFocusOut = "\x1b[O";
inline constexpr std::string_view kPasteStart = "\x1b[200~";
inline constexpr std::string_view kPasteEnd = "\x1b[201~";

}  // namespace rangerctl::support
