#include "support/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace rangerctl::support {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

struct Pipe {
  int reader;
  int writer;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return {ends[0], ends[1]};
}

void close_once(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

void make_nonblocking(int descriptor) { fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

// Appends what is there; closes at the end of the file.
void drain(int& descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  while (descriptor >= 0) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      close_once(descriptor);
    } else if (errno != EINTR) {
      return;
    }
  }
}

Milliseconds until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<Milliseconds>(deadline - Clock::now());
  return std::max(left, Milliseconds::zero());
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome) {
  stream << "exit status " << outcome.exit_status << ", signal " << outcome.signal;
  if (outcome.timed_out) stream << ", timed out";
  return stream << "\nstdout:\n" << outcome.out << "\nstderr:\n" << outcome.err;
}

Process::Process(Command command)
    : command_(std::move(command)), end_(Clock::now() + command_.timeout), pending_(command_.input) {
  std::signal(SIGPIPE, SIG_IGN);  // a child that stops reading is an event here, not the end of the tests
  const Pipe input = make_pipe();
  const Pipe output = make_pipe();
  const Pipe errors = make_pipe();
  pid_ = fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) become_child(input.reader, output.writer, errors.writer);
  setpgid(pid_, pid_);  // here too, whoever is first: a signal may go to the group at once
  for (const int theirs : {input.reader, output.writer, errors.writer}) close(theirs);
  input_ = input.writer;
  output_ = output.reader;
  errors_ = errors.reader;
  for (const int ours : {input_, output_, errors_}) make_nonblocking(ours);
  exit_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));  // glibc 2.36 declares its wrapper for C only
  if (exit_ < 0) fail("pidfd_open");
}

void Process::become_child(int input, int output, int errors) const {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_DFL);
  if (command_.terminal >= 0) input = output = command_.terminal;
  dup2(input, STDIN_FILENO);
  dup2(command_.discard_output ? open("/dev/null", O_WRONLY | O_CLOEXEC) : output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  change_environment(command_.environment);
  std::vector<char*> argv;
  for (const std::string& argument : command_.argv) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (command_.directory.empty() || chdir(command_.directory.c_str()) == 0) execvp(argv[0], argv.data());
  const std::string message =
      "cannot run " + command_.argv[0] + ": " + std::generic_category().message(errno);
  [[maybe_unused]] const ssize_t ignored = write(STDERR_FILENO, message.data(), message.size());
  _exit(127);
}

Process::~Process() {
  if (running_) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  for (int* descriptor : {&input_, &output_, &errors_, &exit_}) close_once(*descriptor);
}

void Process::feed_input() {
  if (pending_.empty() && command_.feed) pending_ = command_.feed();
  if (pending_.empty()) {
    if (!command_.keep_input_open) close_input();
    return;
  }
  const ssize_t count = write(input_, pending_.data(), pending_.size());
  if (count > 0) {
    pending_.remove_prefix(static_cast<std::size_t>(count));
  } else if (errno != EAGAIN && errno != EINTR) {
    close_input();
  }
}

void Process::reap() {
  int status = 0;
  rusage usage{};
  if (wait4(pid_, &status, WNOHANG, &usage) != pid_) return;
  running_ = false;
  outcome_.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome_.peak_kib = usage.ru_maxrss;
}

void Process::pump(Deadline deadline) {
  const bool idle = command_.keep_input_open && pending_.empty() && !command_.feed;
  std::array<pollfd, 4> waits{
      {{idle ? -1 : input_, POLLOUT, 0}, {output_, POLLIN, 0}, {errors_, POLLIN, 0}, {exit_, POLLIN, 0}}};
  poll(waits.data(), waits.size(), static_cast<int>(until(deadline).count()));
  if (waits[0].revents != 0) feed_input();
  // The end first, so that what was printed before it is drained after it.
  if (waits[3].revents != 0) reap();
  drain(output_, outcome_.out);
  drain(errors_, outcome_.err);
}

bool Process::read_until(const std::function<bool()>& done, Milliseconds timeout) {
  const Deadline deadline = Clock::now() + timeout;
  while (!done()) {
    if (!running_ || Clock::now() >= deadline) return false;
    pump(deadline);
  }
  return true;
}

bool Process::out_contains(std::string_view text, Milliseconds timeout) {
  return read_until([&] { return out().find(text) != std::string::npos; }, timeout);
}

bool Process::err_contains(std::string_view text, Milliseconds timeout) {
  return read_until([&] { return err().find(text) != std::string::npos; }, timeout);
}

void Process::signal(int number) const { kill(pid_, number); }

void Process::close_input() { close_once(input_); }

void Process::close_output() { close_once(output_); }

Outcome Process::wait() {
  while (running_) {
    if (!outcome_.timed_out && Clock::now() >= end_) {
      outcome_.timed_out = true;
      kill(-pid_, SIGKILL);
    }
    pump(outcome_.timed_out ? Clock::now() + Milliseconds{1000} : end_);
  }
  return outcome_;
}

void change_environment(const std::vector<std::string>& changes) {
  for (const std::string& change : changes) {
    const auto equals = change.find('=');
    const std::string name = change.substr(0, equals);
    if (equals == std::string::npos) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), change.c_str() + equals + 1, 1);
    }
  }
}

Outcome run(Command command) { return Process(std::move(command)).wait(); }

Command program(std::vector<std::string> argv) {
  Command command;
  command.argv = std::move(argv);
  return command;
}

Command shell(std::string script) { return program({"sh", "-c", std::move(script)}); }

std::string rangerctl_binary() {
  const char* other = std::getenv("RANGERCTL_BINARY");
  return other != nullptr ? other : RANGERCTL_BINARY;
}

Command rangerctl(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), rangerctl_binary());
  Command command = program(std::move(arguments));
  command.environment = {"RANGERCTL_INTERFACE", "NO_COLOR", "LC_ALL=C.UTF-8", "TZ=UTC"};
  return command;
}

std::string shell_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "rangerctl.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail("mkdtemp");
  path_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string Folder::write(std::string_view name, std::string_view content) const {
  const std::filesystem::path file = path_ / name;
  std::ofstream stream(file, std::ios::binary);
  stream << content;
  stream.close();
  if (!stream) fail("write");
  return file.string();
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("read_file");
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

}  // namespace rangerctl::support
