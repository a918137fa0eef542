// The words for what a driver says. That it is read correctly is tested on SocketCAN.
#include "rangerctl/interface_facts.hpp"

#include <gtest/gtest.h>

namespace rangerctl {
namespace {

struct Name {
  ControllerState state;
  int number;  // enum can_state in Linux, include/uapi/linux/can/netlink.h
  std::string_view words;
};

constexpr Name kNames[] = {
    {ControllerState::error_active, 0, "error-active"},
    {ControllerState::error_warning, 1, "error-warning"},
    {ControllerState::error_passive, 2, "error-passive"},
    {ControllerState::bus_off, 3, "bus-off"},
    {ControllerState::stopped, 4, "stopped"},
    {ControllerState::sleeping, 5, "sleeping"},
};

TEST(InterfaceFacts, ControllerStatesHaveTheNumbersOfTheKernelAndTheWordsOfTheField) {
  for (const Name& row : kNames) {
    EXPECT_EQ(static_cast<int>(row.state), row.number);
    EXPECT_EQ(controller_state_name(row.state), row.words);
  }
}

}  // namespace
}  // namespace rangerctl
