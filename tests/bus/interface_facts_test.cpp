// What drivers say of their interfaces, compared with what `ip` says.
#include "io/interface_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "bus/bus.hpp"
#include "bus/slcan_device.hpp"
#include "io/socketcan.hpp"
#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using io::interface_facts;
using nlohmann::json;
using ::testing::HasSubstr;

json ip_says(const std::string& name) {
  const Outcome outcome = run(shell("ip -details -statistics -statistics -json link show " + name));
  return json::parse(outcome.out).at(0);
}

// "ERROR-ACTIVE", as `ip` writes it.
std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return capitals;
}

void expect_as_ip_says(const InterfaceFacts& facts, const std::string& name) {
  const json said = ip_says(name);
  EXPECT_EQ(facts.kind, said["linkinfo"]["info_kind"]);
  const json& controller = said["linkinfo"]["info_data"];
  EXPECT_EQ(facts.bit_rate.value_or(0), controller["bittiming_bitrate"]);
  ASSERT_TRUE(facts.controller);
  EXPECT_EQ(in_capitals(controller_state_name(*facts.controller)), controller["state"]);
  EXPECT_EQ(facts.restart_ms, controller["restart_ms"].get<std::uint32_t>());
  EXPECT_EQ(facts.tx_errors.has_value(), controller.contains("berr_counter"));
  EXPECT_EQ(facts.rx_over_errors, said["stats64"]["rx"]["over_errors"]);
  EXPECT_EQ(facts.rx_dropped, said["stats64"]["rx"]["dropped"]);
}

// Asks until it holds; a serial line takes its time.
bool become(const std::string& name, const std::function<bool(const InterfaceFacts&)>& holds) {
  for (int tries = 0; tries < 500; ++tries) {
    const auto facts = interface_facts(name);
    if (facts && holds(*facts)) return true;
    std::this_thread::sleep_for(Milliseconds{20});
  }
  return false;
}

class BusInterfaceFacts : public BusTest {};

TEST_F(BusInterfaceFacts, AVirtualInterfaceHasNothingButAKind) {
  const auto facts = interface_facts("vcan0");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(*facts, InterfaceFacts{.kind = "vcan"});
}

TEST_F(BusInterfaceFacts, AVirtualCableHasNothingButAKind) {
  ip("link add dev vxcan8 type vxcan peer name vxcan9");
  const auto facts = interface_facts("vxcan8");
  ip("link delete vxcan8");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(*facts, InterfaceFacts{.kind = "vxcan"});
}

TEST_F(BusInterfaceFacts, AnInterfaceOfAnotherKindOfNetworkIsNoTrouble) {
  const auto facts = interface_facts("lo");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->kind, "");
  EXPECT_FALSE(facts->bit_rate);
}

TEST_F(BusInterfaceFacts, WhereThereIsNoInterfaceTheErrorSaysWhichAndWhy) {
  for (const std::string name : {"can77", "a_name_that_is_too_long", ""}) {
    const auto facts = interface_facts(name);
    ASSERT_FALSE(facts) << name;
    EXPECT_EQ(facts.error().status, ExitStatus::bus);
    EXPECT_THAT(facts.error().message, HasSubstr("cannot find out about " + name + ": ")) << name;
  }
}

TEST_F(BusInterfaceFacts, ATransportNamesItsInterface) {
  const auto transport = io::open_socketcan("vcan1");
  ASSERT_TRUE(transport) << transport.error().message;
  EXPECT_EQ((*transport)->interface(), "vcan1");
}

class BusInterfaceFactsOfController : public AdapterTest {};

TEST_F(BusInterfaceFactsOfController, HaveItsBitRateAndItsState) {
  const SlcanDevice device("can7", 500'000);
  const auto facts = interface_facts("can7");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(
      *facts,
      (InterfaceFacts{
          .kind = "can", .bit_rate = 500'000, .controller = ControllerState::error_active, .restart_ms = 0}));
  expect_as_ip_says(*facts, "can7");
}

TEST_F(BusInterfaceFactsOfController, LackTheBitRateThatTheKernelWasNotTold) {
  const SlcanDevice device("can7", 0);
  const auto facts = interface_facts("can7");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->bit_rate, std::nullopt);
  EXPECT_EQ(facts->controller, ControllerState::error_active);
  expect_as_ip_says(*facts, "can7");
}

// Bus-off comes last, which slcan's driver does not leave while it is up.
TEST_F(BusInterfaceFactsOfController, FollowItsState) {
  const SlcanDevice device("can7", 500'000);
  for (const ControllerState state : {ControllerState::error_warning, ControllerState::error_passive,
                                      ControllerState::error_active, ControllerState::bus_off}) {
    device.tell_state(controller_state_name(state));
    EXPECT_TRUE(become("can7", [=](const InterfaceFacts& facts) { return facts.controller == state; }));
    expect_as_ip_says(*interface_facts("can7"), "can7");
  }
}

TEST_F(BusInterfaceFactsOfController, KnowAnInterfaceThatIsDown) {
  const SlcanDevice device("can7", 250'000);
  ip("link set can7 down");
  const auto facts = interface_facts("can7");
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_EQ(facts->controller, ControllerState::stopped);
  EXPECT_EQ(facts->bit_rate, 250'000U);
  expect_as_ip_says(*facts, "can7");
}

TEST_F(BusInterfaceFactsOfController, CountFramesForWhichItHadNoRoom) {
  const SlcanDevice device("can7", 500'000);
  for (int i = 0; i < 3; ++i) device.tell_overflow();
  EXPECT_TRUE(become("can7", [](const InterfaceFacts& facts) { return facts.rx_over_errors == 3; }));
  expect_as_ip_says(*interface_facts("can7"), "can7");
}

TEST_F(BusInterfaceFactsOfController, EndWhenTheAdapterIsUnplugged) {
  SlcanDevice device("can7", 500'000);
  ASSERT_TRUE(interface_facts("can7"));
  device.unplug();
  EXPECT_FALSE(interface_facts("can7"));
}

}  // namespace
}  // namespace rangerctl::support
