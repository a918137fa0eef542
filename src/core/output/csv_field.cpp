#include "csv_field.hpp"

#include "rangerctl/text.hpp"

namespace rangerctl::output {

std::string csv_field(std::string_view text) {
  const std::string shown = printable(text);
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

}  // namespace rangerctl::output
