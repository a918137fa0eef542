#include "rangerctl/command/motion.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "rangerctl/command/change.hpp"

namespace rangerctl::command {
namespace {

using std::chrono::milliseconds;

/// A frame without an echo for so long keeps the next one back, and so do this many frames.
constexpr milliseconds kHoldBack{60};
constexpr std::size_t kMostOnTheWay = 3;
/// Feedback that is silent for so long ends a motion.
constexpr milliseconds kSilence{200};

constexpr int kZeros = 5;
constexpr milliseconds kZeroPeriod{20};
constexpr milliseconds kZerosTimeout{500};

constexpr std::array kMotionNeeds{Need::feedback,    Need::not_remote, Need::charge,   Need::can_control,
                                  Need::motion_mode, Need::speed,      Need::no_fault, Need::nobody_else};
constexpr std::array<std::string_view, 3> kMotionFeedback{"system_status", "motion_feedback",
                                                          "motion_mode_feedback"};

}  // namespace

Needs motion_needs() { return {kMotionNeeds.begin(), kMotionNeeds.end()}; }

Result<void> check_motion(const View& view, SteadyTime now) {
  for (const std::string_view message : kMotionFeedback) {
    const auto silence = age(view, message, now);
    if (silence && *silence < kSilence) continue;
    return Error{ExitStatus::no_answer, fmt::format("no {} for {}", message, seconds_text(kSilence))};
  }
  return check_still(kMotionNeeds, view, now);
}

Result<void> check_held_up(const View& view, SteadyTime since) {
  if (!view.resumed || *view.resumed <= since) return {};
  return Error{ExitStatus::failed,
               fmt::format("this computer was held up for {}", seconds_text(view.held_up))};
}

bool holds_back(const OwnFrames& own, SteadyTime now) {
  return own.waiting.size() >= kMostOnTheWay ||
         (!own.waiting.empty() && now - own.waiting.front() > kHoldBack);
}

Action ZeroFrames::begin(SteadyTime now) {
  left_ = kZeros;
  until_ = now + kZerosTimeout;
  next_ = now + kZeroPeriod;
  return {.frame = zero_, .wake = next_};
}

std::optional<Action> ZeroFrames::step(const View& view, SteadyTime now) {
  on_the_bus_ = left_ == 0 && view.own.waiting.empty();
  if (failed_ || now >= until_ || on_the_bus_) return std::nullopt;
  if (left_ == 0 || now < next_) return Action{.wake = std::max(next_, now + milliseconds(1))};
  next_ = now + kZeroPeriod;
  return Action{.frame = zero_, .wake = next_};
}

void ZeroFrames::sent(const Result<Sent>& result) {
  failed_ = failed_ || !result;
  if (result && *result == Sent::queued) --left_;
}

void ZeroFrames::complete(Report& report) const {
  report.text += on_the_bus_
                     ? fmt::format("; stopped with {} zero frames", kZeros)
                     : "; zero frames could not be confirmed: the chassis stops by itself 0.5 s after "
                       "the last frame that reached it";
  if (!on_the_bus_ && report.status == ExitStatus::ok) report.status = ExitStatus::no_answer;
}

}  // namespace rangerctl::command
