#pragma once

#include <array>
#include <cstddef>

#include "rangerctl/transport.hpp"

namespace rangerctl {

/// Points in time that wait in order, at most kMost of them. Never allocates.
class TimeQueue {
 public:
  static constexpr std::size_t kMost = 128;

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] bool full() const { return count_ == kMost; }
  [[nodiscard]] std::size_t size() const { return count_; }
  /// The oldest. Precondition: not empty.
  [[nodiscard]] SteadyTime front() const { return times_[first_]; }
  /// Precondition: not full.
  void push_back(SteadyTime time) { times_[(first_ + count_++) % kMost] = time; }
  /// Precondition: not empty.
  void pop_front() {
    first_ = (first_ + 1) % kMost;
    --count_;
  }
  void clear() { count_ = 0; }

 private:
  std::array<SteadyTime, kMost> times_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

}  // namespace rangerctl
