#pragma once

#include <cstdint>
#include <optional>

#include "rangerctl/analysis/id_statistics.hpp"
#include "rangerctl/frame.hpp"

namespace rangerctl::analysis {

/// A value over time, summed by trapezoids; where more than `longest` passed between two values nothing is
/// known and nothing is summed. Values are integers in some unit, sums are in that unit times microseconds,
/// times two: exact.
class Integral {
 public:
  explicit Integral(std::chrono::microseconds longest) : longest_(longest) {}

  void add(const Timestamp& time, std::int64_t value);
  /// Adds what came later.
  void append(const Integral& later);

  /// What is above zero, and the magnitude of what is below; a step over zero counts on the side of its mean.
  [[nodiscard]] Wide twice_above() const { return above_; }
  [[nodiscard]] Wide twice_below() const { return below_; }
  /// The time that is summed over.
  [[nodiscard]] std::chrono::microseconds covered() const { return std::chrono::microseconds(covered_); }

 private:
  struct Point {
    Timestamp time;
    std::int64_t value;
  };

  void add_step(const Point& from, const Point& to);

  std::chrono::microseconds longest_;
  std::optional<Point> first_;
  std::optional<Point> last_;
  Wide above_ = 0;
  Wide below_ = 0;
  std::int64_t covered_ = 0;
};

/// How far a wheel went by its odometer, which counts in 32 bits and begins at zero again when the chassis is
/// switched on: a step to zero from more than kReset is no way that was gone.
class Travel {
 public:
  static constexpr std::int64_t kReset = 100;

  void add(std::int64_t raw);
  /// Adds what came later.
  void append(const Travel& later);

  /// Forward less backward, in the unit of the odometer; nothing: it was never seen.
  [[nodiscard]] std::optional<std::int64_t> sum() const { return last_ ? std::optional(sum_) : std::nullopt; }
  [[nodiscard]] std::uint64_t resets() const { return resets_; }

 private:
  std::optional<std::int64_t> first_;
  std::optional<std::int64_t> last_;
  std::int64_t sum_ = 0;
  std::uint64_t resets_ = 0;
};

}  // namespace rangerctl::analysis
