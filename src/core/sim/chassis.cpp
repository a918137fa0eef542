#include "rangerctl/sim/chassis.hpp"

#include "rangerctl/sim/demo_drive.hpp"

namespace rangerctl::sim {

void Chassis::advance(SimTime now, std::vector<TimedFrame>& out) {
  while (next_due() <= now) {
    step_until(next_due());
    out.push_back(schedule_.take(body_));
  }
  step_until(now);
}

void Chassis::step_until(SimTime now) {
  for (; next_tick_ <= now; next_tick_ += kTick)
    step(body_, demo_drive(next_tick_), std::chrono::duration<double>(kTick).count());
}

}  // namespace rangerctl::sim
