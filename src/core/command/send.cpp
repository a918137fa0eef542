#include "rangerctl/command/send.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "rangerctl/command/change.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::command {
namespace {

using std::chrono::milliseconds;

/// A frame without an echo for so long keeps the next one back, and so do this many frames: what a bus that
/// does not acknowledge keeps in the queue may leave when it comes back.
constexpr milliseconds kHoldBack{60};
constexpr std::size_t kMostOnTheWay = 3;
/// Feedback that is silent for so long ends a motion.
constexpr milliseconds kSilence{200};
constexpr milliseconds kPoll{20};
/// How long a frame is offered again that the kernel does not take.
constexpr milliseconds kOffer{1000};
constexpr milliseconds kOfferAgain{10};

constexpr int kZeros = 5;
constexpr milliseconds kZeroPeriod{20};
constexpr milliseconds kZerosTimeout{500};

constexpr std::array kMotionNeeds{Need::feedback,    Need::not_remote, Need::charge,   Need::can_control,
                                  Need::motion_mode, Need::speed,      Need::no_fault, Need::nobody_else};
constexpr std::array<std::string_view, 3> kMotionFeedback{"system_status", "motion_feedback",
                                                          "motion_mode_feedback"};

Needs needs_of(bool moves) { return moves ? Needs(kMotionNeeds.begin(), kMotionNeeds.end()) : Needs{}; }

}  // namespace

SendProcedure::SendProcedure(const protocol::Catalogue& catalogue, const SendPlan& plan)
    : plan_(plan), moves_(commands_motion(catalogue, plan.frame)), look_(needs_of(moves_)) {
  if (moves_) zero_ = protocol::empty_frame(*catalogue.find(plan.frame));
}

Action SendProcedure::step(const View& view, SteadyTime now) {
  switch (phase_) {
    case Phase::look:
      return look(view, now);
    case Phase::send:
      return send_now(view, now);
    case Phase::echo:
      return await_echo(view, now);
    case Phase::zeros:
      break;
  }
  return zeros(view, now);
}

Action SendProcedure::look(const View& view, SteadyTime now) {
  if (stop_) return {.end = report(stop_->status, stop_->message + "; nothing was sent")};
  Action first{.wake = now + kPoll};
  if (!plan_.is_unsafe) {
    const auto looked = look_.step(view, now);
    if (!looked) return first;
    if (!*looked)
      return {.end = report(looked->error().status, looked->error().message + "; nothing was sent")};
    first.warnings = look_.warnings(view, now);
  }
  phase_ = Phase::send;
  start_ = next_ = now;
  Action action = send_now(view, now);
  action.warnings = std::move(first.warnings);
  return action;
}

/// How many frames there are to send in all.
std::uint64_t SendProcedure::planned() const {
  std::uint64_t frames = plan_.count.value_or(std::numeric_limits<std::uint64_t>::max());
  if (plan_.duration) {
    const auto in_time = (*plan_.duration + *plan_.every - milliseconds(1)) / *plan_.every;
    frames = std::min(frames, static_cast<std::uint64_t>(in_time));
  }
  return frames;
}

Action SendProcedure::send_now(const View& view, SteadyTime now) {
  if (const auto checked = check_run(view, now); !checked)
    return leave(now, report(checked.error().status, checked.error().message));
  if (now < next_) return {.wake = std::min(next_, now + kPoll)};
  if (!plan_.every) return {.frame = plan_.frame, .wake = now};
  const auto slot = static_cast<std::uint64_t>((now - *start_) / *plan_.every);
  const std::uint64_t missed =
      std::min(slot, planned()) - due_;  // late frames are left out, not sent in a burst
  dropped_ += missed;
  due_ += missed;
  if (due_ == planned()) return leave(now, finished());
  ++due_;
  next_ = *start_ + *plan_.every * static_cast<std::int64_t>(due_);
  Action action{.wake = std::min(next_, now + kPoll)};
  const auto& waiting = view.own.waiting;
  const bool hold_back =
      waiting.size() >= kMostOnTheWay || (!waiting.empty() && now - waiting.front() > kHoldBack);
  if (hold_back) {
    ++dropped_;
  } else {
    action.frame = plan_.frame;
  }
  return action;
}

Report SendProcedure::finished() const {
  if (queued_ > 0) return report(ExitStatus::ok, "");
  return report(
      ExitStatus::no_answer,
      fmt::format("the transmit queue took none of {} frames: the bus does not take any", dropped_));
}

void SendProcedure::sent(const Result<Sent>& result, SteadyTime now) {
  if (!result) {
    send_error_ = result.error();
    return;
  }
  const bool queued = *result == Sent::queued;
  if (phase_ == Phase::zeros) {
    zeros_left_ -= queued ? 1 : 0;
    return;
  }
  queued_ += queued ? 1 : 0;
  if (plan_.every) {
    dropped_ += queued ? 0 : 1;
  } else if (queued) {
    phase_ = Phase::echo;
  } else if (moves_ || now - *start_ >= kOffer) {
    send_error_ = Error{ExitStatus::no_answer, "the transmit queue is full: the bus does not take frames"};
  } else {
    next_ = now + kOfferAgain;
  }
}

