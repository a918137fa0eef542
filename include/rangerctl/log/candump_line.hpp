#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "rangerctl/frame.hpp"
#include "rangerctl/log/log_frame.hpp"
#include "rangerctl/protocol/schema.hpp"

/// candump text, one line at a time, in every flavour that candump and its relatives write: the log format
/// (`-L`, `-l`, `-f`) and the long format (default, `-a -e -S -i -x -8 -c -t -N`), of can-utils old and new,
/// mixed within one file and never announced. Of the relatives: cangen -v, log2long, asc2log, mcandump,
/// python-can, SavvyCAN, Kayak, and canutils 4.0.6 ("<0x211> [8] 05 a0 ..").
///
/// What is not plainly a frame is refused. So the flavours say this much and no more:
/// - Log format: an id of 3 digits has 11 bits, one of 8 has 29, or is an error frame (kErrorIdBit).
///   "##" is FD, of any length up to 64; its flags are kept and kFdFormat is added.
/// - Long format: "[8]" is classic and "[08]" FD, even with the same bytes. Without -x its FD flags are
///   kFdFormat alone, whatever the frame had. "{E}" is a classic frame with that raw DLC.
/// - Bytes of eight digits 0 and 1 are binary (-i), bytes joined by '`' come in reverse (-S). The column of
///   characters (-a) is never data, but has to be as long as the data.
/// - Three digits of length ("[064]") are FD beyond 8 bytes and otherwise refused: could be either.
/// - Colours (ESC [ .. m, and grep's ESC [ K) are ignored anywhere but inside the interface's name.
namespace rangerctl::log {

/// Whole seconds that were read last, with their ten digits: nearly every line has those of the line before.
struct SecondCache {
  std::array<char, 10> digits{};
  std::int64_t seconds = 0;
};

/// Reads lines of one log in order. Holds no memory of its own that grows.
///
/// The state between lines is: whether an error frame's continuation may follow, and the last converted date.
class CandumpParser {
 public:
  /// `catalogue` decides whether an unterminated last line is complete: it is a frame only with exactly the
  /// DLC of its message (unknown id: 8 bytes).
  explicit CandumpParser(const protocol::Catalogue& catalogue, LocalToUtc to_utc = local_to_utc)
      : catalogue_(catalogue), to_utc_(to_utc) {}

  /// `line` is without its LF (a CR before it is tolerated) and stays alive as long as `out.bus` is used.
  /// `out` is complete only where the result is `frame` (and `out.drops` where it is `drop_count`).
  LineKind parse(std::string_view line, LineEnd end, LogFrame& out);

  /// The same with the first line of `text`, which then begins behind it. Where `text` has no LF it is the
  /// last line of the log. Precondition: `text` is not empty.
  LineKind take(std::string_view& text, LogFrame& out) {
    return take_common(text, out) ? LineKind::frame : take_any(text, out);
  }

  /// What a line means depends on the line before it in this alone: whether the continuation of an error
  /// frame may follow. So a log can be read in parts, each by a parser of its own that continues another.
  void continue_after(const CandumpParser& before) { after_error_frame_ = before.after_error_frame_; }
  /// Whether that can matter to a line that begins like `text`. Precondition: it is not empty.
  [[nodiscard]] static bool may_be_continuation(std::string_view text) {
    return text[0] != '(' && text[0] != ' ';
  }

 private:
  bool take_common(std::string_view& text, LogFrame& out);
  LineKind take_any(std::string_view& text, LogFrame& out);

  const protocol::Catalogue& catalogue_;
  LocalToUtc to_utc_;
  bool after_error_frame_ = false;
  SecondCache cached_second_;
  std::array<char, 16> cached_minute_{};  ///< "YYYY-MM-DD HH:MM" of the last -tA time
  std::int64_t cached_seconds_ = 0;
};

}  // namespace rangerctl::log
