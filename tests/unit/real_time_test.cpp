#include "io/real_time.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace rangerctl::io {
namespace {

/// What `check` returns in a process of its own, whose priority and limits are nobody else's.
int in_a_child(int (*check)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(check());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool has(const Result<void>& result, std::string_view words) {
  return !result && result.error().message.find(words) != std::string::npos;
}

int words_missing(const Result<void>& result, std::initializer_list<std::string_view> words) {
  return static_cast<int>(
      std::count_if(words.begin(), words.end(), [&](std::string_view word) { return !has(result, word); }));
}

int refused_says_what_to_do() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_RTPRIO, &none);
  ::setrlimit(RLIMIT_MEMLOCK, &none);
  if (::geteuid() == 0 && ::setuid(65534) != 0) return 10;
  const auto taken = take_real_time(kLoopPriority);
  const int missing =
      words_missing(taken, {"CAP_SYS_NICE", "ulimit -r", "'USER - rtprio 21'", "Operation not permitted"});
  // A sanitizer makes mlockall() do nothing, with success.
  if (::mlockall(MCL_CURRENT) == 0) return missing;
  return missing + words_missing(taken, {"CAP_IPC_LOCK", "ulimit -l", "'USER - memlock unlimited'"});
}

int granted_or_refused_by_name() {
  const auto taken = take_real_time(kLoopPriority);
  const bool is_fifo = (::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
  return is_fifo != has(taken, "no real-time priority") ? 0 : 1;
}

int granted_memory_can_still_grow() {
  if (has(take_real_time(kLoopPriority), "no locked memory")) return 0;
  const std::string large(std::size_t{64} * 1024 * 1024, 'x');
  return large.back() == 'x' ? 0 : 1;
}

int children_are_ordinary() {
  static_cast<void>(take_real_time(kLoopPriority));
  return in_a_child([] { return ::sched_getscheduler(0) == SCHED_OTHER ? 0 : 1; });
}

TEST(RealTime, ARefusalSaysWhatToDo) { EXPECT_EQ(in_a_child(refused_says_what_to_do), 0); }
TEST(RealTime, ThePriorityIsThereOrItsRefusal) { EXPECT_EQ(in_a_child(granted_or_refused_by_name), 0); }
TEST(RealTime, LockedMemoryDoesNotStarveTheProgram) {
  EXPECT_EQ(in_a_child(granted_memory_can_still_grow), 0);
}
TEST(RealTime, ChildrenDoNotInheritThePriority) { EXPECT_EQ(in_a_child(children_are_ordinary), 0); }

}  // namespace
}  // namespace rangerctl::io
