#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/sim/chassis.hpp"
#include "rangerctl/sim/scenario.hpp"

/// A simulated chassis on a bus, with a clock that only the test moves.
namespace rangerctl::sim::scene {

using namespace std::chrono_literals;
using protocol::kDefaultCatalogue;

inline Frame data_frame(std::uint32_t id, std::initializer_list<int> bytes) {
  Frame frame{.id = id, .length = static_cast<std::uint8_t>(bytes.size())};
  std::transform(bytes.begin(), bytes.end(), frame.data.begin(),
                 [](int byte) { return static_cast<std::uint8_t>(byte); });
  return frame;
}

/// 0x111 from its raw values.
inline Frame motion(int linear, int angular = 0, int steering = 0) {
  return data_frame(0x111, {linear >> 8 & 0xFF, linear & 0xFF, angular >> 8 & 0xFF, angular & 0xFF, 0, 0,
                            steering >> 8 & 0xFF, steering & 0xFF});
}
inline Frame lights(int control, int mode) { return data_frame(0x121, {control, mode, 0, 0, 0, 0, 0, 0}); }
inline Frame motion_mode(int mode) { return data_frame(0x141, {mode}); }
inline Frame control_mode(int mode) { return data_frame(0x421, {mode}); }
inline Frame drive_mode(int mode) { return data_frame(0x423, {mode}); }
inline Frame clear_error(int code) { return data_frame(0x441, {code}); }

class Robot {
 public:
  explicit Robot(ControlMode at_power_up = ControlMode::can) : chassis_(kDefaultCatalogue, at_power_up) {}
  explicit Robot(std::string_view scenario) : Robot() {
    chassis_.schedule(*load_scenario(kDefaultCatalogue, scenario));
  }

  /// Lets time pass.
  void run(SimTime duration) {
    now_ += duration;
    const std::size_t before = frames_.size();
    chassis_.advance(now_, frames_);
    for (std::size_t i = before; i < frames_.size(); ++i) last_[frames_[i].frame.id] = frames_[i].frame;
  }

  /// The same, with a host that sends `frame` every 20 ms.
  void hold(const Frame& frame, SimTime duration) {
    for (SimTime passed{0}; passed < duration; passed += 20ms) {
      send(frame);
      run(20ms);
    }
  }

  /// Why it was ignored; nothing: obeyed.
  std::optional<Ignored> send(const Frame& frame) { return chassis_.apply(frame).ignored; }

  /// A line as somebody types it.
  void say(std::string_view line) {
    const auto control = parse_live_line(kDefaultCatalogue, line);
    ASSERT_TRUE(control && *control) << line;
    chassis_.control(**control);
  }

  /// The raw value of the last frame of that message.
  [[nodiscard]] std::int64_t get(std::string_view message, std::string_view signal) const {
    const protocol::Message& row = *kDefaultCatalogue.find(message);
    return protocol::raw_value(protocol::find_signal(row, signal)->field, last_.at(row.id).bytes());
  }
  [[nodiscard]] std::int64_t errors() const { return get("system_status", "errors"); }
  [[nodiscard]] std::int64_t control() const { return get("system_status", "control_mode"); }
  [[nodiscard]] std::int64_t state() const { return get("system_status", "vehicle_state"); }
  [[nodiscard]] std::int64_t speed() const { return get("motion_feedback", "linear_velocity"); }
  [[nodiscard]] std::int64_t mode() const { return get("motion_mode_feedback", "motion_mode"); }

  [[nodiscard]] const std::vector<TimedFrame>& frames() const { return frames_; }
  [[nodiscard]] std::vector<TimedFrame> frames_of(std::uint32_t id) const {
    std::vector<TimedFrame> found = frames_;
    std::erase_if(found, [id](const TimedFrame& one) { return one.frame.id != id; });
    return found;
  }
  void forget_frames() { frames_.clear(); }

 private:
  Chassis chassis_;
  SimTime now_{0};
  std::vector<TimedFrame> frames_;
  std::map<std::uint32_t, Frame> last_;
};

}  // namespace rangerctl::sim::scene
