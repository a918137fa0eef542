#include "rangerctl/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace rangerctl {
namespace {

constexpr bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// Length of the valid UTF-8 sequence at the start of `text`; 0 where there is none. Overlong forms,
/// surrogates and values beyond U+10FFFF are not valid.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(byte(i))) return 0;
  }
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
  if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

/// C0, DEL, and C1 as UTF-8 (C2 80 .. C2 9F). Precondition: `sequence` is one valid sequence.
bool is_control(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
}

void append_hex_escapes(std::string& out, std::string_view bytes) {
  for (const char c : bytes)
    fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(c));
}

void append_json_control(std::string& out, std::string_view sequence) {
  const auto last = static_cast<unsigned char>(sequence.back());
  switch (sequence.size() == 1 ? last : 0) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", last);
  }
}

/// Optimal string alignment distance: insert, delete, replace, swap neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

void append_printable(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0 || is_control(sequence)) {
      append_hex_escapes(out, sequence);
    } else if (sequence == "\\") {
      out += "\\\\";
    } else {
      out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
}

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

void append_json_escaped(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (is_control(sequence)) {
      append_json_control(out, sequence);
    } else {
      if (sequence == "\\" || sequence == "\"") out += '\\';
      out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongestWord = 64;  // the distance costs the product of both lengths
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = word.size() / 3 + 2;  // about a third of the letters may be wrong
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view best = nearest(word, candidates);
  return best.empty() ? std::string() : "; did you mean " + std::string(best) + "?";
}

}  // namespace rangerctl
