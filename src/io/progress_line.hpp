#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace rangerctl::io {

/// One line on stderr that says how far something is, written over again and again; nothing where stderr is
/// no terminal or only errors are wanted.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Whether it is time for another text: once a second.
  [[nodiscard]] bool is_due(std::chrono::steady_clock::time_point now) const {
    return wanted_ && now >= due_;
  }
  /// As much of `text` as fits into one line of the terminal; control characters are made visible.
  void show(std::string_view text, std::chrono::steady_clock::time_point now);
  /// Takes it away, so that something else can be written.
  void clear();

 private:
  bool wanted_;
  std::chrono::steady_clock::time_point due_;
  std::size_t shown_ = 0;  ///< characters on the terminal
};

}  // namespace rangerctl::io
