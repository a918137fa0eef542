#include "rangerctl/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <vector>

#include "rangerctl/protocol/describe.hpp"
#include "rangerctl/text.hpp"
#include "rangerctl/wrapped_text.hpp"

namespace rangerctl {
namespace {

using protocol::Catalogue;
using protocol::Choice;
using protocol::Flag;
using protocol::Message;
using protocol::Signal;
using protocol::SignalUse;

// Columns in which the text beside a label starts.
constexpr std::size_t kBitHang = 10;
constexpr std::size_t kCodeHang = 11;

std::optional<std::uint32_t> parse_number(std::string_view digits, int base) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

const Signal* find_signal(const Catalogue& catalogue, std::string_view message, std::string_view signal) {
  const Message* const found = catalogue.find(message);
  return found == nullptr ? nullptr : protocol::find_signal(*found, signal);
}

const Signal* error_word(const Catalogue& catalogue) {
  return find_signal(catalogue, "system_status", "errors");
}
const Signal* clear_codes(const Catalogue& catalogue) {
  return find_signal(catalogue, "clear_error_command", "error");
}

std::optional<Error> missing(std::string_view what, const Signal* signal, const Catalogue& catalogue) {
  if (signal != nullptr) return std::nullopt;
  return Error{ExitStatus::usage, fmt::format("the {} has no {}", catalogue.title(), what)};
}

void append_bit(std::string& out, const Signal& errors, unsigned bit) {
  const auto flag = std::find_if(errors.flags.begin(), errors.flags.end(),
                                 [bit](const Flag& row) { return row.bit == bit; });
  const std::string label = fmt::format("  bit {}", bit);
  if (flag == errors.flags.end()) {
    append_hanging(out, label, "not documented", kBitHang);
    return;
  }
  append_hanging(out, label, fmt::format("{}: {}", flag->name, flag->meaning), kBitHang);
  if (!flag->remedy.empty()) append_hanging(out, "", fmt::format("remedy: {}", flag->remedy), kBitHang);
  if (flag->clear_code >= 0)
    append_hanging(out, "", fmt::format("clear code: 0x{:02X}", flag->clear_code), kBitHang);
}

Result<std::string> explain_errors(const Catalogue& catalogue, std::uint32_t word) {
  const Signal* const errors = error_word(catalogue);
  if (const auto error = missing("error word", errors, catalogue)) return *error;
  const int count = std::popcount(word);
  std::string out = fmt::format("0x{:08X}: {} in system_status.errors\n", word,
                                count == 0   ? "no error"
                                : count == 1 ? "1 error"
                                             : fmt::format("{} errors", count));
  if (count > 0) out += '\n';
  for (unsigned bit = 0; bit < 32; ++bit) {
    if (((word >> bit) & 1U) != 0) append_bit(out, *errors, bit);
  }
  return out;
}

const Flag* cleared_by(const Signal* errors, std::int64_t code) {
  if (errors == nullptr) return nullptr;
  const auto flag = std::find_if(errors->flags.begin(), errors->flags.end(),
                                 [code](const Flag& row) { return row.clear_code == code; });
  return flag == errors->flags.end() ? nullptr : &*flag;
}

std::string without_code(const Signal& errors) {
  std::string text;
  for (const Flag& flag : errors.flags) {
    if (flag.clear_code < 0) text.append(text.empty() ? "" : ", ").append(flag.name);
  }
  return text;
}

std::string explain_choice_of_code(const Catalogue& catalogue, const Choice& code) {
  const Signal* const errors = error_word(catalogue);
  std::string out;
  append_hanging(out, "", fmt::format("clear code 0x{:02X} {}", code.value, code.name), 0);
  out += '\n';
  if (!code.meaning.empty()) append_hanging(out, "  meaning", code.meaning, kCodeHang);
  if (const Flag* flag = cleared_by(errors, code.value)) {
    append_hanging(
        out, "  clears",
        fmt::format("{}, bit {} of system_status.errors: {}", flag->name, flag->bit, flag->meaning),
        kCodeHang);
    append_hanging(out, "  remedy", flag->remedy, kCodeHang);
  } else if (errors != nullptr) {
    append_hanging(
        out, "  clears",
        fmt::format("no particular bit; without a code of their own are {}", without_code(*errors)),
        kCodeHang);
  }
  append_hanging(out, "  frame",
                 fmt::format("{:03X}#{:02X}", catalogue.find("clear_error_command")->id, code.value),
                 kCodeHang);
  return out;
}

Result<std::string> explain_code(const Catalogue& catalogue, std::uint32_t code) {
  const Signal* const codes = clear_codes(catalogue);
  if (const auto error = missing("clear codes", codes, catalogue)) return *error;
  for (const Choice& choice : codes->choices) {
    if (choice.value == code) return explain_choice_of_code(catalogue, choice);
  }
  return Error{ExitStatus::usage, fmt::format("0x{:02X} is no clear code; they are 0x{:02X} to 0x{:02X}",
                                              code, codes->min(), codes->max())};
}

/// Everything that bears this name, one paragraph each.
std::string explain_name(const Catalogue& catalogue, std::string_view name) {
  std::string out;
  const auto describe = [&out](const auto&... what) {
    if (!out.empty()) out += '\n';
    protocol::describe(out, what...);
  };
  if (const Message* message = catalogue.find(name)) describe(*message);
  const std::size_t dot = name.find('.');
  for (const SignalUse& use : protocol::signal_uses(catalogue)) {
    if (use.signal->name == name) describe(use);
    for (const Message* message : use.messages) {
      if (dot != std::string_view::npos && message->name == name.substr(0, dot) &&
          use.signal->name == name.substr(dot + 1))
        describe(SignalUse{use.signal, {message}});
    }
    for (const Flag& flag : use.signal->flags) {
      if (flag.name == name) describe(use, flag);
    }
    for (const Choice& choice : use.signal->choices) {
      if (choice.name == name) describe(use, choice);
    }
  }
  return out;
}

std::vector<std::string> all_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const Message& message : catalogue.messages()) {
    names.emplace_back(message.name);
    for (const Signal& signal : message.signals) {
      names.push_back(fmt::format("{}.{}", message.name, signal.name));
      names.emplace_back(signal.name);
      for (const Flag& flag : signal.flags) names.emplace_back(flag.name);
      for (const Choice& choice : signal.choices) names.emplace_back(choice.name);
    }
  }
  return names;
}

