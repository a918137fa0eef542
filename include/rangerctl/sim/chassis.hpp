#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/sim/body.hpp"
#include "rangerctl/sim/control.hpp"
#include "rangerctl/sim/controller.hpp"
#include "rangerctl/sim/feedback.hpp"
#include "rangerctl/sim/script.hpp"
#include "rangerctl/sim/sim_time.hpp"

namespace rangerctl::sim {

/// A simulated RANGER MINI 3.0: it sends every feedback message at its period, and obeys commands as the
/// manual says. A pure state machine: the same calls give the same frames, and one long advance() gives the
/// same as many short ones.
class Chassis {
 public:
  /// Its control loop: values change this often. It is the period of the fast messages, so that one round of
  /// them shows one moment.
  static constexpr SimTime kTick = std::chrono::milliseconds(20);

  /// `catalogue` is kept by reference. A real one is in standby when it is switched on.
  explicit Chassis(const protocol::Catalogue& catalogue, ControlMode at_power_up = ControlMode::standby)
      : catalogue_(catalogue), controller_(catalogue, at_power_up), schedule_(catalogue) {}

  /// A frame arrives from the bus, at the time of the last advance().
  Verdict apply(const Frame& frame);

  /// Something happens to it other than by a frame, at the time of the last advance().
  void control(const Control& control);

  /// The same later, or at once where its time has passed.
  void schedule(std::vector<TimedControl> lines);

  /// Appends every frame due in (last `now`, `now`] to `out`, in order of time. `now` never goes back.
  void advance(SimTime now, std::vector<TimedFrame>& out);

  /// When something is due by itself, mostly a frame; not before the `now` of the last advance().
  /// SimTime::max() where nothing is.
  [[nodiscard]] SimTime next_due() const;

 private:
  void tick();
  void act(const ChangeFlags& change);
  void act(const UseRemote& use);
  void act(const Silence& silence);
  void act(const SetCharge& charge);
  void act(const PowerCycle& cycle);
  void act(const ChooseVariant& choice);
  void act(const ReportSwitching& report);
  void act(const Drive& drive);
  void send_host_frames(std::vector<TimedFrame>& out);
  void answer_query(std::uint32_t id);

  const protocol::Catalogue& catalogue_;
  Body body_;
  Controller controller_;
  FeedbackSchedule schedule_;
  Script script_;
  std::deque<TimedFrame> answers_;  ///< to a query, not yet sent
  SimTime host_since_{0};
  SimTime host_due_ = SimTime::max();
  SimTime next_tick_{0};
  SimTime now_{0};
};

}  // namespace rangerctl::sim
