#include "support/fake_terminal.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <system_error>

namespace rangerctl::support {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

std::chrono::steady_clock::time_point steady_now() { return std::chrono::steady_clock::now(); }

void close_on_exec(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

winsize window(WindowSize size) {
  return {static_cast<unsigned short>(size.rows), static_cast<unsigned short>(size.columns), 0, 0};
}

timespec left_until(const std::optional<DelayedLine::Time>& time) {
  using std::chrono::nanoseconds;
  const auto left =
      time ? std::max(*time - steady_now(), DelayedLine::Duration::zero()) : std::chrono::hours(1);
  const auto ns = std::chrono::duration_cast<nanoseconds>(left).count();
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

}  // namespace

void pass(Milliseconds time) { std::this_thread::sleep_for(time); }

FakeTerminal::FakeTerminal(Command command, const TerminalKind& kind, WindowSize size)
    : picture_(kind, size) {
  open(size);
  command.environment.insert(command.environment.end(), {"TERM=xterm-256color", "LINES", "COLUMNS", "TMUX",
                                                         "STY", "NCURSES_NO_UTF8_ACS"});
  job_.emplace(command, slave_);
  thread_ = std::thread([this] { serve(); });
}

FakeTerminal::~FakeTerminal() {
  {
    const Lock lock(mutex_);
    ends_ = true;
  }
  wake();
  thread_.join();
  job_.reset();
  for (const int descriptor : {master_, slave_, wake_}) close(descriptor);
}

void FakeTerminal::open(WindowSize size) {
  winsize at_first = window(size);
  if (openpty(&master_, &slave_, nullptr, nullptr, &at_first) != 0) fail("openpty");
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_ < 0) fail("eventfd");
  close_on_exec(master_);
  close_on_exec(slave_);
  fcntl(master_, F_SETFL, O_RDWR | O_NONBLOCK);
  settings_before_ = settings();
  if (tcgetattr(slave_, &first_settings_) != 0) fail("tcgetattr");
}

void FakeTerminal::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t ignored = ::write(wake_, &one, sizeof one);
}

void FakeTerminal::drain_wake() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t ignored = ::read(wake_, &count, sizeof count);
}

// ---- The thread ---------------------------------------------------------------------------------------

void FakeTerminal::serve() {
  Lock lock(mutex_);
  while (!ends_) {
    deliver(steady_now());
    const timespec timeout = left_until(next_event());
    const short wanted = static_cast<short>((reads_ ? POLLIN : 0) | (pending_.empty() ? 0 : POLLOUT));
    std::array<pollfd, 3> waits{{{wanted != 0 ? master_ : -1, wanted, 0},
                                 {wake_, POLLIN, 0},
                                 {job_->end() ? -1 : job_->reports(), POLLIN, 0}}};
    lock.unlock();
    ppoll(waits.data(), waits.size(), &timeout, nullptr);
    lock.lock();
    if (waits[1].revents != 0) drain_wake();
    if (waits[2].revents != 0) job_->take_report();
    if (waits[0].revents != 0 && reads_) read_output();
    changed_.notify_all();
  }
}

std::optional<FakeTerminal::SteadyTime> FakeTerminal::next_event() const {
  std::optional<SteadyTime> next = to_program_.next();
  const auto earlier = [&next](std::optional<SteadyTime> time) {
    if (time && (!next || *time < *next)) next = time;
  };
  earlier(to_screen_.next());
  if (repeat_) earlier(repeat_->next);
  return next;
}

void FakeTerminal::read_output() {
  std::array<char, 16384> buffer;
  ssize_t count = 0;
  while (master_ >= 0 && (count = ::read(master_, buffer.data(), buffer.size())) > 0)
    to_screen_.push({buffer.data(), static_cast<std::size_t>(count)}, steady_now());
}

void FakeTerminal::deliver(SteadyTime now) {
  repeat_key(now);
  const std::string written = to_screen_.take(now);
  output_ += written;
  to_program_.push(picture_.feed(written), now);
  pending_ += to_program_.take(now);
  write_input();
}

void FakeTerminal::write_input() {
  if (pending_.empty() || master_ < 0) return;
  const ssize_t count = ::write(master_, pending_.data(), pending_.size());
  if (count > 0) pending_.erase(0, static_cast<std::size_t>(count));
}

// ---- Link and window ----------------------------------------------------------------------------------

void FakeTerminal::set_delay(Way way, Milliseconds delay) {
  const Lock lock(mutex_);
  if (way != Way::to_screen) to_program_.set_delay(delay);
  if (way != Way::to_program) to_screen_.set_delay(delay);
}

