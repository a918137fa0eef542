// Somebody who sits at a terminal with `rangerctl teleop` on it, and knows no more of it than its contract
// says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/fake_terminal.hpp"

namespace rangerctl::support {

class TeleopOperator {
 public:
  explicit TeleopOperator(FakeTerminal& terminal) : terminal_(terminal) {}

  // The state word of the first row, empty where there is none.
  std::string state();
  // `states`: one or several, with blanks between them.
  bool reaches(std::string_view states, Milliseconds timeout = Milliseconds{10'000});
  // Watches that long; false as soon as another state is shown.
  bool stays(std::string_view state, Milliseconds time);

  // Presses A until there is a code to type. Nothing: arming was refused all the time.
  std::optional<std::string> ask_for_code(Milliseconds timeout = Milliseconds{10'000});
  // From DISARMED to ARMED: waits until it is possible, presses A, reads, types and confirms the code. Begins
  // anew where that was interrupted, and acknowledges a FAULT: on a busy computer teleop disarms for good
  // reasons.
  bool arm();

  // The last line on the screen, after the end.
  std::string report();

 private:
  FakeTerminal& terminal_;
};

}  // namespace rangerctl::support
