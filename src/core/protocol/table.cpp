#include "rangerctl/protocol/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "rangerctl/wrapped_text.hpp"

namespace rangerctl::protocol {
namespace {

std::string left_columns(std::string_view id, std::string_view name, std::string_view from,
                         std::string_view dlc, std::string_view period, std::size_t name_width) {
  return fmt::format("{:3}  {:{}}  {:7}  {:>3}  {:>6}", id, name, name_width, from, dlc, period);
}

std::string left_columns(const Message& message, std::size_t name_width) {
  return left_columns(fmt::format("{:03X}", message.id), message.name,
                      message.direction == Direction::feedback ? "chassis" : "host",
                      fmt::format("{}", message.dlc),
                      message.period_ms == 0 ? "-" : fmt::format("{} ms", message.period_ms), name_width);
}

std::string signal_names(const Message& message) {
  std::string text;
  for (const Signal& signal : message.signals) text.append(text.empty() ? "" : ", ").append(signal.name);
  return text;
}

}  // namespace

std::string to_table(const Catalogue& catalogue) {
  std::size_t name_width = 7;
  for (const Message& message : catalogue.messages()) name_width = std::max(name_width, message.name.size());
  const std::string head = left_columns("ID", "MESSAGE", "FROM", "DLC", "PERIOD", name_width);
  const std::size_t hang = head.size() + 2;
  std::string out;
  append_hanging(out, head, "SIGNALS", hang);
  for (const Message& message : catalogue.messages())
    append_hanging(out, left_columns(message, name_width), signal_names(message), hang);
  return out;
}

}  // namespace rangerctl::protocol
