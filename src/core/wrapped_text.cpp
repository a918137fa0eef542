#include "rangerctl/wrapped_text.hpp"

#include <algorithm>

namespace rangerctl {
namespace {

/// Takes the first word off `text`.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

void append_hanging(std::string& out, std::string_view label, std::string_view text, std::size_t hang) {
  std::string line(label);
  bool empty = true;  // no word in this line yet
  const auto end_line = [&] {
    out.append(line).append("\n");
    line.clear();
    empty = true;
  };
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    if (empty ? !line.empty() && line.size() + 1 > hang : line.size() + 1 + word.size() > kTextWidth)
      end_line();
    if (empty) {
      line.resize(std::max(line.size(), hang), ' ');
    } else {
      line += ' ';
    }
    line += word;
    empty = false;
  }
  end_line();
}

std::vector<std::string> wrapped(std::string_view text, int columns) {
  const auto width = static_cast<std::size_t>(std::max(columns, 1));
  std::vector<std::string> lines;
  while (text.size() > width) {
    const std::size_t space = text.rfind(' ', width);
    const bool breaks = space != std::string_view::npos && space > 0;
    lines.emplace_back(text.substr(0, breaks ? space : width));
    text.remove_prefix(breaks ? space + 1 : width);
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace rangerctl
