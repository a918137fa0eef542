#include "rangerctl/teleop/keys.hpp"

#include <algorithm>
#include <array>

namespace rangerctl::teleop {
namespace {

using terminal::kControl;

constexpr Direction kForward{1, 0};
constexpr Direction kBack{-1, 0};
constexpr Direction kLeft{0, 1};
constexpr Direction kRight{0, -1};
constexpr Direction kForwardLeft{1, 1};
constexpr Direction kForwardRight{1, -1};
constexpr Direction kBackLeft{-1, 1};
constexpr Direction kBackRight{-1, -1};

constexpr Binding wasd(char32_t key, Direction direction, std::string_view label, std::string_view help) {
  return {key, 0, true, false, Command::drive, direction, label, help};
}
constexpr Binding classic(char32_t key, Direction direction, std::string_view label, std::string_view help) {
  return {key, 0, false, true, Command::drive, direction, label, help};
}
constexpr Binding both(char32_t key, Command command, std::string_view label, std::string_view help) {
  return {key, 0, true, true, command, {}, label, help};
}
constexpr Binding control(char32_t key, Command command, std::string_view label) {
  return {key, kControl, true, true, command, {}, label, {}};
}

constexpr std::array kBindings{
    wasd(U'w', kForward, "w", "hold to drive forward"),
    wasd(U's', kBack, "s", "hold to drive back"),
    wasd(U'a', kLeft, "a", "steer left"),
    wasd(U'd', kRight, "d", "steer right"),
    wasd(terminal::kUp, kForward, "arrows", "same as w a s d"),
    wasd(terminal::kDown, kBack, "down", {}),
    wasd(terminal::kLeft, kLeft, "left", {}),
    wasd(terminal::kRight, kRight, "right", {}),
    classic(U'i', kForward, "i", "hold to drive forward"),
    classic(U',', kBack, ",", "hold to drive back"),
    classic(U'u', kForwardLeft, "u o", "forward, left and right"),
    classic(U'o', kForwardRight, "o", {}),
    classic(U'm', kBackLeft, "m .", "back, left and right"),
    classic(U'.', kBackRight, ".", {}),
    classic(U'j', kLeft, "j l", "steer left, right"),
    classic(U'l', kRight, "l", {}),
    Binding{U'k', 0, false, true, Command::stop, {}, "k", "stop now"},
    both(U' ', Command::stop, "SPACE", "stop now, stays armed"),
    both(terminal::kEscape, Command::stop, "ESC", "stop now"),
    both(U'A', Command::arm, "A", "arm: asks for a code"),
    both(terminal::kEnter, Command::confirm, "Enter", {}),
    both(U'x', Command::disarm, "x", "stop and disarm"),
    both(U'1', Command::limit, "1-9", "speed limit 0.1 to 0.9 m/s"),
    both(U'2', Command::limit, "2", {}),
    both(U'3', Command::limit, "3", {}),
    both(U'4', Command::limit, "4", {}),
    both(U'5', Command::limit, "5", {}),
    both(U'6', Command::limit, "6", {}),
    both(U'7', Command::limit, "7", {}),
    both(U'8', Command::limit, "8", {}),
    both(U'9', Command::limit, "9", {}),
    both(U'0', Command::limit, "0", "limit: that of --max-speed"),
    both(U'c', Command::centre, "c", "steering centre; in FAULT: acknowledge"),
    both(U'M', Command::next_mode, "M", "next motion mode, at rest"),
    both(U'L', Command::lights, "L", "lights on and off"),
    both(U'?', Command::help, "? h", "all keys"),
    both(U'h', Command::help, "h", {}),
    both(U'q', Command::quit, "q", "quit: stop, give control back"),
    control(U'c', Command::interrupt, "Ctrl-C"),
    control(U'\\', Command::abort, "Ctrl-\\"),
    control(U'z', Command::suspend, "Ctrl-Z"),
};

}  // namespace

std::span<const Binding> bindings() { return kBindings; }

const Binding* find_binding(Layout layout, const terminal::Event& event) {
  const auto found = std::find_if(kBindings.begin(), kBindings.end(), [&](const Binding& row) {
    return row.key == event.key && row.modifiers == event.modifiers && in_layout(row, layout);
  });
  return event.key == terminal::kUnknownKey || found == kBindings.end() ? nullptr : &*found;
}

}  // namespace rangerctl::teleop
