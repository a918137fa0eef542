#include "rangerctl/command/send.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rangerctl/command/change.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::command {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPoll{20};
/// How long a frame is offered again that the kernel does not take.
constexpr milliseconds kOffer{1000};
constexpr milliseconds kOfferAgain{10};

}  // namespace

SendProcedure::SendProcedure(const protocol::Catalogue& catalogue, const SendPlan& plan)
    : plan_(plan), moves_(commands_motion(catalogue, plan.frame)), look_(moves_ ? motion_needs() : Needs{}) {
  if (moves_) zeros_ = ZeroFrames(protocol::empty_frame(*catalogue.find(plan.frame)));
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
  if (holds_back(view.own, now)) {
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
  if (phase_ == Phase::zeros) return zeros_.sent(result);
  if (!result) {
    send_error_ = result.error();
    return;
  }
  const bool queued = *result == Sent::queued;
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
  if (auto held_up = check_held_up(view, *start_); moves_ && !held_up) return held_up;
  if (plan_.is_unsafe) return {};
  if (auto bus = check_bus(view, now); !bus) return bus;
  return moves_ ? check_motion(view, now) : Result<void>{};
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
    return zeros_.begin(now);
  }
  if (report_.status != ExitStatus::ok) return {.end = report_};
  phase_ = Phase::echo;
  return {.wake = now};
}

Action SendProcedure::zeros(const View& view, SteadyTime now) {
  if (auto action = zeros_.step(view, now)) return *action;
  zeros_.complete(report_);
  return {.end = report_};
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
