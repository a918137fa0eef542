#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/sim/controller.hpp"
#include "rangerctl/sim/feedback.hpp"
#include "rangerctl/sim/flag_word.hpp"
#include "rangerctl/sim/sim_time.hpp"

/// What can be done to the simulated chassis from outside the bus, as values and as lines of text.
namespace rangerctl::sim {

struct ChangeFlags {
  FlagChoice flags;
  bool set;
  bool operator==(const ChangeFlags&) const = default;
};
struct UseRemote {
  RemoteAction action;
  bool operator==(const UseRemote&) const = default;
};
struct Silence {
  std::optional<std::uint32_t> id;  ///< nothing: everything
  bool silent;
  bool operator==(const Silence&) const = default;
};
struct SetCharge {
  double percent;
  bool operator==(const SetCharge&) const = default;
};
struct PowerCycle {
  bool operator==(const PowerCycle&) const = default;
};
struct ChooseVariant {
  Variant variant;
  bool operator==(const ChooseVariant&) const = default;
};
struct ReportSwitching {
  SwitchReport report;
  bool operator==(const ReportSwitching&) const = default;
};
/// The scripted host of host_drive.hpp.
struct Drive {
  bool on;
  bool operator==(const Drive&) const = default;
};

using Control = std::variant<ChangeFlags, UseRemote, Silence, SetCharge, PowerCycle, ChooseVariant,
                             ReportSwitching, Drive>;

/// One kind of line.
struct Verb {
  std::string_view name;
  std::string_view argument;  ///< for people; empty: it takes none
  std::string_view meaning;
  Result<Control> (*parse)(const protocol::Catalogue& catalogue, std::string_view argument);
};

/// Everything that a line can do, in the order of the help.
[[nodiscard]] std::span<const Verb> control_verbs();

/// A control and the time since the start at which it acts.
struct TimedControl {
  SimTime at;
  Control control;
  std::string text;  ///< as it was written, without the time
};

/// A line without a time, as somebody types it: "set emergency_stop". Nothing where it says nothing: blank,
/// or a comment after '#'. The error, of status usage, says what would be right.
Result<std::optional<Control>> parse_live_line(const protocol::Catalogue& catalogue, std::string_view line);

/// A line with its time in seconds in front: "2.0 set emergency_stop".
Result<std::optional<TimedControl>> parse_script_line(const protocol::Catalogue& catalogue,
                                                      std::string_view line);

}  // namespace rangerctl::sim