Error unknown(const Catalogue& catalogue, std::string_view word) {
  const std::vector<std::string> names = all_names(catalogue);
  const std::string_view close = nearest(word, std::vector<std::string_view>(names.begin(), names.end()));
  const std::string hint = close.empty() ? "'rangerctl protocol' lists all messages and signals"
                                         : fmt::format("did you mean '{}'?", close);
  return {ExitStatus::usage,
          fmt::format("nothing is known of '{}' on the {}; {}", word, catalogue.title(), hint)};
}

Result<std::string> explain_id(const Catalogue& catalogue, std::uint32_t id) {
  const Message* const message = catalogue.find(id);
  if (const protocol::OpaqueId* const opaque = catalogue.find_opaque(id); opaque != nullptr) {
    std::string out;
    append_hanging(out, "",
                   fmt::format("{}, {} bytes: {}", protocol::id_text(id), opaque->dlc, opaque->meaning), 0);
    return out;
  }
  if (message == nullptr) {
    return Error{ExitStatus::usage,
                 fmt::format("no message of the {} has id {}; 'rangerctl protocol' lists them",
                             catalogue.title(), protocol::id_text(id))};
  }
  std::string out;
  protocol::describe(out, *message);
  return out;
}

Result<std::string> explain_hex(const Catalogue& catalogue, std::string_view word, std::string_view digits) {
  const auto number = parse_number(digits, 16);
  if (number && digits.size() <= 2) return explain_code(catalogue, *number);
  if (number && digits.size() == 3) return explain_id(catalogue, *number);
  if (number && digits.size() == 8) return explain_errors(catalogue, *number);
  return Error{
      ExitStatus::usage,
      fmt::format("'{}' is no number that means something here: after 0x an error word has eight hex "
                  "digits, an id three, a clear code one or two",
                  word)};
}

}  // namespace

Result<std::string> explain(const Catalogue& catalogue, std::string_view word) {
  if (word.starts_with("0x") || word.starts_with("0X")) return explain_hex(catalogue, word, word.substr(2));
  if (const auto code = parse_number(word, 10); code && word.size() <= 2)
    return explain_code(catalogue, *code);
  const std::string text = explain_name(catalogue, word);
  if (!text.empty()) return text;
  if (const auto id = parse_number(word, 16); id && word.size() == 3) return explain_id(catalogue, *id);
  return unknown(catalogue, word);
}

}  // namespace rangerctl
