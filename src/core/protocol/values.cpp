#include "rangerctl/protocol/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "rangerctl/output/text_buffer.hpp"

namespace rangerctl::protocol {
namespace {

std::string flags_text(const Signal& signal, std::int64_t raw) {
  if (raw == 0) return "none";
  std::string text;
  for (unsigned bit = 0; bit < signal.field.bits; ++bit) {
    if (((raw >> bit) & 1) == 0) continue;
    if (!text.empty()) text += ',';
    const std::string_view name = flag_name(signal, bit);
    name.empty() ? text.append(fmt::format("bit{}", bit)) : text.append(name);
  }
  return text;
}

std::string accepted(const Signal& signal) {
  std::string text;
  for (const Choice& choice : signal.choices) text.append(text.empty() ? "" : ", ").append(choice.name);
  for (const Flag& flag : signal.flags) text.append(text.empty() ? "none, " : ", ").append(flag.name);
  if (!text.empty()) return text;
  return signal.decimals == 0
             ? std::string("a whole number")
             : fmt::format("a number with at most {} decimals", signal.decimals_of(signal.max()));
}

Error not_a_value(const Signal& signal, std::string_view text) {
  return {ExitStatus::usage,
          fmt::format("{}: '{}' is no value; use {}", signal.name, text, accepted(signal))};
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// "-0.15" with 3 decimals -> -150. Digits, one point, digits; at most 15 before the point.
std::optional<std::int64_t> parse_decimal(std::string_view text, unsigned decimals) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (point == 0 || point > 15 || (point + 1 == text.size()) || fraction.size() > decimals)
    return std::nullopt;
  std::string digits(text.substr(0, point));
  digits.append(fraction).append(decimals - fraction.size(), '0');
  if (digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const auto value = parse_integer(digits);
  return value && negative ? std::optional(-*value) : value;
}

std::optional<std::int64_t> parse_flag(const Signal& signal, std::string_view text) {
  for (const Flag& flag : signal.flags) {
    if (flag.name == text) return std::int64_t{1} << flag.bit;
  }
  if (!text.starts_with("bit")) return std::nullopt;
  const auto bit = parse_integer(text.substr(3));
  if (!bit || *bit < 0 || *bit >= signal.field.bits) return std::nullopt;
  return std::int64_t{1} << *bit;
}

std::optional<std::int64_t> parse_flags(const Signal& signal, std::string_view text) {
  if (text == "none") return 0;
  std::int64_t raw = 0;
  while (true) {
    const std::size_t comma = text.find(',');
    const auto flag = parse_flag(signal, text.substr(0, comma));
    if (!flag) return std::nullopt;
    raw |= *flag;
    if (comma == std::string_view::npos) return raw;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::int64_t> parse_choice(const Signal& signal, std::string_view text) {
  for (const Choice& choice : signal.choices) {
    if (choice.name == text) return choice.value;
  }
  return parse_integer(text);
}

std::optional<std::int64_t> parse_raw(const Signal& signal, std::string_view text) {
  if (!signal.choices.empty()) return parse_choice(signal, text);
  if (!signal.flags.empty()) return parse_flags(signal, text);
  return parse_decimal(text, signal.decimals_of(signal.field.max()));
}

}  // namespace

std::string_view choice_name(const Signal& signal, std::int64_t raw) {
  for (const Choice& choice : signal.choices) {
    if (choice.value == raw) return choice.name;
  }
  return {};
}

std::string_view flag_name(const Signal& signal, unsigned bit) {
  for (const Flag& flag : signal.flags) {
    if (flag.bit == bit) return flag.name;
  }
  return {};
}

bool is_alarm(const Signal& signal, unsigned bit) {
  return std::none_of(signal.flags.begin(), signal.flags.end(),
                      [bit](const Flag& flag) { return flag.bit == bit && flag.harmless; });
}

void append_decimal(std::string& out, std::int64_t raw, unsigned decimals) {
  std::array<char, 32> digits{};
  out.append(digits.data(), output::put_decimal(digits.data(), raw, decimals));
}

std::string value_text(const Signal& signal, std::int64_t raw) {
  if (!signal.flags.empty()) return flags_text(signal, raw);
  if (const std::string_view name = choice_name(signal, raw); !name.empty()) return std::string(name);
  std::string text;
  append_decimal(text, raw, signal.decimals_of(raw));
  return text;
}

std::string value_with_unit(const Signal& signal, std::int64_t raw) {
  const std::string text = value_text(signal, raw);
  return signal.unit.empty() ? text : fmt::format("{} {}", text, signal.unit);
}

Frame empty_frame(const Message& message) {
  Frame frame;
  frame.id = message.id;
  frame.length = message.dlc;
  return frame;
}

Result<void> set_signal(Frame& frame, const Signal& signal, std::int64_t raw) {
  const Field& field = signal.field;
  const auto text_of = [&](std::int64_t value) {
    std::string text;
    append_decimal(text, value, signal.decimals_of(field.max()));
    return text;
  };
  if (raw < field.min() || raw > field.max()) {
    return Error{ExitStatus::refused,
                 fmt::format("{}: {} does not fit; its field holds {} to {} {}", signal.name, text_of(raw),
                             text_of(field.min()), text_of(field.max()), signal.unit)};
  }
  if (signal.has_fine_scale() && raw <= signal.fine_above) {
    return Error{ExitStatus::refused,
                 fmt::format("{}: {} would be read as a ten times larger value; only values above {} {} "
                             "can be told apart",
                             signal.name, text_of(raw), text_of(signal.fine_above), signal.unit)};
  }
  put_raw_value(field, raw, frame.data);
  return {};
}

Result<std::int64_t> parse_value(const Signal& signal, std::string_view text) {
  const auto raw = parse_raw(signal, text);
  if (!raw) return not_a_value(signal, text);
  return *raw;
}

}  // namespace rangerctl::protocol
