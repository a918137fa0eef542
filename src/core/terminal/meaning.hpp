#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "rangerctl/terminal/input.hpp"

/// What complete characters and sequences mean.
namespace rangerctl::terminal {

/// `character`, or kUnknownKey where it is none that can be typed: control characters, surrogates, values
/// beyond U+10FFFF, and the private use area, where the numbers of the keys lie that are no character.
[[nodiscard]] char32_t typed(char32_t character);

/// Bytes behind the first byte of a UTF-8 character; 0 where `lead` is no first byte of several.
[[nodiscard]] std::size_t bytes_behind(char lead);
/// The character of a first byte and its continuation bytes, or kUnknownKey.
[[nodiscard]] char32_t decoded(std::string_view bytes);

/// One byte below 0x80 that stands for itself.
[[nodiscard]] Event byte_event(char byte);

/// `CSI parameters final`; nothing where it is an answer that has no meaning here.
[[nodiscard]] std::optional<Event> sequence_event(std::string_view parameters, char final);

/// `SS3 parameters final`
[[nodiscard]] Event single_shift_event(std::string_view parameters, char final);

}  // namespace rangerctl::terminal
