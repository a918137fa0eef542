// Runs a command against the simulated chassis, millisecond by millisecond of a clock that the test owns.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/command/procedure.hpp"
#include "rangerctl/command/view.hpp"
#include "rangerctl/gate.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/sim/chassis.hpp"
#include "rangerctl/sim/scenario.hpp"

namespace rangerctl {

class Bench {
 public:
  using Ms = std::chrono::milliseconds;
  static constexpr SteadyTime kStart{std::chrono::seconds(1000)};

  explicit Bench(std::string_view scenario = "normal", sim::ControlMode mode = sim::ControlMode::can)
      : chassis_(protocol::kDefaultCatalogue, mode),
        view_(protocol::kDefaultCatalogue, protocol::ranger_mini_3::kBitRate, kStart) {
    chassis_.schedule(*sim::load_scenario(protocol::kDefaultCatalogue, scenario));
  }

  // What happens to the chassis, as a script line: "2.0 set emergency_stop".
  void script(std::string_view line) {
    chassis_.schedule({**sim::parse_script_line(protocol::kDefaultCatalogue, line)});
  }
  // A frame of somebody else arrives, every `period` from `from` to `to`.
  void foreign(std::string_view frame, Ms from, Ms to, Ms period = Ms(20)) {
    for (Ms at = from; at <= to; at += period) foreign_.emplace_back(at, parsed(frame));
    std::stable_sort(foreign_.begin(), foreign_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  // Somebody changes the link, or anything else.
  void at(Ms time, std::function<void(Bench&)> what) { events_.push_back({time, std::move(what)}); }
  void stop_at(Ms time, ExitStatus why = ExitStatus::interrupted) { stop_ = {time, {why, "stopped"}}; }

  command::Report run(command::Procedure& procedure, Ms limit = Ms(60'000)) {
    for (now_ = Ms(0); now_ <= limit; now_ += Ms(1)) {
      if (now_ >= asleep_from && now_ < awake_again) continue;
      take_what_happens();
      if (now_ == awake_again) command::note_hold_up(view_, clock(), awake_again - asleep_from);
      if (stop_ && now_ >= stop_->first) procedure.stop(stop_->second);
      command::Action action = procedure.step(view_, clock());
      for (std::string& text : action.warnings) warnings.push_back(std::move(text));
      if (!action.progress.empty()) progress.push_back(action.progress);
      if (action.frame) procedure.sent(send(*action.frame, procedure.unchecked()), clock());
      if (action.end) return *action.end;
    }
    return {ExitStatus::failed, "endless"};
  }

  struct SentFrame {
    Ms at;
    std::string frame;
    bool operator==(const SentFrame&) const = default;
  };
  std::vector<SentFrame> sent;
  std::vector<std::string> warnings;
  std::vector<std::string> progress;

  bool echoes = true;          // whether the bus acknowledges
  bool queue_is_full = false;  // whether the kernel takes no frame
  Ms asleep_from{1'000'000};   // the program is stopped, the world goes on
  Ms awake_again{1'000'000};
  LinkStatus link;

  [[nodiscard]] Ms now() const { return now_; }
  [[nodiscard]] std::vector<std::string> frames() const {
    std::vector<std::string> all;
    for (const SentFrame& row : sent) all.push_back(row.frame);
    return all;
  }
  void hold_up() { command::note_hold_up(view_, clock(), Ms(100)); }
  [[nodiscard]] const command::View& view() const { return view_; }

 private:
  [[nodiscard]] SteadyTime clock() const { return kStart + now_; }

  static Frame parsed(std::string_view text) {
    return *log::parse_written_frame(protocol::kDefaultCatalogue, text);
  }

  void take_what_happens() {
    for (auto& [time, what] : events_) {
      if (what && time <= now_) std::exchange(what, nullptr)(*this);
    }
    std::vector<sim::TimedFrame> frames;
    chassis_.advance(now_, frames);
    const bool connected = link.state == LinkState::up;
    for (const sim::TimedFrame& timed : frames) {
      if (connected) receive(timed.frame, false);
    }
    if (connected && echoes) {
      for (const Frame& frame : waiting_) receive(frame, true);
      waiting_.clear();
    }
    for (; next_foreign_ < foreign_.size() && foreign_[next_foreign_].first <= now_; ++next_foreign_) {
      chassis_.apply(foreign_[next_foreign_].second);
      if (connected) receive(foreign_[next_foreign_].second, false);
    }
    monitor::take_link(view_.chassis, link, clock());
  }

  void receive(const Frame& frame, bool own) {
    command::reduce(view_, {frame, {}, own ? FrameDirection::tx : FrameDirection::rx, own}, clock());
  }

  Result<Sent> send(const Frame& frame, bool unchecked) {
    if (!unchecked) {
      if (auto checked = check_table(protocol::kDefaultCatalogue, Role::host, frame); !checked)
        return checked.error();
      const auto situation = command::situation(view_, clock());
      if (auto checked = check_situation(protocol::kDefaultCatalogue, frame, situation); !checked)
        return checked.error();
    }
    if (link.state != LinkState::up) return Error{ExitStatus::bus, "cannot send on bench: Network is down"};
    if (queue_is_full) return Sent::queue_full;
    sent.push_back({now_, log::written_frame(frame)});
    command::note_sent(view_, clock());
    waiting_.push_back(frame);
    if (echoes) chassis_.apply(frame);
    return Sent::queued;
  }

  sim::Chassis chassis_;
  command::View view_;
  Ms now_{0};
  std::vector<std::pair<Ms, Frame>> foreign_;
  std::size_t next_foreign_ = 0;
  std::vector<std::pair<Ms, std::function<void(Bench&)>>> events_;
  std::optional<std::pair<Ms, Error>> stop_;
  std::vector<Frame> waiting_;
};

}  // namespace rangerctl
