#pragma once

#include <string>
#include <string_view>

namespace rangerctl::output {

/// RFC 4180: quotes around a field that needs them, quotes inside doubled. Control characters are made
/// visible first.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace rangerctl::output
