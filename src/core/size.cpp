#include "rangerctl/size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace rangerctl {
namespace {

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array kUnits{
    Unit{"", 1},
    Unit{"B", 1},
    Unit{"K", 1e3},
    Unit{"KB", 1e3},
    Unit{"M", 1e6},
    Unit{"MB", 1e6},
    Unit{"G", 1e9},
    Unit{"GB", 1e9},
    Unit{"T", 1e12},
    Unit{"TB", 1e12},
    Unit{"KIB", 1024},
    Unit{"MIB", 1024.0 * 1024},
    Unit{"GIB", 1024.0 * 1024 * 1024},
};

const Unit* find_unit(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  const auto found =
      std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& unit) { return unit.name == upper; });
  return found == kUnits.end() ? nullptr : &*found;
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  constexpr double kMost = 9e18;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const Unit* const unit = find_unit({rest, static_cast<std::size_t>(end - rest)});
  const double bytes = unit == nullptr ? 0 : std::round(number * unit->bytes);
  if (error == std::errc{} && unit != nullptr && bytes >= 1 && bytes <= kMost)
    return static_cast<std::uint64_t>(bytes);
  return Error{ExitStatus::usage, fmt::format("'{}' is no size; write it as in 100MB or 64KiB", text)};
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 6> kNames{"B", "kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 999.95 && unit + 1 < kNames.size(); ++unit) value /= 1000;
  return fmt::format("{:.1f} {}", value, kNames[unit]);
}

}  // namespace rangerctl
