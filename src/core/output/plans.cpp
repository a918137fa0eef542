#include "plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::output {
namespace {

using protocol::Message;
using protocol::Signal;

constexpr std::array kStyles{
    Style{.quote = "", .open = "", .close = "", .separator = ',', .no_flags = "none"},    // text
    Style{.quote = "\"", .open = "[", .close = "]", .separator = ',', .no_flags = "[]"},  // json
    Style{.quote = "", .open = "", .close = "", .separator = '|', .no_flags = ""},        // csv
};

std::string lead_of(Format format, const Message& message) {
  switch (format) {
    case Format::text:
      return std::string(message.name);
    case Format::json:
      return fmt::format(R"("message":"{}","signals":{{)", message.name);
    case Format::csv:
      break;
  }
  return {};
}

std::string lead_of(Format format, const Message& message, const Signal& signal, bool first) {
  switch (format) {
    case Format::text:
      return fmt::format(" {}=", signal.name);
    case Format::json:
      return fmt::format("{}\"{}\":", first ? "" : ",", signal.name);
    case Format::csv:
      break;
  }
  return fmt::format("{},{},", message.name, signal.name);
}

std::string tail_of(Format format, const Signal& signal, bool raw) {
  const std::string_view unit = raw ? std::string_view{} : signal.unit;
  switch (format) {
    case Format::text:
      return unit.empty() ? std::string{} : fmt::format(" {}", unit);
    case Format::json:
      return {};
    case Format::csv:
      break;
  }
  return fmt::format(",{}\n", unit);
}

std::vector<std::pair<std::int64_t, Fragment>> choice_texts(const Style& style, const Signal& signal) {
  std::vector<std::pair<std::int64_t, Fragment>> texts;
  for (const protocol::Choice& choice : signal.choices) {
    texts.emplace_back(choice.value, fmt::format("{0}{1}{0}", style.quote, choice.name));
  }
  return texts;
}

std::vector<Fragment> flag_texts(const Style& style, const Signal& signal) {
  std::vector<Fragment> texts;
  for (unsigned bit = 0; !signal.flags.empty() && bit < signal.field.bits; ++bit) {
    const std::string_view known = protocol::flag_name(signal, bit);
    const std::string name = known.empty() ? fmt::format("bit{}", bit) : std::string(known);
    texts.emplace_back(fmt::format("{0}{1}{0}{2}", style.quote, name, style.separator));
  }
  return texts;
}

constexpr std::size_t kLongestNumber = 32;

std::size_t room_for(const SignalPlan& plan) {
  std::size_t value = kLongestNumber;
  for (const auto& [raw, text] : plan.choices) value = std::max(value, text.room());
  for (const Fragment& flag : plan.flags) value += flag.room();
  return plan.lead.room() + value + plan.tail.room();
}

/// Raw integers are numbers without a scale, whatever the signal means.
void plan_value(const Style& style, const Signal& signal, SignalPlan& plan) {
  plan.decimals = signal.decimals;
  plan.fine_decimals = static_cast<std::uint8_t>(signal.decimals + 1);
  plan.fine_above = signal.fine_above;
  plan.choices = choice_texts(style, signal);
  plan.flags = flag_texts(style, signal);
  if (!plan.choices.empty()) plan.kind = ValueKind::choice;
  if (!plan.flags.empty()) plan.kind = ValueKind::flags;
}

SignalPlan plan_signal(const WriterOptions& options, const Message& message, const Signal& signal,
                       bool first) {
  const std::string tail = tail_of(options.format, signal, options.raw);
  SignalPlan plan;
  plan.bits = protocol::bit_range(signal.field);
  plan.lead = Fragment(lead_of(options.format, message, signal, first));
  plan.tail = Fragment(tail);
  plan.has_tail = !tail.empty();
  if (!options.raw) plan_value(style_of(options.format), signal, plan);
  return plan;
}

bool is_wanted(const WriterOptions& options, const Signal& signal, const Message& message) {
  return options.signals.empty() ||
         std::any_of(options.signals.begin(), options.signals.end(), [&](const SignalChoice& row) {
           return row.message == &message && row.signal == &signal;
         });
}

}  // namespace

const Style& style_of(Format format) { return kStyles[static_cast<std::size_t>(format)]; }

MessagePlan plan_message(const WriterOptions& options, const Message& message) {
  MessagePlan plan{.lead = Fragment(lead_of(options.format, message)), .signals = {}};
  plan.room = plan.lead.room();
  for (const Signal& signal : message.signals) {
    if (!is_wanted(options, signal, message)) continue;
    plan.signals.push_back(plan_signal(options, message, signal, plan.signals.empty()));
    plan.room += room_for(plan.signals.back());
  }
  return plan;
}

}  // namespace rangerctl::output
