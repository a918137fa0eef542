#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/procedure_run.hpp"
#include "cli/replay_log.hpp"
#include "io/live_lines.hpp"
#include "io/progress_line.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/output/record_writer.hpp"
#include "rangerctl/replay/machine.hpp"

namespace rangerctl::cli {

/// An interface that a log is sent to.
class ReplayBus {
 public:
  explicit ReplayBus(std::unique_ptr<Transport> transport);

  [[nodiscard]] Transport& transport() { return *transport_; }
  Result<Sent> send(const replay::Step& step, const Situation& situation);

 private:
  std::unique_ptr<Transport> transport_;
  std::array<Gate, 3> gates_;  ///< in the order of Role
};

/// Sends a log: what the machine says, on its buses.
class ReplayRun {
 public:
  /// Keeps references to `log` and `survey`. `buses` as in BusMap::interfaces().
  ReplayRun(ReplayLog& log, const ReplaySurvey& survey, const replay::Plan& plan,
            std::vector<ReplayBus> buses);

  /// To the end.
  command::Report run();

 private:
  void look_around(SteadyTime now);
  void take_frames(ReplayBus& bus);
  void take(ReplayBus& bus, const Received& received, SteadyTime now);
  void take_lines();
  void send(const replay::Step& step, SteadyTime now);
  void show_sent(const replay::Item& item);
  void rewind();
  void show_progress(SteadyTime now);

  ReplayLog& log_;
  const ReplaySurvey& survey_;
  replay::Plan plan_;
  std::vector<ReplayBus> buses_;
  replay::Machine machine_;
  BusWatch watch_;  ///< of the first one
  SteadyTime next_look_;
  std::array<Received, 256> buffer_;
  io::LiveLines lines_;
  io::ProgressLine progress_;
  output::RecordWriter writer_;
  output::TextBuffer text_;
};

}  // namespace rangerctl::cli
