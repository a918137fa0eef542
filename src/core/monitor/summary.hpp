#pragma once

#include <string>
#include <vector>

#include "view.hpp"

/// The few words that matter most.
namespace rangerctl::monitor {

enum class Health : std::uint8_t { well, unsure, trouble };
[[nodiscard]] Health health(const View& view);
/// '+', '?' or '!' with its style.
[[nodiscard]] Item health_item(const View& view);

/// Whether anything can be believed: the interface, the controller, the silence of the chassis.
struct LinkWords {
  std::string driver = {};  ///< "500k error-active": what the driver says; may be empty
  std::string text = {};    ///< what else there is to say; may be empty where there is `driver`
  Style style = Style::normal;

  [[nodiscard]] std::string all() const {
    return driver + (driver.empty() || text.empty() ? "" : " ") + text;
  }
};
[[nodiscard]] LinkWords link_words(const View& view);

/// The first row of every page, of what is now. `frozen_for`: how old the rest of the screen is.
void draw_header(const PageView& live, const Area& area, std::optional<SteadyTime::duration> frozen_for);

/// Who commands, the vehicle's state, how it moves, the emergency stop.
[[nodiscard]] std::vector<Item> state_items(const View& view);

/// Active alarms (not warnings) of the battery by name; nothing while they are not known.
[[nodiscard]] std::optional<std::vector<std::string>> battery_flags(const View& view, std::string_view first,
                                                                    std::string_view second);
[[nodiscard]] Style charge_style(const Reading& soc);
/// "LOW", "CRITICAL" or nothing.
[[nodiscard]] std::string_view charge_words(const Reading& soc);

/// Everything in order of importance, for a terminal too small for panels.
void draw_compact(const PageView& view, const Area& area);

}  // namespace rangerctl::monitor
