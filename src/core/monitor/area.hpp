#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/monitor/screen.hpp"

namespace rangerctl::monitor {

/// Text that stays together: a label and the value that it names. Either may be empty.
struct Item {
  std::string label;
  std::string value;
  Style style = Style::normal;  ///< of the value; labels are dim
  int importance = 0;           ///< lower numbers matter more
  bool right = false;           ///< fit_items() moves it to the right edge
};

/// A rectangle of a screen with its own coordinates; nothing is drawn outside of it. May be empty.
class Area {
 public:
  explicit Area(Screen& screen) : Area(screen, 0, 0, screen.size()) {}

  [[nodiscard]] Size size() const { return size_; }
  [[nodiscard]] int rows() const { return size_.rows; }
  [[nodiscard]] int columns() const { return size_.columns; }
  /// The part of this area that the given rectangle covers.
  [[nodiscard]] Area part(int row, int column, Size size) const;
  [[nodiscard]] Area lower(int from_row) const { return part(from_row, 0, size_); }

  /// Writes text from `column` on and returns the column behind it.
  int put(int row, int column, std::string_view text, Style style = Style::normal) const;
  /// As put(), but text that does not fit ends in an ellipsis.
  void put_elided(int row, int column, std::string_view text, Style style = Style::normal) const;
  /// Writes text so that it ends before `end_column`.
  void put_right(int row, int end_column, std::string_view text, Style style = Style::normal) const;
  int put_item(int row, int column, const Item& item) const;
  /// A line across the area with a title, and a remark in the style of its meaning.
  void heading(int row, std::string_view title, std::string_view remark = {},
               Style remark_style = Style::normal) const;

 private:
  Area(Screen& screen, int row, int column, Size size)
      : screen_(&screen), row_(row), column_(column), size_(size) {}

  Screen* screen_;
  int row_;
  int column_;
  Size size_;
};

[[nodiscard]] int item_width(const Item& item);

/// Blanks between two items.
inline constexpr int kGap = 2;

/// Puts items into one row, leaving out the least important ones until they fit. Returns the column behind.
int fit_items(const Area& area, int row, std::vector<Item> items, int gap = kGap);

/// Puts items in order, as many a row as fit, until the area is full. Returns the number of rows used.
int flow_items(const Area& area, const std::vector<Item>& items);

}  // namespace rangerctl::monitor
