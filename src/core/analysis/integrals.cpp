#include "rangerctl/analysis/integrals.hpp"

namespace rangerctl::analysis {

void Integral::add(const Timestamp& time, std::int64_t value) {
  if (!time.known()) return;
  const Point point{time, value};
  if (last_) add_step(*last_, point);
  if (!first_) first_ = point;
  last_ = point;
}

void Integral::append(const Integral& later) {
  if (!later.first_) return;
  if (last_) add_step(*last_, *later.first_);
  if (!first_) first_ = later.first_;
  last_ = later.last_;
  above_ += later.above_;
  below_ += later.below_;
  covered_ += later.covered_;
}

void Integral::add_step(const Point& from, const Point& to) {
  if (to.time.order(from.time) < 0) return;
  const auto step = std::chrono::duration_cast<std::chrono::microseconds>(time_between(from.time, to.time));
  if (step > longest_) return;
  const std::int64_t twice = from.value + to.value;
  const auto microseconds = static_cast<std::uint64_t>(step.count());
  covered_ += step.count();
  if (twice > 0) above_ += Wide{static_cast<std::uint64_t>(twice)} * microseconds;
  if (twice < 0) below_ += Wide{static_cast<std::uint64_t>(-twice)} * microseconds;
}

void Travel::add(std::int64_t raw) {
  if (!first_) first_ = raw;
  const std::int64_t before = last_.value_or(raw);
  last_ = raw;
  if (raw == 0 && (before > kReset || before < -kReset)) {
    ++resets_;
  } else {
    sum_ += static_cast<std::int32_t>(static_cast<std::uint32_t>(raw) - static_cast<std::uint32_t>(before));
  }
}

void Travel::append(const Travel& later) {
  if (!later.first_) return;
  add(*later.first_);
  last_ = later.last_;
  sum_ += later.sum_;
  resets_ += later.resets_;
}

}  // namespace rangerctl::analysis
