#include "io/replay.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

#include "rangerctl/protocol/catalogue.hpp"
#include "temp_folder.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(Replay, PlaysAtThePaceOfTheLogAndEnds) {
  const testing::TempFolder folder;
  const auto replay = open_replay(folder.write("drive.log",
                                               "(7.00) can0 123#01\n"
                                               "(7.05) can0 124#02\n"
                                               "(6.00) can0 125#03\n"),
                                  protocol::kDefaultCatalogue);
  ASSERT_TRUE(replay);
  std::array<Received, 8> buffer;
  const SteadyTime start = steady_clock::now();
  const auto first = (*replay)->receive(buffer, start + 10s);
  ASSERT_TRUE(first);
  ASSERT_EQ(*first, 1U);
  EXPECT_EQ(buffer[0].frame.id, 0x123U);
  EXPECT_EQ((*replay)->status().state, LinkState::up);

  const auto rest = (*replay)->receive(buffer, start + 10s);
  EXPECT_GE(steady_clock::now() - start, 50ms);
  ASSERT_TRUE(rest);
  ASSERT_EQ(*rest, 2U) << "a step back in time continues at once";
  EXPECT_EQ(buffer[1].frame.id, 0x125U);
  EXPECT_EQ((*replay)->status().state, LinkState::ended);
}

TEST(Replay, AFileThatIsMissingIsAnError) {
  const auto replay = open_replay("/nowhere/drive.log", protocol::kDefaultCatalogue);
  ASSERT_FALSE(replay);
  EXPECT_EQ(replay.error().message,
            "cannot open /nowhere/drive.log: No such file or directory; check the name, or use '-' for "
            "standard input");
}

}  // namespace
}  // namespace rangerctl::io
