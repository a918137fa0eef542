#include <gtest/gtest.h>

#include "rangerctl/teleop/response.hpp"

namespace rangerctl::teleop {
namespace {

using namespace std::chrono_literals;
using Milli = std::optional<std::int64_t>;  // raw, of motion_feedback

SteadyTime at(std::chrono::milliseconds time) { return SteadyTime(1h + time); }

constexpr Motion kZero{};
constexpr Motion kSteersOnly{.steering_angle = 300};
constexpr Motion kForward{.linear_velocity = 200};
constexpr Motion kBack{.linear_velocity = -200};
constexpr Motion kLeft{.angular_velocity = 300};
constexpr Motion kRight{.angular_velocity = -300};

TEST(TeleopResponse, RestIsBothSpeedsBelow20) {
  struct Row {
    Milli linear, angular;
    bool at_rest;
  };
  for (const Row& row :
       {Row{0, 0, true}, Row{19, 19, true}, Row{-19, -19, true}, Row{20, 0, false}, Row{-20, 0, false},
        Row{0, 20, false}, Row{0, -20, false}, Row{0, {}, false}, Row{{}, 0, false}, Row{{}, {}, false}}) {
    Response response;
    response.take(kZero, row.linear, row.angular, at(0ms));
    EXPECT_EQ(response.at_rest(), row.at_rest) << row.linear.value_or(-1) << ' ' << row.angular.value_or(-1);
    EXPECT_EQ(response.at_rest_for_a_while(at(1s)), row.at_rest);
  }
}

TEST(TeleopResponse, RestCountsAfter200MillisecondsWithoutAMotion) {
  struct Row {
    Milli linear, angular;           ///< at 100 ms; before and after it is at rest
    std::chrono::milliseconds from;  ///< rest counts from here on
  };
  for (const Row& row :
       {Row{0, 0, 200ms}, Row{20, 0, 320ms}, Row{0, -20, 320ms}, Row{{}, 0, 320ms}, Row{0, {}, 320ms}}) {
    Response response;
    response.take(kZero, 0, 0, at(0ms));
    response.take(kZero, row.linear, row.angular, at(100ms));
    response.take(kZero, 0, 0, at(120ms));
    EXPECT_FALSE(response.at_rest_for_a_while(at(row.from - 1ms)));
    EXPECT_TRUE(response.at_rest_for_a_while(at(row.from)));
  }
}

TEST(TeleopResponse, NothingIsKnownAtFirst) {
  const Response response;
  EXPECT_FALSE(response.at_rest());
  EXPECT_FALSE(response.at_rest_for_a_while(at(1s)));
  EXPECT_EQ(response.moves_on(at(1s)), 0ms);
  EXPECT_EQ(response.wrong_way(at(1s)), 0ms);
}

// 0.307 m from the middle to a wheel: 327 mrad/s are 100 mm/s of the wheels, 328 are 101.
TEST(TeleopResponse, ItMovesOnAbove100MillimetresASecondOfTheWheels) {
  struct Row {
    std::optional<Motion> commanded;
    Milli linear, angular;
    std::chrono::milliseconds moves_on;
  };
  for (const Row& row :
       {Row{kZero, 100, 0, 0ms}, Row{kZero, 101, 0, 60ms}, Row{kZero, -100, 0, 0ms},
        Row{kZero, -101, 0, 60ms}, Row{kZero, 0, 327, 0ms}, Row{kZero, 0, 328, 60ms},
        Row{kZero, 0, -327, 0ms}, Row{kZero, 0, -328, 60ms}, Row{kZero, {}, 400, 60ms},
        Row{kZero, 400, {}, 60ms}, Row{kZero, {}, {}, 0ms}, Row{kSteersOnly, 101, 0, 60ms},
        Row{{}, 101, 0, 60ms}, Row{{}, 0, 328, 60ms}, Row{{}, 100, 327, 0ms}, Row{kForward, 400, 0, 0ms},
        Row{kBack, 400, 0, 0ms}, Row{kLeft, 0, 400, 0ms}, Row{kRight, 0, 400, 0ms}}) {
    Response response;
    response.take(row.commanded, row.linear, row.angular, at(0ms));
    response.take(row.commanded, row.linear, row.angular, at(20ms));
    EXPECT_EQ(response.moves_on(at(60ms)), row.moves_on)
        << row.linear.value_or(-1) << ' ' << row.angular.value_or(-1);
  }
}

TEST(TeleopResponse, MovingOnCountsFromTheFirstZero) {
  Response response;
  response.take(kForward, 300, 0, at(0ms));
  response.take(kZero, 300, 0, at(20ms));
  response.take(kSteersOnly, 200, 0, at(40ms));
  response.take({}, 150, 0, at(60ms));
  EXPECT_EQ(response.moves_on(at(60ms)), 40ms);
  response.take(kZero, 50, 0, at(80ms));
  EXPECT_EQ(response.moves_on(at(80ms)), 0ms);
  response.take(kZero, 150, 0, at(100ms));
  EXPECT_EQ(response.moves_on(at(100ms)), 80ms);
  response.take(kForward, 150, 0, at(120ms));
  EXPECT_EQ(response.moves_on(at(120ms)), 0ms);
  response.take(kZero, 150, 0, at(140ms));
  EXPECT_EQ(response.moves_on(at(150ms)), 10ms);
}

TEST(TeleopResponse, TheWrongWayIsAgainstWhatIsCommanded) {
  struct Row {
    std::optional<Motion> commanded;
    Milli linear, angular;
    std::chrono::milliseconds wrong_way;
  };
  for (const Row& row :
       {Row{kForward, -20, 0, 60ms}, Row{kForward, -19, 0, 0ms}, Row{kForward, 20, 0, 0ms},
        Row{kBack, 20, 0, 60ms}, Row{kBack, 19, 0, 0ms}, Row{kBack, -20, 0, 0ms}, Row{kForward, 0, -500, 0ms},
        Row{kLeft, 0, -20, 60ms}, Row{kLeft, 0, -19, 0ms}, Row{kLeft, 0, 20, 0ms}, Row{kRight, 0, 20, 60ms},
        Row{kRight, 0, 19, 0ms}, Row{kRight, 0, -20, 0ms}, Row{kLeft, -500, 0, 0ms},
        Row{kForward, {}, 0, 0ms}, Row{kLeft, 0, {}, 0ms}, Row{kZero, -500, -500, 0ms},
        Row{kZero, 500, 500, 0ms}, Row{{}, -500, -500, 0ms}}) {
    Response response;
    response.take(row.commanded, row.linear, row.angular, at(0ms));
    response.take(row.commanded, row.linear, row.angular, at(20ms));
    EXPECT_EQ(response.wrong_way(at(60ms)), row.wrong_way)
        << row.linear.value_or(-1) << ' ' << row.angular.value_or(-1);
  }
}

TEST(TeleopResponse, OneTickTheRightWayBeginsTheWrongWayAnew) {
  Response response;
  response.take(kLeft, 0, -300, at(0ms));
  response.take(kLeft, 0, 300, at(20ms));
  EXPECT_EQ(response.wrong_way(at(30ms)), 0ms);
  response.take(kLeft, 0, -300, at(40ms));
  EXPECT_EQ(response.wrong_way(at(100ms)), 60ms);
}

TEST(TeleopResponse, AMotionStartsWhenNothingMovesTheOtherWay) {
  struct Row {
    int sign;
    bool spin;
    Milli linear, angular;
    bool may_start;
  };
  for (const Row& row :
       {Row{1, false, -20, 0, false}, Row{1, false, -19, 0, true}, Row{1, false, 300, 0, true},
        Row{-1, false, 20, 0, false}, Row{-1, false, 19, 0, true}, Row{-1, false, -300, 0, true},
        Row{1, true, 0, -20, false}, Row{1, true, 0, -19, true}, Row{1, true, 0, 300, true},
        Row{-1, true, 0, 20, false}, Row{-1, true, 0, 19, true}, Row{-1, true, 0, -300, true},
        // Each looks at its own speed alone.
        Row{1, false, 0, -300, true}, Row{-1, false, 0, 300, true}, Row{1, true, -300, 0, true},
        Row{-1, true, 300, 0, true}, Row{0, false, -300, 0, true}, Row{0, true, 0, -300, true},
        Row{1, false, {}, -300, true}, Row{1, true, -300, {}, true}}) {
    Response response;
    response.take(kZero, row.linear, row.angular, at(0ms));
    EXPECT_EQ(response.may_start(row.sign, row.spin), row.may_start)
        << row.sign << ' ' << row.spin << ' ' << row.linear.value_or(-1) << ' ' << row.angular.value_or(-1);
  }
}

}  // namespace
}  // namespace rangerctl::teleop
