#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/analysis/analysis.hpp"
#include "rangerctl/output/summary.hpp"

namespace rangerctl::analysis {

/// What there is to know about a log besides its frames.
struct InfoHead {
  std::string_view file;           ///< as messages call it
  const output::Summary& summary;  ///< of its lines
  std::string_view trouble = {};   ///< why it could not be read to its end; empty: it was
  std::string (*local_time)(std::int64_t seconds) = nullptr;  ///< of seconds since 1970; null: none is shown
};

/// How much is told.
enum class Detail : std::uint8_t { overview, all };

/// A log for whoever has to find out what happened: what it is, faults and modes over time with what to do,
/// motion and energy, messages; with Detail::all every event and every signal. 80 columns.
[[nodiscard]] std::string info_text(const Analysis& analysis, const InfoHead& head, Detail detail);

/// The same for programs, whole: one object and a newline. Times are those of the log, and null where it has
/// none; what is not in the log has no key, or an empty list. See the README for the keys.
[[nodiscard]] std::string info_json(const Analysis& analysis, const InfoHead& head);

}  // namespace rangerctl::analysis
