#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/command/send.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::command {
namespace {

using protocol::Catalogue;
using protocol::Message;
using protocol::Signal;

Error no_such_message(const Catalogue& catalogue, std::string_view word) {
  std::vector<std::string_view> names;
  for (const Message& message : catalogue.messages()) names.push_back(message.name);
  return {ExitStatus::usage,
          fmt::format("no message '{}'; see: rangerctl protocol{}", word, suggestion(word, names))};
}

Error no_such_signal(const Message& message, std::string_view word) {
  std::vector<std::string_view> names;
  std::string list;
  for (const Signal& signal : message.signals) {
    names.push_back(signal.name);
    list.append(list.empty() ? "" : ", ").append(signal.name);
  }
  return {ExitStatus::usage, fmt::format("{} has no signal '{}'; it has: {}{}", message.name, word, list,
                                         suggestion(word, names))};
}

/// The values of one message while its words are read.
struct Filling {
  const Message& message;
  Frame frame;
  std::vector<const Signal*> given;
};

Result<void> take_word(Filling& filling, std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) {
    return Error{
        ExitStatus::usage,
        fmt::format("'{}' is no signal=value; as in: rangerctl send motion_command linear_velocity=0.15",
                    word)};
  }
  const Signal* const signal = protocol::find_signal(filling.message, word.substr(0, equals));
  if (signal == nullptr) return no_such_signal(filling.message, word.substr(0, equals));
  if (std::find(filling.given.begin(), filling.given.end(), signal) != filling.given.end())
    return Error{ExitStatus::usage, fmt::format("{} is given twice", signal->name)};
  filling.given.push_back(signal);
  const auto raw = protocol::parse_value(*signal, word.substr(equals + 1));
  if (!raw) return raw.error();
  if (*raw < signal->field.min() || *raw > signal->field.max())
    return check_value(filling.message, *signal, *raw);
  return protocol::set_signal(filling.frame, *signal, *raw);
}

Result<void> check_choices_given(const Filling& filling) {
  for (const Signal& signal : filling.message.signals) {
    const bool given = std::find(filling.given.begin(), filling.given.end(), &signal) != filling.given.end();
    if (given || signal.choices.empty()) continue;
    std::string names;
    for (const protocol::Choice& choice : signal.choices)
      names.append(names.empty() ? "" : ", ").append(choice.name);
    return Error{ExitStatus::usage,
                 fmt::format("{} needs {}=...: {}", filling.message.name, signal.name, names)};
  }
  return {};
}

std::int64_t magnitude(const Message& message, const Frame& frame, std::string_view signal) {
  const Signal* const found = protocol::find_signal(message, signal);
  return found == nullptr ? 0 : std::abs(protocol::raw_value(found->field, frame.bytes()));
}

/// The larger of the speed and of what the yaw rate makes the wheels run in spin; both in mm/s.
std::int64_t wheel_speed_mmps(const Message& message, const Frame& frame) {
  const auto yaw_mradps = static_cast<double>(magnitude(message, frame, "angular_velocity"));
  const auto spin_mmps = static_cast<std::int64_t>(std::ceil(yaw_mradps * chassis::spin_radius_m() - 1e-9));
  return std::max(magnitude(message, frame, "linear_velocity"), spin_mmps);
}

}  // namespace

Result<void> check_speed(const Catalogue& catalogue, const Frame& frame, std::int64_t max_speed_mmps) {
  const Message* const message = catalogue.find(frame);
  if (message == nullptr || protocol::is_short(*message, frame)) return {};
  const std::int64_t speed = wheel_speed_mmps(*message, frame);
  if (speed <= max_speed_mmps) return {};
  return Error{
      ExitStatus::refused,
      fmt::format("refused: a wheel speed of {:.3f} m/s is beyond {:.3f} m/s; allow more with --max-speed",
                  static_cast<double>(speed) / 1000, static_cast<double>(max_speed_mmps) / 1000)};
}

Result<std::int64_t> parse_max_speed(const Catalogue& catalogue, std::string_view text) {
  const Message& message = *catalogue.find("motion_command");
  const Signal& signal = *protocol::find_signal(message, "linear_velocity");
  const auto raw = protocol::parse_value(signal, text);
  if (!raw || *raw <= 0)
    return Error{ExitStatus::usage, fmt::format("--max-speed: '{}' is no speed in m/s; as in 0.5", text)};
  if (auto checked = check_value(message, signal, *raw); !checked)
    return Error{checked.error().status, "--max-speed: " + checked.error().message};
  return *raw;
}

Result<Frame> parse_send_words(const Catalogue& catalogue, std::span<const std::string> words) {
  const std::string& first = words.front();
  if (first.find('#') != std::string::npos) {
    if (words.size() > 1)
      return Error{ExitStatus::usage, fmt::format("'{}' is one argument too many behind a frame", words[1])};
    return log::parse_written_frame(catalogue, first);
  }
  const Message* const message = catalogue.find(std::string_view(first));
  if (message == nullptr) return no_such_message(catalogue, first);
  Filling filling{*message, protocol::empty_frame(*message), {}};
  for (const std::string& word : words.subspan(1)) {
    if (auto taken = take_word(filling, word); !taken) return taken.error();
  }
  if (auto complete = check_choices_given(filling); message->is_command() && !complete)
    return complete.error();
  return filling.frame;
}

Result<void> check_plan(const Catalogue& catalogue, const SendPlan& plan) {
  const bool moves = commands_motion(catalogue, plan.frame);
  const Message* const message = catalogue.find(plan.frame);
  const bool has_no_period = message != nullptr && message->is_command() && message->period_ms == 0;
  if (plan.every && !plan.count && !plan.duration && (moves || has_no_period)) {
    return Error{ExitStatus::usage, fmt::format("{} needs an end: add --for 2s or --count N", message->name)};
  }
  if (moves && plan.every && *plan.every < kShortestMotionPeriod)
    return Error{ExitStatus::usage, "a motion command needs no more than one frame every 10ms"};
  if (plan.is_unsafe) return {};
  if (auto checked = check_table(catalogue, Role::host, plan.frame); !checked) return checked;
  return moves ? check_speed(catalogue, plan.frame, plan.max_speed_mmps) : Result<void>{};
}

}  // namespace rangerctl::command
