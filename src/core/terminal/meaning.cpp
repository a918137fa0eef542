#include "meaning.hpp"

#include <algorithm>
#include <array>

namespace rangerctl::terminal {
namespace {

constexpr unsigned char octet(char byte) { return static_cast<unsigned char>(byte); }

constexpr bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

/// Sequences that mean one thing only in exactly this form.
struct Exact {
  std::string_view parameters;
  char final;
  EventKind kind;
};
constexpr std::array kExact{
    Exact{"0", 'n', EventKind::status_report},
    Exact{"", 'I', EventKind::focus_in},
    Exact{"", 'O', EventKind::focus_out},
    Exact{"200", '~', EventKind::paste_start},
};

struct Answer {
  char marker;
  char final;
  EventKind kind;
};
constexpr std::array kAnswers{
    Answer{'?', 'c', EventKind::primary_attributes},
    Answer{'>', 'c', EventKind::secondary_attributes},
    Answer{'?', 'u', EventKind::kitty_flags},
};

/// The keypad in the order of kitty's numbers, 57399 to 57420.
constexpr char32_t kKeypadStart = 57399;
constexpr std::array kKeypad{U'0',  U'1',   U'2', U'3',  U'4',    U'5',      U'6',   U'7', U'8',
                             U'9',  U'.',   U'/', U'*',  U'-',    U'+',      kEnter, U'=', U',',
                             kLeft, kRight, kUp,  kDown, kPageUp, kPageDown, kHome,  kEnd};
static_assert(kKeypadStart + kKeypad.size() == 57425);

/// Keys whose sequence ends in a letter of their own.
struct LetterKey {
  char final;
  char32_t key;
};
constexpr std::array kLetterKeys{LetterKey{'A', kUp},   LetterKey{'B', kDown}, LetterKey{'C', kRight},
                                 LetterKey{'D', kLeft}, LetterKey{'H', kHome}, LetterKey{'F', kEnd}};

/// Keys whose sequence is a number of their own and '~'. Some terminals have other numbers for two of them.
struct NumberKey {
  std::uint32_t number;
  char32_t key;
};
constexpr std::array kNumberKeys{NumberKey{1, kHome},     NumberKey{4, kEnd},  NumberKey{5, kPageUp},
                                 NumberKey{6, kPageDown}, NumberKey{7, kHome}, NumberKey{8, kEnd}};

Event key_event(char32_t key) { return {.key = key}; }

/// The `index`-th of the fields between separators; empty where there are not so many.
std::string_view field(std::string_view text, char separator, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t end = text.find(separator);
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find(separator));
}

bool more_fields(std::string_view text, char separator, std::ptrdiff_t than) {
  return std::count(text.begin(), text.end(), separator) >= than;
}

std::optional<std::uint32_t> number(std::string_view digits) {
  constexpr std::size_t kMostDigits = 9;
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  if (!std::all_of(digits.begin(), digits.end(), is_digit)) return std::nullopt;
  std::uint32_t value = 0;
  for (const char digit : digits) value = value * 10 + (octet(digit) - octet('0'));
  return value;
}

/// A parameter that may be left out.
std::optional<std::uint32_t> number_or(std::string_view digits, std::uint32_t otherwise) {
  return digits.empty() ? otherwise : number(digits);
}

/// `modifiers:type`, what was held and what happened to the key.
struct Stroke {
  std::uint8_t modifiers = 0;
  KeyAction action = KeyAction::press;
};

std::optional<Stroke> stroke(std::string_view text) {
  constexpr std::uint32_t kLocks = 64 | 128;
  const auto modifiers = number_or(field(text, ':', 0), 1);
  const auto type = number_or(field(text, ':', 1), 1);
  if (!modifiers || !type || more_fields(text, ':', 2)) return std::nullopt;
  if (*modifiers < 1 || *modifiers > 256 || *type < 1 || *type > 3) return std::nullopt;
  return Stroke{static_cast<std::uint8_t>((*modifiers - 1) & ~kLocks), static_cast<KeyAction>(*type - 1)};
}

std::optional<Event> answer_event(std::string_view parameters, char final) {
  const char marker = parameters.front();
  parameters.remove_prefix(1);
  const auto* const row = std::find_if(kAnswers.begin(), kAnswers.end(), [=](const Answer& answer) {
    return answer.marker == marker && answer.final == final;
  });
  if (row == kAnswers.end()) return std::nullopt;
  if (row->kind == EventKind::kitty_flags && more_fields(parameters, ';', 1)) return std::nullopt;
  const auto first = number(field(parameters, ';', 0));
  if (!first) return std::nullopt;
  return Event{.kind = row->kind, .first = *first, .second = number(field(parameters, ';', 1)).value_or(0)};
}

/// An unknown key is released, too.
Event unknown_key(std::string_view parameters) {
  return {.action = stroke(field(parameters, ';', 1)).value_or(Stroke{}).action};
}

Event known_key(char32_t key, const Stroke& stroke, std::string_view parameters) {
  if (key == kUnknownKey) return unknown_key(parameters);
  return {.key = key, .action = stroke.action, .modifiers = stroke.modifiers};
}

char32_t code_key(std::uint32_t code) {
  if (code >= kKeypadStart && code - kKeypadStart < kKeypad.size()) return kKeypad[code - kKeypadStart];
  const bool named = code == kTab || code == kEnter || code == kEscape || code == kBackspace;
  return named ? code : typed(code);
}

constexpr bool is_lower(char32_t key) { return key >= U'a' && key <= U'z'; }

std::uint8_t without_shift(std::uint8_t modifiers) { return static_cast<std::uint8_t>(modifiers & ~kShift); }

/// `code:shifted:base;modifiers:type;text`. A text without a key (code 0) is the input method's and would
/// never be released.
Event kitty_key(std::string_view parameters) {
  const std::string_view codes = field(parameters, ';', 0);
  const std::string_view text = field(parameters, ';', 2);
  const std::string_view character = text.empty() ? field(codes, ':', 1) : text;
  const auto code = number(field(codes, ':', 0));
  auto held = stroke(field(parameters, ';', 1));
  const bool base_is_number = number_or(field(codes, ':', 2), 0).has_value();
  const bool too_many = more_fields(parameters, ';', 3) || more_fields(codes, ':', 3);
  if (!held || code.value_or(0) == 0 || !base_is_number || too_many) return unknown_key(parameters);
  char32_t key = character.empty() ? code_key(*code) : typed(number(character).value_or(0));
  const bool capital = is_lower(key) && character.empty() && (held->modifiers & kShift) != 0;
  if (capital) key -= U'a' - U'A';
  if (capital || !character.empty()) held->modifiers = without_shift(held->modifiers);
  return known_key(key, *held, parameters);
}

char32_t letter_key(char final) {
  const auto* const row = std::find_if(kLetterKeys.begin(), kLetterKeys.end(),
                                       [final](const LetterKey& key) { return key.final == final; });
  return row == kLetterKeys.end() ? kUnknownKey : row->key;
}

char32_t number_key(std::uint32_t number) {
  const auto* const row = std::find_if(kNumberKeys.begin(), kNumberKeys.end(),
                                       [number](const NumberKey& key) { return key.number == number; });
  return row == kNumberKeys.end() ? kUnknownKey : row->key;
}

/// `CSI A`, `CSI 1;modifiers:type A`, `CSI 5~`, `CSI 5;modifiers:type ~`
Event function_key(std::string_view parameters, char final) {
  const auto held = stroke(field(parameters, ';', 1));
  const auto first = number_or(field(parameters, ';', 0), final == '~' ? 0 : 1);
  if (!held || !first || more_fields(parameters, ';', 2)) return unknown_key(parameters);
  const bool lettered = *first == 1 && final != '~';
  return known_key(lettered       ? letter_key(final)
                   : final == '~' ? number_key(*first)
                                  : kUnknownKey,
                   *held, parameters);
}

constexpr bool is_answer(std::string_view parameters) {
  return !parameters.empty() && parameters.front() >= '=' && parameters.front() <= '?';
}

}  // namespace

