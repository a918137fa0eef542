#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "io/line_chunks.hpp"
#include "rangerctl/log/log_frame.hpp"

namespace rangerctl::io {

/// One line of a file.
struct Line {
  std::string_view text;  ///< without its LF; valid until the next line is read
  log::LineEnd end = log::LineEnd::newline;
  bool too_long = false;     ///< longer than log::kLongestLine: `text` is only its beginning
  std::uint64_t number = 0;  ///< from 1
};

/// The lines of LineChunks, one at a time.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<Input> input) : chunks_(std::move(input)) {}

  /// See LineChunks.
  void may_wait(bool may) { chunks_.may_wait(may); }
  [[nodiscard]] bool waits() const { return chunks_.waits(); }

  /// False where LineChunks::next() is.
  bool next(Line& line);
  [[nodiscard]] const std::optional<Error>& error() const { return chunks_.error(); }

 private:
  LineChunks chunks_;
  LineChunk chunk_;
  std::string_view rest_;  ///< of chunk_
  std::uint64_t number_ = 0;
};

}  // namespace rangerctl::io
