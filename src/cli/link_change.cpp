#include "cli/link_change.hpp"

#include <fmt/format.h>

#include "io/diagnostics.hpp"

namespace rangerctl::cli {

void show_link_change(std::string_view address, LinkState before, LinkState now) {
  if (before == now) return;
  switch (now) {
    case LinkState::up:
      io::show_warning(fmt::format("{} is back", address));
      return;
    case LinkState::down:
      io::show_warning(fmt::format("{} went down; waiting for it to come up again", address));
      return;
    case LinkState::gone:
      io::show_warning(fmt::format("{} vanished; waiting for it to come back", address));
      return;
    case LinkState::ended:
      return;
  }
}

}  // namespace rangerctl::cli
