#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/teleop/facts.hpp"

/// Why the robot may move, must stop, or must not be armed: one table, evaluated in every tick before any
/// wish of the operator.
namespace rangerctl::teleop {

/// What a rule demands, from nothing to the severest.
enum class Action : std::uint8_t {
  none,
  note,     ///< shown, nothing else
  cap,      ///< no faster than Finding::cap_mmps
  release,  ///< speed goes down to zero in at most 300 ms
  zero,     ///< zero speed in this tick
  stop,     ///< zero speed at once, and motion keys count only after all were released
  disarm,   ///< stop, then DISARMED
  silence,  ///< DISARMED at once, not even zeros
  fault,    ///< zero speed at once, FAULT until acknowledged
};

/// Where on the screen a rule has its place.
enum class Topic : std::uint8_t {
  link,
  keys,
  terminal,
  program,
  feedback,
  control,
  faults,
  bus,
  battery,
  mode
};
inline constexpr std::size_t kTopics = 10;

struct Finding {
  Action action = Action::none;
  bool blocks_arming = false;  ///< besides, everything from `stop` on does
  int cap_mmps = kNoCap;       ///< of the speed of the wheels
  std::int64_t first = 0;      ///< what the words of the rule need
  std::int64_t second = 0;

  static constexpr int kNoCap = 1'000'000;
  bool operator==(const Finding&) const = default;
};

[[nodiscard]] constexpr bool is_something(const Finding& finding) {
  return finding.action != Action::none || finding.blocks_arming || finding.cap_mmps != Finding::kNoCap;
}
[[nodiscard]] constexpr bool forbids_arming(const Finding& finding) {
  return finding.blocks_arming || finding.action >= Action::stop;
}

struct Rule {
  int number;  ///< as the documentation counts them
  std::string_view name;
  Topic topic;
  Finding (*check)(const Facts& facts);
  /// The reason in words, with what to do. Precondition: is_something(finding).
  std::string (*words)(const Finding& finding, const protocol::Catalogue& catalogue);
};

inline constexpr std::size_t kRuleCount = 35;
[[nodiscard]] std::span<const Rule, kRuleCount> rules();

/// What every rule finds, in the order of rules().
using Findings = std::array<Finding, kRuleCount>;
[[nodiscard]] Findings check_rules(const Facts& facts);

[[nodiscard]] Action severest(const Findings& findings);
/// Index of the first of the severest; kRuleCount: nothing is found.
[[nodiscard]] std::size_t main_reason(const Findings& findings);
/// Index of the first that forbids to arm; kRuleCount: none does.
[[nodiscard]] std::size_t arming_obstacle(const Findings& findings);
[[nodiscard]] int speed_cap_mmps(const Findings& findings);

// Thresholds that other parts need too.
inline constexpr int kNudgeMmps = 100;
inline constexpr int kBlindLinkMmps = 200;
inline constexpr int kLowChargeMmps = 300;
/// Speed x bound of a key's age stays under this: 0.1 m.
inline constexpr std::int64_t kRunOnMm = 100;

}  // namespace rangerctl::teleop
