// What a terminal shows and has switched on: the bytes of a program in, the answers to its queries out.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/cell_grid.hpp"

namespace rangerctl::support {

// How a terminal answers; empty: not at all.
struct TerminalKind {
  std::string_view name;
  std::string_view status;     // to `CSI 5 n`
  std::string_view primary;    // to `CSI c`
  std::string_view secondary;  // to `CSI > c`
  bool kitty = false;          // has the kitty keyboard protocol
  bool operator==(const TerminalKind&) const = default;
};

inline constexpr TerminalKind kKitty{"kitty", "\x1b[0n", "\x1b[?62;c", "\x1b[>1;4000;29c", true};
inline constexpr TerminalKind kPlain{"plain", "\x1b[0n", "\x1b[?64;1;2;6;9;15;18;21;22c", "\x1b[>41;379;0c"};
inline constexpr TerminalKind kMute{"mute", "", "", ""};
inline constexpr TerminalKind kTmux{"tmux", "\x1b[0n", "\x1b[?1;2c", "\x1b[>84;0;0c"};
inline constexpr TerminalKind kScreen{"screen", "\x1b[0n", "\x1b[?1;2c", "\x1b[>83;40900;0c"};
inline constexpr TerminalKind kMosh{"mosh", "\x1b[0n", "\x1b[?62c", "\x1b[>1;10;0c"};
// Answers, but not what was asked.
inline constexpr TerminalKind kConfused{"confused", "\x1b[3n", "\x1b[c", "\x1b[>c"};

class TerminalPicture {
 public:
  TerminalPicture(const TerminalKind& kind, WindowSize size);

  // Takes what a program writes, in any pieces; returns what the terminal answers.
  std::string feed(std::string_view bytes);
  void resize(WindowSize size);
  // From now on nothing is answered.
  void become_mute() { kind_ = kMute; }

  // Row by row, without blanks at their ends.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string row(int row) const { return grid().text_of_row(row); }
  [[nodiscard]] WindowSize size() const { return grid().size(); }

  // `CSI ? number h` is in force.
  [[nodiscard]] bool mode(int number) const { return modes_.count(number) != 0; }
  // Of the kitty keyboard protocol, on the screen that is shown; 0: off.
  [[nodiscard]] int kitty_flags() const { return keyboard_stack().back(); }
  // What is not as it was at the start, in words; empty: a shell can go on.
  [[nodiscard]] std::vector<std::string> left_on() const;

 private:
  enum class Where { ground, escape, charset, csi, string, string_escape };

  void take(char byte);
  void take_ground(char byte);
  void take_text(unsigned char byte);
  void take_escape(char byte);
  void take_csi(char final);
  void take_private_csi(char prefix, char final);
  void set_mode(int number, bool on);
  void set_rendition(const std::vector<int>& numbers);
  void switch_screen(bool alternate);
  void take_keyboard_protocol(char prefix);
  void answer(std::string_view text) { answers_ += text; }

  CellGrid& grid() { return grids_[alternate_ ? 1 : 0]; }
  [[nodiscard]] const CellGrid& grid() const { return grids_[alternate_ ? 1 : 0]; }
  std::vector<int>& keyboard_stack() { return keyboards_[alternate_ ? 1 : 0]; }
  [[nodiscard]] const std::vector<int>& keyboard_stack() const { return keyboards_[alternate_ ? 1 : 0]; }

  TerminalKind kind_;
  std::array<CellGrid, 2> grids_;                          // the normal one, the alternate one
  std::array<std::vector<int>, 2> keyboards_{{{0}, {0}}};  // kitty flags: each screen has a stack of its own
  bool alternate_ = false;
  std::set<int> modes_;      // that are on
  std::set<int> rendition_;  // of `CSI m`: what is on, each as the number that switches it off
  int other_keys_ = 0;       // `CSI > 4 ; n m`
  bool keypad_ = false;      // `ESC =`

  Where where_ = Where::ground;
  std::string sequence_;  // of CSI: what is between it and its last byte
  int saved_row_ = 0;
  int saved_column_ = 0;
  char32_t character_ = 0;  // UTF-8 that is not complete
  int bytes_missing_ = 0;
  std::string answers_;
};

}  // namespace rangerctl::support
