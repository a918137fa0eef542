// A terminal for tests: tmux, with a server of its own.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.hpp"

namespace rangerctl::support {

class Tmux {
 public:
  // Runs `shell_command` with sh in a terminal of this size. The screen stays readable after it has ended.
  explicit Tmux(const std::string& shell_command, int columns = 80, int rows = 24);
  ~Tmux();
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  // Keys by tmux's names: "q", "C-c", "Up", "PageDown".
  void send_keys(const std::vector<std::string>& keys) const;
  void resize(int columns, int rows) const;

  // One line a row, without blanks at their ends.
  std::string screen() const;
  // The same with the escape sequences that make its colours.
  std::string screen_with_colours() const;
  // Looks again and again until `good` holds for the screen, or the deadline passes.
  bool shows(const std::function<bool(const std::string&)>& good,
             Milliseconds timeout = Milliseconds{20'000}) const;
  bool shows(std::string_view text, Milliseconds timeout = Milliseconds{20'000}) const;

 private:
  Outcome tmux(std::vector<std::string> arguments) const;

  Folder folder_;
};

}  // namespace rangerctl::support
