// A CAN interface with a bit rate and a controller, which virtual ones have not: the kernel's driver for
// adapters on serial lines, slcan, on a pseudo-terminal whose other end is the adapter, which is the test.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "bus/bus.hpp"

namespace rangerctl::support {

class SlcanDevice {
 public:
  // Whether there can be one: slcan's interfaces are in the first network namespace of a kernel, where these
  // tests are in User-Mode Linux alone.
  static bool possible();

  // An interface of this name that is up, with one of slcan's bit rates: 10000, 20000, 50000, 100000, 125000,
  // 250000, 500000, 800000, 1000000; 0: the kernel is not told one, as with `slcand -s6`.
  SlcanDevice(std::string name, int bit_rate);
  // Takes the interface down and away.
  ~SlcanDevice();
  SlcanDevice(const SlcanDevice&) = delete;
  SlcanDevice& operator=(const SlcanDevice&) = delete;

  const std::string& name() const { return name_; }

  // A frame with an 11-bit id arrives from the bus: "211#0001019000000001", as cansend writes it.
  void receive(std::string_view frame) const;
  // The adapter says that of its controller: "error-active", "error-warning", "error-passive" or "bus-off".
  // The kernel makes an error frame of it where it is something new.
  void tell_state(std::string_view state) const;
  // The adapter says that it had a frame but no room for it.
  void tell_overflow() const { write_line("e1o"); }

  // The next line that the driver wrote, first of all "C", "S6" and "O", then "t2111FF" for a frame that was
  // sent as 211#FF; empty where none comes within 20 seconds.
  std::string next_line();

  // The interface is up until it is gone, which it is when this returns: after a second, as long as the
  // driver waits for an answer.
  void unplug();

 private:
  // A line of the adapter's protocol.
  void write_line(const std::string& line) const;
  // Takes what the driver writes, which waits for that.
  void read_lines();

  std::string name_;
  int adapter_ = -1;  // the pseudo-terminal's ends
  int line_ = -1;     // that the driver has
  std::thread reader_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::string written_;  // by the driver, and not taken yet
};

// A test with such an interface. Where there can be none it does not run, which tools/test counts as trouble;
// it uses User-Mode Linux wherever that exists, and there it always runs.
class AdapterTest : public BusTest {
 protected:
  void SetUp() override {
    if (!SlcanDevice::possible()) GTEST_SKIP() << "slcan needs a kernel of its own: VCAN_MODE=uml";
    BusTest::SetUp();
  }
};

}  // namespace rangerctl::support
