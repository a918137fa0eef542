#include "tui/painter.hpp"

#include <curses.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdio>

#include "tui/terminfo.hpp"

namespace rangerctl::tui {
namespace {

/// How each style looks. Without colours the attributes alone have to do.
struct Look {
  attr_t attributes;
  short foreground;  ///< -1: the terminal's own
};
constexpr std::array<Look, 7> kLooks{{
    {A_NORMAL, -1},
    {A_BOLD, -1},
    {A_DIM, -1},
    {A_NORMAL, COLOR_CYAN},  // not green: one man in twelve cannot tell it from red
    {A_BOLD, COLOR_YELLOW},
    {A_BOLD | A_REVERSE, COLOR_RED},
    {A_REVERSE, -1},
}};

void init_colors() {
  start_color();
  use_default_colors();
  for (std::size_t i = 0; i < kLooks.size(); ++i) {
    init_pair(static_cast<short>(i + 1), kLooks[i].foreground, -1);
  }
}

/// ncurses takes over the signals that have their default action when it makes its first screen, and from
/// then on ignores SIGTSTP during every update. It leaves alone what somebody handles: while this exists,
/// somebody does. Blocked meanwhile, so that none is lost on this thread.
class HandledSignals {
 public:
  HandledSignals() {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int number : kSignals) sigaddset(&blocked, number);
    pthread_sigmask(SIG_BLOCK, &blocked, &mask_);
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &nothing, &before_[i]);
  }
  ~HandledSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  HandledSignals(const HandledSignals&) = delete;
  HandledSignals& operator=(const HandledSignals&) = delete;

 private:
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
  std::array<struct sigaction, kSignals.size()> before_{};
  sigset_t mask_{};
};

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

}  // namespace

struct Painter::State {
  File output{fdopen(memfd_create("screen", MFD_CLOEXEC), "w")};
  File input{std::fopen("/dev/null", "re")};
  SCREEN* screen = nullptr;
  bool colors = false;
  std::string bytes;

  /// What ncurses has written since the last call. (It goes around the FILE, straight to the descriptor.)
  void take_written() {
    const int file = fileno(output.get());
    bytes.resize(static_cast<std::size_t>(lseek(file, 0, SEEK_CUR)));
    const ssize_t got = pread(file, bytes.data(), bytes.size(), 0);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    lseek(file, 0, SEEK_SET);
  }
};

Painter::Painter() : state_(std::make_unique<State>()) {}

Result<std::unique_ptr<Painter>> Painter::open(bool colors, std::optional<monitor::Size> size) {
  std::setlocale(LC_CTYPE, "");
  std::unique_ptr<Painter> painter(new Painter);
  State& state = *painter->state_;
  if (state.output == nullptr || state.input == nullptr)
    return Error{ExitStatus::failed, "no memory for a screen"};
  const HandledSignals handled;
  state.screen = newterm(nullptr, state.output.get(), state.input.get());
  if (state.screen == nullptr) return Error{ExitStatus::failed, "the terminal cannot be used"};

  state.colors = colors && has_colors() != FALSE;
  if (state.colors) init_colors();
  typeahead(-1);  // it would stop in the middle of a picture to look at its input
  leaveok(stdscr, TRUE);
  // Out with what newterm() has to say, for it speaks of another size: enter() says it instead.
  wrefresh(stdscr);
  state.take_written();
  painter->repaint();
  if (size) painter->resize(*size);
  return painter;
}

Painter::~Painter() {
  if (state_->screen == nullptr) return;
  endwin();
  delscreen(state_->screen);
}

monitor::Size Painter::size() const { return {LINES, COLS}; }

void Painter::resize(monitor::Size size) {
  if (size == this->size()) return;
  resize_term(size.rows, size.columns);  // resizeterm() would put a key into the input
  repaint();
}

void Painter::repaint() { clearok(curscr, TRUE); }

std::string_view Painter::paint(const monitor::Screen& screen) {
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
  wrefresh(stdscr);
  state_->take_written();
  return state_->bytes;
}

// What newterm() and endwin() say, but for this size, and without what belongs to keys and palettes.
std::string Painter::enter() const {
  const int last_row = size().rows - 1;
  std::string bytes = capability_bytes("enacs") + capability_bytes("smcup");
  bytes += capability_bytes("csr", 0, last_row);
  for (const char* const name : {"sgr0", "rmir", "smam", "op", "civis"}) bytes += capability_bytes(name);
  return bytes;
}

std::string Painter::leave() const {
  const int last_row = size().rows - 1;
  std::string bytes = capability_bytes("sgr0") + capability_bytes("op");
  bytes += capability_bytes("cup", last_row, 0);
  return bytes + capability_bytes("cnorm") + capability_bytes("rmcup") + '\r';
}

}  // namespace rangerctl::tui
