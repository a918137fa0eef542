#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "rangerctl/text.hpp"

/// JSON by hand: a library would turn 0.150 into 0.15, and what rangerctl says is to be exact.
namespace rangerctl::output {

template <class... Args>
void append(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

/// `text` as a JSON string, in quotes.
inline void append_string(std::string& out, std::string_view text) {
  out += '"';
  append_json_escaped(out, text);
  out += '"';
}

/// The elements of `range` as `append_item` appends them, with commas between: the inside of an array or,
/// with "key":value, of an object.
template <class Range, class AppendItem>
void append_list(std::string& out, const Range& range, AppendItem append_item) {
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += ',';
    first = false;
    append_item(element);
  }
}

}  // namespace rangerctl::output
