#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rangerctl/sim/controller.hpp"

namespace rangerctl::sim {

/// What became of the commands, in words for whoever tests a driver: each trouble once, not fifty times a
/// second.
class CommandLog {
 public:
  /// Counts. Returns what to say: "0x111 ignored: standby; send 0x421 first", when the fate of this command
  /// is another one than the last time and it was ignored.
  std::optional<std::string> note(const Verdict& verdict);

  /// "commands: 120 obeyed, 3 ignored (2 standby, 1 short)"
  [[nodiscard]] std::string summary() const;

 private:
  std::uint64_t obeyed_ = 0;
  std::array<std::uint64_t, kIgnored.size()> ignored_{};
  std::map<std::uint32_t, std::optional<Ignored>> last_;  ///< by id
};

}  // namespace rangerctl::sim
