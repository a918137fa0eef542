#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "io/wait.hpp"
#include "rangerctl/command/procedure.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::cli {

/// What is known of a bus while something is sent there. Whoever has the loop hands over what arrives and
/// ends each round: at least every 20 ms, or that counts as a hold-up.
class BusWatch {
 public:
  /// Keeps a reference.
  explicit BusWatch(Transport& transport);

  void take(const Received& received, SteadyTime now) { command::reduce(view_, received, now); }
  /// Behind everything that arrived in this round.
  void end_round();
  void note_sent(SteadyTime now) { command::note_sent(view_, now); }

  [[nodiscard]] const command::View& view() const { return view_; }

 private:
  Transport& transport_;
  command::View view_;
  std::chrono::nanoseconds last_round_ = io::boot_time();
};

/// The report with what to type where the interface is down.
[[nodiscard]] command::Report with_advice(command::Report report, const Transport& transport);

/// A procedure while it runs, its view, and the way out to the bus. Whoever has the loop does as BusWatch
/// says, and lets it step.
class ProcedureRun {
 public:
  /// Keeps references to both.
  ProcedureRun(command::Procedure& procedure, Transport& transport);

  void take(const Received& received, SteadyTime now) { watch_.take(received, now); }
  void end_round() { watch_.end_round(); }
  /// Decides and sends. `action.frame` is sent already; `action.end` ends it and has advice for people.
  command::Action step();

 private:
  void send(const Frame& frame, SteadyTime now);
  command::Procedure& procedure_;
  Transport& transport_;
  Gate gate_;
  BusWatch watch_;
};

}  // namespace rangerctl::cli
