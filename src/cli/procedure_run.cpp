#include "cli/procedure_run.hpp"

#include <utility>

#include "io/can_interfaces.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {

using command::Action;
using command::Report;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

BusWatch::BusWatch(Transport& transport)
    : transport_(transport),
      view_(protocol::kDefaultCatalogue, protocol::ranger_mini_3::kBitRate, steady_clock::now()) {}

void BusWatch::end_round() {
  const auto now = io::boot_time();
  const auto since = std::chrono::duration_cast<milliseconds>(now - std::exchange(last_round_, now));
  if (since >= command::kHeldUp) command::note_hold_up(view_, steady_clock::now(), since);
  monitor::take_link(view_.chassis, transport_.status(), steady_clock::now());
}

Report with_advice(Report report, const Transport& transport) {
  if (report.status == ExitStatus::bus && transport.status().state == LinkState::down)
    report.text += "; bring it up with: " + io::bring_up_command(std::string(transport.address()));
  return report;
}

ProcedureRun::ProcedureRun(command::Procedure& procedure, Transport& transport)
    : procedure_(procedure),
      transport_(transport),
      gate_(protocol::kDefaultCatalogue, Role::host, transport),
      watch_(transport) {}

Action ProcedureRun::step() {
  const SteadyTime now = steady_clock::now();
  Action action = procedure_.step(watch_.view(), now);
  if (action.frame) send(*action.frame, now);
  if (action.end) action.end = with_advice(std::move(*action.end), transport_);
  return action;
}

void ProcedureRun::send(const Frame& frame, SteadyTime now) {
  const auto result = procedure_.unchecked() ? gate_.send_unchecked(frame)
                                             : gate_.send(frame, command::situation(watch_.view(), now));
  if (result && *result == Sent::queued) watch_.note_sent(now);
  procedure_.sent(result, now);
}

}  // namespace rangerctl::cli
