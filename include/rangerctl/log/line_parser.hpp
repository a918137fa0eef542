#pragma once

#include <memory>
#include <string_view>

#include "rangerctl/log/format.hpp"
#include "rangerctl/log/log_frame.hpp"

namespace rangerctl::log {

/// Reads lines of one log in order, of any text format but candump's, for which there is CandumpParser. Holds
/// no memory that grows with the log.
class LineParser {
 public:
  virtual ~LineParser() = default;

  /// `line` is without its LF (a CR before it is tolerated). `out.bus` is valid until the next line, and
  /// `line` has to be as long. `out` is complete only where the result is `frame`, and `out.drops` where it
  /// is `drop_count`. What is not plainly a frame is refused: a damaged or cut line never becomes another
  /// frame.
  virtual LineKind parse(std::string_view line, LineEnd end, LogFrame& out) = 0;
};

/// Precondition: a text format that is read, and not candump's.
[[nodiscard]] std::unique_ptr<LineParser> make_line_parser(Format format, LocalToUtc to_utc = local_to_utc);

}  // namespace rangerctl::log
