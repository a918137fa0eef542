#pragma once

#include <string_view>

#include "rangerctl/transport.hpp"

namespace rangerctl::cli {

/// Warns of what happened to the link: it went down, vanished, is back. Nothing where both are the same.
void show_link_change(std::string_view address, LinkState before, LinkState now);

}  // namespace rangerctl::cli
