// Everything that a teleop needs to be judged: a chassis, candump, a terminal, and somebody who drives.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bus/bus.hpp"
#include "bus/fault_table.hpp"
#include "bus/motion_witness.hpp"
#include "bus/simulated_chassis.hpp"
#include "support/fake_terminal.hpp"
#include "support/teleop_operator.hpp"

namespace rangerctl::support {

// A chassis and its witness. The chassis leaves out what teleop does not need, 200 instead of 930 frames a
// second, for in User-Mode Linux each system call takes a tenth of a millisecond.
struct BusSetup {
  std::string interface = "vcan0";
  std::string scenario = "normal";
  bool operator==(const BusSetup&) const = default;
};

struct TeleopSetup {
  TerminalKind kind = kKitty;
  std::vector<std::string> options = {};
  BusSetup bus = {};
  std::string interface = "";  // empty: that of the chassis
  bool operator==(const TeleopSetup&) const = default;
};

struct BusSide {
  explicit BusSide(const BusSetup& setup);

  BusSetup setup;
  Folder folder;
  SimulatedChassis chassis;
  MotionWitness witness;
};

struct TeleopBench {
  TeleopBench(const TeleopSetup& setup, BusSide& side);

  TeleopSetup setup;
  SimulatedChassis& chassis;
  MotionWitness& witness;
  FakeTerminal terminal;
  TeleopOperator driver;

  // With `key` held down, until a frame asks for this speed (0.001 m/s), which is the limit at first. Arms
  // where it is not armed.
  bool drives(std::string_view key = "w", int speed = 300);
  // To the next motion mode, which `frame` commands: "141#01". Until the wheels have arrived.
  bool changes_mode(std::string_view frame);
  // For a failure.
  std::string screen() { return terminal.screen(); }
  // Quits: nothing is left behind, and the robot, where it was armed, was told to stand.
  void expect_orderly_quit();
};

// All tests of teleop: one chassis and one teleop serve many of them, since both take a while to start.
class BusTeleop : public BusTest {
 public:
  // The one that still runs where it is the same, else a new one.
  static TeleopBench& teleop(const TeleopSetup& setup = {});
  // A new teleop in any case.
  static TeleopBench& new_teleop(const TeleopSetup& setup = {});

 protected:
  void SetUp() override;
  // After a failure nothing is shared any more.
  void TearDown() override;
  static void TearDownTestSuite();
};

// Something that must stop a robot which drives at 0.3 m/s with `w` held down.
struct StopCase {
  std::string what;
  StopBound bound;
  std::string_view state;                       // afterwards, one or several with blanks between them
  std::function<Moment(TeleopBench&)> happens;  // returns when
  std::string_view reason = "";                 // on the screen, afterwards
};

// Drives, lets it happen, and holds on: `w` stays down and repeats, and where `state` forbids to drive it is
// pressed again. Whatever the operator does, the robot stops in time and stays. Begins anew where this
// computer was too busy for teleop, which then stops for that reason.
void expect_stop_on(TeleopBench& bench, const StopCase& stop);

// After a stop: tells the chassis these lines, which end the cause, acknowledges a FAULT, and expects
// DISARMED.
void expect_recovers(TeleopBench& bench, const std::vector<std::string>& lines);
// The lines after "silence all".
std::vector<std::string> speak_again();

Moment now();

}  // namespace rangerctl::support
