#include "bus/motion_witness.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

#include "bus/bus.hpp"

namespace rangerctl::support {
namespace {

// All ids but 0x200 to 0x3FF, which are the chassis', and 0x211.
constexpr std::string_view kFilters = "0:700,100:700,400:700,500:700,600:700,700:700,211:7FF";

// "(1712345678.123456)"
Moment moment_of(const std::string& stamp) {
  const auto dot = stamp.find('.');
  const std::chrono::seconds seconds(std::stoll(stamp.substr(1, dot - 1)));
  const std::chrono::microseconds rest(std::stoll(stamp.substr(dot + 1)));
  return Moment(seconds + rest);
}

bool reaches(int value, int speed) { return speed > 0 ? value >= speed : value <= speed; }

int largest(const SeenFrames& frames, int (SeenFrame::*value)() const) {
  int most = 0;
  for (const SeenFrame& frame : frames)
    if (frame.is_motion_command()) most = std::max(most, std::abs((frame.*value)()));
  return most;
}

}  // namespace

int SeenFrame::number_at(std::size_t digit) const {
  const auto raw = static_cast<std::uint16_t>(std::stoul(text.substr(digit, 4), nullptr, 16));
  return static_cast<std::int16_t>(raw);
}

MotionWitness::MotionWitness(const std::string& interface)
    : file_((folder_.path() / "frames").string()),
      candump_(start_listening(shell("exec candump -L -d -D " + interface + "," + std::string(kFilters) +
                                     " >" + shell_quoted(file_)))),
      recorded_(file_) {}

MotionWitness::~MotionWitness() {
  EXPECT_EQ(read_file(file_).find("DROPCOUNT"), std::string::npos) << "candump missed frames";
}

void MotionWitness::read() {
  recorded_.clear();  // the end of the file is not its last
  for (std::string piece; std::getline(recorded_, piece);) {
    rest_ += piece;
    if (recorded_.eof()) break;
    std::istringstream words(std::exchange(rest_, {}));
    std::string stamp, bus, text;
    if (!(words >> stamp >> bus >> text) || stamp.front() != '(') continue;
    SeenFrames& frames = text.starts_with("211#") ? status_ : frames_;
    frames.push_back({moment_of(stamp), text});
  }
}

const SeenFrames& MotionWitness::frames() {
  read();
  return frames_;
}

const SeenFrames& MotionWitness::status() {
  read();
  return status_;
}

SeenFrames MotionWitness::since(Moment time) {
  SeenFrames some;
  read();
  std::copy_if(frames_.begin(), frames_.end(), std::back_inserter(some),
               [time](const SeenFrame& frame) { return frame.time >= time; });
  return some;
}

bool MotionWitness::sees(const Test& is_it, Moment since, Milliseconds timeout) {
  constexpr Milliseconds kLooks{50};
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (true) {
    const SeenFrames some = this->since(since);
    if (std::any_of(some.begin(), some.end(), is_it)) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kLooks);
  }
}

bool MotionWitness::sees_linear(int speed, Moment since, Milliseconds timeout) {
  return sees(
      [speed](const SeenFrame& frame) { return frame.is_motion_command() && reaches(frame.linear(), speed); },
      since, timeout);
}

bool MotionWitness::sees_angular(int speed, Moment since, Milliseconds timeout) {
  return sees(
      [speed](const SeenFrame& frame) {
        return frame.is_motion_command() && reaches(frame.angular(), speed);
      },
      since, timeout);
}

bool MotionWitness::sees(std::string_view text, Moment since, Milliseconds timeout) {
  return sees([text](const SeenFrame& frame) { return frame.text == text; }, since, timeout);
}

std::optional<Moment> first_motion(const SeenFrames& frames) {
  const auto found =
      std::find_if(frames.begin(), frames.end(), [](const SeenFrame& frame) { return frame.moves(); });
  return found == frames.end() ? std::nullopt : std::optional(found->time);
}

std::optional<Moment> last_motion(const SeenFrames& frames) {
  const auto found =
      std::find_if(frames.rbegin(), frames.rend(), [](const SeenFrame& frame) { return frame.moves(); });
  return found == frames.rend() ? std::nullopt : std::optional(found->time);
}

int zeros_after(const SeenFrames& frames, Moment time) {
  return static_cast<int>(std::count_if(frames.begin(), frames.end(), [time](const SeenFrame& frame) {
    return frame.time >= time && frame.is_motion_command() && !frame.moves();
  }));
}

int largest_linear(const SeenFrames& frames) { return largest(frames, &SeenFrame::linear); }

int largest_angular(const SeenFrames& frames) { return largest(frames, &SeenFrame::angular); }

Moment first_of(const SeenFrames& frames, std::string_view text, Moment since) {
  const auto found = std::find_if(frames.begin(), frames.end(), [&](const SeenFrame& frame) {
    return frame.time >= since && frame.text.starts_with(text);
  });
  return found == frames.end() ? since : found->time;
}

Moment last_of(const SeenFrames& frames, std::string_view text, Moment since) {
  const auto found = std::find_if(frames.rbegin(), frames.rend(), [&](const SeenFrame& frame) {
    return frame.time >= since && frame.text.starts_with(text);
  });
  return found == frames.rend() ? since : found->time;
}

Moment first_new_status(const SeenFrames& status, Moment since) {
  const auto words = [](const SeenFrame& frame) { return frame.text.substr(4, 4) + frame.text.substr(12); };
  std::string before;
  for (const SeenFrame& frame : status) {
    if (frame.time < since) {
      before = words(frame);
    } else if (words(frame) != before) {
      return frame.time;
    }
  }
  return since;
}

Moment before_gap(const SeenFrames& frames, Milliseconds pause) {
  const auto found = std::adjacent_find(
      frames.begin(), frames.end(),
      [pause](const SeenFrame& sooner, const SeenFrame& later) { return later.time - sooner.time > pause; });
  return found == frames.end() ? Moment{} : found->time;
}

SeenFrames without(SeenFrames frames, std::string_view text) {
  std::erase_if(frames, [text](const SeenFrame& frame) { return frame.text == text; });
  return frames;
}

std::vector<std::string> texts(const SeenFrames& frames) {
  std::vector<std::string> texts;
  for (const SeenFrame& frame : frames) texts.push_back(frame.text);
  return texts;
}

}  // namespace rangerctl::support
