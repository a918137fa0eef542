#include "bus/fault_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace rangerctl::support {
namespace {

struct Row {
  std::string what;
  StopBound bound;
  double last_ms;  // negative: the last one was before it happened
  int zeros;       // afterwards
};

std::vector<Row>& rows() {
  static std::vector<Row> all;
  return all;
}

double in_ms(Moment::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

// What a row took of the scheduler's room.
double room(const Row& row) {
  return std::max(0.0, row.last_ms - in_ms(row.bound.threshold + row.bound.ramp + kTwoPeriods));
}

class Printer : public ::testing::Environment {
 public:
  void TearDown() override {
    if (rows().empty()) return;
    std::printf(
        "\nFrom the fault to the last frame that moves, in ms; none follows. Room for the scheduler: %d\n",
        static_cast<int>(kSchedulerRoom.count()));
    std::printf("%-58s %9s %5s %6s %6s %6s %6s\n", "fault", "threshold", "ramp", "bound", "last", "room",
                "zeros");
    for (const Row& row : rows()) {
      const auto bound = row.bound.threshold + row.bound.ramp + kTwoPeriods;
      std::printf("%-58s %9d %5d %6d %6.0f %6.0f %6d\n", row.what.c_str(),
                  static_cast<int>(row.bound.threshold.count()), static_cast<int>(row.bound.ramp.count()),
                  static_cast<int>(bound.count()), row.last_ms, room(row), row.zeros);
    }
    std::fflush(stdout);
  }
};

[[maybe_unused]] const auto* const kPrinter = ::testing::AddGlobalTestEnvironment(new Printer);

}  // namespace

void expect_stop(const std::string& what, const StopBound& bound, Moment fault, const SeenFrames& frames) {
  constexpr static Milliseconds kJustBefore{200};
  const auto moved = std::any_of(frames.begin(), frames.end(), [fault](const SeenFrame& frame) {
    return frame.moves() && frame.time <= fault && frame.time >= fault - kJustBefore;
  });
  ASSERT_TRUE(moved) << what << ": the robot did not move before";
  const Moment last = *last_motion(frames);
  rows().push_back({what, bound, in_ms(last - fault), zeros_after(frames, last)});
  EXPECT_LE(in_ms(last - fault), in_ms(bound.threshold + bound.ramp + kTwoPeriods + kSchedulerRoom)) << what;
}

}  // namespace rangerctl::support
