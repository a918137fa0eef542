#include "tui/terminal.hpp"

#include <curses.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "rangerctl/terminal/input.hpp"
#include "tui/rescue.hpp"
#include "tui/terminfo.hpp"

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

/// How each style looks. Without colours the attributes alone have to do.
struct Look {
  attr_t attributes;
  short foreground;  ///< -1: the terminal's own
};
constexpr std::array<Look, 6> kLooks{{
    {A_NORMAL, -1},
    {A_BOLD, -1},
    {A_DIM, -1},
    {A_NORMAL, COLOR_CYAN},  // not green: one man in twelve cannot tell it from red
    {A_BOLD, COLOR_YELLOW},
    {A_BOLD | A_REVERSE, COLOR_RED},
}};

void init_colors() {
  if (has_colors() == FALSE) return;
  start_color();
  use_default_colors();
  for (std::size_t i = 0; i < kLooks.size(); ++i) {
    init_pair(static_cast<short>(i + 1), kLooks[i].foreground, -1);
  }
}

/// The character of a key that was pressed alone, or 0.
char plain_key(const std::optional<terminal::Event>& event) {
  const bool plain = event && event->key < 0x80 && *event == terminal::Event{.key = event->key};
  return plain ? static_cast<char>(event->key) : '\0';
}

Error no_terminal(std::string_view what) {
  return {ExitStatus::failed, std::string(what) + "; use --once for a snapshot without a screen"};
}

}  // namespace

struct Terminal::State {
  SCREEN* screen = nullptr;
  FILE* input = nullptr;
  int keyboard = -1;  ///< -1: none
  int own_tty = -1;   ///< a /dev/tty that we opened
  bool colors = false;
  termios settings{};
  terminal::InputParser keys;
  std::array<struct sigaction, kNoted.size()> before{};
};

bool is_terminal() { return isatty(STDOUT_FILENO) != 0; }

bool speaks_utf8() {
  std::setlocale(LC_CTYPE, "");
  return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

Terminal::Terminal() : state_(std::make_unique<State>()) {}

Result<std::unique_ptr<Terminal>> Terminal::open(bool colors) {
  std::setlocale(LC_CTYPE, "");
  std::unique_ptr<Terminal> terminal(new Terminal);
  State& state = *terminal->state_;
  if (isatty(STDIN_FILENO) != 0) {
    state.keyboard = STDIN_FILENO;
  } else {
    state.own_tty = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    state.keyboard = state.own_tty;
  }
  const int settings_of = state.keyboard >= 0 ? state.keyboard : STDOUT_FILENO;
  if (tcgetattr(settings_of, &state.settings) != 0)
    return no_terminal("the terminal's settings cannot be read");
  state.input = fdopen(dup(settings_of), "r");
  if (state.input == nullptr) return no_terminal("the terminal cannot be read");
  state.screen = newterm(nullptr, stdout, state.input);
  if (state.screen == nullptr) return no_terminal("the terminal cannot be used");

  state.colors = colors && has_colors() != FALSE;
  if (state.colors) init_colors();
  cbreak();
  noecho();
  curs_set(0);
  leaveok(stdscr, TRUE);
  // ncurses brings handlers of its own that are not safe at any time: ours replace them.
  for (std::size_t i = 0; i < kNoted.size(); ++i) handle(kNoted[i], note_signal, &state.before[i]);
  arm_rescue(STDOUT_FILENO, restoring_sequence(), settings_of, state.settings);
  return terminal;
}

Terminal::~Terminal() {
  if (state_->screen != nullptr) {
    disarm_rescue();
    for (std::size_t i = 0; i < kNoted.size(); ++i) sigaction(kNoted[i], &state_->before[i], nullptr);
    endwin();
    delscreen(state_->screen);
  }
  if (state_->input != nullptr) std::fclose(state_->input);
  if (state_->own_tty >= 0) close(state_->own_tty);
}

monitor::Size Terminal::size() {
  winsize window{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row > 0 && window.ws_col > 0;
  if (known && (window.ws_row != LINES || window.ws_col != COLS)) {
    resizeterm(window.ws_row, window.ws_col);
    clearok(curscr, TRUE);
  }
  return {LINES, COLS};
}

void Terminal::paint(const monitor::Screen& screen) {
  const auto put_run = [this](int row, int column, const std::wstring& text, monitor::Style style) {
    const auto index = static_cast<std::size_t>(style);
    const short pair = state_->colors ? static_cast<short>(index + 1) : short{0};
    wattr_set(stdscr, kLooks[index].attributes, pair, nullptr);
    mvwaddnwstr(stdscr, row, column, text.data(), static_cast<int>(text.size()));
  };
  const monitor::Size size = screen.size();
  std::wstring run;
  for (int row = 0; row < size.rows; ++row) {
    for (int column = 0; column < size.columns;) {
      const int start = column;
      const monitor::Style style = screen.at(row, column).style;
      run.clear();
      for (; column < size.columns && screen.at(row, column).style == style; ++column) {
        run += static_cast<wchar_t>(screen.at(row, column).character);
      }
      put_run(row, start, run, style);
    }
  }
  wnoutrefresh(stdscr);
  doupdate();
}

namespace {

/// Leaves the terminal to the shell until the process is continued.
void stop_here() {
  endwin();
  struct sigaction ours {};
  handle(SIGTSTP, SIG_DFL, &ours);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, nullptr);
}

}  // namespace

Terminal::Event Terminal::wait(std::chrono::milliseconds timeout) {
  Event event;
  pollfd keyboard{state_->keyboard, POLLIN, 0};
  const int ready = poll(&keyboard, 1, static_cast<int>(timeout.count()));
  if (stop_asked != 0) {
    stop_asked = 0;
    stop_here();
    continued = 1;
  }
  if (continued != 0) {
    continued = 0;
    reset_prog_mode();
    clearok(curscr, TRUE);
    event.redraw = true;
  }
  if (size_changed != 0) {
    size_changed = 0;
    event.redraw = true;
  }
  if (ready == 0) event.key = plain_key(state_->keys.idle(std::chrono::steady_clock::now()));
  if (ready <= 0 || keyboard.revents == 0) return event;
  char byte = 0;
  const ssize_t got = read(state_->keyboard, &byte, 1);
  event.vanished = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
  if (got == 1) event.key = plain_key(state_->keys.take(byte, std::chrono::steady_clock::now()));
  return event;
}

}  // namespace rangerctl::tui
