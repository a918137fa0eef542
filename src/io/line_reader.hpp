#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "io/input.hpp"
#include "rangerctl/log/candump_line.hpp"

namespace rangerctl::io {

/// One line of a file.
struct Line {
  std::string_view text;  ///< without its LF; valid until the next line is read
  log::LineEnd end = log::LineEnd::newline;
  bool too_long = false;     ///< longer than log::kLongestLine: `text` is only its beginning
  std::uint64_t number = 0;  ///< from 1
};

/// Cuts an input into lines in memory of fixed size, whatever the length of the file and of its lines.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<Input> input);

  /// Called before a read that may have to wait, so that results so far can be shown. False ends the reading.
  void before_wait(std::function<bool()> action) { before_wait_ = std::move(action); }

  /// From now on next() never waits for somebody to write but in the middle of a line that is too long.
  void never_wait() { never_waits_ = true; }
  /// Whether the last next() was false only because nothing is there yet.
  [[nodiscard]] bool waits() const { return waits_; }

  /// False at the end of the input, or when it cannot be read further; then error() says why.
  bool next(Line& line) {
    const char* const found = find_newline();
    return found != nullptr ? take(line, found) : next_after_refill(line);
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  [[nodiscard]] const char* find_newline() const {
    return begin_ == end_
               ? nullptr
               : static_cast<const char*>(std::memchr(begin_, '\n', static_cast<std::size_t>(end_ - begin_)));
  }
  bool take(Line& line, const char* newline) {
    line = {{begin_, static_cast<std::size_t>(newline - begin_)}, log::LineEnd::newline, false, ++number_};
    line.too_long = line.text.size() > log::kLongestLine;
    begin_ = newline + 1;
    return true;
  }
  bool next_after_refill(Line& line);
  bool take_too_long(Line& line);
  bool take_last(Line& line);
  bool refill();

  std::unique_ptr<Input> input_;
  std::function<bool()> before_wait_;
  std::unique_ptr<char[]> memory_;
  const char* begin_ = nullptr;  ///< of what is read but not yet taken
  const char* end_ = nullptr;
  std::uint64_t number_ = 0;
  bool never_waits_ = false;
  bool waits_ = false;
  std::optional<Error> error_;
};

}  // namespace rangerctl::io
