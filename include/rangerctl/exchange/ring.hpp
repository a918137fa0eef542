#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <type_traits>

namespace rangerctl::exchange {

/// A queue from one thread to another that never waits, locks or allocates. A full one refuses.
template <class Value, std::size_t kSize>
class Ring {
  static_assert(std::is_trivially_copyable_v<Value>);
  static_assert(std::atomic<std::size_t>::is_always_lock_free);

 public:
  /// The writing thread. False, and nothing happens, where there is no room.
  bool push(const Value& value) {
    const std::size_t end = end_.load(std::memory_order_relaxed);
    if (end - begin_.load(std::memory_order_acquire) == kSize) return false;
    values_[end % kSize] = value;
    end_.store(end + 1, std::memory_order_release);
    return true;
  }

  /// The reading thread. False where nothing is there.
  bool pop(Value& value) {
    const std::size_t begin = begin_.load(std::memory_order_relaxed);
    if (begin == end_.load(std::memory_order_acquire)) return false;
    value = values_[begin % kSize];
    begin_.store(begin + 1, std::memory_order_release);
    return true;
  }

 private:
  std::array<Value, kSize> values_{};
  alignas(64) std::atomic<std::size_t> begin_{0};
  alignas(64) std::atomic<std::size_t> end_{0};
};

}  // namespace rangerctl::exchange
