#include "cli/protocol_json.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::cli {
namespace {

using nlohmann::ordered_json;
using protocol::Choice;
using protocol::Flag;
using protocol::Message;
using protocol::Signal;

void put_text(ordered_json& object, const char* key, std::string_view text) {
  if (!text.empty()) object[key] = std::string(text);
}

/// The shortest number that is the exact decimal.
ordered_json number(const Signal& signal, std::int64_t raw) {
  std::string text;
  protocol::append_decimal(text, raw, signal.decimals_of(raw));
  return ordered_json::parse(text);
}

ordered_json to_json(const Choice& choice) {
  ordered_json object{{"value", choice.value}, {"name", std::string(choice.name)}};
  put_text(object, "meaning", choice.meaning);
  return object;
}

ordered_json to_json(const Flag& flag) {
  ordered_json object{{"bit", flag.bit}, {"name", std::string(flag.name)}};
  put_text(object, "meaning", flag.meaning);
  put_text(object, "remedy", flag.remedy);
  if (flag.clear_code >= 0) object["clear_code"] = flag.clear_code;
  return object;
}

ordered_json to_json(const Signal& signal) {
  const protocol::Field& field = signal.field;
  ordered_json object{{"name", std::string(signal.name)}, {"byte", field.byte}, {"bytes", field.bytes},
                      {"low_bit", field.low_bit},         {"bits", field.bits}, {"signed", field.is_signed},
                      {"decimals", signal.decimals}};
  put_text(object, "unit", signal.unit);
  object["min"] = number(signal, signal.min());
  object["max"] = number(signal, signal.max());
  if (signal.has_fine_scale()) object["fine_above"] = signal.fine_above;
  for (const Choice& choice : signal.choices) object["choices"].push_back(to_json(choice));
  for (const Flag& flag : signal.flags) object["flags"].push_back(to_json(flag));
  put_text(object, "meaning", signal.meaning);
  return object;
}

ordered_json to_json(const Message& message, const protocol::ConditionalLimit& limit) {
  const Signal& signal = *protocol::find_signal(message, limit.signal);
  return {{"signal", std::string(limit.signal)},
          {"min", number(signal, limit.range.min)},
          {"max", number(signal, limit.range.max)},
          {"situation", std::string(limit.situation)}};
}

ordered_json to_json(const Message& message) {
  const bool feedback = message.direction == protocol::Direction::feedback;
  ordered_json object{{"id", fmt::format("{:03X}", message.id)},
                      {"name", std::string(message.name)},
                      {"direction", feedback ? "feedback" : "command"},
                      {"dlc", message.dlc}};
  if (message.period_ms > 0) object["period_ms"] = message.period_ms;
  if (message.timeout_ms > 0) object["timeout_ms"] = message.timeout_ms;
  put_text(object, "meaning", message.meaning);
  put_text(object, "source", message.source);
  for (const Signal& signal : message.signals) object["signals"].push_back(to_json(signal));
  for (const protocol::ConditionalLimit& limit : message.limits)
    object["limits"].push_back(to_json(message, limit));
  return object;
}

}  // namespace

ordered_json protocol_json(const protocol::Catalogue& catalogue) {
  ordered_json messages = ordered_json::array();
  for (const Message& message : catalogue.messages()) messages.push_back(to_json(message));
  return messages;
}

}  // namespace rangerctl::cli
