#include "tui/rescue.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace rangerctl::tui {
namespace {

constexpr std::array kFatal{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

// Plain memory, for a handler may not allocate, lock or throw.
struct Rescue {
  int output = -1;
  int input = -1;
  std::size_t length = 0;
  std::array<char, 512> bytes{};
  termios settings{};
  std::array<struct sigaction, kFatal.size()> before{};
  stack_t stack_before{};
};
Rescue rescue;
// A stack of its own, for the reason may be that the other one is full.
std::array<char, std::size_t{32} * 1024> handler_stack;

/// SA_RESETHAND has put the default action back; raising again after that ends the process as it would have.
void put_terminal_back(int signal_number) {
  if (write(rescue.output, rescue.bytes.data(), rescue.length) < 0) {
    // Nothing can be done about it here.
  }
  tcsetattr(rescue.input, TCSANOW, &rescue.settings);
  raise(signal_number);
}

}  // namespace

void arm_rescue(int output, const std::string& bytes, int input, const termios& settings) {
  rescue.output = output;
  rescue.input = input;
  rescue.settings = settings;
  rescue.length = std::min(bytes.size(), rescue.bytes.size());
  std::copy_n(bytes.begin(), rescue.length, rescue.bytes.begin());

  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  sigaltstack(&stack, &rescue.stack_before);

  struct sigaction action {};
  action.sa_handler = put_terminal_back;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_ONSTACK);
  for (std::size_t i = 0; i < kFatal.size(); ++i) sigaction(kFatal[i], &action, &rescue.before[i]);
}

void disarm_rescue() {
  for (std::size_t i = 0; i < kFatal.size(); ++i) sigaction(kFatal[i], &rescue.before[i], nullptr);
  sigaltstack(&rescue.stack_before, nullptr);
}

}  // namespace rangerctl::tui
