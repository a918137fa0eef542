#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>

#include "rangerctl/transport.hpp"

namespace rangerctl::monitor {

/// Adds up an amount and says how much of it arrives per second, over a sliding window.
///
/// The rate is amount between two arrivals over the time between them, so it is exact for a steady source
/// even when arrivals are few, and batches that a napping reader takes at once do not disturb it. Fixed
/// size, never allocates.
class Meter {
 public:
  static constexpr std::chrono::milliseconds kWindow{2000};

  /// `amount` arrived at `now`, which never goes back.
  void add(SteadyTime now, std::uint64_t amount = 1);

  /// Amount per second; nothing until a second arrival tells; 0 when nothing arrived for the whole window and
  /// longer than twice the usual distance between arrivals.
  [[nodiscard]] std::optional<double> per_second(SteadyTime now) const;

 private:
  /// The totals after everything that arrived at `time` or before.
  struct Mark {
    SteadyTime time;
    std::uint64_t amount = 0;
    std::uint64_t arrivals = 0;
  };
  static constexpr std::size_t kMarks = 24;                  // spans the window with one mark each ...
  static constexpr std::chrono::milliseconds kSpacing{100};  // ... at most so often

  [[nodiscard]] const Mark& mark(std::size_t nth_newest) const;
  [[nodiscard]] const Mark& mark_before(SteadyTime time) const;

  std::array<Mark, kMarks> marks_{};
  std::size_t used_ = 0;
  std::size_t newest_ = 0;
  Mark last_{};
};

}  // namespace rangerctl::monitor
