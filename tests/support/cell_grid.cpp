#include "support/cell_grid.hpp"

#include <algorithm>

namespace rangerctl::support {
namespace {

constexpr int kTabStop = 8;

void append_utf8(std::string& text, char32_t character) {
  const auto byte = [&text](char32_t value) { text += static_cast<char>(value); };
  if (character < 0x80) return byte(character);
  if (character < 0x800) {
    byte(0xC0 | character >> 6);
  } else if (character < 0x10000) {
    byte(0xE0 | character >> 12);
    byte(0x80 | (character >> 6 & 0x3F));
  } else {
    byte(0xF0 | character >> 18);
    byte(0x80 | (character >> 12 & 0x3F));
    byte(0x80 | (character >> 6 & 0x3F));
  }
  byte(0x80 | (character & 0x3F));
}

}  // namespace

CellGrid::CellGrid(WindowSize size)
    : lines_(static_cast<std::size_t>(size.rows),
             std::u32string(static_cast<std::size_t>(size.columns), U' ')),
      columns_(size.columns),
      last_row_(size.rows - 1) {}

void CellGrid::resize(WindowSize size) {
  columns_ = size.columns;
  const std::u32string blank(static_cast<std::size_t>(columns_), U' ');
  lines_.resize(static_cast<std::size_t>(size.rows), blank);
  for (std::u32string& line : lines_) line.resize(static_cast<std::size_t>(columns_), U' ');
  set_scroll_region(0, size.rows - 1);
  move_to(row_, column_);
}

void CellGrid::clear() {
  for (std::u32string& line : lines_) line.assign(line.size(), U' ');
  move_to(0, 0);
}

WindowSize CellGrid::size() const { return {columns_, static_cast<int>(lines_.size())}; }

void CellGrid::put(char32_t character) {
  if (wraps_next_) {
    carriage_return();
    line_feed();
  }
  line()[static_cast<std::size_t>(column_)] = last_ = character;
  wraps_next_ = column_ == columns_ - 1;
  if (!wraps_next_) ++column_;
}

void CellGrid::repeat_last(int count) {
  for (int i = 0; i < count; ++i) put(last_);
}

void CellGrid::move_to(int row, int column) {
  row_ = std::clamp(row, 0, size().rows - 1);
  column_ = std::clamp(column, 0, columns_ - 1);
  wraps_next_ = false;
}

void CellGrid::move_by(int rows, int columns) { move_to(row_ + rows, column_ + columns); }

void CellGrid::tab() { move_to(row_, (column_ / kTabStop + 1) * kTabStop); }

void CellGrid::line_feed() {
  if (row_ == last_row_) {
    scroll(1);
  } else {
    move_to(row_ + 1, column_);
  }
}

void CellGrid::reverse_line_feed() {
  if (row_ == first_row_) {
    scroll(-1);
  } else {
    move_to(row_ - 1, column_);
  }
}

void CellGrid::erase_in_line(int part) {
  const auto begin = line().begin() + (part == 0 ? column_ : 0);
  const auto end = part == 1 ? line().begin() + column_ + 1 : line().end();
  std::fill(begin, end, U' ');
}

void CellGrid::erase_in_display(int part) {
  erase_in_line(part);
  for (int row = 0; row < size().rows; ++row) {
    const bool is_in_part = part == 0 ? row > row_ : part == 1 ? row < row_ : true;
    std::u32string& line = lines_[static_cast<std::size_t>(row)];
    if (is_in_part) line.assign(line.size(), U' ');
  }
}

void CellGrid::erase_cells(int count) {
  const auto begin = line().begin() + column_;
  std::fill(begin, begin + std::min(count, columns_ - column_), U' ');
}

void CellGrid::insert_cells(int count) {
  const auto some = static_cast<std::size_t>(std::min(count, columns_ - column_));
  line().insert(static_cast<std::size_t>(column_), some, U' ');
  line().resize(static_cast<std::size_t>(columns_));
}

void CellGrid::delete_cells(int count) {
  const auto some = static_cast<std::size_t>(std::min(count, columns_ - column_));
  line().erase(static_cast<std::size_t>(column_), some);
  line().resize(static_cast<std::size_t>(columns_), U' ');
}

void CellGrid::insert_lines(int count) { scroll_part(row_, last_row_, -count); }

void CellGrid::delete_lines(int count) { scroll_part(row_, last_row_, count); }

void CellGrid::scroll(int lines) { scroll_part(first_row_, last_row_, lines); }

void CellGrid::scroll_part(int first, int last, int lines) {
  if (first > last) return;
  const auto begin = lines_.begin() + first;
  const auto end = lines_.begin() + last + 1;
  const int height = last - first + 1;
  const int distance = std::min(std::abs(lines), height);
  const std::u32string blank(static_cast<std::size_t>(columns_), U' ');
  if (lines > 0) {
    std::fill(std::move(begin + distance, end, begin), end, blank);
  } else {
    std::fill(begin, std::move_backward(begin, end - distance, end), blank);
  }
}

void CellGrid::set_scroll_region(int first, int last) {
  const bool is_possible = first >= 0 && first < last && last < size().rows;
  first_row_ = is_possible ? first : 0;
  last_row_ = is_possible ? last : size().rows - 1;
}

bool CellGrid::scrolls_in_part() const { return first_row_ != 0 || last_row_ != size().rows - 1; }

std::string CellGrid::text_of_row(int row) const {
  std::u32string line = lines_[static_cast<std::size_t>(row)];
  line.erase(line.find_last_not_of(U' ') + 1);
  std::string text;
  for (const char32_t character : line) append_utf8(text, character);
  return text;
}

}  // namespace rangerctl::support
