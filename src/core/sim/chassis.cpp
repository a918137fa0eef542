#include "rangerctl/sim/chassis.hpp"

#include <algorithm>
#include <variant>

#include "rangerctl/sim/host_drive.hpp"

namespace rangerctl::sim {
namespace {

/// The text in answer to the version query: 11 frames of 8 bytes, as on hardware.
constexpr std::string_view kVersionText =
    "RANGER MINI 3.0 simulated by rangerctl. This is no real chassis and has no firmware.    ";
constexpr std::size_t kBytesPerFrame = 8;
static_assert(kVersionText.size() == 11 * kBytesPerFrame);
constexpr SimTime kBetweenAnswers = std::chrono::milliseconds(1);

bool is_query(const protocol::Catalogue& catalogue, const Frame& frame) {
  const auto queries = catalogue.extras().queries;
  return std::find(queries.begin(), queries.end(), frame) != queries.end();
}

Frame text_frame(std::uint32_t id, std::string_view text) {
  Frame frame{.id = id, .length = static_cast<std::uint8_t>(text.size())};
  std::copy(text.begin(), text.end(), frame.data.begin());
  return frame;
}

}  // namespace

Verdict Chassis::apply(const Frame& frame) {
  if (is_query(catalogue_, frame)) answer_query(frame.id);
  return controller_.take(frame, now_, body_);
}

void Chassis::answer_query(std::uint32_t id) {
  SimTime at = answers_.empty() ? now_ : answers_.back().at;
  for (std::size_t i = 0; i < kVersionText.size(); i += kBytesPerFrame) {
    at += kBetweenAnswers;
    answers_.push_back({at, text_frame(id, kVersionText.substr(i, kBytesPerFrame))});
  }
}

void Chassis::schedule(std::vector<TimedControl> lines) {
  script_.add(std::move(lines));
  while (const auto line = script_.take(now_)) control(line->control);
}

SimTime Chassis::next_due() const {
  return std::min({schedule_.next_due(), script_.next_at(), host_due_,
                   answers_.empty() ? SimTime::max() : answers_.front().at});
}

/// At the same moment a value changes before it is sent.
void Chassis::advance(SimTime now, std::vector<TimedFrame>& out) {
  while (std::min(next_due(), next_tick_) <= now) {
    now_ = std::min(next_due(), next_tick_);
    if (next_tick_ == now_) tick();
    while (const auto line = script_.take(now_)) control(line->control);
    if (host_due_ == now_) send_host_frames(out);
    for (; !answers_.empty() && answers_.front().at == now_; answers_.pop_front())
      out.push_back(answers_.front());
    while (schedule_.next_due() == now_) out.push_back(schedule_.take(body_, controller_));
  }
  now_ = now;
}

void Chassis::tick() {
  controller_.tick(now_, body_);
  step(body_, controller_.set_points(now_, body_), std::chrono::duration<double>(kTick).count());
  next_tick_ += kTick;
}

void Chassis::send_host_frames(std::vector<TimedFrame>& out) {
  for (const Frame& frame : host_frames(catalogue_, host_due_ - host_since_)) {
    apply(frame);
    out.push_back({now_, frame, true});
  }
  host_due_ += kHostPeriod;
}

// ---- Live control -------------------------------------------------------------------------------------

void Chassis::control(const Control& control) {
  std::visit([this](const auto& what) { act(what); }, control);
}

void Chassis::act(const ChangeFlags& change) {
  change.set ? controller_.set(change.flags, body_) : controller_.release(change.flags, body_);
}

void Chassis::act(const UseRemote& use) { controller_.use_remote(use.action, body_); }

void Chassis::act(const Silence& silence) {
  silence.silent ? schedule_.silence(silence.id) : schedule_.unsilence(silence.id, now_);
}

void Chassis::act(const SetCharge& charge) {
  body_.battery.set_state_of_charge(charge.percent / 100);
  controller_.update(body_);
}

void Chassis::act(const PowerCycle& /*cycle*/) {
  power_cycle(body_);
  controller_.power_cycle();
  schedule_.unsilence(std::nullopt, now_);
}

void Chassis::act(const ChooseVariant& choice) { schedule_.choose(choice.variant, now_); }

void Chassis::act(const ReportSwitching& report) { controller_.set_switch_report(report.report); }

void Chassis::act(const Drive& drive) {
  host_since_ = now_ + kHostPeriod;
  host_due_ = drive.on ? host_since_ : SimTime::max();
}

}  // namespace rangerctl::sim