Result<void> SendProcedure::check_run(const View& view, SteadyTime now) {
  if (stop_) return *stop_;
  if (send_error_) return *send_error_;
  auto echo = check_echo(view, now);
  acknowledged_ = echo.has_value();
  if (!echo) return echo;
  if (auto link = check_link(view); !link) return link;
  if (moves_ && view.resumed && *view.resumed > *start_) {
    return Error{ExitStatus::failed,
                 fmt::format("this computer was held up for {}", seconds_text(view.held_up))};
  }
  if (plan_.is_unsafe) return {};
  if (auto bus = check_bus(view, now); !bus) return bus;
  return moves_ ? check_motion(view, now) : Result<void>{};
}

Result<void> SendProcedure::check_motion(const View& view, SteadyTime now) const {
  for (const std::string_view message : kMotionFeedback) {
    const auto silence = age(view, message, now);
    if (silence && *silence < kSilence) continue;
    return Error{ExitStatus::no_answer, fmt::format("no {} for {}", message, seconds_text(kSilence))};
  }
  return check_still(kMotionNeeds, view, now);
}

Action SendProcedure::await_echo(const View& view, SteadyTime now) {
  for (const std::optional<Error>& error : {stop_, send_error_}) {
    if (error) return leave(now, report(error->status, error->message));
  }
  const auto echo = check_echo(view, now);
  acknowledged_ = echo.has_value();
  if (!echo) return leave(now, report(echo.error().status, echo.error().message));
  if (!view.own.waiting.empty()) return {.wake = now + kPoll};
  return {.end = report_.text.empty() ? report(ExitStatus::ok, "") : report_};
}

/// A single motion frame that went well is left to the chassis. What needs no zeros ends as soon as the bus
/// has what was sent.
Action SendProcedure::leave(SteadyTime now, Report end) {
  report_ = std::move(end);
  const bool must_stop = moves_ && queued_ > 0 && (plan_.every || report_.status != ExitStatus::ok);
  if (must_stop) {
    phase_ = Phase::zeros;
    zeros_left_ = kZeros;
    zeros_until_ = now + kZerosTimeout;
    send_error_.reset();
    next_ = now + kZeroPeriod;
    return {.frame = zero_, .wake = next_};
  }
  if (report_.status != ExitStatus::ok) return {.end = report_};
  phase_ = Phase::echo;
  return {.wake = now};
}

Action SendProcedure::zeros(const View& view, SteadyTime now) {
  const bool given_up = send_error_ || now >= zeros_until_;
  const bool on_the_bus = zeros_left_ == 0 && view.own.waiting.empty();
  if (given_up || on_the_bus) {
    report_.text += on_the_bus
                        ? fmt::format("; stopped with {} zero frames", kZeros)
                        : "; zero frames could not be confirmed: the chassis stops by itself 0.5 s after "
                          "the last frame that reached it";
    if (!on_the_bus && report_.status == ExitStatus::ok) report_.status = ExitStatus::no_answer;
    return {.end = report_};
  }
  if (zeros_left_ == 0 || now < next_) return {.wake = std::max(next_, now + milliseconds(1))};
  next_ = now + kZeroPeriod;
  return {.frame = zero_, .wake = next_};
}

void SendProcedure::stop(const Error& why) {
  if (!stop_) stop_ = why;
}

std::string SendProcedure::counts() const {
  if (!plan_.every) {
    const std::string_view own_stop = moves_ ? "; the chassis stops by itself after 0.5 s" : "";
    return fmt::format("on the bus{}", own_stop);
  }
  const std::string dropped = dropped_ > 0 ? fmt::format(", {} dropped", dropped_) : "";
  return fmt::format("{} frames{}", queued_, dropped);
}

/// With a status other than ok, `text` says why.
Report SendProcedure::report(ExitStatus status, std::string text) const {
  const std::string name = "send " + log::written_frame(plan_.frame);
  const bool any = queued_ > 0;
  const std::string_view result = !any                       ? "not_sent"
                                  : status == ExitStatus::ok ? "sent"
                                  : stop_                    ? "stopped"
                                  : !acknowledged_           ? "not_acknowledged"
                                                             : "ended";
  const std::string what = text.empty() ? counts() : any && plan_.every ? counts() + "; " + text : text;
  return {status,
          std::string(result),
          fmt::format("{}: {}", name, what),
          std::nullopt,
          {{"frames", {}, queued_}, {"dropped", {}, dropped_}}};
}

}  // namespace rangerctl::command
