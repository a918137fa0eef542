// What ends a motion on the bench of the commands, one second after its beginning, whoever commands it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "command_bench.hpp"

namespace rangerctl {

inline constexpr std::string_view kForward = "111#0096000000000000";  // 0.15 m/s, the manual's sample
inline constexpr std::string_view kZeros = "111#0000000000000000";

struct MotionEnding {
  std::string_view name;
  std::function<void(Bench&)> prepare;
  ExitStatus status;
  std::string_view reason;
};

inline std::vector<MotionEnding> motion_endings() {
  using Ms = Bench::Ms;
  return {
      {"e-stop", [](Bench& b) { b.script("1.0 set emergency_stop"); }, ExitStatus::refused, "emergency_stop"},
      {"error", [](Bench& b) { b.script("1.0 set motor1_communication"); }, ExitStatus::refused,
       "motor1_communication"},
      {"unknown error bit", [](Bench& b) { b.script("1.0 set bit9"); }, ExitStatus::refused, "bit9"},
      {"remote", [](Bench& b) { b.script("1.0 remote on"); }, ExitStatus::refused, "control was lost"},
      {"restart", [](Bench& b) { b.script("1.0 reset"); }, ExitStatus::refused, "control_mode is standby"},
      {"charge", [](Bench& b) { b.script("1.0 soc 8"); }, ExitStatus::refused, "charge"},
      {"0x211 silent", [](Bench& b) { b.script("1.0 silence 0x211"); }, ExitStatus::no_answer,
       "no system_status for 0.20 s"},
      {"0x221 silent", [](Bench& b) { b.script("1.0 silence 0x221"); }, ExitStatus::no_answer,
       "no motion_feedback for 0.20 s"},
      {"0x291 silent", [](Bench& b) { b.script("1.0 silence 0x291"); }, ExitStatus::no_answer,
       "no motion_mode_feedback for 0.20 s"},
      {"foreign motion", [](Bench& b) { b.foreign("111#0010000000000000", Ms(1000), Ms(1000)); },
       ExitStatus::refused, "another controller"},
      {"foreign zeros", [](Bench& b) { b.foreign(kZeros, Ms(1000), Ms(1000)); }, ExitStatus::refused,
       "another controller"},
      {"park",
       [](Bench& b) {
         b.script("0 silence 0x291");
         b.foreign("291#000000", Ms(0), Ms(980));
         b.foreign("291#030000", Ms(1000), Ms(9000));
       },
       ExitStatus::refused, "park"},
      {"Ctrl-C", [](Bench& b) { b.stop_at(Ms(1000)); }, ExitStatus::interrupted, "stopped"},
      {"SIGTERM", [](Bench& b) { b.stop_at(Ms(1000), ExitStatus::terminated); }, ExitStatus::terminated,
       "stopped"},
      {"SIGHUP", [](Bench& b) { b.stop_at(Ms(1000), ExitStatus::hung_up); }, ExitStatus::hung_up, "stopped"},
      {"held up",
       [](Bench& b) {
         b.asleep_from = Ms(1000);
         b.awake_again = Ms(1200);
       },
       ExitStatus::failed, "held up for 0.2"},
  };
}

// The last five frames that were sent.
inline std::vector<std::string> last_five(const Bench& bench) {
  const auto all = bench.frames();
  return {all.end() - std::min<std::ptrdiff_t>(5, static_cast<std::ptrdiff_t>(all.size())), all.end()};
}

}  // namespace rangerctl
