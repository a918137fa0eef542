#include "io/thread_signals.hpp"

#include <csignal>

namespace rangerctl::io {

void leave_signals_to_others() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace rangerctl::io
