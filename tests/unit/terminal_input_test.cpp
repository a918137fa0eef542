#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "../fuzz/fuzz.hpp"
#include "count_allocations.hpp"
#include "rangerctl/terminal/input.hpp"

namespace rangerctl::terminal {
namespace {

using namespace std::string_literals;
using std::chrono::milliseconds;

std::string key_words(char32_t key) {
  struct Row {
    char32_t key;
    const char* name;
  };
  for (const Row& row : {Row{kUnknownKey, "unknown"}, Row{kEnter, "enter"}, Row{kTab, "tab"},
                         Row{kEscape, "escape"}, Row{kBackspace, "backspace"}, Row{kLeft, "left"},
                         Row{kRight, "right"}, Row{kUp, "up"}, Row{kDown, "down"}, Row{kPageUp, "page up"},
                         Row{kPageDown, "page down"}, Row{kHome, "home"}, Row{kEnd, "end"}}) {
    if (row.key == key) return row.name;
  }
  return key > ' ' && key < 0x7F ? std::string(1, static_cast<char>(key))
                                 : fmt::format("{:x}", static_cast<std::uint32_t>(key));
}

/// "w", "ctrl+c", "shift+up release", "focus in", "primary 62 0"
std::string words(const Event& event) {
  constexpr std::array kModifiers{"shift+", "alt+", "ctrl+", "super+", "hyper+", "meta+"};
  constexpr std::array kActions{"", " repeat", " release"};
  constexpr std::array kKinds{"",          "status",         "focus in", "focus out", "paste",
                              "paste end", "paste too long", "primary",  "secondary", "flags"};
  if (event.kind >= EventKind::primary_attributes)
    return fmt::format("{} {} {}", kKinds[static_cast<std::size_t>(event.kind)], event.first, event.second);
  if (event.kind != EventKind::key) return kKinds[static_cast<std::size_t>(event.kind)];
  std::string out;
  for (std::size_t bit = 0; bit < kModifiers.size(); ++bit) {
    if ((event.modifiers >> bit & 1) != 0) out += kModifiers[bit];
  }
  if (event.modifiers >> kModifiers.size() != 0) out += "lock+";
  return out + key_words(event.key) + kActions[static_cast<std::size_t>(event.action)];
}

/// A parser on a clock that only the test moves, and what it said.
class Typing {
 public:
  Typing& type(std::string_view bytes) {
    for (const char byte : bytes) note(parser_.take(byte, now_));
    return *this;
  }
  /// A pause that idle() is told of, at its end, where it says at most one thing.
  Typing& pause(milliseconds time) {
    now_ += time;
    note(parser_.idle(now_));
    EXPECT_FALSE(parser_.idle(now_));
    return *this;
  }
  /// A pause in which nobody asks.
  Typing& sleep(milliseconds time) {
    now_ += time;
    return *this;
  }
  [[nodiscard]] const std::string& said() const { return said_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }

 private:
  void note(const std::optional<Event>& event) {
    if (!event) return;
    events_.push_back(*event);
    said_ += (said_.empty() ? "" : ", ") + words(*event);
  }

