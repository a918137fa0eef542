#include "io/wait.hpp"

#include <ctime>

namespace rangerctl::io {

bool wait_until(SteadyTime deadline) {
  const auto time = deadline.time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const timespec until{seconds.count(), (time - seconds).count()};
  return ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == 0;
}

}  // namespace rangerctl::io
