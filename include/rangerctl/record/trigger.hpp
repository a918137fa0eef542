#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "rangerctl/command/wait_for.hpp"
#include "rangerctl/output/filter.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

/// Which frames are worth recording.
namespace rangerctl::record {

/// What a recording waits for: a frame (each of its kind), or a statement about a signal that becomes true.
using TriggerCondition = std::variant<output::IdFilter, command::Condition>;

/// "MESSAGE", an id or "ID:MASK" (see output::parse_id_filter); "MESSAGE.SIGNAL OP VALUE" as `wait` takes it;
/// or the name of an error or alarm bit of the chassis: "emergency_stop". The error is of status usage.
Result<TriggerCondition> parse_trigger(const protocol::Catalogue& catalogue, std::string_view text);

struct TriggerOptions {
  TriggerCondition condition;
  std::chrono::nanoseconds before{0};             ///< what was received so long before is recorded as well
  std::optional<std::chrono::nanoseconds> after;  ///< so long; nothing: until the end
};

/// Decides about each frame. Times are those of the frames; one without a time, or before the frame before
/// it, counts as being at the same time as that.
///
/// A condition triggers when it becomes true, also with the first frame that says so; a frame each time.
/// While it is recording that only makes the recording longer.
class Trigger {
 public:
  /// So many frames before a trigger are kept at most: a minute of a chassis, or a few seconds of a full bus.
  static constexpr std::size_t kMostKept = 65'536;

  /// `catalogue` is kept by reference.
  Trigger(const protocol::Catalogue& catalogue, TriggerOptions options)
      : catalogue_(catalogue), options_(std::move(options)) {}

  /// Takes the next frame and returns those to record now, in order, which are valid until the next call.
  const std::vector<Received>& take(const Received& received);

  [[nodiscard]] bool is_recording() const { return recording_; }
  /// How often it triggered.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// How often there was more before a trigger than could be kept.
  [[nodiscard]] std::uint64_t incomplete() const { return incomplete_; }

 private:
  struct Kept {
    std::chrono::nanoseconds at;
    Received received;
  };

  void move_clock(const Timestamp& time);
  [[nodiscard]] bool triggers(const Frame& frame);
  [[nodiscard]] bool becomes_true(const command::Condition& condition, const Frame& frame);
  void begin();
  void keep(const Received& received);
  void forget_old();

  const protocol::Catalogue& catalogue_;
  TriggerOptions options_;
  std::optional<Timestamp> last_time_;
  std::chrono::nanoseconds now_{0};  ///< since the first frame
  std::chrono::nanoseconds until_{0};
  bool was_true_ = false;
  bool recording_ = false;
  std::deque<Kept> kept_;
  std::chrono::nanoseconds fell_out_at_{-1};  ///< the last frame that made room for another
  std::uint64_t count_ = 0;
  std::uint64_t incomplete_ = 0;
  std::vector<Received> out_;
};

}  // namespace rangerctl::record
