#include "rangerctl/replay/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rangerctl/command/change.hpp"
#include "rangerctl/command/send.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::replay {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

/// Longer than the period of any feedback.
constexpr milliseconds kListen{600};
/// Two periods of the motion command.
constexpr milliseconds kTooLateToMove{40};
/// What is due for so long is not caught up with.
constexpr milliseconds kTooLateToCatchUp{1000};
constexpr milliseconds kOfferAgain{1};
/// A command that could not leave for so long is not what anybody means any more.
constexpr milliseconds kOfferCommand{1000};
constexpr milliseconds kPoll{20};
constexpr milliseconds kTellBlocked{5000};

command::Needs needs_of(const Plan& plan) {
  return plan.moving > 0 ? command::motion_needs() : command::Needs{};
}

const protocol::Message& motion_message(const protocol::Catalogue& catalogue) {
  return *std::find_if(catalogue.messages().begin(), catalogue.messages().end(),
                       [](const protocol::Message& message) { return !message.limits.empty(); });
}

bool is_motion_command(const protocol::Catalogue& catalogue, const Item& item) {
  return item.role == Role::host && item.frame.id == motion_message(catalogue).id;
}

Step wait_until(SteadyTime wake) { return {.kind = Step::Kind::wait, .wake = wake}; }

/// From the last frame of a pass to the first of the next: as from frame to frame.
nanoseconds seam(const Plan& plan) {
  if (plan.frames < 2 || plan.length == 0ns) return 1ms;
  return plan.speed.scale(plan.length / static_cast<std::int64_t>(plan.frames - 1));
}

}  // namespace

Machine::Machine(const protocol::Catalogue& catalogue, const Plan& plan)
    : catalogue_(catalogue),
      plan_(plan),
      look_(needs_of(plan)),
      moving_left_(plan.moving),
      zeros_(protocol::empty_frame(motion_message(catalogue))) {}

Step Machine::step(const command::View& view, const Item* next, SteadyTime now) {
  if (phase_ == Phase::zeros) return zeros(view, now);
  for (const std::optional<Error>& error : {stop_, send_error_}) {
    if (error) return leave(now, error->status, error->message);
  }
  if (phase_ == Phase::look) return look(view, next, now);
  if (phase_ == Phase::echo) return await_echo(view, now);
  return play(view, next, now);
}

Step Machine::look(const command::View& view, const Item* next, SteadyTime now) {
  if (!listening_since_) listening_since_ = now;
  if (plan_.with_commands) {
    const auto looked = look_.step(view, now);
    if (!looked) return wait_until(now + kPoll);
    if (!*looked) return leave(now, looked->error().status, looked->error().message);
  }
  if (now - *listening_since_ < kListen) return wait_until(now + kPoll);
  phase_ = Phase::play;
  started_ = base_ = now;
  Step step = play(view, next, now);
  if (plan_.with_commands) step.warnings = look_.warnings(view, now);
  return step;
}

bool Machine::accepts_feedback() {
  if (plan_.with_commands && phase_ == Phase::look) beside_chassis_ = true;
  return beside_chassis_;
}

/// A motion matters while one is still to come, and as long as the last one acts.
bool Machine::motion_matters(SteadyTime now) const {
  if (plan_.moving == 0) return false;
  return moving_left_ > 0 || (last_moving_ && now - *last_moving_ <= command::motion_timeout(catalogue_));
}

Result<void> Machine::check(const command::View& view, SteadyTime now) const {
  if (!plan_.with_commands) return command::check_link(view);
  if (auto echo = command::check_echo(view, now); !echo) return echo;
  if (auto bus = command::check_bus(view, now); !bus) return bus;
  if (auto held_up = command::check_held_up(view, started_); !held_up) return held_up;
  return motion_matters(now) ? command::check_motion(view, now) : Result<void>{};
}

Step Machine::play(const command::View& view, const Item* next, SteadyTime now) {
  if (const auto checked = check(view, now); !checked)
    return leave(now, checked.error().status, checked.error().message);
  if (next == nullptr) return end_of_pass(now);
  if (next->role == Role::chassis && beside_chassis_) return skip(*next, LeftOut::beside_chassis);
  return offer(view, *next, now);
}

Step Machine::offer(const command::View& view, const Item& item, SteadyTime now) {
  if (plan_.by_step) return permits_ == 0 || now < offer_again_ ? wait_until(now + kPoll) : send(item, now);
  if (now < due(item)) return wait_until(due(item));
  if (is_motion_command(catalogue_, item)) return offer_motion(view, item, now);
  if (now < offer_again_) return wait_until(offer_again_);
  if (item.role == Role::host && blocked_since_ && now - *blocked_since_ > kOfferCommand)
    return leave(now, ExitStatus::no_answer, "the transmit queue is full: the bus does not take frames");
  if (now - due(item) > kTooLateToCatchUp && !blocked_since_) {
    base_ += now - due(item);
    ++shifts_;
  }
  return send(item, now);
}

/// Zeros are never too late.
Step Machine::offer_motion(const command::View& view, const Item& item, SteadyTime now) {
  const bool moves = commands_motion(catalogue_, item.frame);
  if (moves && moving_left_ == 0)
    return leave(now, ExitStatus::failed,
                 "there are more motions than there were when the log was looked through");
  const bool too_late = moves && now - due(item) > kTooLateToMove;
  const bool too_soon = moves && last_moving_ && now - *last_moving_ < command::kShortestMotionPeriod;
  if (too_late || too_soon || command::holds_back(view.own, now)) return skip(item, LeftOut::late_or_blocked);
  return send(item, now);
}

