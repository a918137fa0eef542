#include "rangerctl/command/lights.hpp"

#include <fmt/format.h>

#include <array>

#include "rangerctl/command/change.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::command {
namespace {

using protocol::Catalogue;
using std::chrono::milliseconds;

constexpr std::string_view kMessage = "light_command";
/// A low battery makes the lights flash, so for a moment they need not be what was asked for.
constexpr milliseconds kMayDiffer{1500};
/// How long the chassis is given to confirm that it has the lights back.
constexpr milliseconds kReleaseTimeout{1000};

void set(Frame& frame, const Catalogue& catalogue, std::string_view signal, std::string_view value) {
  const protocol::Signal& found = *protocol::find_signal(*catalogue.find(kMessage), signal);
  protocol::put_raw_value(found.field, *protocol::parse_value(found, value), frame.data);
}

std::string_view name_of(Lights lights) {
  switch (lights) {
    case Lights::on:
      return "lights on";
    case Lights::off:
      return "lights off";
    case Lights::release:
      break;
  }
  return "lights release";
}

}  // namespace

LightsProcedure::LightsProcedure(const Catalogue& catalogue, Lights wanted, const LightsOptions& options)
    : wanted_(wanted),
      options_(options),
      command_(protocol::empty_frame(*catalogue.find(kMessage))),
      giving_back_(command_),
      period_(catalogue.find(kMessage)->period_ms),
      look_({Need::feedback, Need::not_remote, Need::charge, Need::can_control}) {
  set(command_, catalogue, "light_control", "enabled");
  set(command_, catalogue, "light_mode", wanted == Lights::on ? "on" : "off");
}

Action LightsProcedure::step(const View& view, SteadyTime now) {
  switch (phase_) {
    case Phase::look:
      return look(view, now);
    case Phase::hold:
      return hold(view, now);
    case Phase::release:
      break;
  }
  return release(view, now);
}

Action LightsProcedure::look(const View& view, SteadyTime now) {
  const auto ended = [this](const Error& error) {
    return Action{.end = Report{error.status,
                                "not_sent",
                                fmt::format("{}: {}; nothing was sent", name_of(wanted_), error.message),
                                std::nullopt,
                                {}}};
  };
  if (stop_) return ended(*stop_);
  const auto looked = look_.step(view, now);
  if (!looked) return {.wake = now + period_};
  if (!*looked) return ended(looked->error());
  phase_ = wanted_ == Lights::release ? Phase::release : Phase::hold;
  report_.result = "released";
  report_.text = std::string(name_of(wanted_));
  next_ = now;
  Action action = step(view, now);
  action.warnings = look_.warnings(view, now);
  return action;
}

Action LightsProcedure::hold(const View& view, SteadyTime now) {
  if (shows(view, now, true)) {
    last_shown_ = now;
    if (!confirmed_) {
      confirmed_ = now;
      const auto after = std::chrono::duration_cast<milliseconds>(now - *begun_);
      report_.after = after;
      report_.text = fmt::format("{}: confirmed after {}", name_of(wanted_), seconds_text(after));
      Action action = stream(command_, now);
      if (!options_.hold) action.progress = report_.text + ", held until Ctrl-C";
      return action;
    }
  }
  if (const auto checked = check_hold(view, now); !checked) {
    const std::string so_far = confirmed_ ? report_.text + "; then: " : fmt::format("{}: ", name_of(wanted_));
    return begin_release(now, {checked.error().status,
                               stop_        ? "released"
                               : confirmed_ ? "lost"
                                            : "not_confirmed",
                               so_far + checked.error().message,
                               report_.after,
                               {}});
  }
  if (confirmed_ && options_.hold && now - *confirmed_ >= *options_.hold) {
    report_.text += fmt::format(", held for {}", seconds_text(*options_.hold));
    return begin_release(now, report_);
  }
  return stream(command_, now);
}

Result<void> LightsProcedure::check_hold(const View& view, SteadyTime now) const {
  if (stop_) return *stop_;
  if (send_error_) return *send_error_;
  if (auto bus = check_bus(view, now); !bus) return bus;
  if (auto echo = check_echo(view, now); !echo) return echo;
  constexpr std::array kNeeds{Need::not_remote, Need::charge, Need::can_control};
  if (auto still = check_still(kNeeds, view, now); !still) return still;
  if (begun_ && !confirmed_ && now - *begun_ >= options_.timeout)
    return Error{ExitStatus::no_answer, fmt::format("light_feedback (0x231) does not confirm it within {}",
                                                    seconds_text(options_.timeout))};
  if (confirmed_ && now - last_shown_ >= kMayDiffer)
    return Error{ExitStatus::no_answer, "light_feedback (0x231) does not show it any more"};
  return {};
}

Action LightsProcedure::begin_release(SteadyTime now, Report report) {
  report_ = std::move(report);
  phase_ = Phase::release;
  const bool sent_any = begun_.has_value();
  begun_.reset();
  // Without a bus, or where nothing was taken over, there is nothing to give back.
  if (report_.status == ExitStatus::bus || send_error_ || !sent_any) return finish(false);
  return stream(giving_back_, now);
}

Action LightsProcedure::release(const View& view, SteadyTime now) {
  if (begun_ && shows(view, now, false)) {
    if (wanted_ == Lights::release) report_.after = std::chrono::duration_cast<milliseconds>(now - *begun_);
    return finish(true);
  }
  const bool bus_is_bad = !check_bus(view, now) || !check_echo(view, now) || send_error_;
  if (bus_is_bad || (begun_ && now - *begun_ >= kReleaseTimeout)) return finish(false);
  return stream(giving_back_, now);
}

/// The stop signal decides the status where nothing worse happened.
Action LightsProcedure::finish(bool released) {
  report_.text += released
                      ? (wanted_ == Lights::release ? ": confirmed" : "; given back")
                      : "; that the chassis has the lights back is not confirmed: it takes them 0.5 s after "
                        "the last frame";
  if (report_.status == ExitStatus::ok && !released) report_.status = ExitStatus::no_answer;
  if (send_error_ && report_.status == ExitStatus::ok) report_.status = send_error_->status;
  if (stop_ && report_.status == ExitStatus::ok) report_.status = stop_->status;
  return {.end = report_};
}

Action LightsProcedure::stream(const Frame& frame, SteadyTime now) {
  if (now < next_) return {.wake = next_};
  next_ += period_;
  if (next_ <= now) next_ = now + period_;  // late frames are left out, not sent in a burst
  return {.frame = frame, .wake = next_};
}

void LightsProcedure::sent(const Result<Sent>& result, SteadyTime now) {
  if (!result) send_error_ = result.error();
  if (result && *result == Sent::queued && !begun_) begun_ = now;
}

void LightsProcedure::stop(const Error& why) {
  if (!stop_) stop_ = why;
}

/// Judged on feedback that is newer than the echo of the first frame of the phase.
bool LightsProcedure::shows(const View& view, SteadyTime now, bool control) {
  if (!begun_ || view.own.last_echo < *begun_) return false;
  if (!echoed_ || *echoed_ < *begun_) echoed_ = now;
  const auto enabled = value_since(view, "light_feedback", "light_control", *echoed_, now);
  const auto mode = value_since(view, "light_feedback", "light_mode", *echoed_, now);
  if (!enabled || !mode) return false;
  if (!control) return *enabled == 0;
  return *enabled == 1 && *mode == (wanted_ == Lights::on ? 1 : 0);
}

}  // namespace rangerctl::command
