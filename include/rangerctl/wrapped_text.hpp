#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rangerctl {

/// What every terminal has.
inline constexpr std::size_t kTextWidth = 80;

/// Appends `label` and, from column `hang` on, `text`, broken at spaces into lines of at most kTextWidth
/// columns; ends with a newline. A label that reaches `hang` gets a line of its own. A word that is longer
/// than a line is not broken. Bytes count as columns: for ASCII.
void append_hanging(std::string& out, std::string_view label, std::string_view text, std::size_t hang);

}  // namespace rangerctl
