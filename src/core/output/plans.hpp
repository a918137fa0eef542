#pragma once

#include "rangerctl/output/record_writer.hpp"

namespace rangerctl::output {

/// How the formats differ in writing a decoded value.
struct Style {
  std::string_view quote;  ///< around names
  std::string_view open;   ///< around a list of flags
  std::string_view close;
  char separator;             ///< behind each flag but the last
  std::string_view no_flags;  ///< in place of a list without flags
};
[[nodiscard]] const Style& style_of(Format format);

/// Prepares everything about a message that is the same for every frame.
[[nodiscard]] MessagePlan plan_message(const WriterOptions& options, const protocol::Message& message);

}  // namespace rangerctl::output
