#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rangerctl/analysis/id_statistics.hpp"
#include "rangerctl/analysis/integrals.hpp"
#include "rangerctl/log/log_frame.hpp"
#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::analysis {

/// Of one signal, in raw values.
struct SignalRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();

  [[nodiscard]] bool any() const { return least <= most; }
  void add(std::int64_t raw) {
    least = raw < least ? raw : least;
    most = raw > most ? raw : most;
  }
  bool operator==(const SignalRange&) const = default;
};

/// Of the frames of a message of the catalogue; frames that are too short only count.
struct MessageStatistics {
  IdStatistics id;
  std::uint64_t short_frames = 0;
  std::vector<SignalRange> signals;  ///< in the order of the message's signals
};

/// Flags and enumerations of a message became others, or were seen for the first time.
struct Change {
  Timestamp time;
  std::uint16_t message = 0;  ///< index into the catalogue
  bool is_first = false;
  std::uint64_t before = 0;  ///< protocol::payload_word(), of the tracked bits alone
  std::uint64_t after = 0;
  bool operator==(const Change&) const = default;
};

/// What the frames of an id that the catalogue does not know have in common.
struct OtherId {
  std::uint32_t id = 0;
  FrameKind kind = FrameKind::data;
  bool extended = false;
  bool operator==(const OtherId&) const = default;
  [[nodiscard]] std::uint64_t key() const {
    return std::uint64_t{id} | std::uint64_t{extended} << 32 | static_cast<std::uint64_t>(kind) << 33;
  }
};
struct OtherStatistics {
  OtherId id;
  IdStatistics statistics;
};

/// Everything that a log says, in memory of bounded size.
class Analysis {
 public:
  /// More changes than these are only counted, and so are the frames of more ids that are not known.
  static constexpr std::size_t kMostChanges = 20'000;
  static constexpr std::size_t kMostOtherIds = 2048;

  /// `catalogue` is kept by reference.
  explicit Analysis(const protocol::Catalogue& catalogue);

  /// Takes the next frame of the log.
  void add(const log::LogFrame& frame);
  /// The log says that frames were lost here.
  void add_drops(std::uint64_t frames) { drops_ += frames; }
  /// Adds the part of the log that follows: then this is as if it had taken all of it. Of the same catalogue.
  void append(const Analysis& later);

  [[nodiscard]] const protocol::Catalogue& catalogue() const { return *catalogue_; }
  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  [[nodiscard]] std::uint64_t drops() const { return drops_; }
  /// The first and the last time in the order of the log, and the earliest and the latest; unknown: no frame
  /// had one.
  [[nodiscard]] const Timestamp& first() const { return first_; }
  [[nodiscard]] const Timestamp& last() const { return last_; }
  [[nodiscard]] const Timestamp& earliest() const { return earliest_; }
  [[nodiscard]] const Timestamp& latest() const { return latest_; }
  /// How often a frame's time was before that of the frame before.
  [[nodiscard]] std::uint64_t backward() const { return backward_; }

  /// In the order of the catalogue's messages.
  [[nodiscard]] const std::vector<MessageStatistics>& messages() const { return messages_; }
  /// Sorted by id; remote, FD, XL and error frames each on their own.
  [[nodiscard]] std::vector<OtherStatistics> others() const;
  /// Frames of ids that are not in others(), because there were too many.
  [[nodiscard]] std::uint64_t more_others() const { return more_others_; }

  /// In the order of the log.
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  /// Changes that are not in changes(), because there were too many.
  [[nodiscard]] std::uint64_t more_changes() const { return more_changes_; }

  /// Of motion_feedback.linear_velocity in mm/s, and of bms_status voltage times current in 0.001 W (charging
  /// positive).
  [[nodiscard]] const Integral& speed() const { return speed_; }
  [[nodiscard]] const Integral& power() const { return power_; }
  /// Of the wheels of front_odometer, then of rear_odometer, in mm.
  [[nodiscard]] const std::array<Travel, 4>& travels() const { return travels_; }

 private:
  void take_time(const Timestamp& time);
  void add_known(const protocol::Message& message, const log::LogFrame& frame);
  void take_word(std::size_t index, std::uint64_t word, const Timestamp& time);
  void integrate(const protocol::Message& message, std::uint64_t word, const Timestamp& time);
  void add_other(const log::LogFrame& frame);
  IdStatistics* other(const OtherId& id);
  void add_change(const Change& change);
  void append_times(const Analysis& later);
  void append_changes(const Analysis& later);
  void append_others(const Analysis& later);

  const protocol::Catalogue* catalogue_;
  std::uint64_t frames_ = 0;
  std::uint64_t drops_ = 0;
  Timestamp first_;
  Timestamp last_;
  Timestamp earliest_;
  Timestamp latest_;
  std::uint64_t backward_ = 0;
  std::vector<MessageStatistics> messages_;
  std::vector<std::uint8_t> is_summed_;  ///< of each message whether integrate() takes it
  std::vector<std::uint64_t> tracked_;   ///< of each message the bits of its flags and enumerations
  std::vector<std::uint64_t> last_tracked_;
  std::vector<bool> any_tracked_;
  std::vector<OtherStatistics> others_;
  std::unordered_map<std::uint64_t, std::size_t> other_index_;
  std::uint64_t more_others_ = 0;
  std::vector<Change> changes_;
  std::uint64_t more_changes_ = 0;
  // What is summed over time; null where the catalogue has none.
  const protocol::Message* motion_;
  const protocol::Message* battery_;
  const protocol::Signal* velocity_;
  const protocol::Signal* voltage_;
  const protocol::Signal* current_;
  Integral speed_;
  Integral power_;
  std::array<const protocol::Message*, 2> odometers_;  ///< each of two wheels; null: there is none
  std::array<Travel, 4> travels_;
};

}  // namespace rangerctl::analysis
