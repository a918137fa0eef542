#pragma once

#include <chrono>
#include <string_view>

#include "rangerctl/monitor/history.hpp"
#include "rangerctl/monitor/state.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"

/// Traffic for the tests of the monitor, with a clock that only they move.
namespace rangerctl::monitor::scene {

using namespace std::chrono_literals;

inline constexpr SteadyTime kStart{std::chrono::hours(1)};

/// The time of day at a moment of these tests: kStart is 14:03:20 UTC on some day.
inline Timestamp time_of(SteadyTime now) {
  constexpr std::int64_t kStartTime = 1'712'325'800;
  const auto since = now - kStart;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return {kStartTime + seconds.count(), static_cast<std::uint32_t>((since - seconds) / 1ns), 6};
}

inline Received data_frame(std::uint32_t id, std::initializer_list<std::uint8_t> bytes) {
  Received received;
  received.frame.id = id;
  received.frame.length = static_cast<std::uint8_t>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), received.frame.data.begin());
  received.direction = FrameDirection::rx;
  return received;
}

inline Received error_frame(std::uint32_t classes, std::uint8_t controller_byte = 0) {
  Received received = data_frame(classes, {0, controller_byte, 0, 0, 0, 0, 0, 0});
  received.frame.kind = FrameKind::error;
  return received;
}

/// A chassis that says what the test wants it to say.
class Traffic {
 public:
  Traffic() {
    for (const protocol::Message& message : catalogue().messages())
      frames_.push_back(protocol::empty_frame(message));
  }

  static const protocol::Catalogue& catalogue() { return protocol::ranger_mini_3::kCatalogue; }

  void set(std::string_view message, std::string_view signal, std::int64_t raw) {
    const protocol::Message& row = *catalogue().find(message);
    protocol::put_raw_value(protocol::find_signal(row, signal)->field, raw, frame(message).data);
  }
  Frame& frame(std::string_view message) {
    return frames_[static_cast<std::size_t>(catalogue().find(message) - catalogue().messages().data())];
  }
  void silence(std::string_view message) { silent_.push_back(message); }

  /// Sends every expected message at its period from `from` on, until before `to`. The n-th message of the
  /// catalogue starts n milliseconds late.
  template <class AnyState>
  void run(AnyState& state, SteadyTime from, SteadyTime to) {
    for (SteadyTime now = from; now < to; now += 1ms) {
      for (std::size_t i = 0; i < frames_.size(); ++i) {
        const protocol::Message& message = catalogue().messages()[i];
        if (!is_expected(message) || is_silent(message.name)) continue;
        if ((now - from) / 1ms % message.period_ms != static_cast<int>(i) % message.period_ms) continue;
        Received received;
        received.frame = frames_[i];
        received.direction = FrameDirection::rx;
        received.time = time_of(now);
        reduce(state, received, now);
      }
    }
  }

 private:
  [[nodiscard]] bool is_silent(std::string_view name) const {
    return std::find(silent_.begin(), silent_.end(), name) != silent_.end();
  }

  std::vector<Frame> frames_;
  std::vector<std::string_view> silent_;
};

}  // namespace rangerctl::monitor::scene