Step Machine::send(const Item& item, SteadyTime now) {
  if (!plan_.by_step && !blocked_since_) most_late_ = std::max(most_late_, now - due(item));
  offered_is_motion_ = is_motion_command(catalogue_, item);
  offered_moves_ = item.role == Role::host && commands_motion(catalogue_, item.frame);
  Step step{.kind = Step::Kind::send, .frame = item.frame, .role = item.role, .bus = item.bus, .wake = now};
  if (blocked_since_ && !told_blocked_ && now - *blocked_since_ > kTellBlocked) {
    told_blocked_ = true;
    step.warnings.emplace_back(
        "the bus has taken no frame for 5 s: nobody else is on it, the bit rate is wrong, or a wire is "
        "loose; "
        "the replay waits, Ctrl-C ends it");
  }
  return step;
}

Step Machine::skip(const Item& item, LeftOut reason) {
  left_out_.note(reason);
  if (item.role == Role::host && commands_motion(catalogue_, item.frame)) --moving_left_;
  return {.kind = Step::Kind::skip};
}

bool Machine::sent(const Result<Sent>& result, SteadyTime now) {
  if (phase_ == Phase::zeros) {
    zeros_.sent(result);
    return false;
  }
  if (!result) {
    send_error_ = result.error();
    return false;
  }
  if (*result == Sent::queue_full && !offered_is_motion_) {
    ++waits_;
    offer_again_ = now + kOfferAgain;
    if (!blocked_since_) blocked_since_ = now;
    return false;
  }
  blocked_since_.reset();
  moving_left_ -= offered_moves_ ? 1 : 0;
  if (*result == Sent::queue_full) {
    left_out_.note(LeftOut::late_or_blocked);
    return true;
  }
  ++frames_;
  permits_ -= permits_ > 0 ? 1 : 0;
  moved_ = moved_ || offered_moves_;
  if (offered_moves_) last_moving_ = now;
  if (offered_is_motion_ && !offered_moves_) last_moving_.reset();
  return true;
}

Step Machine::end_of_pass(SteadyTime now) {
  if (frames_ > 0 && (plan_.passes == 0 || pass_ < plan_.passes)) {
    ++pass_;
    base_ += plan_.speed.scale(plan_.length) + seam(plan_);
    return {.kind = Step::Kind::rewind};
  }
  if (plan_.moving > 0 && !moved_) return leave(now, ExitStatus::no_answer, "no motion could leave in time");
  return leave(now, ExitStatus::ok, "");
}

void Machine::stop(const Error& why) {
  if (!stop_) stop_ = why;
}

Step Machine::leave(SteadyTime now, ExitStatus status, std::string text) {
  report_ = report(status, std::move(text));
  if (moved_) {
    phase_ = Phase::zeros;
    command::Action first = zeros_.begin(now);
    return {.kind = Step::Kind::send, .frame = *first.frame, .wake = first.wake};
  }
  if (plan_.with_commands && status == ExitStatus::ok && phase_ == Phase::play) {
    phase_ = Phase::echo;
    return wait_until(now);
  }
  return {.kind = Step::Kind::end, .report = report_};
}

Step Machine::await_echo(const command::View& view, SteadyTime now) {
  if (const auto echo = command::check_echo(view, now); !echo)
    return leave(now, echo.error().status, echo.error().message);
  if (!view.own.waiting.empty()) return wait_until(now + kPoll);
  return {.kind = Step::Kind::end, .report = report_};
}

Step Machine::zeros(const command::View& view, SteadyTime now) {
  const auto action = zeros_.step(view, now);
  if (!action) {
    zeros_.complete(report_);
    return {.kind = Step::Kind::end, .report = report_};
  }
  if (!action->frame) return wait_until(action->wake);
  return {.kind = Step::Kind::send, .frame = *action->frame, .wake = action->wake};
}

/// "56040 frames, at most 0.12 ms late"
std::string Machine::counts() const {
  std::string text = fmt::format("{} frame{} sent", frames_, frames_ == 1 ? "" : "s");
  if (pass_ > 1) text += fmt::format(" in {} passes", pass_);
  if (!plan_.by_step && frames_ > 0)
    text += fmt::format(", at most {:.2f} ms late", static_cast<double>(most_late_.count()) / 1e6);
  if (waits_ > 0) text += fmt::format(", {} waits for a full transmit queue", waits_);
  if (shifts_ > 0) text += fmt::format(", held up {} time{}", shifts_, shifts_ == 1 ? "" : "s");
  const std::string left_out = left_out_.text();
  return left_out.empty() ? text : text + "; left out: " + left_out;
}

command::Report Machine::report(ExitStatus status, std::string text) const {
  const std::string_view result = frames_ == 0               ? "not_sent"
                                  : status == ExitStatus::ok ? "sent"
                                  : stop_                    ? "stopped"
                                                             : "ended";
  const std::string why = frames_ == 0 && !text.empty() ? text + "; nothing was sent" : text;
  const std::string what = frames_ == 0 ? why : why.empty() ? counts() : counts() + "; " + why;
  return {status,
          std::string(result),
          "replay: " + (what.empty() ? counts() : what),
          std::nullopt,
          {{"frames", {}, frames_},
           {"waits", {}, waits_},
           {"passes", {}, pass_},
           {"most_late_us", {}, static_cast<std::uint64_t>(most_late_ / 1us)}}};
}

}  // namespace rangerctl::replay
