#include "io/wait.hpp"

#include <ctime>

namespace rangerctl::io {

bool wait_until(SteadyTime deadline) {
  const auto time = deadline.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const timespec until{seconds.count(), (time - seconds).count()};
  return ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == 0;
}

std::chrono::nanoseconds boot_time() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace rangerctl::io
