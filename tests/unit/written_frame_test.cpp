#include "rangerctl/log/written_frame.hpp"

#include <gtest/gtest.h>

#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::log {
namespace {

TEST(WrittenFrame, RoundTrips) {
  for (const std::string_view text : {"111#0096000000000000", "421#01", "123#", "12345678#0102", "211#R8",
                                      "123##5AABB", "20000040#0000000000000000", "211#0001000000000000_9"}) {
    const auto frame = parse_written_frame(protocol::kDefaultCatalogue, text);
    ASSERT_TRUE(frame) << text;
    EXPECT_EQ(written_frame(*frame), text);
  }
}

TEST(WrittenFrame, LooksLikeCandump) {
  const auto text = [](std::string_view frame) {
    return candump_text("can0", *parse_written_frame(protocol::kDefaultCatalogue, frame));
  };
  // As candump prints them.
  EXPECT_EQ(text("111#0096000000000000"), "  can0  111   [8]  00 96 00 00 00 00 00 00");
  EXPECT_EQ(text("421#01"), "  can0  421   [1]  01");
  EXPECT_EQ(text("211#R8"), "  can0  211   [8]  remote request");
}

}  // namespace
}  // namespace rangerctl::log
