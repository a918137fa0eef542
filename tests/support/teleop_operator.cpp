#include "support/teleop_operator.hpp"

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

namespace rangerctl::support {
namespace {

// To read the code; a key that was typed before it can have been read does not count.
constexpr Milliseconds kThinks{300};

// Where no releases are told, motion keys count only when none was seen for half a second.
constexpr Milliseconds kRests{600};

std::string state_in(const std::string& screen) {
  static const std::regex kWord(R"(\b(DISARMED|ARMING|ARMED|MOVING|STOPPING|FAULT)\b)");
  const std::string row = screen.substr(0, screen.find('\n'));
  std::smatch match;
  return std::regex_search(row, match, kWord) ? match[1].str() : "";
}

bool is_one_of(const std::string& state, std::string_view states) {
  std::istringstream words{std::string(states)};
  return std::find(std::istream_iterator<std::string>(words), {}, state) !=
         std::istream_iterator<std::string>();
}

std::optional<std::string> code_in(const std::string& screen) {
  static const std::regex kPrompt("type ([0-9]{2}) and Enter to arm");
  std::smatch match;
  // In the event list older codes may still be there; the prompt is above it.
  if (state_in(screen) != "ARMING" || !std::regex_search(screen, match, kPrompt)) return std::nullopt;
  return match[1].str();
}

}  // namespace

std::string TeleopOperator::state() { return state_in(terminal_.screen()); }

bool TeleopOperator::reaches(std::string_view states, Milliseconds timeout) {
  return terminal_.shows([states](const std::string& screen) { return is_one_of(state_in(screen), states); },
                         timeout);
}

bool TeleopOperator::stays(std::string_view state, Milliseconds time) {
  return !terminal_.shows([state](const std::string& screen) { return state_in(screen) != state; }, time);
}

std::optional<std::string> TeleopOperator::ask_for_code(Milliseconds timeout) {
  constexpr Milliseconds kBetween{500};
  std::optional<std::string> code;
  for (Milliseconds waited{0}; waited < timeout && !code; waited += kBetween) {
    terminal_.tap("A");
    terminal_.shows([&](const std::string& screen) { return (code = code_in(screen)).has_value(); },
                    kBetween);
  }
  return code;
}

bool TeleopOperator::arm() {
  constexpr int kTries = 4;
  for (int i = 0; i < kTries && state() != "ARMED"; ++i) {
    if (state() == "FAULT") terminal_.tap("c");
    const auto code = ask_for_code(Milliseconds{5'000});
    if (!code) continue;
    pass(kThinks);
    terminal_.type(*code);
    terminal_.tap("Enter");
    reaches("ARMED", Milliseconds{2'000});
  }
  if (terminal_.kitty_flags() == 0) pass(kRests);
  return state() == "ARMED";
}

std::string TeleopOperator::report() {
  std::string screen = terminal_.screen();
  screen.erase(screen.find_last_not_of('\n') + 1);
  return screen.substr(screen.rfind('\n') + 1);
}

}  // namespace rangerctl::support
