#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rangerctl/monitor/screen.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/teleop/status.hpp"

namespace rangerctl::teleop {

/// What the screen says beyond the status.
struct DrawOptions {
  bool ascii = false;             ///< ASCII instead of line-drawing characters
  std::string_view address = {};  ///< as the user wrote it; may contain anything
  std::string_view clock = {};    ///< the time of day; empty: none
  bool recording = false;
  std::optional<double> sent_per_second = {};  ///< frames that the kernel took; nothing: not known yet
};

/// A line of the event list, kept by the caller.
struct EventLine {
  std::string time;  ///< of the day
  std::string text;
};

/// Below this only the state is shown, and that the window is too small.
inline constexpr monitor::Size kLeastWindow{8, 40};

/// The screen of teleop. The first row always has the word of the state; what arming or moving is refused
/// for, and what a key must be pressed for, always stands in the same place, in words. Left is positive.
///
/// `events`: newest last. A value of the chassis that is not known now is shown as "----"; so are target and
/// sent where nothing is commanded. The list of keys is shown only where the robot is not on the move.
[[nodiscard]] monitor::Screen draw(const Status& status, std::span<const EventLine> events,
                                   monitor::Size size, const DrawOptions& options,
                                   const protocol::Catalogue& catalogue);

}  // namespace rangerctl::teleop
