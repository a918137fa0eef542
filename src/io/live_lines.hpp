#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace rangerctl::io {

struct LiveLine {
  std::string text;          ///< without its end; cut where it is longer than anybody means it
  std::uint64_t number = 0;  ///< from 1
};

/// Lines that come in on standard input while the program does something else. Never waits. The end of the
/// input ends the lines, no more. A terminal is left alone while the program is in the background, because
/// reading it would stop the program.
class LiveLines {
 public:
  /// The next whole line that is there.
  std::optional<LiveLine> next();
  /// Whether no more will come.
  [[nodiscard]] bool ended() const { return ended_ && lines_.empty(); }

 private:
  void read_what_is_there();
  void take(std::string_view bytes);
  void finish_line();

  std::string unfinished_;
  std::deque<LiveLine> lines_;
  std::uint64_t count_ = 0;
  bool ended_ = false;
};

}  // namespace rangerctl::io
