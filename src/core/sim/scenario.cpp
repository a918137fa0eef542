#include "rangerctl/sim/scenario.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "rangerctl/text.hpp"

namespace rangerctl::sim {
namespace {

constexpr Scenario kScenarios[] = {
    {"normal", "healthy and at rest", ""},
    {"standby", "switched on, and nobody has taken control", "0 reset"},
    {"drive", "a scripted host drives figures of eight", "0 drive on"},
    {"estop", "the emergency stop button is pressed: cannot be cleared", "0 set emergency_stop"},
    {"estop-released", "the emergency stop button was released: can be cleared",
     "0 set emergency_stop\n0 release emergency_stop"},
    {"remote", "the remote control has control", "0 remote on"},
    {"remote-lost", "the remote control is out of reach: cannot be cleared", "0 remote lost"},
    {"remote-found", "the remote control was out of reach: can be cleared", "0 remote lost\n0 remote found"},
    {"low-battery", "12 %: the lights flash", "0 soc 12"},
    {"empty-battery", "8 %: no command is taken", "0 soc 8"},
    {"undervoltage", "the battery voltage was too low: can be cleared",
     "0 set battery_undervoltage\n0 release battery_undervoltage"},
    {"motor3-communication", "the left rear drive motor did not answer for a moment: can be cleared",
     "0 set motor3_communication\n0 release motor3_communication"},
    {"motor3-dead", "the left rear drive motor does not answer: cannot be cleared",
     "0 set motor3_communication"},
    {"over-current", "a wheel was blocked: can be cleared",
     "0 set over_current\n0 set motor1.over_current\n0 release over_current\n0 release motor1.over_current"},
    {"over-temperature", "motor 2 is too hot and cools down after 10 s: can be cleared then",
     "0 set over_temperature\n0 set motor2.motor_over_temperature\n"
     "10 release over_temperature\n10 release motor2.motor_over_temperature"},
    {"driver-fault", "motor 6 reports a fault of its driver: cannot be cleared",
     "0 set driver_fault\n0 set motor6.driver_fault"},
    {"bms-alarm", "the battery is too hot: an alarm of the battery, no error of the chassis",
     "0 set alarm_1.high_temperature\n0 set warning_1.high_temperature"},
    {"uncalibrated", "the steering zero points are not calibrated: cannot be cleared",
     "0 set steering_zero_right_front\n0 set steering_zero_right_rear\n"
     "0 set steering_zero_left_rear\n0 set steering_zero_left_front"},
    {"silent", "nothing is sent", "0 silence all"},
    {"hardware", "sends what a real vehicle was seen to send beside or against the manual",
     "0 variant hardware"},
};

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const Scenario& row : kScenarios) all.push_back(row.name);
  return all;
}

Error no_scenario(std::string_view name) {
  const std::string_view best = nearest(name, names());
  return {ExitStatus::usage,
          fmt::format("no scenario '{}'; {}scenarios: {}", name,
                      best.empty() ? std::string() : fmt::format("did you mean {}? ", best),
                      fmt::join(names(), ", "))};
}

Result<std::vector<TimedControl>> parse_script(const protocol::Catalogue& catalogue,
                                               std::string_view script) {
  std::vector<TimedControl> lines;
  while (!script.empty()) {
    const std::size_t end = std::min(script.find('\n'), script.size());
    const auto line = parse_script_line(catalogue, script.substr(0, end));
    if (!line) return line.error();
    if (*line) lines.push_back(**line);
    script.remove_prefix(std::min(end + 1, script.size()));
  }
  return lines;
}

}  // namespace

std::span<const Scenario> scenarios() { return kScenarios; }

Result<std::vector<TimedControl>> load_scenario(const protocol::Catalogue& catalogue, std::string_view name) {
  if (name.empty()) name = kScenarios[0].name;
  const auto* const found = std::find_if(std::begin(kScenarios), std::end(kScenarios),
                                         [name](const Scenario& row) { return row.name == name; });
  if (found == std::end(kScenarios)) return no_scenario(name);
  return parse_script(catalogue, found->script);
}

std::string scenario_table() {
  constexpr int kNameWidth = 22;
  std::string table = fmt::format("{:<{}}{}\n", "NAME", kNameWidth, "MEANING");
  for (const Scenario& row : kScenarios)
    table += fmt::format("{:<{}}{}\n", row.name, kNameWidth, row.meaning);
  return table;
}

}  // namespace rangerctl::sim
