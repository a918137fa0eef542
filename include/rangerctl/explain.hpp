#pragma once

#include <string>
#include <string_view>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

/// `rangerctl explain`: everything that the catalogue knows of a word, for a terminal of 80 columns.
namespace rangerctl {

/// What `word` means:
/// - an error word, 0x and exactly eight hex digits ("0x00000180"): every set bit of system_status.errors;
/// - a clear code, 0x and one or two hex digits, or one or two decimal digits ("0x09", "9");
/// - an id, three hex digits with or without 0x ("0x211", "211"), or the name of a message; an id whose
/// content
///   is not decoded gets what is known of it;
/// - a signal ("motion_command.linear_velocity", "linear_velocity");
/// - the name of a flag or of an enumeration's value ("emergency_stop", "spin").
/// A name with several meanings gets all of them. The error (usage) suggests the nearest name.
Result<std::string> explain(const protocol::Catalogue& catalogue, std::string_view word);

/// What one frame says. Never fails: an unknown id, a short frame, a frame that no robot of this catalogue
/// sends and an error frame are explained as what they are.
[[nodiscard]] std::string explain_frame(const protocol::Catalogue& catalogue, const Frame& frame);

}  // namespace rangerctl
