// A program as a shell runs it on a terminal: in a session whose controlling terminal that is, in the
// foreground, and with job control, so that Ctrl-Z has a meaning.
#pragma once

#include <sys/types.h>

#include <optional>

#include "support/process.hpp"

namespace rangerctl::support {

struct JobEnd {
  int exit_status = -1;  // -1 where a signal ended it
  int signal = 0;
  bool operator==(const JobEnd&) const = default;
};
std::ostream& operator<<(std::ostream& stream, const JobEnd& end);

class Job {
 public:
  // Standard input, output and errors of the program are `terminal`. Of the command only argv, environment
  // and directory count.
  Job(const Command& command, int terminal);
  // Kills the program and its process group.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] pid_t pid() const { return program_; }
  // Readable when take_report() has something to take.
  [[nodiscard]] int reports() const { return reports_; }
  void take_report();

  [[nodiscard]] bool stopped() const { return stopped_; }
  [[nodiscard]] const std::optional<JobEnd>& end() const { return end_; }

  // As `fg` does: into the foreground again, and SIGCONT.
  void resume();

 private:
  pid_t shell_ = -1;
  pid_t program_ = -1;
  int orders_ = -1;
  int reports_ = -1;
  bool stopped_ = false;
  std::optional<JobEnd> end_;
};

}  // namespace rangerctl::support
