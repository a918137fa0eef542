#include "io/guard.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <pty.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <tuple>

#include "count_allocations.hpp"
#include "io/instance_lock.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::EndsWith;
using ::testing::SizeIs;

constexpr Frame kZero{.id = 0x111, .length = 8};
constexpr std::string_view kRestoringBytes = "\x1b[?25h\x1b[?1049l";
constexpr auto kForever = 24h;  // a heartbeat that no slow computer misses
constexpr auto kAtMost = 20s;   // until the test gives up

/// A bus that is a pipe: frames are read at the other end, in whole.
class PipeBus : public Transport {
 public:
  explicit PipeBus(int descriptor) : descriptor_(descriptor) {}
  Result<std::size_t> receive(std::span<Received> /*buffer*/, SteadyTime /*deadline*/) override {
    return std::size_t{0};
  }
  [[nodiscard]] LinkStatus status() const override { return {}; }
  [[nodiscard]] std::string_view address() const override { return "pipe"; }

 private:
  Result<Sent> transmit(const Frame& frame) override {
    if (::write(descriptor_, &frame, sizeof frame) != sizeof frame)
      return Error{ExitStatus::bus, "nobody reads"};
    return Sent::queued;
  }

  int descriptor_;
};

auto fields(const termios& settings) {
  return std::make_tuple(settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag,
                         std::string(std::begin(settings.c_cc), std::end(settings.c_cc)));
}

termios settings_of(int terminal) {
  termios settings{};
  EXPECT_EQ(::tcgetattr(terminal, &settings), 0);
  return settings;
}

void make_raw(int terminal) {
  termios settings{};
  ::tcgetattr(terminal, &settings);
  ::cfmakeraw(&settings);
  ::tcsetattr(terminal, TCSANOW, &settings);
}

bool readable(int descriptor) {
  pollfd ready{descriptor, POLLIN, 0};
  return ::poll(&ready, 1, std::chrono::milliseconds(kAtMost).count()) == 1;
}

bool until(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + kAtMost;
  while (!holds() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
  return holds();
}

/// To one process: what has no number yet is not everybody.
void send_signal(pid_t process, int signal) {
  ASSERT_GT(process, 1);
  EXPECT_EQ(::kill(process, signal), 0);
}

/// A bus, a terminal, and what a guard needs for both.
class Scene {
 public:
  explicit Scene(std::chrono::milliseconds patience = kForever) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    bus_end_ = Descriptor(ends[0]);
    bus_ = Descriptor(ends[1]);
    int master = -1, slave = -1;
    EXPECT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    ::fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK);
    master_ = Descriptor(master);
    terminal_ = Descriptor(slave);
    options.terminal = terminal_.get();
    options.settings = settings_of(terminal_.get());
    options.restoring_bytes = kRestoringBytes;
    options.open_bus = [bus = bus_.get()]() -> Result<std::unique_ptr<Transport>> {
      return std::unique_ptr<Transport>(std::make_unique<PipeBus>(bus));
    };
    options.catalogue = &protocol::kDefaultCatalogue;
    options.keep = {bus_.get()};
    options.patience = patience;
  }

  [[nodiscard]] int terminal() const { return terminal_.get(); }
  void close_master() { master_.close(); }

  /// What the terminal would show.
  [[nodiscard]] std::string shown() const {
    std::string all;
    std::array<char, 4096> piece{};
    for (ssize_t got = 0; (got = ::read(master_.get(), piece.data(), piece.size())) > 0;)
      all.append(piece.data(), static_cast<std::size_t>(got));
    return all;
  }

  [[nodiscard]] bool restored() const {
    return fields(settings_of(terminal())) == fields(options.settings) && shown() == kRestoringBytes;
  }

  std::vector<Frame> frames(std::size_t count) {
    std::vector<Frame> all;
    Frame frame;
    while (all.size() < count && readable(bus_end_.get()) &&
           ::read(bus_end_.get(), &frame, sizeof frame) == sizeof frame)
      all.push_back(frame);
    return all;
  }

  /// All that are left, once every process that could send more has ended.
  std::vector<Frame> last_frames() {
    bus_.close();
    std::vector<Frame> all = frames(1000);
    EXPECT_TRUE(readable(bus_end_.get())) << "somebody still has the bus";
    return all;
  }

  GuardOptions options;

 protected:
  Descriptor bus_end_;
  Descriptor bus_;
  Descriptor master_;
  Descriptor terminal_;
};

