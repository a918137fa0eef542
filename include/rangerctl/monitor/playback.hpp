#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "rangerctl/transport.hpp"

namespace rangerctl::monitor {

/// How fast a log is played: `numerator` / `denominator` times the pace of its own times.
struct PlaybackSpeed {
  std::int32_t numerator;
  std::int32_t denominator;
  std::string_view text;
};
/// In growing order.
inline constexpr std::array kPlaybackSpeeds{PlaybackSpeed{1, 10, "x0.1"}, PlaybackSpeed{1, 4, "x0.25"},
                                            PlaybackSpeed{1, 2, "x0.5"},  PlaybackSpeed{1, 1, "x1"},
                                            PlaybackSpeed{2, 1, "x2"},    PlaybackSpeed{4, 1, "x4"},
                                            PlaybackSpeed{10, 1, "x10"},  PlaybackSpeed{100, 1, "x100"}};
inline constexpr std::size_t kNormalSpeed = 3;

/// Where the playing of a log stands and how fast it goes on. A position is the time since the log's first
/// frame; it begins at 0, at normal speed.
///
/// `now` is real time on the steady clock and never goes back. Whoever plays calls position() each round,
/// several times a second. Between two calls the position goes on by the time that passed, times the speed;
/// but where more than kLongestRound passed, the program was stopped, the computer suspended or the terminal
/// stuck: nobody watched, and nothing of that time counts.
class Playback {
 public:
  static constexpr std::chrono::seconds kLongestRound{1};
  /// 146 years: no position is beyond.
  static constexpr std::chrono::nanoseconds kMostPosition = std::chrono::nanoseconds::max() / 2;

  explicit Playback(SteadyTime now) : last_round_(now) {}

  /// All frames up to and at this position are to be shown now.
  [[nodiscard]] std::chrono::nanoseconds position(SteadyTime now);

  void toggle_pause(SteadyTime now);
  [[nodiscard]] bool paused() const { return paused_; }

  /// The next speed of kPlaybackSpeeds; the last one stays.
  void faster(SteadyTime now);
  void slower(SteadyTime now);
  [[nodiscard]] const PlaybackSpeed& speed() const { return kPlaybackSpeeds[speed_]; }

  /// Goes to a position between 0 and length(), both included; a target outside is the nearer of the two. A
  /// pause remains a pause. Whoever goes back from the end, goes on from there.
  void seek_to(std::chrono::nanoseconds position, SteadyTime now);
  void seek_by(std::chrono::nanoseconds delta, SteadyTime now);

  /// While frames up to the position are still being read, it does not run ahead of them.
  void hold(SteadyTime now);
  void release(SteadyTime now);

  /// How long the log is, or that this is not known (any more). Says nothing about a position beyond it.
  void note_length(std::optional<std::chrono::nanoseconds> length) { length_ = length; }
  /// The offset of the last frame; at the end of the log that is its position even where nobody noted it.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> length() const {
    return ended_ ? position_ : length_;
  }

  /// The log ended, its last frame is at `position`: there it stands until somebody goes back.
  void note_end(std::chrono::nanoseconds position);
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  void advance(SteadyTime now);
  [[nodiscard]] bool stands() const { return paused_ || held_ || ended_; }

  SteadyTime last_round_;
  std::chrono::nanoseconds position_{0};
  std::optional<std::chrono::nanoseconds> length_;
  std::size_t speed_ = kNormalSpeed;
  bool paused_ = false;
  bool held_ = false;
  bool ended_ = false;
};

}  // namespace rangerctl::monitor
