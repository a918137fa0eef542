#include <string>

#include "fuzz.hpp"
#include "rangerctl/terminal/input.hpp"

/// Any bytes at any time: FF n lets 4n ms pass, FF FF is the byte FF, each other byte comes 1 ms after the
/// one before. What holds of every event, and which byte may be a key.
namespace rangerctl::terminal {
namespace {

using fuzz::require;
using std::chrono::milliseconds;

template <typename Character>
constexpr bool between(Character value, Character first, Character last) {
  return value >= first && value <= last;
}

bool can_be_a_key(char32_t key) {
  if (key == kUnknownKey || key == kEnter || key == kTab || key == kEscape || key == kBackspace) return true;
  if (between<char32_t>(key, 0xD800, 0xF8FF)) return between(key, kLeft, kEnd);
  return between(key, U' ', U'~') || between<char32_t>(key, 0xA0, 0x10FFFF);
}

void check(const Event& event) {
  if (event.kind == EventKind::key) {
    require(can_be_a_key(event.key) && event.modifiers < 64 && event.first == 0 && event.second == 0);
    require(event.key != kUnknownKey || event.modifiers == 0);
    return;
  }
  require(event.key == kUnknownKey && event.action == KeyAction::press && event.modifiers == 0);
  const bool answer = event.kind >= EventKind::primary_attributes;
  require(answer || (event.first == 0 && event.second == 0));
}

/// Whether `text`, which followed an ESC, has a whole sequence at its start. A second notion of the grammar,
/// deliberately not the parser's.
bool has_whole_sequence(const std::string& text) {
  if (text.empty()) return false;
  const bool single_shift = text[0] == 'O';
  if (text[0] != '[' && !single_shift) return std::string("]PX^_").find(text[0]) == std::string::npos;
  std::size_t i = 1;
  if (i < text.size() && between(text[i], '<', '?')) ++i;
  while (i < text.size() && between(text[i], '0', ';')) ++i;
  while (i < text.size() && between(text[i], ' ', '/')) ++i;
  if (i >= text.size() || !between(text[i], '@', '~')) return false;
  const std::size_t behind = single_shift || i > 1 ? 0 : text[i] == 'M' ? 3 : text[i] == '[' ? 1 : 0;
  return text.size() > i + behind;
}

/// A string that ended with BEL.
bool has_whole_string(const std::string& text) {
  return !text.empty() && std::string("]PX^_").find(text[0]) != std::string::npos &&
         text.find('\a') != std::string::npos;
}

bool is_typed(const std::optional<Event>& event, char byte) {
  return between(byte, ' ', '~') && event == Event{.key = static_cast<unsigned char>(byte)};
}

class Checker {
 public:
  void byte(char byte) {
    pass(milliseconds(1));
    if (broken_ && !rest_to_come_ && pause_ >= InputParser::kQuiet) forget();
    rest_to_come_ = false;
    const std::optional<Event> event = parser_.take(byte, now_);
    if (event) note(*event);
    if (is_typed(event, byte)) check_typed(byte);
    remember(byte);
    pause_ = milliseconds(0);
  }

  void pause(milliseconds time) {
    pass(time);
    const std::optional<Event> event = parser_.idle(now_);
    require(!parser_.idle(now_));
    if (!event) return;
    note(*event);
    rest_to_come_ = broken_;
  }

 private:
  void pass(milliseconds time) {
    now_ += time;
    pause_ += time;
  }

  void note(const Event& event) {
    check(event);
    const bool paste_is_over = event.kind == EventKind::paste_end || event.kind == EventKind::paste_too_long;
    require(!pasting_ || paste_is_over);
    pasting_ = event.kind == EventKind::paste_start;
    broken_ = escaped_ && (event == Event{} || event.kind == EventKind::paste_too_long);
  }

  /// A byte that is a key of itself stands outside of all sequences, or ends one of kitty's.
  void check_typed(char byte) {
    const bool outside = !escaped_ || has_whole_sequence(behind_escape_) || has_whole_string(behind_escape_);
    const bool lone_escape = behind_escape_.empty() && pause_ >= InputParser::kEscapeDelay;
    const bool kitty = byte == 'u' && has_whole_sequence(behind_escape_ + byte);
    require(outside || lone_escape || kitty);
    if (!kitty) forget();
  }

  void remember(char byte) {
    if (byte == '\x1b') forget();
    if (escaped_) behind_escape_ += byte;
    escaped_ = escaped_ || byte == '\x1b';
  }

  void forget() {
    escaped_ = broken_ = false;
    behind_escape_.clear();
  }

  InputParser parser_;
  SteadyTime now_;
  milliseconds pause_{0};  ///< since the last byte
  bool pasting_ = false;
  bool escaped_ = false;       ///< there was an ESC, and since then no key that shows that all is over
  bool broken_ = false;        ///< since that ESC there was an unknown key
  bool rest_to_come_ = false;  ///< it was because of the time, and no byte came since then
  std::string behind_escape_;
};

}  // namespace
}  // namespace rangerctl::terminal

void rangerctl::fuzz::terminal_input(std::span<const std::uint8_t> input) {
  terminal::Checker checker;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool paused = input[i] == 0xFF && i + 1 < input.size() && input[i + 1] != 0xFF;
    if (input[i] == 0xFF) ++i;
    if (paused) {
      checker.pause(std::chrono::milliseconds(4 * input[i]));
    } else if (i < input.size()) {
      checker.byte(static_cast<char>(input[i]));
    }
  }
}