enum class Said { nothing, disarmed, armed };

/// A main process with a guard, seen from outside. Its guard becomes a child of the test when it ends.
class MainProcess {
 public:
  /// Returns when it has `said` that and lives on with `life`, which returns 0 where everything was as it
  /// should be. After that its guard is destroyed.
  MainProcess(const Scene& scene, Said said, const std::function<int(Guard&)>& life) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    Descriptor read(ends[0]);
    Descriptor write(ends[1]);
    pid_ = ::fork();
    if (pid_ == 0) live(scene.options, said, life, write.get());
    write.close();
    EXPECT_EQ(::read(read.get(), &guard_, sizeof guard_), ssize_t{sizeof guard_}) << "no guard";
  }
  MainProcess(const MainProcess&) = delete;
  MainProcess& operator=(const MainProcess&) = delete;
  ~MainProcess() {
    if (running_) send_signal(pid_, SIGKILL);
    while (::waitpid(-1, nullptr, 0) > 0) {
    }
  }

  [[nodiscard]] pid_t guard() const { return guard_; }
  void signal(int number) const { send_signal(pid_, number); }
  void signal_guard(int number) const { send_signal(guard_, number); }

  void wait_until_stopped() const {
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, WUNTRACED), pid_);
    EXPECT_TRUE(WIFSTOPPED(status));
  }

  /// What its life returned, or 99 where that left a child behind.
  [[nodiscard]] int result() {
    int status = 0;
    running_ = false;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  [[noreturn]] static void live(const GuardOptions& options, Said said,
                                const std::function<int(Guard&)>& life, int report) {
    auto guard = Guard::start(options);
    if (!guard) ::_exit(98);
    make_raw(options.terminal);
    if (said != Said::nothing) (*guard)->beat(said == Said::armed);
    const pid_t pid = (*guard)->pid();
    if (::write(report, &pid, sizeof pid) != sizeof pid) ::_exit(97);
    const int result = life(**guard);
    guard->reset();
    const bool childless = ::waitpid(-1, nullptr, WNOHANG) < 0 && errno == ECHILD;
    ::_exit(childless ? result : 99);
  }

  pid_t pid_ = -1;
  pid_t guard_ = -1;
  bool running_ = true;
};

int stay(Guard& /*guard*/) {
  while (true) ::pause();
}

TEST(Guard, AnArmedMainProcessThatEndsIsFollowedBy25ZerosAndItsTerminalIsPutBack) {
  for (const int signal : {SIGKILL, SIGTERM, SIGHUP, SIGALRM}) {
    Scene scene;
    MainProcess main(scene, Said::armed, [signal](Guard& /*guard*/) {
      std::signal(signal, SIG_DFL);  // nohup ignores one of them for everything below it
      return ::raise(signal);
    });
    const std::vector<Frame> frames = scene.last_frames();
    EXPECT_THAT(frames, SizeIs(25)) << signal;
    EXPECT_THAT(frames, Each(kZero)) << signal;
    EXPECT_TRUE(scene.restored()) << signal;
    EXPECT_EQ(main.result(), -signal);
  }
}

TEST(Guard, ACrashIsAnEndAsWell) {
  Scene scene;
  MainProcess main(scene, Said::armed, [](Guard& /*guard*/) {
    std::signal(SIGSEGV, SIG_DFL);
    ::prctl(PR_SET_DUMPABLE, 0);
    return ::raise(SIGSEGV);
  });
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_TRUE(scene.restored());
  EXPECT_EQ(main.result(), -SIGSEGV);
}

TEST(Guard, AnExitWithoutTheDestructorIsAnEndAsWell) {
  Scene scene;
  const MainProcess main(scene, Said::armed, [](Guard& /*guard*/) -> int { ::_exit(3); });
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_TRUE(scene.restored());
}

