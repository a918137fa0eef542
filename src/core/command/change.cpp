#include "rangerctl/command/change.hpp"

#include <fmt/format.h>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::command {
namespace {

using std::chrono::milliseconds;

/// How soon a frame that the kernel did not take is offered again.
constexpr milliseconds kQueueFullPause{10};
constexpr milliseconds kPoll{20};

class SignalBecomes : public Confirmation {
 public:
  SignalBecomes(std::string message, std::string signal, std::string wanted)
      : message_(std::move(message)), signal_(std::move(signal)), wanted_(std::move(wanted)) {}

  bool shows(const View& view, SteadyTime since, SteadyTime now) override {
    const auto raw = value_since(view, message_, signal_, since, now);
    return raw && words(view, *raw) == wanted_;
  }

  [[nodiscard]] std::string instead(const View& view, SteadyTime now) const override {
    const auto raw = value(view, message_, signal_, now);
    return raw ? fmt::format("{} is still {}", signal_, words(view, *raw))
               : fmt::format("{} does not arrive any more", message_);
  }

 private:
  [[nodiscard]] std::string words(const View& view, std::int64_t raw) const {
    return protocol::value_text(*protocol::find_signal(*view.chassis.catalogue->find(message_), signal_),
                                raw);
  }

  std::string message_;
  std::string signal_;
  std::string wanted_;
};

milliseconds since(SteadyTime then, SteadyTime now) {
  return std::chrono::duration_cast<milliseconds>(now - then);
}

}  // namespace

std::unique_ptr<Confirmation> signal_becomes(std::string message, std::string signal, std::string value) {
  return std::make_unique<SignalBecomes>(std::move(message), std::move(signal), std::move(value));
}

std::string Confirmation::done(milliseconds after) const { return "confirmed after " + seconds_text(after); }

std::string seconds_text(milliseconds duration) {
  return fmt::format("{:.2f} s", static_cast<double>(duration.count()) / 1000);
}

Result<void> check_echo(const View& view, SteadyTime now) {
  if (view.own.waiting.empty() || now - view.own.waiting.front() < kEchoTimeout) return {};
  return Error{
      ExitStatus::no_answer,
      "the bus does not acknowledge our frame: nobody else is on it, the bit rate is wrong, or a wire "
      "is loose; take the interface down and up so that the frame does not leave later"};
}

Action ChangeProcedure::step(const View& view, SteadyTime now) {
  if (phase_ == Phase::undo) return undo(view, now);
  if (stop_) return give_up(*stop_, view);
  if (send_error_) return give_up(*send_error_, view);
  switch (phase_) {
    case Phase::look:
      return look(view, now);
    case Phase::send:
      return send(view, now);
    default:
      return wait(view, now);
  }
}

Action ChangeProcedure::look(const View& view, SteadyTime now) {
  const bool is_so = change_.confirmation->shows(view, SteadyTime::min(), now);
  const auto looked = look_.step(view, now);
  if (!looked) return {.wake = now + kPoll};
  if (!*looked) return give_up(looked->error(), view);
  if (change_.skip_if_so && is_so) {
    return {.warnings = look_.warnings(view, now),
            .end = Report{ExitStatus::ok, "already",
                          fmt::format("{}: already so, nothing was sent", change_.name), std::nullopt,
                          change_.confirmation->details()}};
  }
  phase_ = Phase::send;
  Action action = send(view, now);
  action.warnings = look_.warnings(view, now);
  const auto advice = change_.confirmation->advice();
  action.warnings.insert(action.warnings.end(), advice.begin(), advice.end());
  return action;
}

Action ChangeProcedure::send(const View& view, SteadyTime now) {
  const auto needs = first_sent_ ? check_still(change_.needs, view, now) : check_before(view, now);
  if (!needs) return give_up(needs.error(), view);
  if (!first_try_) first_try_ = now;
  if (now - *first_try_ > change_.timeout)
    return give_up({ExitStatus::no_answer, "the transmit queue stayed full"}, view);
  const bool knows_chassis = check_need(Need::feedback, view, now).has_value();
  if (now < next_send_ || !knows_chassis) return {.wake = std::min(now + kPoll, std::max(next_send_, now))};
  return {.frame = change_.frame, .wake = now};
}