FakeTerminal::Moment FakeTerminal::stall(Way way, Milliseconds time) {
  const Lock lock(mutex_);
  const SteadyTime end = steady_now() + time;
  if (way != Way::to_screen) to_program_.stall_until(end);
  if (way != Way::to_program) to_screen_.stall_until(end);
  return std::chrono::system_clock::now();
}

void FakeTerminal::become_mute() {
  const Lock lock(mutex_);
  picture_.become_mute();
}

void FakeTerminal::stop_reading(bool stopped) {
  const Lock lock(mutex_);
  reads_ = !stopped;
  wake();
}

void FakeTerminal::resize(WindowSize size) {
  const Lock lock(mutex_);
  picture_.resize(size);
  const winsize now = window(size);
  if (ioctl(master_, TIOCSWINSZ, &now) != 0) fail("TIOCSWINSZ");
}

FakeTerminal::Moment FakeTerminal::hang_up() {
  const Lock lock(mutex_);
  const Moment now = std::chrono::system_clock::now();
  close(master_);
  master_ = -1;
  repeat_.reset();
  wake();
  return now;
}

// ---- The program --------------------------------------------------------------------------------------

FakeTerminal::Moment FakeTerminal::signal(int number) const {
  const Moment now = std::chrono::system_clock::now();
  kill(pid(), number);
  return now;
}

bool FakeTerminal::wait_until(Lock& lock, Milliseconds timeout, const std::function<bool()>& done) {
  return changed_.wait_for(lock, timeout, done);
}

bool FakeTerminal::waits_stopped(Milliseconds timeout) {
  Lock lock(mutex_);
  return wait_until(lock, timeout, [this] { return job_->stopped(); });
}

void FakeTerminal::resume() {
  const Lock lock(mutex_);
  job_->resume();
}

void FakeTerminal::set_as_before() const {
  if (tcsetattr(slave_, TCSANOW, &first_settings_) != 0) fail("tcsetattr");
}

std::optional<JobEnd> FakeTerminal::wait(Milliseconds timeout) {
  Lock lock(mutex_);
  wait_until(lock, timeout, [this] { return job_->end().has_value(); });
  return job_->end();
}

// ---- What can be seen ---------------------------------------------------------------------------------

std::string FakeTerminal::screen() {
  const Lock lock(mutex_);
  return picture_.text();
}

std::string FakeTerminal::row(int row) {
  const Lock lock(mutex_);
  return picture_.row(row);
}

std::string FakeTerminal::output() {
  const Lock lock(mutex_);
  return output_;
}

bool FakeTerminal::shows(const std::function<bool(const std::string&)>& good, Milliseconds timeout) {
  Lock lock(mutex_);
  return wait_until(lock, timeout, [&] { return good(picture_.text()); });
}

bool FakeTerminal::shows(std::string_view text, Milliseconds timeout) {
  return shows([text](const std::string& screen) { return screen.find(text) != std::string::npos; }, timeout);
}

bool FakeTerminal::mode(int number) {
  const Lock lock(mutex_);
  return picture_.mode(number);
}

int FakeTerminal::kitty_flags() {
  const Lock lock(mutex_);
  return picture_.kitty_flags();
}

std::string FakeTerminal::settings() const {
  termios now{};
  if (tcgetattr(slave_, &now) != 0) fail("tcgetattr");
  std::ostringstream text;
  text << std::hex;
  for (const tcflag_t flags : {now.c_iflag, now.c_oflag, now.c_cflag, now.c_lflag}) text << flags << ':';
  for (const cc_t character : now.c_cc) text << static_cast<unsigned>(character) << ':';
  return text.str();
}

std::string FakeTerminal::not_as_before() {
  std::string words;
  for (const std::string& word : picture_.left_on()) words += word + "; ";
  if (settings() != settings_before_) words += "settings " + settings() + " instead of " + settings_before_;
  return words;
}

std::string FakeTerminal::left_on(Milliseconds patience) {
  const SteadyTime end = steady_now() + patience;
  Lock lock(mutex_);
  // In steps, for nothing tells that settings were changed.
  while (steady_now() < end && !not_as_before().empty()) changed_.wait_for(lock, Milliseconds{20});
  return not_as_before();
}

std::string FakeTerminal::left_behind(Milliseconds patience) {
  const std::string on = left_on(patience);
  const std::string shown = screen();
  const auto at = shown.find("^[[");
  return at == std::string::npos ? on : on + "typed: " + shown.substr(at, shown.find('\n', at) - at);
}

}  // namespace rangerctl::support
