#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rangerctl {

/// What every terminal has.
inline constexpr std::size_t kTextWidth = 80;

/// Appends `label` and, from column `hang` on, `text`, broken at spaces into lines of at most kTextWidth
/// columns; ends with a newline. A label that reaches `hang` gets a line of its own. A word that is longer
/// than a line is not broken. Bytes count as columns: for ASCII.
void append_hanging(std::string& out, std::string_view label, std::string_view text, std::size_t hang);

/// `text` in lines of at most `columns`, broken at spaces where there are some; at least one line.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, int columns);

}  // namespace rangerctl