/// The chassis may have begun to move while the frame was offered. What is not known yet may come.
Result<void> ChangeProcedure::check_before(const View& view, SteadyTime now) const {
  if (auto bus = check_bus(view, now); !bus) return bus;
  auto needs = check_needs(change_.needs, view, now);
  return !needs && needs.error().status == ExitStatus::refused ? needs : Result<void>{};
}

void ChangeProcedure::sent(const Result<Sent>& result, SteadyTime now) {
  if (!result) {
    send_error_ = result.error();
  } else if (*result == Sent::queue_full && phase_ == Phase::undo) {
    send_error_ = Error{ExitStatus::no_answer, "the transmit queue is full"};
  } else if (*result == Sent::queue_full) {
    next_send_ = now + kQueueFullPause;
  } else if (phase_ != Phase::undo) {
    if (!first_sent_) first_sent_ = now;
    ++frames_;
    next_send_ = now + change_.again;
    phase_ = Phase::wait;
  }
}

Action ChangeProcedure::wait(const View& view, SteadyTime now) {
  if (const auto echo = check_echo(view, now); !echo) return give_up(echo.error(), view);
  if (const auto bus = check_bus(view, now); !bus) return give_up(bus.error(), view);
  feedback_had_gap_ = feedback_had_gap_ || !check_need(Need::feedback, view, now);
  if (view.own.waiting.empty()) {
    if (!change_.wait) {
      return {.end = Report{ExitStatus::ok, "sent", change_.name + ": sent, its confirmation not awaited"}};
    }
    if (change_.confirmation->shows(view, std::max(*first_sent_, view.own.last_echo), now))
      return {.end = confirmed(now)};
  }
  if (const auto still = check_still(change_.needs, view, now); !still) return give_up(still.error(), view);
  if (now - *first_sent_ >= change_.timeout) {
    return give_up(
        {ExitStatus::no_answer, fmt::format("not confirmed within {}: {}", seconds_text(change_.timeout),
                                            change_.confirmation->instead(view, now))},
        view);
  }
  if (!may_send_again(view, now)) return {.wake = now + kPoll};
  phase_ = Phase::send;
  return send(view, now);
}

bool ChangeProcedure::may_send_again(const View& view, SteadyTime now) const {
  return now >= next_send_ && frames_ < change_.most_frames && view.own.waiting.empty() &&
         !feedback_had_gap_ && change_.confirmation->may_repeat();
}

void ChangeProcedure::stop(const Error& why) {
  if (!stop_) stop_ = why;
}

Action ChangeProcedure::give_up(const Error& error, const View& view) {
  report_ = failed(error, view);
  const bool can_undo =
      change_.undo && first_sent_ && !send_error_ && check_link(view) && view.own.waiting.empty();
  // Where the chassis or another controller refuses, an undo would be one more command that it does not want.
  if (!can_undo || error.status == ExitStatus::refused) return {.end = report_};
  phase_ = Phase::undo;
  return {.frame = *change_.undo, .wake = view.own.last_echo};
}

Action ChangeProcedure::undo(const View& view, SteadyTime now) {
  const bool failed = send_error_ || !check_link(view) || !check_echo(view, now);
  if (!failed && !view.own.waiting.empty()) return {.wake = now + kPoll};
  report_.text += failed ? "; it could not be taken back" : "; it was taken back";
  return {.end = report_};
}

Report ChangeProcedure::failed(const Error& error, const View& view) const {
  const bool says_so = error.message.starts_with("not confirmed");
  std::string text = fmt::format("{}: {}", change_.name, error.message);
  if (!first_sent_) {
    text += "; nothing was sent";
  } else if (!view.own.waiting.empty()) {
    text += "; our frame may still leave when the bus comes back: take the interface down and up again";
  } else if (!says_so) {
    text += "; it was sent but is not confirmed";
  }
  const std::string_view result = stop_                       ? "stopped"
                                  : !first_sent_              ? "not_sent"
                                  : !view.own.waiting.empty() ? "not_acknowledged"
                                                              : "not_confirmed";
  return {error.status, std::string(result), std::move(text), std::nullopt, change_.confirmation->details()};
}

Report ChangeProcedure::confirmed(SteadyTime now) const {
  const milliseconds after = since(*first_sent_, now);
  return {ExitStatus::ok, "confirmed", fmt::format("{}: {}", change_.name, change_.confirmation->done(after)),
          after, change_.confirmation->details()};
}

}  // namespace rangerctl::command
