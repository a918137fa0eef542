#include "support/terminal_picture.hpp"

#include <algorithm>
#include <charconv>

namespace rangerctl::support {
namespace {

constexpr int kCursorShown = 25;
constexpr int kWraps = 7;
constexpr int kAlternateScreen = 1049;
constexpr int kKeyboardDepth = 8;
// Of `CSI m`: back to the colour at the start.
constexpr int kForeground = 39;
constexpr int kBackground = 49;

// The numbers of a control sequence: "1;31" and so on.
class Numbers {
 public:
  explicit Numbers(std::string_view text) {
    while (!text.empty()) {
      const auto end = std::min(text.find(';'), text.size());
      int value = 0;
      std::from_chars(text.data(), text.data() + end, value);
      values_.push_back(value);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  // 0 stands for "not given", as in most control sequences.
  [[nodiscard]] int at(std::size_t index, int otherwise) const {
    return index < values_.size() && values_[index] != 0 ? values_[index] : otherwise;
  }
  [[nodiscard]] const std::vector<int>& all() const { return values_; }

 private:
  std::vector<int> values_;
};

struct GridCommand {
  char final;
  void (*act)(CellGrid& grid, const Numbers& numbers);
};

constexpr std::array kGridCommands{
    GridCommand{'A', [](CellGrid& grid, const Numbers& n) { grid.move_by(-n.at(0, 1), 0); }},
    GridCommand{'B', [](CellGrid& grid, const Numbers& n) { grid.move_by(n.at(0, 1), 0); }},
    GridCommand{'C', [](CellGrid& grid, const Numbers& n) { grid.move_by(0, n.at(0, 1)); }},
    GridCommand{'D', [](CellGrid& grid, const Numbers& n) { grid.move_by(0, -n.at(0, 1)); }},
    GridCommand{'G', [](CellGrid& grid, const Numbers& n) { grid.move_to(grid.row(), n.at(0, 1) - 1); }},
    GridCommand{'H', [](CellGrid& grid, const Numbers& n) { grid.move_to(n.at(0, 1) - 1, n.at(1, 1) - 1); }},
    GridCommand{'J', [](CellGrid& grid, const Numbers& n) { grid.erase_in_display(n.at(0, 0)); }},
    GridCommand{'K', [](CellGrid& grid, const Numbers& n) { grid.erase_in_line(n.at(0, 0)); }},
    GridCommand{'L', [](CellGrid& grid, const Numbers& n) { grid.insert_lines(n.at(0, 1)); }},
    GridCommand{'M', [](CellGrid& grid, const Numbers& n) { grid.delete_lines(n.at(0, 1)); }},
    GridCommand{'P', [](CellGrid& grid, const Numbers& n) { grid.delete_cells(n.at(0, 1)); }},
    GridCommand{'S', [](CellGrid& grid, const Numbers& n) { grid.scroll(n.at(0, 1)); }},
    GridCommand{'T', [](CellGrid& grid, const Numbers& n) { grid.scroll(-n.at(0, 1)); }},
    GridCommand{'X', [](CellGrid& grid, const Numbers& n) { grid.erase_cells(n.at(0, 1)); }},
    GridCommand{'@', [](CellGrid& grid, const Numbers& n) { grid.insert_cells(n.at(0, 1)); }},
    GridCommand{'b', [](CellGrid& grid, const Numbers& n) { grid.repeat_last(n.at(0, 1)); }},
    GridCommand{'d', [](CellGrid& grid, const Numbers& n) { grid.move_to(n.at(0, 1) - 1, grid.column()); }},
    GridCommand{'f', [](CellGrid& grid, const Numbers& n) { grid.move_to(n.at(0, 1) - 1, n.at(1, 1) - 1); }},
    GridCommand{'r',
                [](CellGrid& grid, const Numbers& n) {
                  grid.set_scroll_region(n.at(0, 1) - 1, n.at(1, grid.size().rows) - 1);
                  grid.move_to(0, 0);
                }},
};

}  // namespace

TerminalPicture::TerminalPicture(const TerminalKind& kind, WindowSize size)
    : kind_(kind), grids_{CellGrid(size), CellGrid(size)}, modes_{kCursorShown, kWraps} {}

std::string TerminalPicture::feed(std::string_view bytes) {
  answers_.clear();
  for (const char byte : bytes) take(byte);
  return answers_;
}

void TerminalPicture::resize(WindowSize size) {
  for (CellGrid& grid : grids_) grid.resize(size);
}

std::string TerminalPicture::text() const {
  std::string text;
  for (int row = 0; row < size().rows; ++row) text += this->row(row) + '\n';
  return text;
}

void TerminalPicture::take(char byte) {
  switch (where_) {
    case Where::ground:
      return take_ground(byte);
    case Where::escape:
      return take_escape(byte);
    case Where::charset:
      where_ = Where::ground;
      return;
    case Where::csi:
      if (byte < 0x40 || byte > 0x7E) {
        sequence_ += byte;
        return;
      }
      where_ = Where::ground;
      return take_csi(byte);
    case Where::string:
      if (byte == '\a') where_ = Where::ground;
      if (byte == '\x1b') where_ = Where::string_escape;
      return;
    case Where::string_escape:
      where_ = byte == '\\' ? Where::ground : Where::string;
      return;
  }
}

void TerminalPicture::take_ground(char byte) {
  switch (byte) {
    case '\x1b':
      where_ = Where::escape;
      return;
    case '\r':
      return grid().carriage_return();
    case '\n':
      return grid().line_feed();
    case '\b':
      return grid().move_by(0, -1);
    case '\t':
      return grid().tab();
    default:
      return take_text(static_cast<unsigned char>(byte));
  }
}

void TerminalPicture::take_text(unsigned char byte) {
  if (byte < 0x20) return;
  if ((byte & 0xC0) == 0x80 && bytes_missing_ > 0) {
    character_ = character_ << 6 | (byte & 0x3F);
    if (--bytes_missing_ == 0) grid().put(character_);
  } else if (byte < 0x80) {
    grid().put(byte);
  } else {
    bytes_missing_ = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    character_ = byte & (0x3F >> bytes_missing_);
  }
}

void TerminalPicture::take_escape(char byte) {
  where_ = Where::ground;
  switch (byte) {
    case '[':
      sequence_.clear();
      where_ = Where::csi;
      return;
    case ']':
    case 'P':
    case '_':
    case '^':
      where_ = Where::string;
      return;
    case '(':
    case ')':
      where_ = Where::charset;
      return;
    case 'D':
      return grid().line_feed();
    case 'E':
      grid().carriage_return();
      return grid().line_feed();
    case 'M':
      return grid().reverse_line_feed();
    case '7':
      saved_row_ = grid().row();
      saved_column_ = grid().column();
      return;
    case '8':
      return grid().move_to(saved_row_, saved_column_);
    case '=':
    case '>':
      keypad_ = byte == '=';
      return;
    default:
      return;
  }
}

void TerminalPicture::take_csi(char final) {
  const char prefix = sequence_.empty() ? '\0' : sequence_.front();
  if (prefix >= '<' && prefix <= '?') return take_private_csi(prefix, final);
  const Numbers numbers(sequence_);
  if (final == 'm') {
    set_rendition(numbers.all());
  } else if (final == 'n') {
    if (numbers.at(0, 0) == 5) answer(kind_.status);
  } else if (final == 'c') {
    answer(kind_.primary);
  } else {
    const auto* const command = std::find_if(kGridCommands.begin(), kGridCommands.end(),
                                             [final](const GridCommand& row) { return row.final == final; });
    if (command != kGridCommands.end()) command->act(grid(), numbers);
  }
}

void TerminalPicture::take_private_csi(char prefix, char final) {
  const Numbers numbers(std::string_view(sequence_).substr(1));
  if (final == 'u') {
    take_keyboard_protocol(prefix);
  } else if (prefix == '?' && (final == 'h' || final == 'l')) {
    for (const int number : numbers.all()) set_mode(number, final == 'h');
  } else if (prefix == '>' && final == 'c') {
    answer(kind_.secondary);
  } else if (prefix == '>' && final == 'm' && numbers.at(0, 0) == 4) {
    other_keys_ = numbers.at(1, 0);
  }
}

void TerminalPicture::set_mode(int number, bool on) {
  if (number == kAlternateScreen) switch_screen(on);
  if (on) {
    modes_.insert(number);
  } else {
    modes_.erase(number);
  }
}

void TerminalPicture::set_rendition(const std::vector<int>& numbers) {
  if (numbers.empty()) rendition_.clear();
  for (const int number : numbers) {
    if (number == 0) {
      rendition_.clear();
    } else if (number >= 22 && number <= 29) {
      rendition_.erase(number);
    } else if (number == kForeground || number == kBackground) {
      rendition_.erase(number);
    } else if (number < 22) {
      rendition_.insert(number == 1 ? 22 : number + 20);
    } else {
      rendition_.insert(number / 10 % 10 == 4 || number >= 100 ? kBackground : kForeground);
      if (number % 10 == 8) return;  // what follows are its colour numbers
    }
  }
}

void TerminalPicture::switch_screen(bool alternate) {
  if (alternate == alternate_) return;
  alternate_ = alternate;
  if (alternate) grid().clear();
}

void TerminalPicture::take_keyboard_protocol(char prefix) {
  if (!kind_.kitty) return;
  const Numbers numbers(std::string_view(sequence_).substr(1));
  std::vector<int>& stack = keyboard_stack();
  switch (prefix) {
    case '?':
      return answer("\x1b[?" + std::to_string(kitty_flags()) + "u");
    case '>':
      stack.push_back(numbers.at(0, 0));
      if (stack.size() > kKeyboardDepth) stack.erase(stack.begin());
      return;
    case '<':
      stack.resize(stack.size() - std::min(stack.size(), static_cast<std::size_t>(numbers.at(0, 1))));
      if (stack.empty()) stack.push_back(0);
      return;
    default:
      stack.back() = numbers.at(0, 0);
      return;
  }
}

std::vector<std::string> TerminalPicture::left_on() const {
  std::vector<std::string> words;
  const auto note = [&words](bool is_so, std::string text) {
    if (is_so) words.push_back(std::move(text));
  };
  note(!mode(kCursorShown), "the cursor is hidden");
  note(!mode(kWraps), "lines do not wrap");
  for (const int number : modes_)
    note(number != kCursorShown && number != kWraps, "mode ?" + std::to_string(number));
  for (const std::vector<int>& stack : keyboards_)
    note(stack.size() > 1 || stack.back() != 0, "kitty keyboard flags " + std::to_string(stack.back()));
  note(other_keys_ != 0, "modifyOtherKeys");
  note(keypad_, "the keypad's application mode");
  note(!rendition_.empty(), "colours or attributes");
  note(grids_[0].scrolls_in_part(), "a scrolling region");
  note(where_ != Where::ground, "an unfinished sequence");
  return words;
}

}  // namespace rangerctl::support
