#include "rangerctl/protocol/dbc.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "rangerctl/protocol/describe.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::protocol {
namespace {

constexpr std::string_view kPreamble = R"(VERSION ""

NS_ :
	CM_
	BA_DEF_
	BA_
	VAL_
	BA_DEF_DEF_

BS_:

BU_: chassis host
)";

std::string_view sender(const Message& message) {
  return message.direction == Direction::feedback ? "chassis" : "host";
}
std::string_view receiver(const Message& message) {
  return message.direction == Direction::feedback ? "host" : "chassis";
}

unsigned finest_decimals(const Signal& signal) { return signal.decimals_of(signal.field.max()); }

std::string decimal(std::int64_t raw, unsigned decimals) {
  std::string text;
  append_decimal(text, raw, decimals);
  return text;
}

/// The inside of a quoted string. The grammar escapes quotes only, so a backslash could eat the end quote.
std::string quotable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"') out += '\\';
    out += c < ' ' || c > '~' || c == '\\' ? '?' : c;
  }
  return out;
}

/// DBC counts bits from the lowest of byte 0; a big-endian signal starts at its highest bit.
unsigned start_bit(const Field& field) {
  const unsigned highest = field.low_bit + field.bits - 1U;
  const unsigned byte = field.byte + field.bytes - 1U - highest / 8;
  return byte * 8 + highest % 8;
}

void append_signal(std::string& out, const Message& message, const Signal& signal) {
  const unsigned decimals = finest_decimals(signal);
  fmt::format_to(std::back_inserter(out), " SG_ {} : {}|{}@0{} ({},0) [{}|{}] \"{}\" {}\n", signal.name,
                 start_bit(signal.field), signal.field.bits, signal.field.is_signed ? '-' : '+',
                 decimal(1, decimals), decimal(signal.min(), decimals), decimal(signal.max(), decimals),
                 quotable(signal.unit), receiver(message));
}

void append_message(std::string& out, const Message& message) {
  fmt::format_to(std::back_inserter(out), "\nBO_ {} {}: {} {}\n", message.id, message.name, message.dlc,
                 sender(message));
  for (const Signal& signal : message.signals) append_signal(out, message, signal);
}

void append_sentence(std::string& out, std::string_view text) {
  if (text.empty()) return;
  if (!out.empty()) out += ". ";
  out += text;
}

std::string with_meaning(std::string name, std::string_view meaning) {
  return meaning.empty() ? name : fmt::format("{} ({})", name, meaning);
}

std::string flags_comment(const Signal& signal) {
  std::string out;
  for (const Flag& flag : signal.flags) {
    out += out.empty() ? "Bits: " : ", ";
    out += with_meaning(fmt::format("{} {}", flag.bit, flag.name), flag.meaning);
  }
  return out;
}

/// VAL_ names every choice; only what it cannot say is repeated here.
std::string choices_comment(const Signal& signal) {
  std::string out;
  for (const Choice& choice : signal.choices) {
    if (choice.meaning.empty()) continue;
    out += out.empty() ? "Values: " : ", ";
    out += with_meaning(std::string(choice.name), choice.meaning);
  }
  return out;
}

std::string fine_scale_comment(const Signal& signal) {
  if (!signal.has_fine_scale()) return {};
  return fmt::format("Exported in {} {}; raw values of at most {} are {} {} on other firmware",
                     decimal(1, finest_decimals(signal)), signal.unit, signal.fine_above,
                     decimal(1, signal.decimals), signal.unit);
}

std::string comment_of(const Signal& signal) {
  std::string out;
  append_sentence(out, signal.meaning);
  append_sentence(out, fine_scale_comment(signal));
  append_sentence(out, flags_comment(signal));
  append_sentence(out, choices_comment(signal));
  return out;
}

std::string comment_of(const Message& message) {
  std::string out;
  append_sentence(out, message.meaning);
  if (message.timeout_ms > 0)
    append_sentence(out, fmt::format("The receiver acts on its absence after {} ms", message.timeout_ms));
  for (const ConditionalLimit& limit : message.limits) append_sentence(out, limit_text(message, limit));
  append_sentence(out, fmt::format("Source: {}", message.source));
  return out;
}

void append_comments(std::string& out, const Message& message) {
  fmt::format_to(std::back_inserter(out), "CM_ BO_ {} \"{}\";\n", message.id, quotable(comment_of(message)));
  for (const Signal& signal : message.signals) {
    const std::string comment = comment_of(signal);
    if (comment.empty()) continue;
    fmt::format_to(std::back_inserter(out), "CM_ SG_ {} {} \"{}\";\n", message.id, signal.name,
                   quotable(comment));
  }
}

void append_period(std::string& out, const Message& message) {
  if (message.period_ms == 0) return;
  fmt::format_to(std::back_inserter(out), "BA_ \"GenMsgCycleTime\" BO_ {} {};\n", message.id,
                 message.period_ms);
}

void append_choices(std::string& out, const Message& message) {
  for (const Signal& signal : message.signals) {
    if (signal.choices.empty()) continue;
    fmt::format_to(std::back_inserter(out), "VAL_ {} {}", message.id, signal.name);
    for (const Choice& choice : signal.choices)
      fmt::format_to(std::back_inserter(out), " {} \"{}\"", choice.value, choice.name);
    out += " ;\n";
  }
}

}  // namespace

std::string to_dbc(const Catalogue& catalogue) {
  const auto messages = catalogue.messages();
  std::string out(kPreamble);
  for (const Message& message : messages) append_message(out, message);
  out += fmt::format("\nCM_ \"{}\";\n", quotable(catalogue.title()));
  for (const Message& message : messages) append_comments(out, message);
  out += "\nBA_DEF_ BO_ \"GenMsgCycleTime\" INT 0 65535;\nBA_DEF_DEF_ \"GenMsgCycleTime\" 0;\n";
  for (const Message& message : messages) append_period(out, message);
  out += '\n';
  for (const Message& message : messages) append_choices(out, message);
  return out;
}

}  // namespace rangerctl::protocol
