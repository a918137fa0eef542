#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "rangerctl/terminal/input.hpp"

/// Which key does what: one table for the keyboard, the help line and the documentation.
namespace rangerctl::teleop {

/// Which keys drive.
enum class Layout : std::uint8_t {
  wasd,     ///< w a s d and the arrows
  classic,  ///< u i o / j k l / m , . as the ROS teleops have it
};

enum class Command : std::uint8_t {
  drive,      ///< a motion key: see Direction
  stop,       ///< zero speed at once
  limit,      ///< a digit: the speed limit; while arming a digit of the code
  centre,     ///< steering straight ahead; in FAULT: acknowledge
  arm,        ///< ask for the code
  confirm,    ///< Enter behind the code
  disarm,     ///< stop, then send nothing
  next_mode,  ///< the next motion mode, at rest
  lights,     ///< on and off
  help,       ///< shows all keys
  quit,
  interrupt,  ///< Ctrl-C: as SIGINT
  abort,      ///< Ctrl-backslash: as SIGQUIT
  suspend,    ///< Ctrl-Z: as SIGTSTP
};

/// Where a motion key points. Left is positive: steering angle, and counter-clockwise in spin.
struct Direction {
  std::int8_t forward = 0;  ///< -1, 0, 1
  std::int8_t left = 0;     ///< -1, 0, 1
  bool operator==(const Direction&) const = default;
};

struct Binding {
  char32_t key;
  std::uint8_t modifiers;
  bool in_wasd, in_classic;  ///< in which layouts
  Command command;
  Direction direction;     ///< Command::drive only
  std::string_view label;  ///< as people read it: "SPACE"
  std::string_view help;   ///< empty: said by another row
};

[[nodiscard]] std::span<const Binding> bindings();

[[nodiscard]] constexpr bool in_layout(const Binding& binding, Layout layout) {
  return layout == Layout::wasd ? binding.in_wasd : binding.in_classic;
}

/// The row of a key event, or null: the key means nothing here.
[[nodiscard]] const Binding* find_binding(Layout layout, const terminal::Event& event);

}  // namespace rangerctl::teleop
