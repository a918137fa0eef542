#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "io/input.hpp"
#include "rangerctl/log/format.hpp"
#include "rangerctl/log/log_frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// What one line of a log, or one record of a binary one, turned out to be.
struct Piece {
  log::LineKind kind = log::LineKind::blank;
  std::uint64_t number = 0;  ///< of the line or record, from 1
};

/// A log, piece by piece, in memory of fixed size.
class LogPieces {
 public:
  virtual ~LogPieces() = default;

  /// The next piece, and in `out` its frame (see log::LineParser::parse) or its drops. False at the end of
  /// the log, where it cannot be read further (then error() says why), or where nothing is there yet and it
  /// may not wait.
  virtual bool next(log::LogFrame& out, Piece& piece) = 0;
  [[nodiscard]] virtual const std::optional<Error>& error() const = 0;
  // See LineChunks.
  virtual void may_wait(bool may) = 0;
  [[nodiscard]] virtual bool waits() const = 0;
};

/// The log in `input`. Its format is known by content, which is looked at with the first next(); one that is
/// not read has an error and no pieces. `catalogue` is kept by reference.
[[nodiscard]] std::unique_ptr<LogPieces> read_log(std::unique_ptr<Input> input,
                                                  const protocol::Catalogue& catalogue);

/// The log in `input`, which is known to be of that format.
[[nodiscard]] std::unique_ptr<LogPieces> read_log_of(log::Format format, std::unique_ptr<Input> input,
                                                     const protocol::Catalogue& catalogue);

}  // namespace rangerctl::io
