#include "rangerctl/replay/selection.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rangerctl/command/send.hpp"

namespace rangerctl::replay {
namespace {

/// In the order of LeftOut.
struct Words {
  LeftOut reason;
  std::string_view one;
  std::string_view several;
};
constexpr std::array<Words, kLeftOuts> kWords{{
    {LeftOut::not_asked_for, "frame as the options ask", "frames as the options ask"},
    {LeftOut::not_mapped, "frame of a bus that goes nowhere", "frames of buses that go nowhere"},
    {LeftOut::command, "command (sent only with --with-commands)",
     "commands (sent only with --with-commands)"},
    {LeftOut::unknown, "unknown frame (sent only with --all)", "unknown frames (sent only with --all)"},
    {LeftOut::not_sendable, "error or CAN XL frame", "error or CAN XL frames"},
    {LeftOut::beyond_limits, "feedback frame that no chassis sends", "feedback frames that no chassis sends"},
    {LeftOut::beside_chassis, "feedback frame, for a chassis is there",
     "feedback frames, for a chassis is there"},
    {LeftOut::late_or_blocked, "motion command that could not leave in time",
     "motion commands that could not leave in time"},
}};

Verdict judge_command(const protocol::Catalogue& catalogue, const Frame& frame,
                      const SelectionOptions& options) {
  if (!options.with_commands) return {.left_out = LeftOut::command};
  if (auto checked = check_table(catalogue, Role::host, frame); !checked) return {.refusal = checked.error()};
  if (commands_motion(catalogue, frame)) {
    if (auto checked = command::check_speed(catalogue, frame, options.max_speed_mmps); !checked)
      return {.refusal = checked.error()};
  }
  return {.role = Role::host};
}

}  // namespace

std::string LeftOutCounts::text() const {
  std::string text;
  for (const Words& row : kWords) {
    const std::uint64_t number = count(row.reason);
    if (number == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, number == 1 ? row.one : row.several);
  }
  return text;
}

Verdict judge(const protocol::Catalogue& catalogue, const Frame& frame, const SelectionOptions& options) {
  if (frame.kind == FrameKind::error || frame.kind == FrameKind::xl)
    return {.left_out = LeftOut::not_sendable};
  switch (role_of(catalogue, frame)) {
    case Role::host:
      return judge_command(catalogue, frame, options);
    case Role::chassis:
      if (!check_table(catalogue, Role::chassis, frame)) return {.left_out = LeftOut::beyond_limits};
      return {.role = Role::chassis};
    case Role::nobody:
      break;
  }
  if (!options.all) return {.left_out = LeftOut::unknown};
  if (!check_table(catalogue, Role::nobody, frame)) return {.left_out = LeftOut::beyond_limits};
  return {.role = Role::nobody};
}

Result<BusMap> BusMap::parse(const std::vector<std::string>& rows, std::string rest) {
  BusMap map;
  map.interfaces_.push_back(std::move(rest));
  for (const std::string& row : rows) {
    const std::size_t equals = row.find('=');
    const std::string bus = row.substr(0, equals);
    if (equals == std::string::npos || equals + 1 == row.size())
      return Error{
          ExitStatus::usage,
          fmt::format("--map: '{}' is no BUS=INTERFACE, such as can1=vcan0, or can1=- for nowhere", row)};
    if (map.names(bus)) return Error{ExitStatus::usage, fmt::format("--map: bus '{}' is named twice", bus)};
    const std::string to = row.substr(equals + 1);
    map.rows_.push_back({bus, to == "-" ? std::nullopt : std::optional(map.index_of(to))});
  }
  return map;
}

std::optional<std::size_t> BusMap::destination(std::string_view bus) const {
  const Row* const row = find(bus);
  return row == nullptr ? std::size_t{0} : row->destination;
}

const BusMap::Row* BusMap::find(std::string_view bus) const {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [bus](const Row& row) { return row.bus == bus; });
  return found == rows_.end() ? nullptr : &*found;
}

std::size_t BusMap::index_of(const std::string& interface) {
  const auto found = std::find(interfaces_.begin(), interfaces_.end(), interface);
  if (found == interfaces_.end()) {
    interfaces_.push_back(interface);
    return interfaces_.size() - 1;
  }
  return static_cast<std::size_t>(found - interfaces_.begin());
}

}  // namespace rangerctl::replay
