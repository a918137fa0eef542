// The bus itself: what the other tests conclude from it must be so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/bus.hpp"
#include "bus/slcan_device.hpp"
#include "support/process.hpp"
#include "support/tmux.hpp"

namespace rangerctl::support {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class Bus : public BusTest {};
class BusAdapter : public AdapterTest {};

TEST_F(Bus, BothInterfacesAreUp) {
  const Outcome outcome = run(shell("ip -brief link show up"));
  EXPECT_THAT(outcome.out, HasSubstr("vcan0"));
  EXPECT_THAT(outcome.out, HasSubstr("vcan1"));
}

TEST_F(Bus, CandumpSeesWhatCansendSendsAndNoOtherInterface) {
  const auto candump = start_candump("vcan0");
  cansend("vcan1", "211#FF");
  cansend("vcan0", "211#0001019000000001");
  EXPECT_TRUE(candump->out_contains("\n"));
  EXPECT_THAT(candump->out(), EndsWith(" vcan0 211#0001019000000001\n"));
  EXPECT_EQ(occurrences("\n", candump->out()), 1) << candump->out();
}

TEST_F(Bus, ErrorFramesCanBeMade) {
  const auto candump = start_candump("vcan0");
  cansend("vcan0", "20000004#0004000000000000");
  EXPECT_TRUE(candump->out_contains(" vcan0 20000004#0004000000000000")) << candump->out();
}

TEST_F(Bus, CanplayerRepeatsALog) {
  const Folder folder;
  const std::string log = folder.write("log", "(1.000000) can0 311#0011223344556677\n");
  const auto candump = start_candump("vcan1");
  ASSERT_EQ(run(program({"canplayer", "-I", log, "vcan1=can0"})).exit_status, 0);
  EXPECT_TRUE(candump->out_contains(" vcan1 311#0011223344556677\n")) << candump->out();
}

TEST_F(Bus, CangenSendsAsManyAsAsked) {
  const auto candump = start_candump("vcan0");
  ASSERT_EQ(run(shell("cangen vcan0 -n 100 -g 1 -I 321 -L 8 -D 1122334455667788")).exit_status, 0);
  cansend("vcan0", "7FF#");
  ASSERT_TRUE(candump->out_contains(" 7FF#\n"));
  EXPECT_EQ(occurrences(" vcan0 321#1122334455667788\n", candump->out()), 100);
}

TEST_F(BusAdapter, DeliversFrames) {
  const SlcanDevice device("can7", 500'000);
  const auto candump = start_candump("can7");
  device.receive("211#0001019000000001");
  EXPECT_TRUE(candump->out_contains(" can7 211#0001019000000001\n")) << candump->out();
  device.tell_state("error-passive");
  EXPECT_TRUE(candump->out_contains(" can7 20000204#0020000000008000\n")) << candump->out();
}

TEST_F(BusAdapter, TakesFrames) {
  SlcanDevice device("can7", 500'000);
  for (const char* const opening : {"C", "S6", "O"}) EXPECT_EQ(device.next_line(), opening);
  for (int i = 0; i < 500; ++i) {  // more than a pseudo-terminal has room for
    send_frame("can7", 0x321, 0x1122334455667788);
    ASSERT_EQ(device.next_line(), "t32181122334455667788") << i;
  }
}

TEST_F(Bus, ATerminalWorksThere) {
  const Tmux terminal("echo ready; candump vcan0; sleep 1000");
  ASSERT_TRUE(terminal.shows("ready"));
  const auto sent = [](const std::string& screen) {
    cansend("vcan0", "123#DEADBEEF");
    return screen.find("DE AD BE EF") != std::string::npos;
  };
  EXPECT_TRUE(terminal.shows(sent)) << terminal.screen();
}

}  // namespace
}  // namespace rangerctl::support
