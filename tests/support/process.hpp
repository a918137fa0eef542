// Runs programs for tests: a command to its end, or one in the background that is watched, signalled and
// awaited.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace rangerctl::support {

using Milliseconds = std::chrono::milliseconds;

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in $PATH unless it has a slash

  // Standard input, then its end. With `feed`, the pieces that it returns, until an empty one.
  std::string input;
  std::function<std::string_view()> feed;
  bool keep_input_open = false;

  bool discard_output = false;  // standard output is /dev/null
  int terminal = -1;            // standard input and output, where it is not -1

  std::vector<std::string> environment;  // "NAME=VALUE" sets, "NAME" unsets; everything else is inherited
  std::filesystem::path directory;       // empty: that of the test
  Milliseconds timeout{60'000};          // for the whole run; then it is killed and the outcome says so
};

struct Outcome {
  std::string out;
  std::string err;
  int exit_status = -1;  // -1 where it did not exit by itself
  int signal = 0;        // that ended it
  bool timed_out = false;
  // Largest resident set, by wait4(). The kernel counts from the fork on: never less than that of the test
  // itself.
  std::int64_t peak_kib = 0;
};

std::ostream& operator<<(std::ostream& stream, const Outcome& outcome);

// A running program. The destructor kills its whole process group.
class Process {
 public:
  explicit Process(Command command);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Everything printed up to now; more is read only within the calls below.
  const std::string& out() const { return outcome_.out; }
  const std::string& err() const { return outcome_.err; }

  // Reads until `done` holds. False where the program ended or the deadline passed before that.
  bool read_until(const std::function<bool()>& done, Milliseconds timeout = Milliseconds{20'000});
  bool out_contains(std::string_view text, Milliseconds timeout = Milliseconds{20'000});
  bool err_contains(std::string_view text, Milliseconds timeout = Milliseconds{20'000});

  void signal(int number) const;
  void close_input();
  void close_output();  // as `| head` does: the next write to standard output fails

  // Until it ends by itself, or is killed when the command's timeout has passed.
  Outcome wait();

 private:
  using Deadline = std::chrono::steady_clock::time_point;

  [[noreturn]] void become_child(int input, int output, int errors) const;
  void pump(Deadline deadline);
  void feed_input();
  void reap();

  Command command_;
  Deadline end_;
  Outcome outcome_;
  pid_t pid_ = -1;
  bool running_ = true;
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  int exit_ = -1;  // a pidfd: readable once the program has ended
  std::string_view pending_;
};

Outcome run(Command command);

// Changes the environment of this process as Command::environment says; for the child after a fork.
void change_environment(const std::vector<std::string>& changes);

Command program(std::vector<std::string> argv);
Command shell(std::string script);

// The program under test with arguments; $RANGERCTL_BINARY names another one than the build's.
Command rangerctl(std::vector<std::string> arguments);
std::string rangerctl_binary();

// `text` as one word of the shell.
std::string shell_quoted(std::string_view text);

// A folder of its own, gone at the end. Below $TMPDIR, where sockets work.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Returns the path of a new file with this content.
  std::string write(std::string_view name, std::string_view content) const;
  // Of what is in it, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);

}  // namespace rangerctl::support
