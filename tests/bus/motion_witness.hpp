// candump beside the program: every command on a bus, and 0x211, with the time at which it was there.
#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/process.hpp"

namespace rangerctl::support {

using Moment = std::chrono::system_clock::time_point;

struct SeenFrame {
  Moment time;
  std::string text;  // as candump writes it: "111#012C000000000000"

  [[nodiscard]] bool is(std::string_view id) const { return std::string_view(text).substr(0, 4) == id; }
  [[nodiscard]] bool is_motion_command() const { return is("111#"); }
  // Of a motion command, in 0.001 m/s, rad/s and rad.
  [[nodiscard]] int linear() const { return number_at(4); }
  [[nodiscard]] int angular() const { return number_at(8); }
  [[nodiscard]] int steering() const { return number_at(16); }
  // A motion command that moves.
  [[nodiscard]] bool moves() const { return is_motion_command() && (linear() != 0 || angular() != 0); }

 private:
  [[nodiscard]] int number_at(std::size_t digit) const;
};

using SeenFrames = std::vector<SeenFrame>;

class MotionWitness {
 public:
  // Returns once it sees everything.
  explicit MotionWitness(const std::string& interface = "vcan0");
  // The test fails where frames were missed.
  ~MotionWitness();

  // Everything that no chassis sends, up to now and in order.
  const SeenFrames& frames();
  // The frames of 0x211.
  const SeenFrames& status();
  SeenFrames since(Moment time);
  // Waits until a motion command with this speed, or more of the same sign, was seen.
  bool sees_linear(int speed, Moment since, Milliseconds timeout = Milliseconds{10'000});
  bool sees_angular(int speed, Moment since, Milliseconds timeout = Milliseconds{10'000});
  // Waits until this frame was seen.
  bool sees(std::string_view text, Moment since, Milliseconds timeout = Milliseconds{10'000});

 private:
  using Test = std::function<bool(const SeenFrame&)>;
  bool sees(const Test& is_it, Moment since, Milliseconds timeout);
  void read();

  Folder folder_;
  std::string file_;
  std::unique_ptr<Process> candump_;
  std::ifstream recorded_;
  std::string rest_;  // of the last line, which is not complete yet
  SeenFrames frames_;
  SeenFrames status_;
};

// Of the frames that move: the first and the last.
std::optional<Moment> first_motion(const SeenFrames& frames);
std::optional<Moment> last_motion(const SeenFrames& frames);
// Motion commands that do not move, after a time.
int zeros_after(const SeenFrames& frames, Moment time);
// The largest |linear| and |angular| that was commanded.
int largest_linear(const SeenFrames& frames);
int largest_angular(const SeenFrames& frames);
// When the first and the last frame beginning with `text` was there, at `since` or later; `since` where none
// was.
Moment first_of(const SeenFrames& frames, std::string_view text, Moment since);
Moment last_of(const SeenFrames& frames, std::string_view text, Moment since);
// When 0x211 first said something else than before `since`, apart from the voltage.
Moment first_new_status(const SeenFrames& status, Moment since);
// When the frame was there that came last before a pause so long, the first such pause.
Moment before_gap(const SeenFrames& frames, Milliseconds pause);
SeenFrames without(SeenFrames frames, std::string_view text);
// Their texts.
std::vector<std::string> texts(const SeenFrames& frames);

}  // namespace rangerctl::support
