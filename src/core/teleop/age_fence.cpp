#include "rangerctl/teleop/age_fence.hpp"

#include <algorithm>

namespace rangerctl::teleop {
namespace {

using Duration = AgeFence::Duration;

constexpr std::chrono::milliseconds kSlice{100};

std::int64_t slice_of(SteadyTime now) { return now.time_since_epoch() / kSlice; }

/// The value that `percent` of all are not above (nearest rank).
Duration percentile(std::array<Duration, AgeFence::kProofAnswers> values, std::size_t percent) {
  std::sort(values.begin(), values.end());
  return values[(percent * values.size() + 99) / 100 - 1];
}

}  // namespace

bool AgeFence::ask(SteadyTime now) {
  if (waiting_.full()) return false;
  waiting_.push_back(now);
  return true;
}

void AgeFence::answer(SteadyTime now) {
  if (waiting_.empty()) {
    ++unasked_;
    return;
  }
  const SteadyTime asked = waiting_.front();
  waiting_.pop_front();
  const Duration before = now - fence_.value_or(asked);
  note_peak(before, now);
  fence_ = asked;
  round_trip_ = now - asked;
  bounds_[answers_ % kProofAnswers] = before;
  round_trips_[answers_ % kProofAnswers] = *round_trip_;
  ++answers_;
  in_a_row_ = before > kStop ? 0 : std::min(in_a_row_ + 1, kProofAnswers);
}

void AgeFence::note_peak(Duration bound, SteadyTime now) {
  const std::int64_t slice = slice_of(now);
  for (; slice_ < slice; ++slice_) {
    if (slice - slice_ > static_cast<std::int64_t>(kPeaks))
      slice_ = slice - static_cast<std::int64_t>(kPeaks);
    peaks_[static_cast<std::size_t>(slice_ + 1) % kPeaks] = Duration::zero();
  }
  Duration& peak = peaks_[static_cast<std::size_t>(slice) % kPeaks];
  peak = std::max(peak, bound);
}

std::optional<Duration> AgeFence::bound(SteadyTime now) const {
  return fence_ ? std::optional(now - *fence_) : std::nullopt;
}

std::optional<Duration> AgeFence::worst_bound(SteadyTime now) const {
  if (!fence_) return std::nullopt;
  return std::max(now - *fence_, *std::max_element(peaks_.begin(), peaks_.end()));
}

Duration AgeFence::silence(SteadyTime now) const {
  return waiting_.empty() ? Duration::zero() : now - waiting_.front();
}

std::size_t AgeFence::answers_in_a_row(SteadyTime now) const {
  return bound(now).value_or(Duration::max()) > kStop ? 0 : in_a_row_;
}

Duration AgeFence::percentile95() const { return percentile(bounds_, 95); }
Duration AgeFence::median_round_trip() const { return percentile(round_trips_, 50); }

bool AgeFence::proven(SteadyTime now) const {
  return answers_in_a_row(now) >= kProofAnswers && percentile95() <= kProof;
}

}  // namespace rangerctl::teleop
