#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/descriptor.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/teleop/guard_duty.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// What the guard needs for its work.
struct GuardOptions {
  int terminal = -1;            ///< the terminal to put back, open as long as the Guard exists; -1: none
  termios settings{};           ///< its line settings as they were
  std::string restoring_bytes;  ///< for it: modes off, cursor on, alternate screen left

  /// Its own way to the bus, opened by the guard itself. Empty: it sends nothing, as where the chassis is
  /// simulated inside the main process.
  std::function<Result<std::unique_ptr<Transport>>()> open_bus;
  const protocol::Catalogue* catalogue = nullptr;  ///< needed with open_bus

  std::vector<int> keep;   ///< descriptors that stay open in it as long as it may send: the instance lock
  bool real_time = false;  ///< it asks for a real-time priority and locked memory, in silence
  std::chrono::milliseconds patience = teleop::kHeartbeatPatience;
};

struct GuardMemory;  // what both processes see

/// A child process that keeps the promises of the main process when that cannot: it is in a session of its
/// own and no signal but SIGKILL and SIGSTOP reaches it. teleop::GuardDuty says when it acts: when the main
/// process has ended, in whatever way, it puts the terminal back; while that is armed and ends, or misses its
/// heartbeat, it sends zeros: motion commands without speed. It never sends anything else, and ends within a
/// second after the main process.
///
/// For one thread. A fork without exec after the start hides the end of the main process from the guard.
class Guard {
 public:
  /// Returns once the guard is at work. Precondition: this process has one thread. SIGCHLD is no longer
  /// ignored afterwards. The error is that of open_bus, or says why there can be no guard.
  static Result<std::unique_ptr<Guard>> start(const GuardOptions& options);

  /// The end in order: after beat(false) the guard ends without doing anything. While armed, as when an
  /// exception is on its way, it does its work first. In both cases this returns when it has ended.
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// To be called each period of the loop. No system call. `standstill`: for the zeros that follow if there
  /// is no other call; what the limits forbid becomes straight wheels.
  void beat(bool armed, const teleop::Standstill& standstill = {});

  /// False for good once the guard has ended, and as long as it has not run for 200 ms. Does not block.
  [[nodiscard]] bool alive();

  /// How often it has begun to send zeros because the heartbeat was missed. One more since the last look: the
  /// main process was held up.
  [[nodiscard]] std::uint32_t hold_ups() const;
  /// How many zeros it has sent at most. On the bus they look like those of another program of this computer.
  [[nodiscard]] std::uint32_t zeros() const;

  /// To be called when the terminal is as this process needs it, at the start and after a suspension: line
  /// settings that are others by the time that it has ended are the shell's, which the guard leaves alone.
  void take_terminal();
  /// The guard leaves the terminal alone: it was put back, at the end or before a suspension.
  void release_terminal();

  /// -1 once it has ended.
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  struct Unmap {
    void operator()(GuardMemory* memory) const;
  };
  using Memory = std::unique_ptr<GuardMemory, Unmap>;
  static Memory map();

  Guard(pid_t pid, int terminal, Memory memory, Descriptor lifeline);

  pid_t pid_;
  int terminal_;
  Memory memory_;
  Descriptor lifeline_;  ///< the only write end of a pipe: its end is that of this process
};

}  // namespace rangerctl::io
