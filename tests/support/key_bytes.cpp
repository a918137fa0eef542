#include "support/key_bytes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

namespace rangerctl::support {
namespace {

constexpr int kAllEvents = 1 | 2 | 8;
constexpr int kShift = 1;
constexpr int kControl = 4;
constexpr int kLeftShiftKey = 57441;
constexpr int kLeftControlKey = 57442;

struct NamedKey {
  std::string_view name;
  std::string_view legacy;
  int code;    // 0: a key with a letter as the last byte of its sequence
  char final;  // of that sequence
};
constexpr std::array kNamedKeys{
    NamedKey{"Enter", "\r", 13, 'u'},    NamedKey{"Escape", "\x1b", 27, 'u'},
    NamedKey{"Tab", "\t", 9, 'u'},       NamedKey{"Backspace", "\x7f", 127, 'u'},
    NamedKey{"Up", "\x1b[A", 0, 'A'},    NamedKey{"Down", "\x1b[B", 0, 'B'},
    NamedKey{"Right", "\x1b[C", 0, 'C'}, NamedKey{"Left", "\x1b[D", 0, 'D'},
};

// Characters that need Shift and are no letters, with what the key gives without.
constexpr std::string_view kShifted = "?!:<>";
constexpr std::string_view kUnshifted = "/1;,.";

struct Stroke {
  std::string legacy;
  int code = 0;
  char final = 'u';
  int modifiers = 0;
};

Stroke stroke_of_character(char character) {
  const auto byte = static_cast<unsigned char>(character);
  if (const auto at = kShifted.find(character); at != std::string_view::npos)
    return {{character}, kUnshifted[at], 'u', kShift};
  return {{character}, std::tolower(byte), 'u', std::isupper(byte) != 0 ? kShift : 0};
}

Stroke stroke_of(std::string_view key) {
  const auto* const named = std::find_if(kNamedKeys.begin(), kNamedKeys.end(),
                                         [key](const NamedKey& row) { return row.name == key; });
  if (named != kNamedKeys.end()) return {std::string(named->legacy), named->code, named->final, 0};
  if (key.size() == 1) return stroke_of_character(key.front());
  if (key.size() == 3 && key.starts_with("C-"))
    return {{static_cast<char>(key[2] & 0x1F)}, key[2], 'u', kControl};
  throw std::invalid_argument("no key " + std::string(key));
}

std::string kitty_event(int code, char final, int modifiers, KeyAction action) {
  std::string bytes = "\x1b[";
  const bool plain = modifiers == 0 && action == KeyAction::press;
  if (code != 0) bytes += std::to_string(code);
  if (code == 0 && !plain) bytes += '1';
  if (!plain) bytes += ';' + std::to_string(1 + modifiers);
  if (action != KeyAction::press) bytes += ':' + std::to_string(static_cast<int>(action));
  return bytes + final;
}

}  // namespace

std::string key_bytes(std::string_view key, KeyAction action, int kitty_flags) {
  const Stroke stroke = stroke_of(key);
  if ((kitty_flags & kAllEvents) != kAllEvents)
    return action == KeyAction::release ? std::string() : stroke.legacy;
  const std::string event = kitty_event(stroke.code, stroke.final, stroke.modifiers, action);
  if (stroke.modifiers == 0 || action == KeyAction::repeat) return event;
  const int modifier_key = stroke.modifiers == kShift ? kLeftShiftKey : kLeftControlKey;
  if (action == KeyAction::press)
    return kitty_event(modifier_key, 'u', stroke.modifiers, KeyAction::press) + event;
  return event + kitty_event(modifier_key, 'u', 0, KeyAction::release);
}

}  // namespace rangerctl::support
