#include "io/real_time.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

namespace rangerctl::io {
namespace {

bool take_priority(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  return ::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0;
}

/// A limit that is merely large enough today would make a later allocation fail: either there is none, or it
/// is set to 0 for the moment, so that only the privilege counts.
bool lock_memory(int /*priority*/) {
  rlimit before{};
  ::getrlimit(RLIMIT_MEMLOCK, &before);
  const bool unlimited = before.rlim_max == RLIM_INFINITY;
  const rlimit meanwhile{unlimited ? RLIM_INFINITY : 0, before.rlim_max};
  ::setrlimit(RLIMIT_MEMLOCK, &meanwhile);
  const bool locked = ::mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  const int error = errno;
  if (!unlimited) ::setrlimit(RLIMIT_MEMLOCK, &before);
  errno = error;
  return locked;
}

struct Wish {
  bool (*take)(int priority);
  std::string_view name;
  std::string_view shell;       ///< prints the present limit
  std::string_view capability;  ///< is enough without the limit
  std::string_view limit;       ///< line of limits.conf
};
static_assert(kGuardPriority == 21);
constexpr std::array kWishes{
    Wish{take_priority, "real-time priority", "ulimit -r", "CAP_SYS_NICE", "rtprio 21"},
    Wish{lock_memory, "locked memory", "ulimit -l", "CAP_IPC_LOCK", "memlock unlimited"},
};

std::string refusal(const Wish& wish, int error) {
  return fmt::format(
      "no {} ({}): it needs {} or, in /etc/security/limits.conf, the line 'USER - {}' and a new login; see "
      "{}",
      wish.name, std::generic_category().message(error), wish.capability, wish.limit, wish.shell);
}

}  // namespace

Result<void> take_real_time(int priority) {
  std::string refusals;
  for (const Wish& wish : kWishes) {
    if (wish.take(priority)) continue;
    refusals += (refusals.empty() ? "" : "; ") + refusal(wish, errno);
  }
  if (refusals.empty()) return {};
  return Error{ExitStatus::failed, refusals};
}

}  // namespace rangerctl::io
