#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "happened.hpp"
#include "rangerctl/analysis/diff.hpp"
#include "rangerctl/output/json_text.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"
#include "rangerctl/wrapped_text.hpp"
#include "words.hpp"

namespace rangerctl::analysis {
namespace {

using output::append;
using output::append_list;
using output::append_string;
using Kind = Difference::Kind;

constexpr std::size_t kHang = 34;

std::vector<unsigned> bit_numbers(std::uint8_t mask) {
  std::vector<unsigned> bits;
  for (unsigned bit = 8; bit-- > 0;) {
    if (((mask >> bit) & 1U) != 0) bits.push_back(bit);
  }
  return bits;
}

/// "byte 1 bit 0", "byte 3 bits 7, 5".
std::string place_text(const Difference& one) {
  const std::vector<unsigned> bits = bit_numbers(one.mask);
  if (bits.empty()) return fmt::format("byte {}", one.byte);
  return fmt::format("byte {} bit{} {}", one.byte, bits.size() == 1 ? "" : "s", fmt::join(bits, ", "));
}

/// The signals that lie in these bits, in brackets; empty where none does.
std::string signals_text(const Difference& one) {
  if (one.message == nullptr || one.byte >= 8) return {};
  const std::uint64_t bits = std::uint64_t{one.mask == 0 ? std::uint8_t{0xFF} : one.mask}
                             << (56 - 8 * one.byte);
  std::string text;
  for (const protocol::Signal& signal : one.message->signals) {
    const auto range = protocol::bit_range(signal.field);
    const std::uint64_t place = (~std::uint64_t{0} >> range.down) << (range.down - range.up);
    if ((place & bits) != 0) text += fmt::format("{}{}", text.empty() ? " (" : ", ", signal.name);
  }
  return text.empty() ? text : text + ')';
}

/// Bits one by one, as place_text() lists them: "1", "0, 1".
std::string levels_text(std::uint8_t mask, unsigned levels) {
  std::vector<unsigned> values;
  for (const unsigned bit : bit_numbers(mask)) values.push_back((levels >> bit) & 1U);
  return fmt::format("{}", fmt::join(values, ", "));
}

/// What a pair of texts says; one of them may be empty.
std::string sides_text(const Difference& one, std::string_view separator, std::string_view unit) {
  const std::string space = unit.empty() ? "" : " ";
  std::string text;
  if (!one.in_a.empty()) text += fmt::format("{} {}{}{}", "A", one.in_a, space, unit);
  if (!one.in_b.empty())
    text += fmt::format("{}{} {}{}{}", text.empty() ? "" : separator, "B", one.in_b, space, unit);
  return text;
}

std::string text_of(const Difference& one) {
  switch (one.kind) {
    case Kind::only_in:
      return fmt::format("only in {}: {}", one.side, counted(one.frames, "frame"));
    case Kind::fixed:
      return fmt::format("{}{}: A {}; B {}", place_text(one), signals_text(one),
                         levels_text(one.mask, one.bits),
                         levels_text(one.mask, static_cast<unsigned>(one.mask ^ one.bits)));
    case Kind::moving:
      return fmt::format("{}{}: changes in {}, always {} in {}", place_text(one), signals_text(one), one.side,
                         levels_text(one.mask, one.bits), one.side == 'A' ? 'B' : 'A');
    case Kind::values: {
      const std::string what = one.signal != nullptr ? std::string(one.signal->name) : place_text(one);
      return fmt::format("{}: only in {}", what, sides_text(one, "; only in ", ""));
    }
    case Kind::range:
      return fmt::format("{}: {}", one.signal->name, sides_text(one, "; ", one.signal->unit));
    case Kind::rate:
      return sides_text(one, "; ", "a second");
    case Kind::lengths:
      return sides_text(one, "; ", "bytes");
  }
  return {};
}

std::string label_of(const Difference& one) {
  if (one.message != nullptr) return fmt::format("  {:<8} {}", id_text(one.id), one.message->name);
  return "  " + id_text(one.id);
}

bool are_not_all(const Analysis& a, const Analysis& b) { return a.more_others() + b.more_others() > 0; }

void append_log(std::string& out, char side, const Analysis& log, std::string_view name) {
  const std::string span = log.first().known() ? span_text(span_of(log)) : "no times";
  append(out, "{}: {} ({}, {})\n", side, printable(name), counted(log.frames(), "frame"), span);
}

void append_json(std::string& out, const Difference& one) {
  append(out, R"({{"kind":"{}","id":"{}","id_kind":"{}")",
         kDifferenceKinds[static_cast<std::size_t>(one.kind)].name, bare_id_text(one.id),
         kind_name(one.id.kind));
  if (one.message != nullptr) append(out, R"(,"message":"{}")", one.message->name);
  if (one.signal != nullptr) append(out, R"(,"signal":"{}")", one.signal->name);
  if (one.kind == Kind::only_in) append(out, R"(,"side":"{}","frames":{})", one.side, one.frames);
  if (one.kind == Kind::moving) append(out, R"(,"side":"{}")", one.side);
  if (one.mask != 0) {
    append(out, R"(,"byte":{},"mask":"{:02X}","bit_numbers":[{}],"bits":"{:02X}")", one.byte, one.mask,
           fmt::join(bit_numbers(one.mask), ","), one.bits);
  } else if (one.kind == Kind::values && one.signal == nullptr) {
    append(out, R"(,"byte":{})", one.byte);
  }
  if (one.kind >= Kind::values) append(out, R"(,"a":"{}","b":"{}")", one.in_a, one.in_b);
  append(out, R"(,"text":"{}"}})", text_of(one));
}

}  // namespace

std::string diff_text(const Analysis& a, const Analysis& b, std::string_view name_a,
                      std::string_view name_b) {
  std::string out;
  append_log(out, 'A', a, name_a);
  append_log(out, 'B', b, name_b);
  const std::vector<Difference> found = differences(a, b);
  if (found.empty()) out += "\nno differences beyond noise\n";
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 0 || found[i].kind != found[i - 1].kind)
      append(out, "\n{}\n", kDifferenceKinds[static_cast<std::size_t>(found[i].kind)].title);
    append_hanging(out, label_of(found[i]), text_of(found[i]), kHang);
  }
  if (are_not_all(a, b))
    append(out, "\nonly the first {} ids that are not in the catalogue were compared\n",
           Analysis::kMostOtherIds);
  return out;
}

std::string diff_json(const Analysis& a, const Analysis& b, std::string_view name_a,
                      std::string_view name_b) {
  std::string out = R"({"a":{"file":)";
  append_string(out, name_a);
  append(out, R"(,"frames":{}}},"b":{{"file":)", a.frames());
  append_string(out, name_b);
  append(out, R"(,"frames":{}}},"differences":[)", b.frames());
  append_list(out, differences(a, b), [&out](const Difference& one) { append_json(out, one); });
  append(out, R"(],"not_all_ids":{}}})", are_not_all(a, b));
  out += '\n';
  return out;
}

}  // namespace rangerctl::analysis
