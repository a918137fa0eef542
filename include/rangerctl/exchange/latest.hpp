#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

namespace rangerctl::exchange {

/// The newest value from one thread for another, without waiting, locks or allocation. Of three copies the
/// writer fills one, the reader reads one, and the third is the newest complete one.
template <class Value>
class Latest {
  static_assert(std::is_trivially_copyable_v<Value>);
  static_assert(std::atomic<std::uint8_t>::is_always_lock_free);

 public:
  /// The writing thread.
  void put(const Value& value) {
    values_[writing_] = value;
    writing_ =
        middle_.exchange(static_cast<std::uint8_t>(writing_ | kNew), std::memory_order_acq_rel) & kIndex;
  }

  /// The reading thread: the newest one, or null where none was put since the last call. Valid until then.
  const Value* take() {
    if ((middle_.load(std::memory_order_relaxed) & kNew) == 0) return nullptr;
    reading_ = middle_.exchange(reading_, std::memory_order_acq_rel) & kIndex;
    return &values_[reading_];
  }

 private:
  static constexpr std::uint8_t kNew = 4;
  static constexpr std::uint8_t kIndex = 3;

  std::array<Value, 3> values_{};
  std::uint8_t writing_ = 0;
  std::uint8_t reading_ = 1;
  std::atomic<std::uint8_t> middle_{2};
};

}  // namespace rangerctl::exchange
