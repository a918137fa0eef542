#include "rangerctl/protocol/describe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rangerctl/protocol/values.hpp"
#include "rangerctl/wrapped_text.hpp"

namespace rangerctl::protocol {
namespace {

constexpr std::size_t kHang = 14;  // of "  clear code  "

void append_row(std::string& out, std::string_view label, std::string_view text) {
  if (!text.empty()) append_hanging(out, fmt::format("  {}", label), text, kHang);
}

std::string titled(std::string title, std::string_view meaning) {
  return meaning.empty() ? title : fmt::format("{}: {}", title, meaning);
}

std::string_view sender(const Message& message) {
  return message.direction == Direction::feedback ? "from the chassis" : "from the host";
}

std::string timing(const Message& message) {
  std::string text =
      message.period_ms == 0 ? ", when needed" : fmt::format(", every {} ms", message.period_ms);
  if (message.timeout_ms > 0) text += fmt::format(", timeout {} ms", message.timeout_ms);
  return text;
}

std::string decimal(const Signal& signal, std::int64_t raw) {
  std::string text;
  append_decimal(text, raw, signal.decimals_of(raw));
  return text;
}

std::string position(const Field& field) {
  const unsigned last = field.byte + field.bytes - 1U;
  std::string text =
      field.bytes == 1 ? fmt::format("byte {}", field.byte) : fmt::format("bytes {}-{}", field.byte, last);
  if (field.bits == 1) {
    text += fmt::format(" bit {}", field.low_bit);
  } else if (field.bits < field.bytes * 8) {
    text += fmt::format(" bits {}-{}", field.low_bit, field.low_bit + field.bits - 1);
  }
  return text;
}

/// "signed, in 0.001 m/s"
std::string number_format(const Signal& signal) {
  std::string text = signal.field.is_signed ? "signed" : "unsigned";
  if (signal.decimals == 0 && signal.unit.empty()) return text;
  text += ", in ";
  if (signal.decimals > 0) append_decimal(text, 1, signal.decimals);
  if (signal.decimals > 0 && !signal.unit.empty()) text += ' ';
  return text.append(signal.unit);
}

bool is_limited(const Signal& signal) {
  return signal.min() > signal.field.min() || signal.max() < signal.field.max();
}

std::string range_of(const Signal& signal) { return range_text(signal, {signal.min(), signal.max()}); }

bool is_number(const Signal& signal) { return signal.choices.empty() && signal.flags.empty(); }

std::string kind_of(const Signal& signal) {
  if (!signal.flags.empty()) return fmt::format("{} flags", signal.flags.size());
  return signal.choices.empty() ? number_format(signal) : "one of the values below";
}

std::string choices_of(const Signal& signal) {
  std::string text;
  for (const Choice& choice : signal.choices)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", choice.value, choice.name);
  return text;
}

/// In the description of a message; the signal's own description says more.
std::string summary(const Signal& signal) {
  std::string text = position(signal.field);
  const auto add = [&text](std::string_view part) {
    if (!part.empty()) text.append("; ").append(part);
  };
  add(signal.choices.empty() ? kind_of(signal) : choices_of(signal));
  if (is_number(signal) && is_limited(signal)) add(range_of(signal));
  add(signal.meaning);
  return text;
}

void append_numbered(std::string& out, std::string_view label, std::int64_t number, std::string_view text) {
  append_hanging(out, fmt::format("  {:<{}}{:>2}", label, kHang - 2, number), text, kHang + 4);
}

void append_words(std::string& out, const Signal& signal) {
  std::string_view label = "values";
  for (const Choice& choice : signal.choices) {
    append_numbered(out, label, choice.value, titled(std::string(choice.name), choice.meaning));
    label = "";
  }
  label = "bits";
  for (const Flag& flag : signal.flags) {
    append_numbered(out, label, flag.bit, titled(std::string(flag.name), flag_details(flag)));
    label = "";
  }
}

std::string reference(const Message& message) {
  return fmt::format("{} {}", id_text(message.id), message.name);
}

/// Eight motors in a row are not listed one by one.
std::string references(const std::vector<const Message*>& messages) {
  const Message& first = *messages.front();
  const Message& last = *messages.back();
  if (messages.size() > 2 && last.id - first.id + 1 == messages.size())
    return fmt::format("{} to {}", reference(first), reference(last));
  std::string text;
  for (const Message* message : messages) text.append(text.empty() ? "" : ", ").append(reference(*message));
  return text;
}

void append_messages(std::string& out, const SignalUse& use) {
  const Message& first = *use.messages.front();
  append_row(out, use.messages.size() == 1 ? "message" : "messages",
             fmt::format("{}; {}{}", references(use.messages), sender(first), timing(first)));
}

std::string full_name(const SignalUse& use) {
  return use.messages.size() == 1 ? fmt::format("{}.{}", use.messages.front()->name, use.signal->name)
                                  : std::string(use.signal->name);
}

}  // namespace

std::vector<SignalUse> signal_uses(const Catalogue& catalogue) {
  std::vector<SignalUse> uses;
  for (const Message& message : catalogue.messages()) {
    for (const Signal& signal : message.signals) {
      const auto known =
          std::find_if(uses.begin(), uses.end(), [&](const SignalUse& use) { return use.signal == &signal; });
      if (known == uses.end()) {
        uses.push_back({&signal, {&message}});
      } else {
        known->messages.push_back(&message);
      }
    }
  }
  return uses;
}

std::string range_text(const Signal& signal, Range range) {
  if (range.min == 0 && range.max == 0) return "zero";
  return fmt::format("{} to {}{}{}", decimal(signal, range.min), decimal(signal, range.max),
                     signal.unit.empty() ? "" : " ", signal.unit);
}

std::string limit_text(const Message& message, const ConditionalLimit& limit) {
  return fmt::format("{}: {} {}", limit.signal, range_text(*find_signal(message, limit.signal), limit.range),
                     limit.situation);
}

std::string id_text(std::uint32_t id) { return fmt::format("0x{:03X}", id); }

std::string flag_details(const Flag& flag) {
  std::string text(flag.meaning);
  if (!flag.remedy.empty()) text += fmt::format("{}remedy: {}", text.empty() ? "" : "; ", flag.remedy);
  if (flag.clear_code >= 0)
    text += fmt::format("{}clear code 0x{:02X}", text.empty() ? "" : "; ", flag.clear_code);
  return text;
}

void describe(std::string& out, const Message& message) {
  append_hanging(out, "", titled(reference(message), message.meaning), 0);
  out += '\n';
  append_row(out, "sent", fmt::format("{}{}", sender(message), timing(message)));
  append_row(out, "length", fmt::format("{} byte{}", message.dlc, message.dlc == 1 ? "" : "s"));
  append_row(out, "source", message.source);
  out += '\n';
  std::size_t widest = 0;
  for (const Signal& signal : message.signals) widest = std::max(widest, signal.name.size());
  for (const Signal& signal : message.signals)
    append_hanging(out, fmt::format("  {}", signal.name), summary(signal), widest + 4);
  if (message.limits.empty()) return;
  out += '\n';
  for (const ConditionalLimit& limit : message.limits) append_row(out, "limit", limit_text(message, limit));
}

void describe(std::string& out, const SignalUse& use) {
  const Signal& signal = *use.signal;
  append_hanging(out, "", titled(full_name(use), signal.meaning), 0);
  out += '\n';
  append_messages(out, use);
  append_row(out, "layout", fmt::format("{}, {}", position(signal.field), kind_of(signal)));
  if (is_number(signal)) append_row(out, is_limited(signal) ? "limits" : "range", range_of(signal));
  const Message& first = *use.messages.front();
  for (const ConditionalLimit& limit : first.limits) {
    if (limit.signal == signal.name)
      append_row(out, "", fmt::format("{} {}", range_text(signal, limit.range), limit.situation));
  }
  append_words(out, signal);
  append_row(out, "source", use.messages.front()->source);
}

void describe(std::string& out, const SignalUse& use, const Flag& flag) {
  append_hanging(out, "", fmt::format("{}: bit {} of {}", flag.name, flag.bit, full_name(use)), 0);
  out += '\n';
  append_row(out, "meaning", flag.meaning);
  append_row(out, "remedy", flag.remedy);
  if (flag.clear_code >= 0) append_row(out, "clear code", fmt::format("0x{:02X}", flag.clear_code));
  append_messages(out, use);
}

void describe(std::string& out, const SignalUse& use, const Choice& choice) {
  append_hanging(out, "", fmt::format("{}: value {} of {}", choice.name, choice.value, full_name(use)), 0);
  out += '\n';
  append_row(out, "meaning", choice.meaning);
  append_messages(out, use);
}

}  // namespace rangerctl::protocol
