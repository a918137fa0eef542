#include "io/line_reader.hpp"

#include <algorithm>

namespace rangerctl::io {

bool LineReader::next(Line& line) {
  if (rest_.empty()) {
    if (!chunks_.next(chunk_)) return false;
    rest_ = chunk_.text();
  }
  const std::size_t newline = rest_.find('\n');
  const bool last = newline == std::string_view::npos;
  const std::string_view text = rest_.substr(0, newline);
  line = {text.substr(0, log::kLongestLine), last ? log::LineEnd::eof : log::LineEnd::newline,
          text.size() > log::kLongestLine, ++number_};
  rest_.remove_prefix(last ? rest_.size() : newline + 1);
  return true;
}

}  // namespace rangerctl::io
