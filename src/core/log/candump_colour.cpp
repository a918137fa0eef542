#include <utility>

#include "candump_internal.hpp"

namespace rangerctl::log::candump {

namespace {

/// Length of the colour sequence (or of the erase sequence that grep adds) that `text` begins with, otherwise
/// 0. `text` begins with ESC. At the end of a file it may be unfinished.
std::size_t colour_length(std::string_view text, LineEnd end) {
  const std::size_t unfinished = end == LineEnd::eof ? text.size() : 0;
  if (text.size() == 1) return unfinished;
  if (text[1] != '[') return 0;
  const std::size_t last = text.find_first_not_of("0123456789;", 2);
  if (last == std::string_view::npos) return unfinished;
  return text[last] == 'm' || text[last] == 'K' ? last + 1 : 0;
}

/// Takes from the front of `line` what is up to the next colour, and that colour.
std::string_view take_plain(std::string_view& line, LineEnd end) {
  const std::size_t escape = line.find('\x1b');
  if (escape == std::string_view::npos) return std::exchange(line, {});
  const std::size_t colour = colour_length(line.substr(escape), end);
  const std::string_view plain = line.substr(0, colour > 0 ? escape : escape + 1);
  line.remove_prefix(escape + std::max<std::size_t>(colour, 1));
  return plain;
}

}  // namespace

std::string_view without_colours(std::string_view line, LineEnd end, std::array<char, kLongestLine>& plain) {
  std::size_t size = 0;
  while (!line.empty()) size += take_plain(line, end).copy(plain.data() + size, plain.size() - size);
  return {plain.data(), size};
}

std::string_view view_of_plain(std::string_view line, LineEnd end, std::size_t offset, std::size_t length) {
  while (!line.empty()) {
    const std::string_view whole = line;
    const std::size_t size = take_plain(line, end).size();
    if (offset < size) return whole.substr(offset, length);
    offset -= size;
  }
  return {};
}

}  // namespace rangerctl::log::candump
