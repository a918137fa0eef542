#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Text for people and terminals.
namespace rangerctl {

/// Appends `text` so that a terminal shows it and does nothing else: control characters (C0, DEL, C1) and
/// bytes that are no valid UTF-8 become \xNN, a backslash becomes \\.
void append_printable(std::string& out, std::string_view text);
[[nodiscard]] std::string printable(std::string_view text);

/// Appends `text` as the inside of a JSON string: quotes, backslashes and control characters (C0, DEL, C1)
/// escaped, bytes that are no valid UTF-8 replaced by U+FFFD.
void append_json_escaped(std::string& out, std::string_view text);

/// The candidate that a person who typed `word` most likely meant, or empty when none is close.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// The end of a message about an unknown word: "; did you mean spin?", or nothing where no candidate is close.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace rangerctl
