#include "support/job.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <limits>
#include <ostream>
#include <system_error>

namespace rangerctl::support {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

constexpr char kResume = 'c';

// What the shell tells: of which process, and its status as from waitpid().
struct Report {
  pid_t pid;
  int status;
};
constexpr int kStarted = -1;

// Everything from here to Job runs in the shell, a process that has nothing but this to do.
struct Shell {
  int terminal;
  int orders;
  int reports;
  pid_t program = -1;
};

volatile std::sig_atomic_t hung_up = 0;

void report(const Shell& shell, int status) {
  const Report news{shell.program, status};
  [[maybe_unused]] const ssize_t ignored = write(shell.reports, &news, sizeof news);
}

[[noreturn]] void become_program(const Shell& shell, const Command& command) {
  setpgid(0, 0);
  tcsetpgrp(shell.terminal, getpid());
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(shell.terminal, standard);
  change_environment(command.environment);
  std::vector<char*> argv;
  for (const std::string& argument : command.argv) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (command.directory.empty() || chdir(command.directory.c_str()) == 0) execvp(argv[0], argv.data());
  _exit(127);
}

// A hang-up is handed on, as bash does.
void reap(const Shell& shell) {
  if (hung_up != 0) {
    hung_up = 0;
    kill(-shell.program, SIGHUP);
    kill(-shell.program, SIGCONT);
  }
  int status = 0;
  while (waitpid(shell.program, &status, WNOHANG | WUNTRACED) == shell.program) report(shell, status);
}

void obey(const Shell& shell) {
  char order = 0;
  if (read(shell.orders, &order, 1) != 1) _exit(0);
  if (order != kResume) return;
  tcsetpgrp(shell.terminal, shell.program);
  kill(-shell.program, SIGCONT);
}

void handle_signals(sigset_t& while_waiting) {
  struct sigaction action = {};
  action.sa_handler = [](int number) { hung_up = number == SIGHUP ? 1 : hung_up; };
  sigset_t ours;
  sigemptyset(&ours);
  for (const int number : {SIGCHLD, SIGHUP}) {
    sigaction(number, &action, nullptr);
    sigaddset(&ours, number);
  }
  sigprocmask(SIG_BLOCK, &ours, &while_waiting);
  std::signal(SIGTTOU, SIG_IGN);
}

// A pseudo-terminal hangs up when nobody at all has its other end.
void close_all_but(std::array<int, 3> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned from = STDERR_FILENO + 1;
  for (const int descriptor : kept) {
    const auto next = static_cast<unsigned>(descriptor);
    if (next > from) close_range(from, next - 1, 0);
    from = next + 1;
  }
  close_range(from, std::numeric_limits<unsigned>::max(), 0);
}

[[noreturn]] void become_shell(Shell shell, const Command& command) {
  close_all_but({shell.terminal, shell.orders, shell.reports});
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  ioctl(shell.terminal, TIOCSCTTY, 0);
  sigset_t while_waiting;
  handle_signals(while_waiting);
  shell.program = fork();
  if (shell.program == 0) become_program(shell, command);
  setpgid(shell.program, shell.program);
  tcsetpgrp(shell.terminal, shell.program);
  report(shell, kStarted);
  pollfd wait{shell.orders, POLLIN, 0};
  while (true) {
    wait.revents = 0;
    ppoll(&wait, 1, nullptr, &while_waiting);
    reap(shell);
    if (wait.revents != 0) obey(shell);
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const JobEnd& end) {
  return stream << "exit status " << end.exit_status << ", signal " << end.signal;
}

Job::Job(const Command& command, int terminal) {
  std::signal(SIGPIPE, SIG_IGN);  // an order to a shell that has gone is no reason to end
  std::array<int, 2> orders{};
  std::array<int, 2> reports{};
  if (pipe2(orders.data(), O_CLOEXEC) != 0 || pipe2(reports.data(), O_CLOEXEC) != 0) fail("pipe");
  shell_ = fork();
  if (shell_ < 0) fail("fork");
  if (shell_ == 0) become_shell({terminal, orders[0], reports[1]}, command);
  close(orders[0]);
  close(reports[1]);
  orders_ = orders[1];
  reports_ = reports[0];
  take_report();
  fcntl(reports_, F_SETFL, O_NONBLOCK);
}

Job::~Job() {
  if (program_ > 0 && !end_) kill(-program_, SIGKILL);
  close(orders_);
  kill(shell_, SIGKILL);
  waitpid(shell_, nullptr, 0);
  close(reports_);
}

void Job::take_report() {
  Report news{};
  while (read(reports_, &news, sizeof news) == static_cast<ssize_t>(sizeof news)) {
    program_ = news.pid;
    if (news.status == kStarted) return;
    stopped_ = WIFSTOPPED(news.status);
    if (WIFEXITED(news.status)) end_ = JobEnd{WEXITSTATUS(news.status), 0};
    if (WIFSIGNALED(news.status)) end_ = JobEnd{-1, WTERMSIG(news.status)};
  }
}

void Job::resume() {
  stopped_ = false;
  [[maybe_unused]] const ssize_t count = write(orders_, &kResume, 1);
}

}  // namespace rangerctl::support
