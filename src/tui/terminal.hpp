#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "rangerctl/monitor/screen.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/terminal/input.hpp"

namespace rangerctl::tui {

/// Whether standard output is a terminal of any kind.
[[nodiscard]] bool is_terminal();

/// Whether the locale says that the terminal takes UTF-8.
[[nodiscard]] bool speaks_utf8();

/// The terminal on standard output, for as long as this exists: an own screen that is painted as a whole,
/// and keys one by one. The terminal is put back as it was when this goes, when the process is stopped
/// (Ctrl-Z), and before the process dies of a fatal signal.
///
/// One at a time, on one thread. Signals that only end the program (SIGINT, SIGTERM, SIGHUP) stay with the
/// caller, who has to install them before.
class Terminal {
 public:
  /// `colors`: use them where the terminal has some. Precondition: why_no_screen() is empty.
  static Result<std::unique_ptr<Terminal>> open(bool colors);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Adopts the size that the terminal has now.
  [[nodiscard]] monitor::Size size();

  /// Shows `screen`; only what changed is written. Never waits: while the terminal still takes the picture
  /// before, this one is dropped.
  void paint(const monitor::Screen& screen);

  /// What wait() saw.
  struct Event {
    std::optional<terminal::Event> key;  ///< what was typed
    bool redraw = false;                 ///< the size changed, or the process was continued
    bool vanished = false;               ///< there is no terminal any more
  };
  /// Waits for a key or a signal, at most `timeout`. Without a keyboard it only waits.
  Event wait(std::chrono::milliseconds timeout);

 private:
  Terminal();
  void stop_here();
  bool take_signals();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rangerctl::tui
