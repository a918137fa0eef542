#include "rangerctl/protocol/flag_words.hpp"

#include <fmt/format.h>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::protocol {
namespace {

/// "motor3" of "motor3_low_speed", where the signal's flags need it to be told apart.
std::string_view owner(const Message& message) {
  constexpr std::string_view kMotor = "motor";
  if (!message.name.starts_with(kMotor) || message.name.find("_speed") == std::string_view::npos) return {};
  return message.name.substr(0, message.name.find('_'));
}

}  // namespace

std::string flag_words(const Message& message, const Signal& signal, unsigned bit) {
  const std::string_view name = flag_name(signal, bit);
  std::string text(owner(message));
  if (text.empty() && signal.name != "errors")
    text = "battery " + std::string(signal.name.substr(0, signal.name.find('_')));
  if (!text.empty()) text += ' ';
  return text + (name.empty() ? fmt::format("bit{}", bit) : std::string(name));
}

std::string flag_advice(const Flag& flag) {
  std::string text(flag.meaning);
  if (!flag.remedy.empty()) text += (text.empty() ? "" : ": ") + std::string(flag.remedy);
  return text;
}

}  // namespace rangerctl::protocol
