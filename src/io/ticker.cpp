#include "io/ticker.hpp"

#include <fmt/format.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "io/wait.hpp"

namespace rangerctl::io {
Tick Schedule::take(std::uint64_t expirations, SteadyTime now, std::chrono::nanoseconds boot) {
  if (expirations == 0) return {};
  const auto ahead = boot - now.time_since_epoch();
  const auto late = now - due_;
  const auto suspended = std::max(ahead - ahead_, std::chrono::nanoseconds(0));
  due_ += period_ * static_cast<std::int64_t>(expirations);
  ahead_ = ahead;
  return {expirations, late, late + suspended};
}

Result<Ticker> Ticker::start(std::chrono::milliseconds period) {
  Descriptor timer(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
  const SteadyTime now = std::chrono::steady_clock::now();
  const itimerspec due{to_timespec(period), to_timespec(now.time_since_epoch() + period)};
  if (timer.get() < 0 || ::timerfd_settime(timer.get(), TFD_TIMER_ABSTIME, &due, nullptr) != 0) {
    return Error{ExitStatus::failed,
                 fmt::format("cannot start a timer: {}", std::generic_category().message(errno))};
  }
  return Ticker(std::move(timer), Schedule(now, boot_time(), period));
}

Tick Ticker::take() {
  std::uint64_t expirations = 0;
  if (::read(timer_.get(), &expirations, sizeof expirations) != sizeof expirations) return {};
  return schedule_.take(expirations, std::chrono::steady_clock::now(), boot_time());
}

}  // namespace rangerctl::io
