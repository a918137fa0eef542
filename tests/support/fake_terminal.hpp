// A terminal that can be trusted to misbehave: a pseudo-terminal with a program on it, and at its other end
// an emulated terminal with a screen, a keyboard and a link of programmable delay.
//
//   keyboard -> | delay, stall | -> program      one stream for keys and answers
//   screen   <- | delay, stall | <- program
//
// $TERM is xterm-256color. All calls may be made while the program runs; a thread of its own moves the bytes.
#pragma once

#include <termios.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/delayed_line.hpp"
#include "support/job.hpp"
#include "support/key_bytes.hpp"
#include "support/process.hpp"
#include "support/terminal_picture.hpp"

namespace rangerctl::support {

// Lets others go on meanwhile.
void pass(Milliseconds time);

enum class Way { to_program, to_screen, both };

class FakeTerminal {
 public:
  // Of the clock that candump's time stamps have.
  using Moment = std::chrono::system_clock::time_point;

  explicit FakeTerminal(Command command, const TerminalKind& kind = kKitty, WindowSize size = {});
  // Kills the program if it still runs.
  ~FakeTerminal();
  FakeTerminal(const FakeTerminal&) = delete;
  FakeTerminal& operator=(const FakeTerminal&) = delete;

  // The keyboard; for the names of keys see key_bytes.hpp. A key that is down repeats, after a delay, until
  // it is released or another one goes down. Each returns when it happened.
  Moment press(std::string_view key);
  Moment release(std::string_view key);
  Moment tap(std::string_view key);  // down and up at once
  void type(std::string_view text);  // each character tapped
  // Down for so long; returns the moment of the release.
  Moment hold(std::string_view key, Milliseconds time);
  void set_repeat(Milliseconds delay, Milliseconds interval);
  // When the last event of a key was sent, repeats included.
  Moment last_key();

  // Bracketed where the program asked for that.
  Moment paste(std::string_view text);
  // Reported where the program asked for that.
  Moment focus(bool has_focus);
  // Any bytes, in order with keys and answers.
  Moment send(std::string_view bytes);
  // The same, but on the way all after the first `count` bytes is held up so long.
  Moment send_torn(std::string_view bytes, std::size_t count, Milliseconds pause);

  // The link, and what is behind it.
  void set_delay(Way way, Milliseconds delay);
  // Holds everything, then hands it over in one piece.
  Moment stall(Way way, Milliseconds time);
  void become_mute();
  // The program's output is not even taken from the pseudo-terminal.
  void stop_reading(bool stopped);
  void resize(WindowSize size);
  // The terminal is gone.
  Moment hang_up();

  // The program.
  [[nodiscard]] pid_t pid() const { return job_->pid(); }
  Moment signal(int number) const;
  bool waits_stopped(Milliseconds timeout = Milliseconds{20'000});
  void resume();
  // As a shell does for its command line: the settings are those of before the program, whatever it needs.
  void set_as_before() const;
  // Nothing: it still runs after the timeout.
  std::optional<JobEnd> wait(Milliseconds timeout = Milliseconds{20'000});

  // What is on the screen.
  std::string screen();
  std::string row(int row);
  // Everything that was written, as bytes.
  std::string output();
  // Waits until `good` holds for the screen, or the timeout has passed. Returns whether it held.
  bool shows(const std::function<bool(const std::string&)>& good,
             Milliseconds timeout = Milliseconds{20'000});
  bool shows(std::string_view text, Milliseconds timeout = Milliseconds{20'000});

  // What the program switched on.
  bool mode(int number);
  int kitty_flags();
  // As `stty -g` prints it.
  [[nodiscard]] std::string settings() const;
  // What is not as before the program, modes and settings, in words; empty: a shell can go on. Waits for that
  // a while, since it may be put back by another process than the one that has ended.
  std::string left_on(Milliseconds patience = Milliseconds{3'000});
  // Besides, answers and events of keys that were typed into the shell, as it echoes them: ^[[0n.
  std::string left_behind(Milliseconds patience = Milliseconds{3'000});

 private:
  using Lock = std::unique_lock<std::mutex>;
  using SteadyTime = DelayedLine::Time;

  struct Repeat {
    std::string key;
    SteadyTime next;
  };

  void open(WindowSize size);
  void serve();
  void read_output();
  void deliver(SteadyTime now);
  void repeat_key(SteadyTime now);
  void write_input();
  [[nodiscard]] std::optional<SteadyTime> next_event() const;
  Moment push(const Lock& lock, std::string_view bytes);
  void set_window(WindowSize size) const;
  void wake() const;
  void drain_wake() const;
  [[nodiscard]] std::string not_as_before();
  bool wait_until(Lock& lock, Milliseconds timeout, const std::function<bool()>& done);

  int master_ = -1;
  int slave_ = -1;  // kept open, to look at the settings and to read what is written at the very end
  int wake_ = -1;
  std::string settings_before_;
  termios first_settings_{};
  std::optional<Job> job_;

  std::mutex mutex_;
  std::condition_variable changed_;
  TerminalPicture picture_;
  DelayedLine to_program_;
  DelayedLine to_screen_;
  std::string pending_;  // has arrived, but the pseudo-terminal has no room yet
  std::string output_;
  std::optional<Repeat> repeat_;
  Milliseconds repeat_delay_{250};
  Milliseconds repeat_interval_{33};
  Moment last_key_;
  bool reads_ = true;
  bool ends_ = false;
  std::thread thread_;  // the last: it uses everything above
};

}  // namespace rangerctl::support
