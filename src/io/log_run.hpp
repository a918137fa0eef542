#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "io/input.hpp"
#include "io/log_pieces.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"

/// Reads a log as fast as this machine can: parts of it are worked on by several threads, and their results
/// are taken in the log's order, as if one thread had done it all.
namespace rangerctl::io {

/// What becomes of one part of a log. Used by one thread at a time, and again and again.
class LogPart {
 public:
  virtual ~LogPart() = default;

  /// Takes every line of `text` and returns how many there are. The last one has no LF only where it is the
  /// last of the log.
  virtual std::uint64_t take_lines(log::CandumpParser& parser, std::string_view text,
                                   log::LogFrame& frame) = 0;
  /// Takes pieces of a log of another format, which begins for this part behind `pieces_before`: waits for
  /// the first, and then takes what is there, up to kMostPieces. Returns how many there are; 0 at the end.
  virtual std::uint64_t take_pieces(LogPieces& log, std::uint64_t pieces_before, log::LogFrame& frame) = 0;

  static constexpr std::uint64_t kMostPieces = 4096;
};

/// A part of type Part, whose take(piece, frame) takes one piece; its number counts from the beginning of the
/// part.
template <class Part>
class LogPartOf : public LogPart {
 public:
  std::uint64_t take_lines(log::CandumpParser& parser, std::string_view text, log::LogFrame& frame) final {
    Part& part = static_cast<Part&>(*this);
    Piece piece;
    while (!text.empty()) {
      ++piece.number;
      piece.kind = parser.take(text, frame);
      part.take(piece, frame);
    }
    return piece.number;
  }

  std::uint64_t take_pieces(LogPieces& log, std::uint64_t pieces_before, log::LogFrame& frame) final {
    Part& part = static_cast<Part&>(*this);
    Piece piece;
    std::uint64_t count = 0;
    log.may_wait(true);
    while (count < kMostPieces && log.next(frame, piece)) {
      log.may_wait(false);
      ++count;
      piece.number -= pieces_before;
      part.take(piece, frame);
    }
    return count;
  }
};

/// Whoever wants to know what is in a log. All methods are called by the thread that calls run_log().
class LogClient {
 public:
  virtual ~LogClient() = default;

  virtual std::unique_ptr<LogPart> make_part() = 0;
  /// Takes what `part` has, the next in the log's order, and empties it. It begins behind the line
  /// `pieces_before`. False ends the reading.
  virtual bool take_over(LogPart& part, std::uint64_t pieces_before) = 0;
  /// While true, no part is begun before the one before it was taken over.
  [[nodiscard]] virtual bool needs_order() const { return false; }
};

/// Reads the log in `input` to its end, until `client` has enough, or until it cannot be read further, which
/// is the Error. Where the input has to wait for somebody to write, `client` has everything before it.
/// `threads`: how many work on a candump log besides the one that reads; 0: the same one, as with all other
/// formats. In memory of fixed size. `catalogue` as in read_log().
Result<void> run_log(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue, LogClient& client,
                     unsigned threads);

/// As many threads as make sense on this machine for this process.
[[nodiscard]] unsigned useful_threads();

}  // namespace rangerctl::io
