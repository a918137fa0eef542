#pragma once

#include <string>

#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::protocol {

/// The catalogue as a table of at most 80 columns: id, message, sender, DLC, period, signals.
[[nodiscard]] std::string to_table(const Catalogue& catalogue);

}  // namespace rangerctl::protocol
