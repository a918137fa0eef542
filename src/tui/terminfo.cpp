#include "tui/terminfo.hpp"

#include <curses.h>
#include <unistd.h>

#include <cstdlib>

#include "tui/terminal.hpp"

// Behind everything else, for it defines macros named `lines`, `columns` and the like.
#include <term.h>

namespace rangerctl::tui {
namespace {

/// A capability's sequence, or null. (The database's functions take char*, but do not write.)
const char* capability(const char* name) {
  const char* const sequence = tigetstr(const_cast<char*>(name));
  return sequence == reinterpret_cast<char*>(-1) ? nullptr : sequence;
}

/// tputs() hands its function the bytes and nothing else.
std::string& collected() {
  thread_local std::string bytes;
  return bytes;
}

int collect(int character) {
  collected() += static_cast<char>(character);
  return character;
}

}  // namespace

std::string why_no_screen() {
  if (!is_terminal()) return "standard output is no terminal";
  int status = 0;
  if (setupterm(nullptr, STDOUT_FILENO, &status) != OK) {
    const char* const term = std::getenv("TERM");
    return term == nullptr || *term == '\0' ? "TERM is not set"
                                            : "the terminal named in TERM is not known here";
  }
  return capability("cup") != nullptr ? "" : "the terminal named in TERM cannot place its cursor";
}

std::string capability_bytes(const char* name, int first, int second) {
  const char* const sequence = capability(name);
  if (sequence == nullptr) return "";
  collected().clear();
  tputs(tiparm(sequence, first, second), 1, collect);
  return collected();
}

}  // namespace rangerctl::tui