char32_t typed(char32_t character) {
  const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
  const bool surrogate_or_private = character >= 0xD800 && character <= 0xF8FF;
  return control || surrogate_or_private || character > 0x10FFFF ? kUnknownKey : character;
}

std::size_t bytes_behind(char lead) {
  const unsigned char byte = octet(lead);
  if (byte < 0xC0 || byte > 0xF7) return 0;
  return byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
}

char32_t decoded(std::string_view bytes) {
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  char32_t character = octet(bytes.front()) & (0x7FU >> bytes.size());
  for (const char byte : bytes.substr(1)) character = character << 6U | (octet(byte) & 0x3FU);
  return character < kSmallest[bytes.size()] ? kUnknownKey : typed(character);
}

Event byte_event(char byte) {
  const auto code = static_cast<char32_t>(octet(byte));
  if (byte == '\r' || byte == '\n') return key_event(kEnter);
  if (byte == '\t') return key_event(kTab);
  if (byte == '\b' || byte == '\x7f') return key_event(kBackspace);
  if (code >= 0x20) return key_event(code);
  // What Ctrl clears: 1 to 26 are letters, 28 to 31 the characters behind 'Z'; 0 is Ctrl-Space or Ctrl-@.
  const char32_t key = code == 0 ? U' ' : code <= 26 ? code + 0x60 : code + 0x40;
  return {.key = key, .modifiers = kControl};
}

std::optional<Event> sequence_event(std::string_view parameters, char final) {
  for (const Exact& exact : kExact) {
    if (exact.final == final && exact.parameters == parameters) return Event{.kind = exact.kind};
  }
  if (is_answer(parameters)) return answer_event(parameters, final);
  if (final == 'u') return kitty_key(parameters);
  return function_key(parameters, final);
}

Event single_shift_event(std::string_view parameters, char final) {
  return parameters.empty() ? function_key({}, final) : Event{};
}

}  // namespace rangerctl::terminal
