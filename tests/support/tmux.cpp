#include "support/tmux.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

namespace rangerctl::support {

Tmux::Tmux(const std::string& shell_command, int columns, int rows) {
  const std::string config = folder_.write("config",
                                           "set -g remain-on-exit on\n"
                                           "set -g status off\n"
                                           "set -g default-shell /bin/sh\n"
                                           "set -g default-terminal tmux-256color\n"
                                           "set -g escape-time 0\n");
  const Outcome outcome = tmux({"-f", config, "new-session", "-d", "-x", std::to_string(columns), "-y",
                                std::to_string(rows), shell_command});
  if (outcome.exit_status != 0) throw std::runtime_error("tmux: " + outcome.err);
}

Tmux::~Tmux() { tmux({"kill-server"}); }

Outcome Tmux::tmux(std::vector<std::string> arguments) const {
  Command command = program({"tmux", "-u", "-S", (folder_.path() / "socket").string()});
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment = {"TMUX", "LC_ALL=C.UTF-8"};
  return run(std::move(command));
}

void Tmux::send_keys(const std::vector<std::string>& keys) const {
  std::vector<std::string> arguments = {"send-keys"};
  arguments.insert(arguments.end(), keys.begin(), keys.end());
  tmux(std::move(arguments));
}

void Tmux::resize(int columns, int rows) const {
  tmux({"resize-window", "-x", std::to_string(columns), "-y", std::to_string(rows)});
}

std::string Tmux::screen() const { return tmux({"capture-pane", "-p"}).out; }

std::string Tmux::screen_with_colours() const { return tmux({"capture-pane", "-p", "-e"}).out; }

bool Tmux::shows(const std::function<bool(const std::string&)>& good, Milliseconds timeout) const {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  while (!good(screen())) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(Milliseconds{50});
  }
  return true;
}

bool Tmux::shows(std::string_view text, Milliseconds timeout) const {
  return shows([text](const std::string& screen) { return screen.find(text) != std::string::npos; }, timeout);
}

}  // namespace rangerctl::support
