#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What a terminal shows, as a value: a grid of cells that tests can compare and the painter can put out.
namespace rangerctl::monitor {

/// What a piece of text means; the painter decides how that looks. Words and symbols say the same, so that
/// a terminal without colours and a person who does not see them lose nothing.
enum class Style : std::uint8_t {
  normal,
  title,     ///< headings, the chosen page
  dim,       ///< labels, lines, what matters least
  good,      ///< known to be well
  caution,   ///< look at this
  fault,     ///< act on this
  selected,  ///< where the cursor is
};

struct Cell {
  char32_t character = U' ';
  Style style = Style::normal;
  bool operator==(const Cell&) const = default;
};

/// Number of columns and rows; also a place counted from the top left corner.
struct Size {
  int rows = 0;
  int columns = 0;
  bool operator==(const Size&) const = default;
};

/// A grid of characters that are one column wide each. Whatever else is put there (control characters, wide
/// or combining characters, bytes that are no UTF-8) becomes '?', so that no text can steer the terminal or
/// shift what stands beside it.
class Screen {
 public:
  /// Blank. Sizes below 1 x 1 become 1 x 1.
  explicit Screen(Size size);

  [[nodiscard]] Size size() const { return size_; }
  /// Precondition: inside the screen.
  [[nodiscard]] const Cell& at(int row, int column) const { return cells_[index(row, column)]; }

  /// Writes UTF-8 text; what lies outside of the screen is cut off. Returns the column behind the text.
  int put_text(int row, int column, std::string_view text, Style style = Style::normal);

  /// Replaces lines and blocks by ASCII signs, and every other character beyond ASCII by '?'.
  void reduce_to_ascii();

  bool operator==(const Screen&) const = default;

 private:
  [[nodiscard]] std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.columns) +
           static_cast<std::size_t>(column);
  }

  Size size_;
  std::vector<Cell> cells_;
};

/// The rows as UTF-8, each with a line feed and without trailing blanks.
[[nodiscard]] std::string to_text(const Screen& screen);

/// Number of cells that `text` takes on a screen.
[[nodiscard]] int text_width(std::string_view text);

/// The beginning of `text` that takes at most `columns` cells.
[[nodiscard]] std::string_view clipped(std::string_view text, int columns);

}  // namespace rangerctl::monitor
