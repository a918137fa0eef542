#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rangerctl/command/view.hpp"
#include "rangerctl/exit_status.hpp"
#include "rangerctl/frame.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

/// Commands as pure state machines: what arrived and the time go in, frames and a report come out.
namespace rangerctl::command {

/// One more fact of a report, for programs: a name and either a list of words or a number.
struct Detail {
  std::string name;
  std::vector<std::string> words = {};
  std::optional<std::uint64_t> number = {};
};

/// How a command ended.
struct Report {
  ExitStatus status = ExitStatus::ok;
  std::string result = {};  ///< one word, see the README
  std::string text =
      {};  ///< the one line for people; with a status other than ok: what failed and what to do
  std::optional<std::chrono::milliseconds> after = {};  ///< from the first frame sent to its confirmation
  std::vector<Detail> details = {};
};

/// What a command wants done now.
struct Action {
  std::optional<Frame> frame = {};  ///< to send
  SteadyTime wake = {};  ///< when to call step() again, at the latest; every arrival may call it earlier
  std::vector<std::string> warnings = {};  ///< for people, on the way
  std::string progress = {};               ///< for people: what has been reached; empty: nothing new
  std::optional<Report> end = {};          ///< the command is over; nothing is sent any more
};

/// A command while it runs. The caller loops: take what arrives into the View, step(), send the frame through
/// the gate, tell what became of it, wait.
class Procedure {
 public:
  virtual ~Procedure() = default;

  /// Decides at `now`, which never goes back.
  virtual Action step(const View& view, SteadyTime now) = 0;

  /// What became of the frame of the last step().
  virtual void sent(const Result<Sent>& result, SteadyTime now) = 0;

  /// An end from outside: Ctrl-C, a terminated session, a transport that cannot be read. What must be sent
  /// before that still leaves; the report then has the status and the reason of `why`. Later calls change
  /// nothing.
  virtual void stop(const Error& why) = 0;

  /// Whether it never sends, so that it can run on a log too.
  [[nodiscard]] virtual bool only_listens() const { return false; }

  /// Whether its frames go round the gate (`send --unsafe`).
  [[nodiscard]] virtual bool unchecked() const { return false; }
};

}  // namespace rangerctl::command
