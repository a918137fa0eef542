#include "draw_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "../monitor/view.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/terminal/input.hpp"

namespace rangerctl::teleop {
namespace {

constexpr int kNumberWidth = 7;
constexpr int kKeyWidth = 5;

std::string missing(int width) { return fmt::format("{:>{}}", monitor::kMissing, width); }

constexpr std::array kKeyNames{
    std::pair{U' ', "SPACE"},
    std::pair{terminal::kEscape, "ESC"},
    std::pair{terminal::kEnter, "Enter"},
    std::pair{terminal::kTab, "Tab"},
    std::pair{terminal::kBackspace, "Bksp"},
    std::pair{terminal::kUp, "up"},
    std::pair{terminal::kDown, "down"},
    std::pair{terminal::kLeft, "left"},
    std::pair{terminal::kRight, "right"},
};

std::string key_name(char32_t key) {
  const auto found =
      std::find_if(kKeyNames.begin(), kKeyNames.end(), [key](const auto& row) { return row.first == key; });
  if (found != kKeyNames.end()) return found->second;
  return key > U' ' && key < 0x7F ? std::string(1, static_cast<char>(key)) : "other";
}

}  // namespace

std::string speed_text(std::optional<std::int64_t> milli) {
  if (!milli) return missing(kNumberWidth);
  return fmt::format("{:>+{}.3f}", static_cast<double>(*milli) / 1000, kNumberWidth);
}

std::string degrees_text(std::optional<std::int64_t> mrad) {
  if (!mrad) return missing(kNumberWidth);
  const double tenths = std::round(static_cast<double>(*mrad) * 1.8 / std::numbers::pi);
  return fmt::format("{:>+{}.1f}", tenths / 10 + 0.0, kNumberWidth);
}

std::string_view side_text(std::optional<std::int64_t> left) {
  if (!left || *left == 0) return "     ";
  return *left > 0 ? "left " : "right";
}

std::string age_text(std::optional<std::chrono::microseconds> age) {
  return age ? monitor::age_text(*age) : missing(5);
}

std::string key_text(char32_t key) { return monitor::padded(key_name(key), kKeyWidth); }

std::string word(const protocol::Catalogue& catalogue, std::string_view message, std::string_view signal,
                 std::optional<std::int64_t> raw) {
  return monitor::word({protocol::find_signal(*catalogue.find(message), signal), raw});
}

}  // namespace rangerctl::teleop
