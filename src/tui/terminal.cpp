#include "tui/terminal.hpp"

#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <cstring>
#include <utility>

#include "rangerctl/terminal/input.hpp"
#include "tui/painter.hpp"
#include "tui/rescue.hpp"
#include "tui/tty.hpp"

namespace rangerctl::tui {
namespace {

// Set by handlers, taken by wait().
volatile sig_atomic_t size_changed = 0;
volatile sig_atomic_t stop_asked = 0;
volatile sig_atomic_t continued = 0;

void note_signal(int signal_number) {
  if (signal_number == SIGWINCH) size_changed = 1;
  if (signal_number == SIGTSTP) stop_asked = 1;
  if (signal_number == SIGCONT) continued = 1;
}

void handle(int signal_number, void (*handler)(int), struct sigaction* before) {
  struct sigaction action {};
  action.sa_handler = handler;  // without SA_RESTART: a signal ends the wait
  sigaction(signal_number, &action, before);
}

constexpr std::array kNoted{SIGWINCH, SIGTSTP, SIGCONT};

bool taken(volatile sig_atomic_t& flag) {
  const bool was_set = flag != 0;
  flag = 0;
  return was_set;
}

Error no_terminal(const Error& why) {
  return {why.status, why.message + "; use --once for a snapshot without a screen"};
}

}  // namespace

struct Terminal::State {
  std::unique_ptr<Tty> tty;
  std::unique_ptr<Painter> painter;
  terminal::InputParser keys;
  std::array<struct sigaction, kNoted.size()> before{};

  void enter() {
    tty->raw(true);
    tty->force(painter->enter());
    painter->repaint();
  }
  void leave() {
    tty->force(painter->leave());
    tty->restore();
  }
};

bool is_terminal() { return isatty(STDOUT_FILENO) != 0; }

bool speaks_utf8() {
  std::setlocale(LC_CTYPE, "");
  return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

Terminal::Terminal() : state_(std::make_unique<State>()) {}

Result<std::unique_ptr<Terminal>> Terminal::open(bool colors) {
  auto tty = Tty::open();
  if (!tty) return no_terminal(tty.error());
  auto painter = Painter::open(colors, (*tty)->size());
  if (!painter) return no_terminal(painter.error());
  std::unique_ptr<Terminal> terminal(new Terminal);
  State& state = *terminal->state_;
  state.tty = std::move(*tty);
  state.painter = std::move(*painter);
  for (std::size_t i = 0; i < kNoted.size(); ++i) handle(kNoted[i], note_signal, &state.before[i]);
  arm_rescue(state.tty->output(), state.painter->leave(), state.tty->of_settings(), state.tty->settings());
  state.enter();
  return terminal;
}

Terminal::~Terminal() {
  state_->leave();
  disarm_rescue();
  for (std::size_t i = 0; i < kNoted.size(); ++i) sigaction(kNoted[i], &state_->before[i], nullptr);
}

monitor::Size Terminal::size() {
  if (const auto size = state_->tty->size()) state_->painter->resize(*size);
  return state_->painter->size();
}

void Terminal::paint(const monitor::Screen& screen) {
  Writer& writer = state_->tty->writer();
  if (writer.idle()) writer.write(state_->painter->paint(screen));
}

/// Leaves the terminal to the shell until the process is continued.
void Terminal::stop_here() {
  state_->leave();
  struct sigaction ours {};
  handle(SIGTSTP, SIG_DFL, &ours);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, nullptr);
  continued = 0;
  state_->enter();
}

bool Terminal::take_signals() {
  const bool stopped = taken(stop_asked);
  const bool resumed = taken(continued);
  const bool resized = taken(size_changed);
  if (stopped) {
    stop_here();
  } else if (resumed) {
    state_->tty->raw(true);
    state_->painter->repaint();
  }
  return stopped || resumed || resized;
}

Terminal::Event Terminal::wait(std::chrono::milliseconds timeout) {
  const Tty& tty = *state_->tty;
  Writer& writer = state_->tty->writer();
  std::array<pollfd, 2> waits{
      {{tty.input(), POLLIN, 0}, {writer.pending() > 0 ? tty.output() : -1, POLLOUT, 0}}};
  poll(waits.data(), waits.size(), static_cast<int>(timeout.count()));
  writer.flush();
  Event event;
  event.redraw = take_signals();
  event.vanished = writer.vanished();
  const auto now = std::chrono::steady_clock::now();
  if (waits[0].revents == 0) {
    event.key = state_->keys.idle(now);
    return event;
  }
  char byte = 0;
  const Tty::Read read = tty.read({&byte, 1});
  event.vanished = event.vanished || read.vanished;
  if (read.count == 1) event.key = state_->keys.take(byte, now);
  return event;
}

}  // namespace rangerctl::tui
