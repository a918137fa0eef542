#include "rangerctl/monitor/meter.hpp"

#include <algorithm>

namespace rangerctl::monitor {
namespace {

double seconds(SteadyTime::duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

void Meter::add(SteadyTime now, std::uint64_t amount) {
  last_ = {now, last_.amount + amount, last_.arrivals + 1};
  if (used_ != 0 && marks_[newest_].time == now) {
    marks_[newest_] = last_;
    return;
  }
  if (used_ != 0 && now - marks_[newest_].time < kSpacing) return;
  newest_ = (newest_ + 1) % kMarks;
  used_ = std::min(used_ + 1, kMarks);
  marks_[newest_] = last_;
}

const Meter::Mark& Meter::mark(std::size_t nth_newest) const {
  return marks_[(newest_ + kMarks - nth_newest) % kMarks];
}

/// The newest mark that is not after `time`, else the oldest one. Precondition: used_ != 0.
const Meter::Mark& Meter::mark_before(SteadyTime time) const {
  for (std::size_t i = 0; i < used_; ++i) {
    if (mark(i).time <= time) return mark(i);
  }
  return mark(used_ - 1);
}

std::optional<double> Meter::per_second(SteadyTime now) const {
  if (used_ == 0) return std::nullopt;
  const auto quiet = now - last_.time;
  const Mark* from = &mark_before(last_.time - kWindow);
  const std::uint64_t arrivals = last_.arrivals - from->arrivals;
  if (arrivals == 0) return quiet > kWindow ? std::optional(0.0) : std::nullopt;

  // Nothing new for longer than usual: the silence counts as well.
  const auto usual = (last_.time - from->time) / static_cast<std::int64_t>(arrivals);
  const bool overdue = quiet > std::max<SteadyTime::duration>(2 * usual, kSpacing);
  if (overdue && quiet > kWindow) return 0.0;
  if (overdue) from = &mark_before(now - kWindow);
  const auto span = (overdue ? now : last_.time) - from->time;
  return static_cast<double>(last_.amount - from->amount) / seconds(span);
}

}  // namespace rangerctl::monitor
