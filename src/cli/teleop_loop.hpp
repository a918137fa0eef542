#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "cli/teleop_record.hpp"
#include "cli/teleop_screen.hpp"
#include "io/guard.hpp"
#include "io/ticker.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/teleop/machine.hpp"
#include "rangerctl/terminal/input.hpp"
#include "rangerctl/transport.hpp"
#include "tui/tty.hpp"

namespace rangerctl::cli {

/// The loop that drives: every 20 ms on an absolute timer takes what arrived, lets the machine decide, and
/// sends. It neither allocates, locks nor waits for a terminal or a disk.
class TeleopLoop {
 public:
  struct Parts {
    Transport& transport;
    tui::Tty& tty;
    TeleopScreen& screen;
    io::Guard& guard;
    TeleopRecord* record = nullptr;  ///< null: nothing is recorded
    terminal::InputParser& parser;
  };

  TeleopLoop(const Parts& parts, const protocol::Catalogue& catalogue, std::uint32_t bit_rate,
             const teleop::Options& options);

  /// Until it is over. `vanished`: there is no terminal any more.
  struct End {
    teleop::Farewell farewell;
    bool vanished = false;
  };
  Result<End> run();

 private:
  void forget_what_waits();
  void wait(int ticker);
  void await_answers();
  void take_input();
  void take_event(const terminal::Event& event);
  void take_frames();
  void take_signals();
  void take_terminal_again();
  void tick(const io::Tick& due);
  void send(const Frame& frame, SteadyTime decided);
  void tell();

  Parts parts_;
  const protocol::Catalogue& catalogue_;
  bool dry_run_;
  Gate gate_;
  teleop::Machine machine_;
  std::minstd_rand random_;
  std::array<Received, 64> buffer_;
  std::uint64_t batch_ = 0;
  std::uint32_t hold_ups_ = 0;
  std::uint64_t ticks_ = 0;
  std::array<teleop::Action, teleop::kRuleCount>
      recorded_{};  ///< what each rule did in the record's last reasons
  bool vanished_ = false;
  std::optional<teleop::Farewell> end_;
};

}  // namespace rangerctl::cli