TEST(Guard, NothingIsSentForAMainProcessThatIsNotArmed) {
  for (const Said before : {Said::nothing, Said::disarmed, Said::armed}) {
    Scene scene;
    const MainProcess main(scene, before, [](Guard& guard) {
      guard.beat(false);
      return ::raise(SIGKILL);
    });
    EXPECT_THAT(scene.last_frames(), SizeIs(0));
    EXPECT_TRUE(scene.restored());
  }
}

TEST(Guard, AMainProcessThatNeverBeatIsNotArmed) {
  Scene scene(60ms);
  const MainProcess main(scene, Said::nothing, [](Guard& /*guard*/) { return ::raise(SIGKILL); });
  EXPECT_THAT(scene.last_frames(), SizeIs(0));
  EXPECT_TRUE(scene.restored());
}

TEST(Guard, NothingAtAllIsDoneOnAnEndInOrder) {
  Scene scene;
  MainProcess main(scene, Said::armed, [](Guard& guard) {
    for (int i = 0; i < 100; ++i) guard.beat(true);
    guard.beat(false);
    return guard.alive() && guard.hold_ups() == 0 && guard.zeros() == 0 ? 0 : 1;
  });
  EXPECT_THAT(scene.last_frames(), SizeIs(0));
  EXPECT_EQ(main.result(), 0);
  EXPECT_EQ(scene.shown(), "");
  EXPECT_NE(fields(settings_of(scene.terminal())), fields(scene.options.settings));
}

TEST(Guard, AnEndWhileArmedIsNotInOrder) {
  Scene scene;
  MainProcess main(scene, Said::armed, [](Guard& /*guard*/) { return 0; });
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_EQ(main.result(), 0);
  EXPECT_TRUE(scene.restored());
}

TEST(Guard, ATerminalThatTheMainProcessDoesNotOwnIsLeftAlone) {
  Scene scene;
  const MainProcess main(scene, Said::armed, [](Guard& guard) {
    guard.release_terminal();
    return ::raise(SIGKILL);
  });
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_EQ(scene.shown(), "");
  EXPECT_NE(fields(settings_of(scene.terminal())), fields(scene.options.settings));
}

TEST(Guard, ATerminalThatWasTakenAgainIsPutBack) {
  Scene scene;
  const MainProcess main(scene, Said::disarmed, [](Guard& guard) {
    guard.release_terminal();
    guard.take_terminal();
    return ::raise(SIGKILL);
  });
  EXPECT_THAT(scene.last_frames(), SizeIs(0));
  EXPECT_TRUE(scene.restored());
}

TEST(Guard, ZerosHoldTheWheelsWhereTheLimitsAllowThat) {
  static constexpr std::int64_t kAckermann = 0, kSpin = 2;
  struct Row {
    teleop::Standstill last;
    std::string_view frame;
  };
  for (const Row& row :
       {Row{{150, kAckermann}, "111#0000000000000096"}, Row{{-150, 1}, "111#000000000000FF6A"},
        Row{{150, kSpin}, "111#0000000000000000"}, Row{{150, {}}, "111#0000000000000000"},
        Row{{150, 77}, "111#0000000000000000"}, Row{{}, "111#0000000000000000"}}) {
    Scene scene;
    MainProcess main(scene, Said::nothing, [&row](Guard& guard) {
      guard.beat(true, {300, kAckermann});
      guard.beat(true, row.last);
      return ::raise(SIGKILL);
    });
    const std::vector<Frame> frames = scene.last_frames();
    EXPECT_THAT(frames, SizeIs(25));
    for (const Frame& frame : frames) EXPECT_EQ(log::written_frame(frame), row.frame);
  }
}

