#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "rangerctl/teleop/keys.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::teleop {

/// What the held motion keys ask for.
struct Wish {
  Direction direction;
  bool nudge = false;  ///< only a creep, and only for a moment: a key without releases was just pressed
  bool operator==(const Wish&) const = default;
};

/// Hold to run: which motion keys are down, or count as down.
///
/// With key releases (kitty protocol) a key is held from its press to its release. Without, a terminal only
/// repeats the last key: the first press is a nudge, from the second repeat on the repeats keep the robot
/// moving, and it ends when they stay away for three times their usual gap.
///
/// After lock() nothing counts until every key was released, or, without releases, until no motion key has
/// arrived for half a second.
class Hold {
 public:
  using Duration = SteadyTime::duration;

  static constexpr std::chrono::milliseconds kNudge{200};
  static constexpr std::chrono::milliseconds kLeastPatience{100};  ///< without a repeat, see patience()
  static constexpr std::chrono::milliseconds kMostPatience{300};
  static constexpr std::chrono::milliseconds kUnlock{500};
  /// A terminal that repeats keys and does not any more has lost the release.
  static constexpr std::chrono::milliseconds kRepeatLost{1000};
  /// One that never repeats keys is trusted for so long.
  static constexpr std::chrono::seconds kLongestHold{4};

  explicit Hold(bool key_releases) : key_releases_(key_releases) {}

  /// A motion key arrived. `drives`: it moves the robot by itself in this motion mode; others only steer.
  void press(char32_t key, Direction direction, bool drives, SteadyTime now);
  void repeat(Direction direction, bool drives, SteadyTime now);
  void release(char32_t key);
  /// The keyboard is elsewhere: nothing is down any more.
  void release_all();
  /// What is down now counts no more.
  void lock(SteadyTime now);

  [[nodiscard]] Wish wish(SteadyTime now) const;
  [[nodiscard]] bool locked(SteadyTime now) const;
  /// Something is down, whether it counts or not.
  [[nodiscard]] bool any_down(SteadyTime now) const;

  /// With releases: something is down and its release seems to be lost. Only the key pressed last repeats,
  /// and when that is released no other takes its place; so this also says that an older key is no longer
  /// seen.
  [[nodiscard]] bool release_lost(SteadyTime now) const;
  /// Without releases: how long the repeats may stay away.
  [[nodiscard]] Duration patience() const;
  /// Without releases: whether the repeats run, so that patience() counts.
  [[nodiscard]] bool repeating() const { return tokens_ >= kHoldFrom; }

  [[nodiscard]] bool key_releases() const { return key_releases_; }
  [[nodiscard]] std::optional<SteadyTime> last_token() const { return last_token_; }

 private:
  struct Key {
    char32_t key = 0;
    Direction direction;
    bool counts = true;
  };
  static constexpr std::size_t kMostKeys = 8;
  static constexpr std::size_t kGaps = 8;
  static constexpr int kHoldFrom = 3;                              ///< tokens: a press and two repeats
  static constexpr std::chrono::milliseconds kLongestDelay{1000};  ///< from a press to its first repeat
  static constexpr std::chrono::milliseconds kLongestGap{150};     ///< between repeats

  void take_token(Direction direction, bool drives, SteadyTime now);
  void take_driving_token(Direction direction, SteadyTime now);
  [[nodiscard]] Direction held_direction() const;
  [[nodiscard]] bool token_holds(SteadyTime now) const;
  Key* find(char32_t key);

  bool key_releases_;
  std::optional<SteadyTime> last_token_;
  // With releases.
  std::array<Key, kMostKeys> keys_{};
  std::size_t count_ = 0;
  bool repeats_seen_ = false;
  // Without.
  Direction direction_;
  int tokens_ = 0;  ///< of this direction in a row, up to kHoldFrom
  std::array<Duration, kGaps> gaps_{};
  std::size_t gap_count_ = 0;
  std::optional<SteadyTime> driven_at_;  ///< the last token that drives
  std::optional<SteadyTime> fed_at_;     ///< the last one that keeps alive
  std::optional<SteadyTime> locked_at_;
};

}  // namespace rangerctl::teleop
