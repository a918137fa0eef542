#include "rangerctl/command/change.hpp"

#include <fmt/format.h>

#include "rangerctl/protocol/values.hpp"

namespace rangerctl::command {
namespace {

using std::chrono::milliseconds;

/// How soon a frame that the kernel did not take is offered again.
constexpr milliseconds kQueueFullPause{10};

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
  if (stop_) return {.end = failed({*stop_, "stopped"})};
  if (send_error_) return {.end = failed(*send_error_)};
  switch (phase_) {
    case Phase::look:
      return look(view, now);
    case Phase::send:
      return send(view, now);
    case Phase::wait:
      break;
  }
  return wait(view, now);
}

Action ChangeProcedure::look(const View& view, SteadyTime now) {
  const bool is_so = change_.confirmation->shows(view, SteadyTime::min(), now);
  const auto looked = look_.step(view, now);
  if (!looked) return {.wake = now + milliseconds(20)};
  if (!*looked) return {.end = failed(looked->error())};
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
  if (const auto still = check_still(change_.needs, view, now); !still) return {.end = failed(still.error())};
  if (!first_try_) first_try_ = now;
  if (now - *first_try_ > change_.timeout) {
    return {.end = failed({ExitStatus::no_answer, "the transmit queue stayed full"})};
  }
  if (now < next_send_) return {.wake = next_send_};
  return {.frame = change_.frame, .wake = now};
}

void ChangeProcedure::sent(const Result<Sent>& result, SteadyTime now) {
  if (!result) {
    send_error_ = result.error();
  } else if (*result == Sent::queue_full) {
    next_send_ = now + kQueueFullPause;
  } else {
    if (!first_sent_) first_sent_ = now;
    next_send_ = now + change_.again;
    phase_ = Phase::wait;
  }
}

Action ChangeProcedure::wait(const View& view, SteadyTime now) {
  if (const auto echo = check_echo(view, now); !echo) return {.end = failed(echo.error())};
  if (const auto bus = check_bus(view, now); !bus) return {.end = failed(bus.error())};
  if (view.own.waiting.empty()) {
    if (!change_.wait) {
      return {.end = Report{ExitStatus::ok,
                            "sent",
                            change_.name + ": sent, its confirmation not awaited",
                            std::nullopt,
                            {}}};
    }
    if (change_.confirmation->shows(view, std::max(*first_sent_, view.own.last_echo), now))
      return {.end = confirmed(now)};
  }
  if (const auto still = check_still(change_.needs, view, now); !still) return {.end = failed(still.error())};
  if (now - *first_sent_ >= change_.timeout) {
    return {.end = failed({ExitStatus::no_answer,
                           fmt::format("not confirmed within {}: {}", seconds_text(change_.timeout),
                                       change_.confirmation->instead(view, now))})};
  }
  const bool may_repeat = change_.confirmation->may_repeat() && check_need(Need::feedback, view, now);
  if (may_repeat && now >= next_send_) {
    phase_ = Phase::send;
    return send(view, now);
  }
  return {.wake = now + milliseconds(20)};
}

void ChangeProcedure::stop(ExitStatus why) {
  if (!stop_) stop_ = why;
}

Report ChangeProcedure::failed(const Error& error) const {
  const std::string_view so_far = first_sent_ ? "; it was sent but is not confirmed" : "; nothing was sent";
  const bool says_so = first_sent_ && error.message.starts_with("not confirmed");
  return {error.status, first_sent_ ? "not_confirmed" : "not_sent",
          fmt::format("{}: {}{}", change_.name, error.message, says_so ? "" : so_far), std::nullopt,
          change_.confirmation->details()};
}

Report ChangeProcedure::confirmed(SteadyTime now) const {
  const milliseconds after = since(*first_sent_, now);
  return {ExitStatus::ok, "confirmed", fmt::format("{}: {}", change_.name, change_.confirmation->done(after)),
          after, change_.confirmation->details()};
}

}  // namespace rangerctl::command