TEST(Guard, AMainProcessThatIsHeldUpIsHelpedOutWith25ZerosEachTime) {
  Scene scene(60ms);
  MainProcess main(scene, Said::armed, [](Guard& guard) {
    for (std::uint32_t time = 1; time <= 2; ++time) {
      ::raise(SIGSTOP);
      if (guard.hold_ups() != time || guard.zeros() != 25 * time) return 1;
      guard.beat(time == 1);
    }
    return 0;
  });
  for (int time = 0; time < 2; ++time) {
    const std::vector<Frame> frames = scene.frames(25);
    EXPECT_THAT(frames, SizeIs(25));
    EXPECT_THAT(frames, Each(kZero));
    main.wait_until_stopped();
    EXPECT_EQ(scene.shown(), "") << "it may still go on";
    main.signal(SIGCONT);
  }
  EXPECT_THAT(scene.last_frames(), SizeIs(0));
  EXPECT_EQ(main.result(), 0);
}

TEST(Guard, AMainProcessThatIsKilledWhileItIsHeldUpGetsAllZerosAgain) {
  Scene scene(60ms);
  const MainProcess main(scene, Said::armed, stay);
  main.signal(SIGSTOP);
  EXPECT_THAT(scene.frames(25), SizeIs(25));
  EXPECT_EQ(scene.shown(), "");
  main.signal(SIGKILL);
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_TRUE(scene.restored());
}

TEST(Guard, LineSettingsOfTheShellAreLeftAlone) {
  Scene scene;
  const MainProcess main(scene, Said::disarmed, [terminal = scene.terminal()](Guard& guard) {
    guard.take_terminal();
    termios settings = settings_of(terminal);  // from here on as a shell with a line editor does
    settings.c_lflag |= static_cast<tcflag_t>(ISIG);
    ::tcsetattr(terminal, TCSANOW, &settings);
    return ::raise(SIGKILL);
  });
  EXPECT_THAT(scene.last_frames(), SizeIs(0));
  EXPECT_EQ(scene.shown(), kRestoringBytes);
  EXPECT_EQ(settings_of(scene.terminal()).c_lflag & static_cast<tcflag_t>(ISIG | ICANON), tcflag_t{ISIG});
}

TEST(Guard, WithoutABusOnlyTheTerminalIsPutBack) {
  Scene scene(60ms);
  scene.options.open_bus = nullptr;
  const MainProcess main(scene, Said::armed, [](Guard& /*guard*/) { return ::raise(SIGKILL); });
  EXPECT_THAT(scene.last_frames(), SizeIs(0));
  EXPECT_TRUE(scene.restored());
}

TEST(Guard, ATerminalThatHasGoneHoldsNothingUp) {
  Scene scene;
  const MainProcess main(scene, Said::armed, stay);
  scene.close_master();
  main.signal(SIGKILL);
  EXPECT_THAT(scene.frames(25), SizeIs(25));
  EXPECT_THAT(scene.last_frames(), SizeIs(0));
}

TEST(Guard, ATerminalThatTakesNothingHoldsNothingUp) {
  Scene scene;
  const MainProcess main(scene, Said::armed, [terminal = scene.terminal()](Guard& /*guard*/) {
    ::fcntl(terminal, F_SETFL, O_RDWR | O_NONBLOCK);
    while (::write(terminal, "####", 4) > 0) {
    }
    ::fcntl(terminal, F_SETFL, O_RDWR);
    return ::raise(SIGKILL);
  });
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_THAT(scene.shown(), EndsWith(kRestoringBytes));
  EXPECT_EQ(fields(settings_of(scene.terminal())), fields(scene.options.settings));
}

TEST(Guard, NoSignalThatCanBeBlockedReachesIt) {
  Scene scene;
  const MainProcess main(scene, Said::armed, stay);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGALRM,
                           SIGUSR1, SIGUSR2, SIGRTMIN})
    main.signal_guard(signal);
  main.signal(SIGKILL);
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_TRUE(scene.restored());
}

TEST(Guard, ItKeepsNothingOfTheMainProcessButWhatItNeeds) {
  Scene scene;
  Descriptor other(::fcntl(scene.terminal(), F_DUPFD, 200));
  const MainProcess main(scene, Said::disarmed, stay);
  const std::string process = "/proc/" + std::to_string(main.guard());
  EXPECT_EQ(::getsid(main.guard()), main.guard());
  std::string name;
  std::ifstream(process + "/comm") >> name;
  EXPECT_EQ(name, "rangerctl-guard");
  // Standard input, output and errors; the pipe that ends with the main process; the terminal; the bus.
  const auto open = [&] {
    const std::filesystem::directory_iterator entries(process + "/fd");
    return std::distance(begin(entries), end(entries));
  };
  EXPECT_TRUE(until([&] { return open() == 6; })) << open();
}

