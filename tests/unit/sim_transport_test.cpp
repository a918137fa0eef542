// The simulated chassis as an address: in real time, with commands going in.
#include "io/sim_transport.hpp"

#include <array>
#include <compare>

#include "rangerctl/gate.hpp"
#include "sim_scene.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using namespace sim::scene;

class SimTransportTest : public ::testing::Test {
 protected:
  void open(std::string_view address) {
    auto opened = open_sim(address, kDefaultCatalogue);
    ASSERT_TRUE(opened);
    transport_ = std::move(*opened);
  }
  /// The next frame for which `wanted` holds, within a second.
  template <class Wanted>
  std::optional<Received> next_where(Wanted wanted) {
    const SteadyTime end = std::chrono::steady_clock::now() + 1s;
    std::array<Received, 1> one;
    while (std::chrono::steady_clock::now() < end) {
      if (transport_->receive(one, end).value() == 1 && wanted(one[0])) return one[0];
    }
    return std::nullopt;
  }
  std::optional<Received> next(std::uint32_t id) {
    return next_where([id](const Received& one) { return one.frame.id == id; });
  }

  std::unique_ptr<Transport> transport_;
};

TEST_F(SimTransportTest, EchoesWhatIsSentAndObeysIt) {
  open("sim");
  Gate gate(kDefaultCatalogue, Role::host, *transport_);
  EXPECT_EQ(next(0x211)->frame.data[1], 1) << "in CAN control from the start";
  EXPECT_EQ(*gate.send(control_mode(0)), Sent::queued);
  const auto echo = next(0x421);
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->frame, control_mode(0));
  EXPECT_EQ(echo->direction, FrameDirection::tx);
  EXPECT_TRUE(echo->own_echo);
  EXPECT_TRUE(
      next_where([](const Received& one) { return one.frame.id == 0x211 && one.frame.data[1] == 0; }));
}

TEST_F(SimTransportTest, GivesFramesInOrderOfTimeThoughTheBufferIsSmall) {
  open("sim");
  Gate gate(kDefaultCatalogue, Role::host, *transport_);
  Timestamp last;
  for (int i = 0; i < 100; ++i) {
    if (i % 10 == 0) {
      EXPECT_TRUE(gate.send(control_mode(1)));
    }
    const auto one = next_where([](const Received&) { return true; });
    ASSERT_TRUE(one);
    EXPECT_TRUE(std::is_lteq(last.order(one->time)));
    last = one->time;
  }
}

TEST_F(SimTransportTest, ShowsTheFramesOfTheScenariosOwnHostAsThoseOfAnother) {
  open("sim:drive");
  const auto motion_command = next(0x111);
  ASSERT_TRUE(motion_command);
  EXPECT_EQ(motion_command->direction, FrameDirection::rx);
  EXPECT_FALSE(motion_command->own_echo);
}

TEST_F(SimTransportTest, KeepsItsAddressAsItWasWritten) {
  for (const char* address : {"sim", "sim:drive"}) {
    open(address);
    EXPECT_EQ(transport_->address(), address);
  }
}

TEST_F(SimTransportTest, WaitsOutSilence) {
  open("sim:silent");
  std::array<Received, 1> one;
  const SteadyTime end = std::chrono::steady_clock::now() + 30ms;
  EXPECT_EQ(transport_->receive(one, end).value(), 0U);
  EXPECT_GE(std::chrono::steady_clock::now(), end);
}

TEST_F(SimTransportTest, AnUnknownScenarioIsAUsageError) {
  EXPECT_EQ(open_sim("sim:nothing", kDefaultCatalogue).error().status, ExitStatus::usage);
}

}  // namespace
}  // namespace rangerctl::io