  InputParser parser_;
  SteadyTime now_;
  std::vector<Event> events_;
  std::string said_;
};

struct Row {
  std::string bytes;
  std::string_view said;
};

/// Each is one whole; what the parser says of it is said at its last byte.
const std::vector<Row> kWholes{
    // One byte.
    {"w", "w"},
    {"W", "W"},
    {" ", "20"},
    {"~", "~"},
    {"\r", "enter"},
    {"\n", "enter"},
    {"\t", "tab"},
    {"\b", "backspace"},
    {"\x7f", "backspace"},
    {"\0"s, "ctrl+20"},
    {"\x01", "ctrl+a"},
    {"\x03", "ctrl+c"},
    {"\x1a", "ctrl+z"},
    {"\x1c", "ctrl+\\"},
    {"\x1f", "ctrl+_"},
    // UTF-8.
    {"\xC3\xA4", "e4"},
    {"\xE2\x82\xAC", "20ac"},
    {"\xF0\x9F\xA4\x96", "1f916"},
    {"\xF4\x8F\xBF\xBF", "10ffff"},
    {"\xC0\xB7", "unknown"},          // 'w', overlong
    {"\xE0\x80\xB7", "unknown"},      // 'w', overlong
    {"\xF0\x80\x81\xB7", "unknown"},  // 'w', overlong
    {"\xED\xA0\x80", "unknown"},      // a surrogate
    {"\xF4\x90\x80\x80", "unknown"},  // U+110000
    {"\xC2\x9B", "unknown"},          // CSI of C1
    {"\xEE\x80\x88", "unknown"},      // U+E008, which is kUp here
    {"\x9B", "unknown"},
    {"\xA4", "unknown"},
    {"\xFF", "unknown"},
    // Alt.
    {"\x1bw", "alt+w"},
    {"\x1bW", "alt+W"},
    {"\x1b ", "alt+20"},
    // Legacy arrows and function keys.
    {"\x1b[A", "up"},
    {"\x1b[B", "down"},
    {"\x1b[C", "right"},
    {"\x1b[D", "left"},
    {"\x1bOA", "up"},
    {"\x1bOB", "down"},
    {"\x1bOC", "right"},
    {"\x1bOD", "left"},
    {"\x1b[1;5A", "ctrl+up"},
    {"\x1b[1;2D", "shift+left"},
    {"\x1b[;3C", "alt+right"},
    {"\x1b[1;129A", "up"},  // num lock
    {"\x1bO5A", "unknown"},
    {"\x1b[2A", "unknown"},
    {"\x1b[1;0A", "unknown"},
    {"\x1b[1;257A", "unknown"},
    {"\x1b[1;5;1A", "unknown"},
    {"\x1b[1;5:4A", "unknown"},
    {"\x1b[1;5:0A", "unknown"},
    {"\x1b[1;5:1:1A", "unknown"},
    {"\x1b[1;5 A", "unknown"},
    {"\x1bOP", "unknown"},
    {"\x1bOI", "unknown"},  // tab of the keypad, no focus
    {"\x1bOO", "unknown"},
    {"\x1bO0n", "unknown"},
    {"\x1bO119u", "unknown"},
    {"\x1b[[A", "unknown"},  // F1 of the Linux console
    {"\x1b[1~", "home"},
    {"\x1b[4~", "end"},
    {"\x1b[5~", "page up"},
    {"\x1b[6~", "page down"},
    {"\x1b[7~", "home"},
    {"\x1b[8~", "end"},
    {"\x1b[H", "home"},
    {"\x1b[F", "end"},
    {"\x1bOH", "home"},
    {"\x1bOF", "end"},
    {"\x1b[1;5H", "ctrl+home"},
    {"\x1b[6;2~", "shift+page down"},
    {"\x1b[5;1:3~", "page up release"},
    {"\x1b[~", "unknown"},
    {"\x1b[;2~", "unknown"},
    {"\x1b[2~", "unknown"},
    {"\x1b[3~", "unknown"},
    {"\x1b[2H", "unknown"},
    {"\x1b[G", "unknown"},
    {"\x1b[13~", "unknown"},
    {"\x1b[201~", "unknown"},
    {"\x1b[27;5;99~", "unknown"},  // modifyOtherKeys
    {"\x1b[Z", "unknown"},
    {"\x1b[R", "unknown"},
    {"\x1b[1;2R", "unknown"},
    {"\x1b[@", "unknown"},
    {"\x1b[ q", "unknown"},
    {"\x1b[M !!", "unknown"},
    {"\x1b[M#ww", "unknown"},
    {"\x1b[<0;10;20M", "unknown"},
    {"\x1b[<0;10;20m", "unknown"},
    {"\x1b[32;10;20M", "unknown"},
    // The kitty keyboard protocol.
    {"\x1b[119u", "w"},
    {"\x1b[119;1u", "w"},
    {"\x1b[119;1:1u", "w"},
    {"\x1b[119;1:2u", "w repeat"},
    {"\x1b[119;1:3u", "w release"},
    {"\x1b[119;:3u", "w release"},
    {"\x1b[119;65:3u", "w release"},  // caps lock
    {"\x1b[119;65u", "w"},
    {"\x1b[119;2u", "W"},
    {"\x1b[119;66u", "W"},
    {"\x1b[119;193:2u", "w repeat"},
    {"\x1b[119;2:3u", "W release"},
    {"\x1b[119;6u", "ctrl+W"},
    {"\x1b[119;63u", "alt+ctrl+super+hyper+meta+w"},
    {"\x1b[99;5u", "ctrl+c"},
    {"\x1b[32u", "20"},
    {"\x1b[13u", "enter"},
    {"\x1b[9;2u", "shift+tab"},
    {"\x1b[27u", "escape"},
    {"\x1b[127;1:3u", "backspace release"},
    {"\x1b[49;2u", "shift+1"},
    {"\x1b[49:33;2u", "!"},
    {"\x1b[119:87;2u", "W"},
    {"\x1b[87:119;2u", "w"},
    {"\x1b[119:87:119;6u", "ctrl+W"},
    {"\x1b[1094::119u", "446"},
    {"\x1b[119;;119u", "w"},
    {"\x1b[119;2;87u", "W"},
    {"\x1b[113;;97u", "a"},
    {"\x1b[119;;119:119u", "unknown"},
    {"\x1b[119;;7u", "unknown"},
    {"\x1b[0;;119u", "unknown"},
    {"\x1b[228;2u", "shift+e4"},
    {"\x1b[57399u", "0"},
    {"\x1b[57408u", "9"},
    {"\x1b[57409u", "."},
    {"\x1b[57410u", "/"},
    {"\x1b[57413u", "+"},
    {"\x1b[57414;1:3u", "enter release"},
    {"\x1b[57415u", "="},
    {"\x1b[57416u", ","},
    {"\x1b[57417u", "left"},
    {"\x1b[57418u", "right"},
    {"\x1b[57419;1:3u", "up release"},
    {"\x1b[57420u", "down"},
    {"\x1b[57421u", "page up"},
    {"\x1b[57424u", "end"},
    {"\x1b[57425u", "unknown"},
    {"\x1b[57352u", "unknown"},
    {"\x1b[57398u", "unknown"},
    {"\x1b[57441;2u", "unknown"},  // shift alone
    {"\x1b[57441;1:3u", "unknown release"},
    {"\x1b[1;1:3A", "up release"},
    {"\x1b[1;1:2D", "left repeat"},
    {"\x1b[1;1:3P", "unknown release"},
    {"\x1b[3;1:3~", "unknown release"},
    {"\x1b[3;1:2~", "unknown repeat"},
    {"\x1b[u", "unknown"},
    {"\x1b[;1u", "unknown"},
    {"\x1b[119;1;119;1u", "unknown"},
    {"\x1b[119:1:1:1u", "unknown"},
    {"\x1b[119;1:4u", "unknown"},
    {"\x1b[119$u", "unknown"},
    {"\x1b[119::119$u", "unknown"},
    {"\x1b[<119u", "unknown"},
    {"\x1b[1114112u", "unknown"},
    {"\x1b[55296u", "unknown"},
    {"\x1b[4294967415u", "unknown"},  // 2^32 + 'w'
    // Answers.
    {"\x1b[0n", "status"},
    {"\x1b[n", "unknown"},
    {"\x1b[00n", "unknown"},
    {"\x1b[0;0n", "unknown"},
    {"\x1b[3n", "unknown"},
    {"\x1b[I", "focus in"},
    {"\x1b[O", "focus out"},
    {"\x1b[1I", "unknown"},
    {"\x1b[1;5O", "unknown"},
    {"\x1b[?62c", "primary 62 0"},
    {"\x1b[?1;2c", "primary 1 2"},
    {"\x1b[?65;1;2;3;4;6;7;8;9;15;16;17;18;21;22;24;28;29;42;44;45;46c", "primary 65 1"},
    {"\x1b[>84;0;0c", "secondary 84 0"},
    {"\x1b[>83;40900;0c", "secondary 83 40900"},
    {"\x1b[>1;10;0c", "secondary 1 10"},
    {"\x1b[?0u", "flags 0 0"},
    {"\x1b[?11u", "flags 11 0"},
    {"\x1b[?u", ""},
    {"\x1b[?11;119u", ""},
    {"\x1b[?c", ""},
    {"\x1b[=1c", ""},
    {"\x1b[?2026;2$y", ""},
    {"\x1b[?0n", ""},
    {"\x1b[?1;1A", ""},
    {"\x1b[>4;1m", ""},
    {"\x1bP>|tmux 3.3a\x1b\\", ""},
    {"\x1bP1$r0m\x1b\\", ""},
    {"\x1b]11;rgb:0000/0000/0000\x1b\\", ""},
    {"\x1b]11;rgb:wwww/wwww/wwww\a", ""},
    {"\x1b_Gi=1;OK\x1b\\", ""},
    {"\x1b^w\x1b\\", ""},
    {"\x1bXw\n\xC3\xA4w\x1b\\", ""},
    // Too long.
    {"\x1b[" + std::string(119, '0') + ";1:1u", "unknown"},
    {"\x1b[" + std::string(127, '0') + "u", "unknown"},
    {"\x1b[" + std::string(1000, '0') + "u", "unknown"},
    {"\x1b[?" + std::string(1000, '1') + "c", "unknown"},
    {"\x1b[?1" + std::string(126, ';') + "c", "primary 1 0"},
    {"\x1b[?1" + std::string(127, ';') + "c", "unknown"},
};

/// More than one event, or bytes that break what came before them.
const std::vector<Row> kMixtures{
    {"1q\t?", "1, q, tab, ?"},
    {"\x1b[A2", "up, 2"},
    {"\x1b[13~2", "unknown, 2"},
    {"\x1b[1;5Cq", "ctrl+right, q"},
    {"\x1bOP1", "unknown, 1"},
    {"\x1bq1", "alt+q, 1"},
    {"\x1b[\x1b[Bq", "unknown, down, q"},
    {"\x1b\x1b[A", "escape, up"},
    {"\x1b\x1b\x1bw", "escape, escape, alt+w"},
    {"\x1b[1;1:2Aw\x1b[1;1:3A", "up repeat, w, up release"},
    {"\x1b[97u\x1b[0n\x1b[97;1:3u", "a, status, a release"},
    {"\x1b[?62c\x1b[?0uw", "primary 62 0, flags 0 0, w"},
    {"\x1b]0;w\aw", "w"},
    {"\x1bPw\x1b\\w", "w"},
    {"\x1b[M !!w", "unknown, w"},
    {"\x1b[[Aw", "unknown, w"},
    {"\xC3\xA4w", "e4, w"},
    // The breaking byte is used up, and so is the burst behind it up to an ESC.
    {"\x1b[1\x01w", "unknown"},
    {"\x1b[1\x03wasd", "unknown"},
    {"\x1b[1\rw\x1b[A", "unknown, up"},
    {"\x1b[1?w", "unknown"},
    {"\x1b[1 1w", "unknown"},
    {"\x1b[1\xC3\xA4w", "unknown"},
    {"\x1b[\x7fw", "unknown"},
    {"\x1bO\nw", "unknown"},
    {"\x1bO\x1b[119;1:3u", "unknown, w release"},
    {"\x1b\x01w", "unknown"},
    {"\x1b\xC3\xA4w", "unknown"},
    {"\x1b[M !\xC3w", "unknown"},
    {"\x1b[M !\x1b[119;1:3u", "unknown, w release"},
    {"\x1b]0;w\x1bw", "unknown"},
    {"\x1b]0;w\x1b\x1b[A", "unknown, up"},
    {"\x1b]0;w\x1b[119;1:3uw", "unknown, w release, w"},
    {"\xC3ww", "unknown, w"},
    {"\xC3\x1b[A", "unknown, up"},
    {"\xE2\x82\xC3\xA4", "unknown, unknown"},
    // Pastes.
    {"\x1b[200~w\x1b[201~w", "paste, paste end, w"},
    {"\x1b[200~\x1b[201~", "paste, paste end"},
    {"\x1b[200~w\x1b[Aw\x03 \x1bOA\x1b[200~\x1b[0nw\x1b[201~", "paste, paste end"},
    {"\x1b[200~\x1b[20\x1b[201\x1b\x1b[201~s", "paste, paste end, s"},
};

std::string said_at_once(std::string_view bytes) { return Typing().type(bytes).said(); }

TEST(TerminalInput, WholesAndMixtures) {
  for (const auto* table : {&kWholes, &kMixtures}) {
    for (const Row& row : *table)
      EXPECT_EQ(said_at_once(row.bytes), row.said) << ::testing::PrintToString(row.bytes);
  }
}

TEST(TerminalInput, TheSameInAnyPieces) {
  constexpr milliseconds kShort{29};  // below every delay
  for (const auto* table : {&kWholes, &kMixtures}) {
    for (const Row& row : *table) {
      for (std::size_t i = 0; i <= row.bytes.size(); ++i) {
        Typing typing;
        typing.type(row.bytes.substr(0, i)).pause(kShort).type(row.bytes.substr(i));
        ASSERT_EQ(typing.said(), row.said) << ::testing::PrintToString(row.bytes) << " split at " << i;
      }
    }
  }
}

TEST(TerminalInput, TheSameByteByByte) {
  for (const auto* table : {&kWholes, &kMixtures}) {
    for (const Row& row : *table) {
      Typing typing;
      for (const char byte : row.bytes)
        typing.type({&byte, 1}).pause(milliseconds(row.bytes.size() > 40 ? 0 : 12));
      EXPECT_EQ(typing.said(), row.said) << ::testing::PrintToString(row.bytes);
    }
  }
}

/// Any key that a layout of the keyboard may bind to motion, going down.
bool may_move(const Event& event) {
  constexpr std::u32string_view kMotion = U"wasdWASDuiojklm,.UIOJKLM";
  const bool arrow = event.key >= kLeft && event.key <= kDown;
  return event.kind == EventKind::key && event.action != KeyAction::release && event.modifiers == 0 &&
         (arrow || kMotion.find(event.key) != std::u32string_view::npos);
}

std::size_t motions(const Typing& typing) {
  return static_cast<std::size_t>(std::count_if(typing.events().begin(), typing.events().end(), may_move));
}

TEST(TerminalInput, AMotionKeyBehindAnIncompleteSequenceIsNone) {
  std::size_t prefixes = 0;
  for (const Row& row : kWholes) {
    for (std::size_t i = 1; i < row.bytes.size(); ++i) {
      const std::string prefix = row.bytes.substr(0, i);
      ++prefixes;
      ASSERT_EQ(motions(Typing().type(prefix).type("w")), 0U) << ::testing::PrintToString(prefix);
      if (i == 1 || prefix[0] != '\x1b') continue;  // an ESC alone is complete when it is late
      ASSERT_EQ(motions(Typing().type(prefix).pause(milliseconds(500)).type("w")), 0U)
          << ::testing::PrintToString(prefix);
    }
  }
  EXPECT_GT(prefixes, 500U);
}

TEST(TerminalInput, TheRestOfASequenceThatComesLateIsNoKey) {
  for (const Row& row : kWholes) {
    for (std::size_t i = 1; i < row.bytes.size(); ++i) {
      for (const int late : {30, 100, 499, 500, 501, 10'000}) {
        if (row.bytes[0] != '\x1b' || (i == 1 && (late >= 500 || row.bytes.size() == 2))) continue;
        Typing typing;
        typing.type(row.bytes.substr(0, i)).pause(milliseconds(late)).type(row.bytes.substr(i));
        const bool in_time = i > 1 && late < 500;
        ASSERT_EQ(motions(typing), in_time ? motions(Typing().type(row.bytes)) : 0U)
            << ::testing::PrintToString(row.bytes) << " split at " << i << ", late by " << late;
      }
    }
  }
}

/// Milliseconds of pause, then bytes.
struct Step {
  int pause_ms;
  std::string bytes;
};
struct Play {
  std::vector<Step> steps;
  std::string_view said;
};

std::string played(const Play& play) {
  Typing typing;
  for (const Step& step : play.steps) typing.pause(milliseconds(step.pause_ms)).type(step.bytes);
  return typing.said();
}

TEST(TerminalInput, Delays) {
  for (const Play& play : {
           // A lone ESC.
           Play{{{0, "\x1b"}, {29, ""}}, ""},
           Play{{{0, "\x1b"}, {30, ""}, {1000, "w"}}, "escape, w"},
           Play{{{0, "\x1b"}, {29, "w"}}, "alt+w"},
           Play{{{0, "\x1b"}, {30, "w"}}, "escape, w"},
           Play{{{0, "\x1b\x1b"}, {29, ""}}, "escape"},
           Play{{{0, "\x1b\x1b"}, {30, ""}}, "escape, escape"},
           Play{{{0, "\x1b"}, {30, "\x1b"}, {30, "\x1b[A"}}, "escape, escape, up"},
           // Its rest, late: what must not be lost counts, what may move does not.
           Play{{{0, "\x1b"}, {30, "[Aw"}}, "escape, unknown, w"},
           Play{{{0, "\x1b"}, {30, "OAw"}}, "escape, unknown, w"},
           Play{{{0, "\x1b"}, {30, "[119;1:2u"}}, "escape, unknown"},
           Play{{{0, "\x1b"}, {30, "[119;1:3u"}}, "escape, w release"},
           Play{{{0, "\x1b"}, {30, "[0n"}}, "escape, status"},
           Play{{{0, "\x1b"}, {30, "[200~w"}, {30, "w\x1b[201~w"}}, "escape, paste, paste end, w"},
           Play{{{0, "\x1b"}, {30, "]0;w\aw"}}, "escape, w"},
           Play{{{0, "\x1b"}, {499, "[A"}}, "escape, unknown"},
           Play{{{0, "\x1b"}, {500, "[A"}}, "escape, [, A"},
           Play{{{0, "\x1b"}, {30, "[A\x1b[A"}}, "escape, unknown, up"},
           Play{{{0, "\x1b"}, {30, "["}, {470, "A"}}, "escape, unknown"},
           Play{{{0, "\x1b"}, {30, "["}, {469, "A"}, {1, "w"}}, "escape, unknown, w"},
           // A sequence without an end, counted from its ESC.
           Play{{{0, "\x1b["}, {499, ""}}, ""},
           Play{{{0, "\x1b["}, {499, "A"}}, "up"},
           Play{{{0, "\x1b["}, {500, ""}}, "unknown"},
           Play{{{0, "\x1b"}, {20, "["}, {479, ""}}, ""},
           Play{{{0, "\x1b"}, {20, "["}, {480, ""}}, "unknown"},
           Play{{{0, "\x1b[1;1"}, {500, ":3A"}}, "unknown"},
           Play{{{0, "\x1bO"}, {500, "A"}}, "unknown"},
           Play{{{0, "\x1b[M!"}, {500, "ww"}}, "unknown"},
           Play{{{0, "\x1b]0;w"}, {500, "w\aw"}}, "unknown"},
           Play{{{0, "\x1b]0;w"}, {400, "\x1b[119"}, {499, ";1:3u"}}, "unknown, w release"},
           Play{{{0, "\x1b"}, {30, "]0;w\x1b[119u"}}, "escape, unknown, w"},
           Play{{{0, "\x1b]0;w\x1b"}, {500, "\\w"}}, "unknown"},
           // Its rest is swallowed up to a pause, whenever it comes.
           Play{{{0, "\x1b["}, {500, ""}, {5000, "Aw"}, {49, "w"}, {49, "w"}}, "unknown"},
           Play{{{0, "\x1b["}, {500, ""}, {5000, "Aw"}, {50, "w"}}, "unknown, w"},
           Play{{{0, "\x1b["}, {500, "\x1b[A"}}, "unknown, up"},
           Play{{{0, "\x1b["}, {500, "1\x1b[Aw"}}, "unknown, up, w"},
           // Of a broken one, too.
           Play{{{0, "\x1b[1\x01"}, {49, "w"}, {49, "w"}, {50, "w"}}, "unknown, w"},
           Play{{{0, "\x1b[1\x01"}, {50, "w"}}, "unknown, w"},
           // A character without an end.
           Play{{{0, "\xC3"}, {499, "\xA4"}}, "e4"},
           Play{{{0, "\xC3"}, {500, "\xA4w"}}, "unknown, unknown, w"},
           // Nothing open.
           Play{{{0, "w"}, {5000, ""}, {0, "w"}}, "w, w"},
       }) {
    std::string name;
    for (const Step& step : play.steps)
      name += fmt::format("{} ms {} ", step.pause_ms, ::testing::PrintToString(step.bytes));
    EXPECT_EQ(played(play), play.said) << name;
  }
}

TEST(TerminalInput, ADelayThatNobodyAskedForIsSaidWithTheNextByte) {
  struct Slept {
    std::string before;
    int sleep_ms;
    std::string after;
    std::string_view said;
  };
  for (const Slept& row :
       {Slept{"\x1b", 30, "ww", "escape, w"}, Slept{"\x1b", 29, "ww", "alt+w, w"},
        Slept{"\x1b", 30, "[Aw", "escape, unknown, w"}, Slept{"\x1b", 30, "\x1b[A", "escape, up"},
        Slept{"\x1b[1", 500, "Aw", "unknown"}, Slept{"\x1b[1", 500, "\x1b[A", "unknown, up"},
        Slept{"\xC3", 500, "ww", "unknown, w"}, Slept{"\x1b[200~", 1000, "ww", "paste, paste too long"}}) {
    Typing typing;
    typing.type(row.before).sleep(milliseconds(row.sleep_ms)).type(row.after);
    EXPECT_EQ(typing.said(), row.said) << ::testing::PrintToString(row.before);
  }
}

TEST(TerminalInput, APasteHasAnEnd) {
  const std::string most(InputParser::kMostPasted, 'w');
  for (const Play& play : {
           Play{{{0, "\x1b[200~" + most + "\x1b[201~w"}}, "paste, paste end, w"},
           Play{{{0, "\x1b[200~" + most + "ww"}}, "paste, paste too long"},
           Play{{{0, "\x1b[200~" + most + "w"}, {49, "w"}, {50, "w"}}, "paste, paste too long, w"},
           Play{{{0, "\x1b[200~" + most + "w\x1b[201~w"}}, "paste, paste too long, unknown, w"},
           Play{{{0, "\x1b[200~w"}, {999, "w\x1b[201~w"}}, "paste, paste end, w"},
           Play{{{0, "\x1b[200~w"}, {1000, "w"}, {49, "w"}, {50, "w"}}, "paste, paste too long, w"},
           Play{{{0, "\x1b[200"}, {400, "~w"}, {999, "\x1b[201~w"}}, "paste, paste end, w"},
           Play{{{0, "\x1b[200~w"}, {600, "w"}, {400, ""}}, "paste, paste too long"},
           Play{{{0, "\x1b[200~w\x1b[20"}, {900, "1~w"}}, "paste, paste end, w"},
           Play{{{0, "\x1b[200~w\x1b"}, {900, "w"}, {99, "\x1b[201~"}}, "paste, paste end"},
       }) {
    EXPECT_EQ(played(play), play.said);
  }
}

/// Bytes that sequences are made of more often than others, and the pauses of the fuzzer.
std::vector<std::uint8_t> random_input(std::uint64_t seed, std::size_t size) {
  constexpr std::string_view kLikely =
      "\x1b\x1b\x1b\x1b[[[[OO]PX^_0123119;;::<=>?ABCDMuuuu~~cnRI$ ww\a\\\x03\xC3\xA4";
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> input(size);
  for (std::uint8_t& byte : input) {
    const std::uint64_t draw = random();
    const bool pause = draw % 50 == 0;
    const bool any = draw % 10 == 1;
    byte = pause ? 0xFF
           : any ? static_cast<std::uint8_t>(draw >> 32)
                 : static_cast<std::uint8_t>(kLikely[(draw >> 32) % kLikely.size()]);
  }
  return input;
}

TEST(TerminalInput, WhatHoldsOfAnyBytes) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    // A failure aborts: this line then names the seed.
    if (seed % 100 == 1) fmt::print("seeds {} to {}\n", seed, seed + 99);
    fuzz::terminal_input(random_input(seed, 500));
  }
}

TEST(TerminalInput, NeverAsksForMemory) {
  std::size_t events = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::vector<std::uint8_t> input = random_input(seed, 2000);
    InputParser parser;
    SteadyTime now;
    const std::uint64_t before = testing::allocations();
    for (const std::uint8_t byte : input) {
      now += milliseconds(byte == 0xFF ? 600 : 1);
      events += parser.idle(now) ? 1U : 0U;
      events += parser.take(static_cast<char>(byte), now) ? 1U : 0U;
    }
    ASSERT_EQ(testing::allocations(), before) << "seed " << seed;
  }
  EXPECT_GT(events, 1000U);
}

}  // namespace
}  // namespace rangerctl::terminal
