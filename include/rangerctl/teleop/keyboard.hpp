#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "rangerctl/chassis/geometry.hpp"
#include "rangerctl/teleop/age_fence.hpp"
#include "rangerctl/teleop/facts.hpp"
#include "rangerctl/teleop/hold.hpp"
#include "rangerctl/teleop/keys.hpp"
#include "rangerctl/terminal/handshake.hpp"
#include "rangerctl/terminal/input.hpp"

namespace rangerctl::teleop {

/// A key as it was taken.
struct KeyRecord {
  terminal::Event event;
  std::optional<Microseconds> bound;  ///< its age at most; nothing: not known
  bool dropped = false;               ///< too old, or in one batch with a stop
};

/// The keys and the way that they take: sorts what the terminal sent since the last tick into held motion
/// keys and commands, and drops what is too old.
class Keyboard {
 public:
  /// A key that does not drive.
  struct Press {
    const Binding* binding = nullptr;  ///< null: a key without a meaning
    char32_t key = 0;
    std::optional<SteadyTime> fence;  ///< it was pressed after this
  };
  static constexpr std::size_t kMostKeys = 64;

  Keyboard(Layout layout, const terminal::Capabilities& terminal);

  /// An event of the terminal, read at `now`. `batch` numbers the calls of read().
  void take(const terminal::Event& event, std::uint64_t batch, SteadyTime now);
  /// Whether a status query may be written at `now`; it then counts as written.
  bool ask(SteadyTime now);
  /// Whether the terminal answers status queries; one that has not for kMute never will.
  [[nodiscard]] bool answers(SteadyTime now) const;
  static constexpr std::chrono::seconds kMute{3};

  /// What was pressed since the last call, in order; to be called once in each tick. `mode` decides which
  /// motion keys drive. A motion key in one batch with a stop, a release or an unknown key counts for
  /// nothing.
  std::span<const Press> sort(chassis::MotionMode mode, SteadyTime now);

  [[nodiscard]] Wish wish(SteadyTime now) const { return hold_.wish(now); }
  [[nodiscard]] bool locked(SteadyTime now) const { return hold_.locked(now); }
  /// See Hold::any_down().
  [[nodiscard]] bool any_down(SteadyTime now) const { return hold_.any_down(now); }
  /// After a stop: see Hold::lock(). Held keys whose release seems lost are forgotten.
  void lock(SteadyTime now);
  /// Without key releases: motion keys to the left less those to the right, in this tick.
  [[nodiscard]] int steering_steps() const { return steering_steps_; }

  /// What the rules want to know of it. Called after sort().
  void report(Facts& facts, SteadyTime now);

  [[nodiscard]] const AgeFence& fence() const { return fence_; }
  [[nodiscard]] bool key_releases() const { return hold_.key_releases(); }
  [[nodiscard]] bool focused() const { return !unfocused_since_; }
  [[nodiscard]] char32_t last_key() const { return last_key_; }
  [[nodiscard]] std::optional<SteadyTime> last_key_at() const { return last_key_at_; }
  [[nodiscard]] std::span<const KeyRecord> records() const { return {records_.data(), record_count_}; }
  [[nodiscard]] std::uint64_t stale_keys() const { return stale_keys_; }

 private:
  struct Queued {
    terminal::Event event;
    std::uint64_t batch = 0;
    SteadyTime read_at;
    std::optional<SteadyTime> fence;
    std::optional<Microseconds> bound;
  };
  static constexpr std::size_t kTokens = 61;
  static constexpr std::chrono::milliseconds kPause{150};
  static constexpr int kMostTokensInBatch = 3;
  /// No hand types more in one tick; beyond, only stops count.
  static constexpr std::size_t kMostInTick = 16;

  void queue(const terminal::Event& event, std::uint64_t batch, SteadyTime now);
  bool sort_one(const Queued& key, chassis::MotionMode mode);
  bool sort_motion_key(const Queued& key, const Binding& binding, chassis::MotionMode mode);
  void push(const Queued& key, const Binding* binding);
  void note_token(const Queued& key);
  [[nodiscard]] bool batch_stops(std::uint64_t batch) const;
  [[nodiscard]] bool stops(const terminal::Event& event) const;
  [[nodiscard]] bool is_stale(const Queued& key) const;

  Layout layout_;
  bool answers_;  ///< other queries
  std::optional<SteadyTime> first_ask_;
  AgeFence fence_;
  Hold hold_;

  std::array<Queued, kMostKeys> queued_{};
  std::size_t queued_count_ = 0;
  bool overflow_ = false;
  std::optional<std::uint64_t> incomplete_batch_;  ///< the last read that ended inside of a sequence
  std::array<Press, kMostKeys> presses_{};
  std::size_t press_count_ = 0;
  std::array<KeyRecord, kMostKeys> records_{};
  std::size_t record_count_ = 0;

  std::optional<SteadyTime> last_key_at_;
  char32_t last_key_ = 0;
  int steering_steps_ = 0;
  int stale_in_tick_ = 0;
  std::uint64_t stale_keys_ = 0;

  std::array<SteadyTime, kTokens> tokens_{};  ///< a ring: when the last motion keys were read
  std::uint64_t token_count_ = 0;
  std::uint64_t token_batch_ = 0;
  int tokens_in_batch_ = 0;
  bool after_pause_ = false;
  bool burst_ = false;

  static constexpr std::chrono::milliseconds kTellFor{1000};
  char32_t not_counted_ = 0;  ///< the motion key that is down and does not count; 0: none
  SteadyTime not_counted_at_;
  std::optional<SteadyTime> without_effect_;

  std::optional<SteadyTime> unfocused_since_;
  bool focus_lost_ = false;  ///< since the last report, even if it is back
  bool pasting_ = false;
  bool pasted_ = false;
  bool paste_too_long_ = false;
  std::uint64_t unasked_reported_ = 0;
};

/// Whether a motion key moves the robot by itself in this mode; else it only steers.
[[nodiscard]] bool drives(chassis::MotionMode mode, Direction direction);
/// Whether it does anything at all.
[[nodiscard]] bool has_effect(chassis::MotionMode mode, Direction direction);

}  // namespace rangerctl::teleop
