#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "rangerctl/frame.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/sim/body.hpp"
#include "rangerctl/sim/controller.hpp"
#include "rangerctl/sim/signal_source.hpp"
#include "rangerctl/sim/sim_time.hpp"

namespace rangerctl::sim {

/// A frame and when it is sent.
struct TimedFrame {
  SimTime at;
  Frame frame;
  bool from_host = false;  ///< a command of the scripted host, not feedback of the chassis
};

/// The largest delay of a frame after its nominal time.
inline constexpr SimTime kMostJitter = std::chrono::microseconds(200);

/// Whose feedback it is where the manual and a real vehicle differ: that sends both BMS messages every 240
/// ms, the voltage in 0.01 V, bms_alarms with eight bytes, and 0x212, which the manual has not got.
enum class Variant : std::uint8_t { manual, hardware };

/// When the chassis sends what: every periodic feedback message of the catalogue, spread over the shortest
/// period so that they do not leave in one burst, each frame late by a jitter that is always the same.
/// Signals without a source in signal_source.hpp are zero.
class FeedbackSchedule {
 public:
  /// `catalogue` is kept by reference. Begins with Variant::manual.
  explicit FeedbackSchedule(const protocol::Catalogue& catalogue);

  /// When the next frame is due; SimTime::max() where nothing is sent.
  [[nodiscard]] SimTime next_due() const;

  /// The frame that is due next, with these values. Precondition: next_due() is not SimTime::max().
  [[nodiscard]] TimedFrame take(const Body& body, const Controller& controller);

  /// From `now` on, which is not before the last frame.
  void choose(Variant variant, SimTime now);

  /// Stops sending an id, or everything, and goes on: counters continue where they were. An id that is never
  /// sent is no mistake.
  void silence(std::optional<std::uint32_t> id);
  void unsilence(std::optional<std::uint32_t> id, SimTime now);

 private:
  struct MovingSignal {
    const protocol::Signal* signal;
    SignalSource source;
  };
  /// What is sent in one variant.
  struct Form {
    SimTime period;
    Frame frame;  ///< with everything that never changes in place
  };
  struct Entry {
    std::uint32_t id;
    std::array<std::optional<Form>, 2> forms;  ///< by Variant
    std::vector<MovingSignal> moving = {};
    std::int64_t place = 0;  ///< among all
    SimTime nominal{0};      ///< the next frame's time without its jitter
    SimTime due{0};
    std::uint64_t sent = 0;
    bool silent = false;
  };

  void add_message(const protocol::Message& message);
  void spread();
  /// Nothing where it is not sent in that variant.
  static std::optional<SimTime> period(const Entry& entry, Variant variant);
  void put_in_phase(Entry& entry, SimTime now) const;
  [[nodiscard]] bool is_sent(const Entry& entry) const;
  void find_next();

  std::vector<Entry> entries_;
  std::size_t next_ = 0;            ///< index of the entry that is due first; their number where none is sent
  SimTime cycle_ = SimTime::max();  ///< the shortest period
  Variant variant_ = Variant::manual;
};

}  // namespace rangerctl::sim
