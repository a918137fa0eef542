#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "io/wait.hpp"
#include "rangerctl/command/procedure.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::cli {

/// A procedure while it runs, its view, and the way out to the bus. Whoever has the loop hands over what
/// arrives, ends each round and lets it step: at least every 20 ms, or it takes that for a hold-up.
class ProcedureRun {
 public:
  /// Keeps references to both.
  ProcedureRun(command::Procedure& procedure, Transport& transport);

  void take(const Received& received, SteadyTime now) { command::reduce(view_, received, now); }
  /// Behind everything that arrived in this round.
  void end_round();
  /// Decides and sends. `action.frame` is sent already; `action.end` ends it and has advice for people.
  command::Action step();

 private:
  void send(const Frame& frame, SteadyTime now);
  [[nodiscard]] command::Report with_advice(command::Report report) const;

  command::Procedure& procedure_;
  Transport& transport_;
  Gate gate_;
  command::View view_;
  std::chrono::nanoseconds last_round_ = io::boot_time();
};

}  // namespace rangerctl::cli
