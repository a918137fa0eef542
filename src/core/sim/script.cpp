#include "rangerctl/sim/script.hpp"

#include <algorithm>
#include <iterator>

namespace rangerctl::sim {

void Script::add(std::vector<TimedControl> lines) {
  std::reverse(waiting_.begin(), waiting_.end());
  std::move(lines.begin(), lines.end(), std::back_inserter(waiting_));
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const TimedControl& a, const TimedControl& b) { return a.at < b.at; });
  std::reverse(waiting_.begin(), waiting_.end());
}

SimTime Script::next_at() const { return waiting_.empty() ? SimTime::max() : waiting_.back().at; }

std::optional<TimedControl> Script::take(SimTime now) {
  if (next_at() > now || waiting_.empty()) return std::nullopt;
  std::optional<TimedControl> next = std::move(waiting_.back());
  waiting_.pop_back();
  return next;
}

}  // namespace rangerctl::sim
