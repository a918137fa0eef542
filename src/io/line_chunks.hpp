#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "io/input.hpp"

namespace rangerctl::io {

/// Whole lines, in memory of its own. The last one has no LF only where it is the last of the input.
class LineChunk {
 public:
  [[nodiscard]] std::string_view text() const { return {memory_.get(), size_}; }

 private:
  friend class LineChunks;
  std::unique_ptr<char[]> memory_;
  std::size_t size_ = 0;
};

/// Cuts an input into chunks of whole lines, whatever the length of the file and of its lines: of a line that
/// is longer than log::kLongestLine there is its beginning and one character too many.
class LineChunks {
 public:
  explicit LineChunks(std::unique_ptr<Input> input);

  /// Whether next() may wait for somebody to write, as it does at first.
  void may_wait(bool may) { may_wait_ = may; }
  /// Whether the last next() was false only because nothing is there yet.
  [[nodiscard]] bool waits() const { return waits_; }

  /// False at the end of the input, or when it cannot be read further; then error() says why.
  bool next(LineChunk& chunk);
  /// Whether next() would have to wait for somebody to write.
  [[nodiscard]] bool would_wait() const { return !ended_ && input_->would_wait(); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool has_to_wait(const char* text, std::size_t size);
  std::size_t read(char* to);

  std::unique_ptr<Input> input_;
  LineChunk rest_;  ///< a line that was begun
  bool ended_ = false;
  bool may_wait_ = true;
  bool waits_ = false;
  std::optional<Error> error_;
};

}  // namespace rangerctl::io
