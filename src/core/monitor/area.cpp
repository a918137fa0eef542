#include "area.hpp"

#include <algorithm>

namespace rangerctl::monitor {
namespace {

int row_width(const std::vector<Item>& items, int gap) {
  int width = -gap;
  for (const Item& item : items) width += gap + item_width(item);
  return width;
}

}  // namespace

Area Area::part(int row, int column, Size size) const {
  const int top = std::clamp(row, 0, size_.rows);
  const int left = std::clamp(column, 0, size_.columns);
  return {
      *screen_, row_ + top, column_ + left,
      Size{std::clamp(size.rows, 0, size_.rows - top), std::clamp(size.columns, 0, size_.columns - left)}};
}

int Area::put(int row, int column, std::string_view text, Style style) const {
  if (column < 0) {
    text.remove_prefix(clipped(text, -column).size());
    column = 0;
  }
  if (row >= 0 && row < size_.rows && column < size_.columns) {
    screen_->put_text(row_ + row, column_ + column, clipped(text, size_.columns - column), style);
  }
  return column + text_width(text);
}

void Area::put_elided(int row, int column, std::string_view text, Style style) const {
  const int end = put(row, column, text, style);
  if (end > size_.columns) put(row, std::max(column, size_.columns - 1), "…", style);
}

void Area::put_right(int row, int end_column, std::string_view text, Style style) const {
  put(row, std::max(0, end_column - text_width(text)), text, style);
}

int Area::put_item(int row, int column, const Item& item) const {
  column = put(row, column, item.label, Style::dim);
  if (!item.label.empty() && !item.value.empty()) ++column;
  return put(row, column, item.value, item.style);
}

void Area::heading(int row, std::string_view title, std::string_view remark, Style remark_style) const {
  std::string line;
  for (int i = 0; i < size_.columns; ++i) line += "─";
  put(row, 0, line, Style::dim);
  int column = put(row, 1, " ", Style::dim);
  column = put(row, column, title, Style::title);
  if (!remark.empty()) column = put(row, put(row, column, " ", Style::dim), remark, remark_style);
  put(row, column, " ", Style::dim);
}

int item_width(const Item& item) {
  const int gap = !item.label.empty() && !item.value.empty() ? 1 : 0;
  return text_width(item.label) + gap + text_width(item.value);
}

int fit_items(const Area& area, int row, std::vector<Item> items, int gap) {
  while (items.size() > 1 && row_width(items, gap) > area.columns()) {
    items.erase(std::max_element(items.begin(), items.end(),
                                 [](const Item& a, const Item& b) { return a.importance < b.importance; }));
  }
  int column = 0;
  bool moved = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].right && !moved) {
      const std::vector<Item> rest(items.begin() + static_cast<std::ptrdiff_t>(i), items.end());
      column = std::max(column, area.columns() - row_width(rest, gap));
      moved = true;
    }
    column = area.put_item(row, column, items[i]) + gap;
  }
  return column - gap;
}

int flow_items(const Area& area, const std::vector<Item>& items) {
  int row = 0;
  int column = 0;
  for (const Item& item : items) {
    if (column > 0 && column + item_width(item) > area.columns()) {
      ++row;
      column = 0;
    }
    column = area.put_item(row, column, item) + kGap;
  }
  return std::min(row + (items.empty() ? 0 : 1), area.rows());
}

}  // namespace rangerctl::monitor