TEST(Guard, ItsDeathIsNoticed) {
  Scene scene;
  auto guard = Guard::start(scene.options);
  ASSERT_TRUE(guard);
  EXPECT_TRUE((*guard)->alive());
  send_signal((*guard)->pid(), SIGKILL);
  EXPECT_TRUE(until([&] { return !(*guard)->alive(); }));
  EXPECT_EQ((*guard)->pid(), -1);
  EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0) << "it is reaped";
}

TEST(Guard, AGuardThatIsStoppedIsNotAlive) {
  Scene scene;
  auto guard = Guard::start(scene.options);
  ASSERT_TRUE(guard);
  send_signal((*guard)->pid(), SIGSTOP);
  EXPECT_TRUE(until([&] { return !(*guard)->alive(); }));
  send_signal((*guard)->pid(), SIGCONT);
  EXPECT_TRUE(until([&] { return (*guard)->alive(); }));
}

TEST(Guard, AGuardThatIsStoppedDoesNotHoldUpTheEnd) {
  for (const bool armed : {false, true}) {
    Scene scene;
    auto guard = Guard::start(scene.options);
    ASSERT_TRUE(guard);
    (*guard)->beat(armed);
    send_signal((*guard)->pid(), SIGSTOP);
    guard->reset();
    EXPECT_THAT(scene.last_frames(), SizeIs(armed ? 25 : 0));
    EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0) << "it is reaped";
  }
}

TEST(Guard, IgnoredEndsOfChildrenDoNotMatter) {
  Scene scene;
  std::signal(SIGCHLD, SIG_IGN);
  auto guard = Guard::start(scene.options);
  ASSERT_TRUE(guard);
  EXPECT_TRUE((*guard)->alive());
  send_signal((*guard)->pid(), SIGKILL);
  EXPECT_TRUE(until([&] { return !(*guard)->alive(); }));
}

TEST(Guard, ABusThatCannotBeOpenedIsAnErrorOfTheStart) {
  Scene scene;
  scene.options.open_bus = []() -> Result<std::unique_ptr<Transport>> {
    return Error{ExitStatus::bus, "no such interface"};
  };
  const auto guard = Guard::start(scene.options);
  ASSERT_FALSE(guard);
  EXPECT_EQ(guard.error().status, ExitStatus::bus);
  EXPECT_EQ(guard.error().message, "no such interface");
  EXPECT_LT(::waitpid(-1, nullptr, WNOHANG), 0) << "it is reaped";
}

TEST(Guard, TheLoopAllocatesNothing) {
  Scene scene;
  auto guard = Guard::start(scene.options);
  ASSERT_TRUE(guard);
  const std::uint64_t before = testing::allocations();
  for (int i = 0; i < 1000; ++i) {
    (*guard)->beat(i % 2 == 0);
    static_cast<void>((*guard)->alive());
  }
  EXPECT_EQ(testing::allocations(), before);
  (*guard)->beat(false);
}

TEST(Guard, AsLongAsItMaySendNoSecondTeleopStarts) {
  Scene scene;
  const std::string interface = "guard" + std::to_string(::getpid());
  auto lock = lock_instance(interface);
  ASSERT_TRUE(lock);
  scene.options.keep.push_back(lock->get());
  MainProcess main(scene, Said::armed, stay);
  lock->close();
  main.signal_guard(SIGSTOP);
  main.signal(SIGKILL);
  EXPECT_EQ(main.result(), -SIGKILL);
  const auto second = lock_instance(interface);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().status, ExitStatus::refused);
  main.signal_guard(SIGCONT);
  EXPECT_THAT(scene.last_frames(), SizeIs(25));
  EXPECT_TRUE(until([&] { return lock_instance(interface).has_value(); }));
}

}  // namespace
}  // namespace rangerctl::io
