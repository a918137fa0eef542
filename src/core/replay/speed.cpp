#include "rangerctl/replay/speed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace rangerctl::replay {
namespace {

constexpr std::size_t kMostDecimals = 6;
constexpr std::int64_t kLeast = 10'000;
constexpr std::int64_t kMost = 100'000'000;

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// 0: no speed.
std::int64_t millionths_of(std::string_view text) {
  constexpr std::size_t kMostWhole = 3;
  const std::string_view whole = text.substr(0, text.find('.'));
  const std::string_view decimals = text.substr(std::min(whole.size() + 1, text.size()));
  if (whole.empty() || whole.size() > kMostWhole || decimals.size() > kMostDecimals) return 0;
  if (!all_digits(whole) || !all_digits(decimals) || text.ends_with('.')) return 0;
  std::string digits(whole);
  digits.append(decimals).append(kMostDecimals - decimals.size(), '0');
  return std::stoll(digits);
}

}  // namespace

Result<Speed> Speed::parse(std::string_view text) {
  const std::int64_t millionths = millionths_of(text);
  if (millionths >= kLeast && millionths <= kMost) return Speed(millionths);
  return Error{ExitStatus::usage,
               fmt::format("--speed: '{}' is no number from 0.01 to 100, such as 2 or 0.5", text)};
}

std::chrono::nanoseconds Speed::scale(std::chrono::nanoseconds time) const {
  __extension__ using Wide = __int128;
  constexpr Wide kHundredYears = Wide{100} * 366 * 86'400 * 1'000'000'000;
  const Wide scaled = (Wide{time.count()} * kOne + millionths_ / 2) / millionths_;
  return std::chrono::nanoseconds(static_cast<std::int64_t>(std::min(scaled, kHundredYears)));
}

}  // namespace rangerctl::replay
