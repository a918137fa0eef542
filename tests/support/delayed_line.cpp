#include "support/delayed_line.hpp"

#include <algorithm>

namespace rangerctl::support {

void DelayedLine::push(std::string_view bytes, Time now, Duration later) {
  if (bytes.empty()) return;
  const Time earliest = pieces_.empty() ? now : pieces_.back().due;
  pieces_.push_back({std::max(now + delay_, earliest) + later, std::string(bytes)});
}

std::string DelayedLine::take(Time now) {
  std::string bytes;
  while (now >= stalled_until_ && !pieces_.empty() && pieces_.front().due <= now) {
    bytes += pieces_.front().bytes;
    pieces_.pop_front();
  }
  return bytes;
}

std::optional<DelayedLine::Time> DelayedLine::next() const {
  if (pieces_.empty()) return std::nullopt;
  return std::max(pieces_.front().due, stalled_until_);
}

}  // namespace rangerctl::support
