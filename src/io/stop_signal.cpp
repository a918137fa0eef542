#include "io/stop_signal.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace rangerctl::io {
namespace {

struct StopSignal {
  int number;
  ExitStatus status;
};

constexpr std::array kStopSignals{
    StopSignal{SIGINT, ExitStatus::interrupted},
    StopSignal{SIGTERM, ExitStatus::terminated},
    StopSignal{SIGHUP, ExitStatus::hung_up},
    // Whatever else would end the process at once ends it in order.
    StopSignal{SIGQUIT, ExitStatus::terminated},
    StopSignal{SIGUSR1, ExitStatus::terminated},
    StopSignal{SIGUSR2, ExitStatus::terminated},
    StopSignal{SIGALRM, ExitStatus::terminated},
    StopSignal{SIGVTALRM, ExitStatus::terminated},
    StopSignal{SIGPROF, ExitStatus::terminated},
    StopSignal{SIGXCPU, ExitStatus::terminated},
};
constexpr StopSignal kSuspend{SIGTSTP, ExitStatus::interrupted};

std::atomic<int> first_signal{0};
std::atomic<bool> continued{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// What ends the program outranks what only suspends it.
void remember(int number) {
  int none = 0;
  int suspend = SIGTSTP;
  if (!first_signal.compare_exchange_strong(none, number))
    first_signal.compare_exchange_strong(suspend, number);
}

bool is_ignored(int number) {
  struct sigaction now {};
  return sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

/// nohup and background jobs stay as they are.
void catch_signal(const StopSignal& row) {
  struct sigaction action {};
  action.sa_handler = remember;  // without SA_RESTART: blocking calls end with EINTR
  if (!is_ignored(row.number)) sigaction(row.number, &action, nullptr);
}

}  // namespace

void catch_stop_signals() {
  for (const StopSignal& row : kStopSignals) catch_signal(row);
  std::signal(SIGPIPE, SIG_IGN);
}

void catch_suspend() { catch_signal(kSuspend); }

void catch_continue() {
  struct sigaction action {};
  action.sa_handler = [](int) { continued = true; };
  sigaction(SIGCONT, &action, nullptr);
}

bool was_continued() { return continued.exchange(false); }

bool suspend_asked() { return first_signal.load() == kSuspend.number; }

void suspend_here() {
  struct sigaction ours {};
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &standard, &ours);
  int suspend = kSuspend.number;
  first_signal.compare_exchange_strong(suspend, 0);  // before: a stop signal meanwhile counts
  raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, nullptr);
}

std::optional<ExitStatus> stop_signal() {
  const int number = first_signal.load();
  for (const StopSignal& row : kStopSignals) {
    if (row.number == number) return row.status;
  }
  return number == kSuspend.number ? std::optional(kSuspend.status) : std::nullopt;
}

}  // namespace rangerctl::io
