#pragma once

#include <cstdint>
#include <string_view>

#include "rangerctl/monitor/screen.hpp"
#include "rangerctl/monitor/state.hpp"

namespace rangerctl::monitor {

enum class Page : std::uint8_t {
  overview,  ///< the chassis
  frames,    ///< the bus: every id with its rate and age
  help,      ///< keys and signs
};

struct DrawOptions {
  Page page = Page::overview;
  bool ascii = false;             ///< ASCII instead of line-drawing characters
  std::string_view address = {};  ///< as the user wrote it; may contain anything
  std::string_view clock = {};    ///< the time of day for the header; empty: none
};

/// The dashboard at `now`. Every size is served: what matters most is kept, down to a single cell that shows
/// '+' (well), '?' (something is not known) or '!' (trouble).
///
/// A value that was never received or is stale is shown as "----". When the chassis is silent, or there is
/// no interface, or a replay has ended, the header says so.
[[nodiscard]] Screen draw(const State& state, SteadyTime now, Size size, const DrawOptions& options);

}  // namespace rangerctl::monitor
