#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "rangerctl/result.hpp"

namespace rangerctl::replay {

/// How much faster than the log, as an exact decimal: a time that is scaled by it does not drift.
class Speed {
 public:
  /// "1", "0.25", "100": from 0.01 to 100, with at most six decimals. The error is of status usage.
  static Result<Speed> parse(std::string_view text);

  Speed() = default;

  [[nodiscard]] bool is_one() const { return millionths_ == kOne; }
  /// How long what takes `time` in the log takes now; at most a hundred years.
  [[nodiscard]] std::chrono::nanoseconds scale(std::chrono::nanoseconds time) const;

 private:
  static constexpr std::int64_t kOne = 1'000'000;
  explicit Speed(std::int64_t millionths) : millionths_(millionths) {}

  std::int64_t millionths_ = kOne;
};

}  // namespace rangerctl::replay
