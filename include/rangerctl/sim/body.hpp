#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "rangerctl/chassis/geometry.hpp"

/// The physics of the simulated chassis. Numbers without a named source are chosen to look right, no more.
namespace rangerctl::sim {

inline constexpr std::size_t kMotors = 8;  ///< 1 to 4 drive, 5 to 8 steer, as everywhere from index 0

/// What becomes of the motion that is asked.
enum class Order : std::uint8_t {
  follow,          ///< done, as fast as acceleration and slew allow
  stop,            ///< brakes to rest on its track; a new mode is still taken up
  emergency_stop,  ///< brakes harder, and the wheels stay as they stand
};

/// What the electronics ask of the body.
struct SetPoints {
  chassis::Motion motion;
  bool lights = false;
  Order order = Order::follow;
};

/// A motor and its driver.
struct Motor {
  double speed_rpm = 0;  ///< sign local to the motor
  double current_a = 0;
  double shaft_turns = 0;  ///< drive motors only: the position of steering motors never moves on hardware
  double driver_temperature_c = 31;
  double motor_temperature_c = 28;
};

struct Battery {
  double charge_ah = 21.0;
  double current_a = 0;  ///< charging positive, as in bms_status
  double temperature_c = 24.5;

  [[nodiscard]] double state_of_charge() const;  ///< 0..1
  [[nodiscard]] int percent() const;             ///< as bms_status reports it
  [[nodiscard]] double voltage_v() const;        ///< at its terminals, sagging under load
  void set_state_of_charge(double share);        ///< 0..1
};

/// Everything physical about the chassis at one moment. `motion` is what it does, not what it is asked.
struct Body {
  chassis::Motion motion;
  chassis::PerWheel wheel_angle_rad{};
  chassis::PerWheel wheel_speed_mps{};
  chassis::PerWheel odometer_m{};
  std::array<Motor, kMotors> motors{};
  Battery battery;
  bool lights = false;
  double switch_remaining_s = 0;  ///< > 0: the wheels are on their way to a new mode's angles
  unsigned mode_switches = 0;
};

/// Moves the body on by `dt_s`. Acceleration and steering slew are limited. A new mode waits until the
/// chassis has braked to rest; then the mode changes at once, the wheels turn for 0.6 s (longer where the
/// slew does not allow it), and all speed set-points are ignored meanwhile. An empty battery stays empty.
void step(Body& body, const SetPoints& wanted, double dt_s);

/// Off and on again: at rest in ackermann, with the wheels on their way there from where they stand.
void power_cycle(Body& body);

}  // namespace rangerctl::sim
