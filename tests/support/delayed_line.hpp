// One direction of a link: bytes go in, and come out later in the same order.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace rangerctl::support {

class DelayedLine {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  void set_delay(Duration delay) { delay_ = delay; }
  // Nothing comes out before `end`; then everything that is due does, at once.
  void stall_until(Time end) { stalled_until_ = end; }

  // `later`: so long these, and with them all that follow, are held up on the way.
  void push(std::string_view bytes, Time now, Duration later = Duration::zero());
  // All that has arrived at `now`, in one piece.
  std::string take(Time now);
  // When there will be something to take; nothing: the line is empty.
  [[nodiscard]] std::optional<Time> next() const;

 private:
  struct Piece {
    Time due;
    std::string bytes;
  };
  std::deque<Piece> pieces_;
  Duration delay_{0};
  Time stalled_until_{};
};

}  // namespace rangerctl::support
