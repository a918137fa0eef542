// The characters of a terminal's screen and its cursor, as far as programs with ncurses and
// TERM=xterm-256color need it. Colours are not kept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rangerctl::support {

struct WindowSize {
  int columns = 80;
  int rows = 24;
};

class CellGrid {
 public:
  explicit CellGrid(WindowSize size);

  // Keeps what is in the upper left corner, as xterm does.
  void resize(WindowSize size);
  void clear();

  // Rows and columns count from 0; what lies outside is moved to the edge.
  void put(char32_t character);
  void repeat_last(int count);
  void move_to(int row, int column);
  void move_by(int rows, int columns);
  void carriage_return() { move_to(row_, 0); }
  void tab();
  void line_feed();
  void reverse_line_feed();

  // 0: from the cursor on, 1: up to it, 2 and more: all.
  void erase_in_line(int part);
  void erase_in_display(int part);
  void erase_cells(int count);
  void insert_cells(int count);
  void delete_cells(int count);
  void insert_lines(int count);
  void delete_lines(int count);
  // Up with a positive number of lines.
  void scroll(int lines);
  // First and last row of the part that scrolls; anything impossible: all of it.
  void set_scroll_region(int first, int last);
  [[nodiscard]] bool scrolls_in_part() const;

  [[nodiscard]] int row() const { return row_; }
  [[nodiscard]] int column() const { return column_; }
  [[nodiscard]] WindowSize size() const;
  // In UTF-8, without blanks at the end.
  [[nodiscard]] std::string text_of_row(int row) const;

 private:
  std::u32string& line() { return lines_[static_cast<std::size_t>(row_)]; }
  void scroll_part(int first, int last, int lines);

  std::vector<std::u32string> lines_;
  int columns_;
  int row_ = 0;
  int column_ = 0;
  bool wraps_next_ = false;  // the last column was written, and the next character goes to the next line
  char32_t last_ = U' ';
  int first_row_ = 0;
  int last_row_;
};

}  // namespace rangerctl::support
