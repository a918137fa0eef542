#include "io/guard.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <new>
#include <optional>
#include <system_error>
#include <tuple>

#include "io/real_time.hpp"
#include "io/wait.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/teleop/drive.hpp"

namespace rangerctl::io {

/// What the main process does with the terminal.
enum class TerminalUse : std::uint8_t {
  unknown,   ///< something, from the start on
  taken,     ///< its line settings are known
  released,  ///< nothing
};

/// Is no raw value of a motion mode.
constexpr std::int64_t kUnknownMode = -1;

/// What both processes see.
struct GuardMemory {
  std::atomic<std::int64_t> heartbeat{0};  ///< of the main process, on the steady clock
  std::atomic<std::int64_t> guard_heartbeat{0};
  std::atomic<bool> armed{false};
  std::atomic<std::int64_t> steering_angle{0};
  std::atomic<std::int64_t> motion_mode{kUnknownMode};
  std::atomic<TerminalUse> terminal{TerminalUse::unknown};
  std::atomic<std::uint32_t> hold_ups{0};
  std::atomic<std::uint32_t> zeros{0};
  termios settings{};  ///< of the terminal in use; valid while it is `taken`
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free &&
              std::atomic<TerminalUse>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
              std::atomic<std::uint32_t>::is_always_lock_free);

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// A guard that has not run for so long keeps no promise.
constexpr auto kGuardPatience = 200ms;
constexpr const char* kProcessName = "rangerctl-guard";  // 15 characters, the kernel's limit

std::int64_t count(SteadyTime time) { return time.time_since_epoch().count(); }
SteadyTime time_of(std::int64_t count) { return SteadyTime(SteadyTime::duration(count)); }

Error no_guard(std::string_view why) {
  return {ExitStatus::failed, fmt::format("cannot start the guard process: {}", why)};
}
Error no_guard(int error) { return no_guard(std::generic_category().message(error)); }

struct Pipe {
  Descriptor read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return no_guard(errno);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// All signals are blocked in the child, from its first moment on.
pid_t fork_without_signals() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  const pid_t pid = ::fork();
  if (pid != 0) ::sigprocmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

// ---- What the guard says when it starts: a status, and a message where that is not 0 --------------------

void say(const Descriptor& report, ExitStatus status, std::string message) {
  message.insert(message.begin(), static_cast<char>(status));
  if (::write(report.get(), message.data(), message.size()) < 0) {
    // The main process has gone already, which is seen elsewhere.
  }
}

std::string hear_all(const Descriptor& report) {
  std::string all;
  std::array<char, 256> piece{};
  while (true) {
    const ssize_t got = ::read(report.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return all;
    all.append(piece.data(), static_cast<std::size_t>(got));
  }
}

Result<void> hear(const Descriptor& report) {
  const std::string said = hear_all(report);
  if (said.empty()) return no_guard("it ended at once");
  const auto status = static_cast<ExitStatus>(said.front());
  if (status == ExitStatus::ok) return {};
  return Error{status, said.substr(1)};
}

// ---- The terminal -------------------------------------------------------------------------------------

/// With a description of its own, which does not follow what others do with theirs, where that is allowed: a
/// terminal of another user (su) cannot be opened. Now, for later its name may be that of another terminal.
Descriptor open_terminal(int terminal) {
  const std::string name = fmt::format("/proc/self/fd/{}", terminal);
  Descriptor own(::open(name.c_str(), O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  return own.get() >= 0 ? std::move(own) : Descriptor(::fcntl(terminal, F_DUPFD_CLOEXEC, 3));
}

void write_without_waiting(int terminal, std::string_view bytes) {
  const int flags = ::fcntl(terminal, F_GETFL);
  ::fcntl(terminal, F_SETFL, flags | O_NONBLOCK);
  while (!bytes.empty()) {
    const ssize_t written = ::write(terminal, bytes.data(), bytes.size());
    if (written <= 0) break;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  ::fcntl(terminal, F_SETFL, flags);
}

bool same(const termios& one, const termios& other) {
  const auto flags = [](const termios& settings) {
    return std::tie(settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag);
  };
  return flags(one) == flags(other) && std::ranges::equal(one.c_cc, other.c_cc);
}

/// A shell can be quicker: then its line editor has begun, which must not lose its settings.
bool is_ours(int terminal, const GuardMemory& memory) {
  termios now{};
  return memory.terminal != TerminalUse::taken || ::tcgetattr(terminal, &now) != 0 ||
         same(now, memory.settings);
}

/// What still waits to be shown makes room, and keys for the robot do not go to the shell.
void restore_terminal(int terminal, const GuardOptions& options, const GuardMemory& memory) {
  if (is_ours(terminal, memory)) ::tcflush(terminal, TCIOFLUSH);
  write_without_waiting(terminal, options.restoring_bytes);
  if (is_ours(terminal, memory)) ::tcsetattr(terminal, TCSANOW, &options.settings);
}

// ---- The guard process --------------------------------------------------------------------------------

void close_between(int first, int last) {
  if (first <= last) ::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
}

/// Standard input and output lead nowhere, so that nothing else takes their numbers.
void leave_open(std::vector<int> keep) {
  const Descriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere.get(), number);
  std::sort(keep.begin(), keep.end());
  int next = STDERR_FILENO + 1;
  for (const int number : keep) {
    close_between(next, number - 1);
    next = std::max(next, number + 1);
  }
  ::close_range(static_cast<unsigned>(next), ~0U, 0);
}

class GuardProcess {
 public:
  GuardProcess(const GuardOptions& options, GuardMemory& memory, Descriptor lifeline)
      : options_(options), memory_(memory), lifeline_(std::move(lifeline)), duty_(options.patience) {}

  /// Takes what it needs and leaves everything else of the main process.
  Result<void> prepare(int report) {
    ::setsid();
    ::prctl(PR_SET_NAME, kProcessName);
    if (options_.terminal >= 0) terminal_ = open_terminal(options_.terminal);
    std::vector<int> keep = options_.keep;
    keep.insert(keep.end(), {lifeline_.get(), terminal_.get(), report});
    leave_open(keep);
    if (options_.real_time) static_cast<void>(take_real_time(kGuardPriority));
    if (auto opened = open_bus(); !opened) return opened;
    memory_.guard_heartbeat = count(steady_clock::now());
    return {};
  }

  void run() {
    while (true) {
      const teleop::GuardAction action = duty_.look(sight());
      if (action.begins) ++memory_.hold_ups;
      if (action.send_zero) send_zero();
      if (action.restore_terminal && has_terminal()) restore_terminal(terminal_.get(), options_, memory_);
      if (action.done) return;
      wait(action.look_again);
    }
  }

 private:
  Result<void> open_bus() {
    if (!options_.open_bus) return {};
    auto bus = options_.open_bus();
    if (!bus) return bus.error();
    bus_ = std::move(*bus);
    gate_.emplace(*options_.catalogue, Role::host, *bus_);
    return {};
  }

  /// Armed is read first: who sees it sees the heartbeat that came with it.
  teleop::GuardSight sight() {
    teleop::GuardSight sight;
    sight.gone = gone_;
    sight.armed = memory_.armed && gate_.has_value();
    sight.heartbeat = time_of(memory_.heartbeat);
    sight.now = steady_clock::now();
    memory_.guard_heartbeat = count(sight.now);
    return sight;
  }

  /// Counted before it can be seen on the bus. An interface that was down is noticed by receive().
  void send_zero() {
    ++memory_.zeros;
    if (try_to_send_zero()) return;
    std::array<Received, 1> nothing;
    static_cast<void>(bus_->receive(nothing, SteadyTime::min()));
    static_cast<void>(try_to_send_zero());
  }

  Result<Sent> try_to_send_zero() {
    Situation situation;
    if (const std::int64_t mode = memory_.motion_mode; mode != kUnknownMode) situation.motion_mode = mode;
    const teleop::Motion steered{.steering_angle = memory_.steering_angle};
    auto sent = gate_->send(teleop::motion_frame(*options_.catalogue, steered), situation);
    if (sent || sent.error().status != ExitStatus::refused) return sent;
    return gate_->send(teleop::motion_frame(*options_.catalogue, {}));
  }

  [[nodiscard]] bool has_terminal() const {
    return terminal_.get() >= 0 && memory_.terminal != TerminalUse::released;
  }

  void wait(SteadyTime until) {
    if (gone_) {
      wait_until(until);
      return;
    }
    const auto left = std::max<std::chrono::nanoseconds>(until - steady_clock::now(), 0ns);
    const timespec timeout = to_timespec(left);
    pollfd main_process{lifeline_.get(), POLLIN, 0};
    gone_ = ::ppoll(&main_process, 1, &timeout, nullptr) > 0;
  }

  const GuardOptions& options_;
  GuardMemory& memory_;
  Descriptor lifeline_;  ///< at its end when the main process has gone
  Descriptor terminal_;
  std::unique_ptr<Transport> bus_;
  std::optional<Gate> gate_;
  teleop::GuardDuty duty_;
  bool gone_ = false;
};

/// Signals stay blocked, for ever. No destructor of what belongs to the main process runs here.
[[noreturn]] void be_the_guard(const GuardOptions& options, GuardMemory& memory, Descriptor lifeline,
                               Descriptor report) {
  GuardProcess process(options, memory, std::move(lifeline));
  const Result<void> prepared = process.prepare(report.get());
  if (prepared) {
    say(report, ExitStatus::ok, {});
    report.close();
    process.run();
  } else {
    say(report, prepared.error().status, prepared.error().message);
  }
  ::_exit(0);
}

}  // namespace

Guard::Memory Guard::map() {
  void* const memory =
      ::mmap(nullptr, sizeof(GuardMemory), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return Memory(memory == MAP_FAILED ? nullptr : new (memory) GuardMemory);
}

void Guard::Unmap::operator()(GuardMemory* memory) const { ::munmap(memory, sizeof *memory); }

Result<std::unique_ptr<Guard>> Guard::start(const GuardOptions& options) {
  Memory memory = map();
  if (!memory) return no_guard(errno);
  auto lifeline = make_pipe();
  if (!lifeline) return lifeline.error();
  auto report = make_pipe();
  if (!report) return report.error();

  std::signal(SIGCHLD, SIG_DFL);  // ignored, the end of a child could not be told from that of another
  const pid_t pid = fork_without_signals();
  if (pid < 0) return no_guard(errno);
  if (pid == 0) {
    lifeline->write.close();
    report->read.close();
    be_the_guard(options, *memory, std::move(lifeline->read), std::move(report->write));
  }
  report->write.close();
  std::unique_ptr<Guard> guard(
      new Guard(pid, options.terminal, std::move(memory), std::move(lifeline->write)));
  if (auto said = hear(report->read); !said) return said.error();
  return guard;
}

Guard::Guard(pid_t pid, int terminal, Memory memory, Descriptor lifeline)
    : pid_(pid), terminal_(terminal), memory_(std::move(memory)), lifeline_(std::move(lifeline)) {}

Guard::~Guard() {
  if (pid_ < 0) return;
  if (memory_->armed) lifeline_.close();
  ::kill(pid_, memory_->armed ? SIGCONT : SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Guard::beat(bool armed, const teleop::Standstill& standstill) {
  memory_->steering_angle = standstill.steering_angle;
  memory_->motion_mode = standstill.motion_mode.value_or(kUnknownMode);
  memory_->heartbeat = count(steady_clock::now());
  memory_->armed = armed;
}

bool Guard::alive() {
  if (pid_ < 0) return false;
  if (::waitpid(pid_, nullptr, WNOHANG) != 0) {
    pid_ = -1;
    return false;
  }
  const SteadyTime last = time_of(memory_->guard_heartbeat);
  return steady_clock::now() - last < kGuardPatience;
}

std::uint32_t Guard::hold_ups() const { return memory_->hold_ups; }

std::uint32_t Guard::zeros() const { return memory_->zeros; }

void Guard::take_terminal() {
  memory_->terminal = TerminalUse::unknown;
  if (::tcgetattr(terminal_, &memory_->settings) == 0) memory_->terminal = TerminalUse::taken;
}

void Guard::release_terminal() { memory_->terminal = TerminalUse::released; }

}  // namespace rangerctl::io
