#include "rangerctl/sim/command_log.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

namespace rangerctl::sim {

std::optional<std::string> CommandLog::note(const Verdict& verdict) {
  if (verdict.command == nullptr) return std::nullopt;
  const auto before = std::exchange(last_[verdict.command->id], verdict.ignored);
  if (!verdict.ignored) {
    ++obeyed_;
    return std::nullopt;
  }
  const auto index = static_cast<std::size_t>(*verdict.ignored);
  ++ignored_[index];
  if (before == verdict.ignored) return std::nullopt;
  return fmt::format("0x{:03X} ignored: {}; {}", verdict.command->id, kIgnored[index].name,
                     kIgnored[index].advice);
}

std::string CommandLog::summary() const {
  std::string reasons;
  for (std::size_t i = 0; i < ignored_.size(); ++i) {
    if (ignored_[i] > 0)
      reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", ignored_[i], kIgnored[i].name);
  }
  const auto all = std::accumulate(ignored_.begin(), ignored_.end(), std::uint64_t{0});
  return fmt::format("commands: {} obeyed, {} ignored{}", obeyed_, all,
                     reasons.empty() ? "" : fmt::format(" ({})", reasons));
}

}  // namespace rangerctl::sim
