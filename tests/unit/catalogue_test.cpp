#include "rangerctl/protocol/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

namespace rangerctl::protocol {
namespace {

constexpr std::array kTwo{Signal{.name = "a", .field = u16(0)}, Signal{.name = "b", .field = u8(2)}};
constexpr std::array kOverlap{Signal{.name = "a", .field = u16(0)}, Signal{.name = "b", .field = u8(1)}};
constexpr std::array kBits{Signal{.name = "a", .field = bit_field(0, 0, 2)},
                           Signal{.name = "b", .field = bit_field(0, 1, 1)}};
constexpr std::array kSameName{Signal{.name = "a", .field = u8(0)}, Signal{.name = "a", .field = u8(1)}};

constexpr bool one(std::span<const Signal> signals, std::uint32_t id = 0x100, std::uint8_t dlc = 8) {
  const std::array messages{Message{id, "m", Direction::feedback, dlc, 20, 0, signals, "meaning", "source"}};
  return well_formed(messages);
}

TEST(Schema, RefusesDescriptionsThatContradictThemselves) {
  static_assert(one(kTwo));
  static_assert(!one(kOverlap));
  static_assert(!one(kBits));
  static_assert(!one(kSameName));
  static_assert(!one(kTwo, 0x800));
  static_assert(!one(kTwo, 0x100, 2), "field outside the frame");
  static_assert(!one({}));
}

TEST(Schema, RefusesTwoMessagesOfOneIdOrName) {
  constexpr Message first{0x100, "first", Direction::feedback, 8, 20, 0, kTwo, "meaning", "source"};
  constexpr Message same_id{0x100, "second", Direction::feedback, 8, 20, 0, kTwo, "meaning", "source"};
  constexpr Message same_name{0x101, "first", Direction::feedback, 8, 20, 0, kTwo, "meaning", "source"};
  static_assert(!well_formed(std::array{first, same_id}));
  static_assert(!well_formed(std::array{first, same_name}));
}

TEST(Catalogue, FindsEachMessageByIdAndName) {
  for (const Message& message : kDefaultCatalogue.messages()) {
    EXPECT_EQ(kDefaultCatalogue.find(message.id), &message);
    EXPECT_EQ(kDefaultCatalogue.find(message.name), &message);
  }
  EXPECT_EQ(kDefaultCatalogue.find(0x212U), nullptr);
  EXPECT_EQ(kDefaultCatalogue.find(0x80000211U), nullptr);
  EXPECT_EQ(kDefaultCatalogue.find("nonsense"), nullptr);
}

TEST(Catalogue, HasTheManualsMessagesAndNoOthers) {
  std::set<std::uint32_t> feedback;
  std::set<std::uint32_t> commands;
  for (const Message& message : kDefaultCatalogue.messages()) {
    (message.direction == Direction::feedback ? feedback : commands).insert(message.id);
  }
  const std::set<std::uint32_t> expected_feedback{
      0x211, 0x221, 0x231, 0x241, 0x251, 0x252, 0x253, 0x254, 0x255, 0x256, 0x257, 0x258, 0x261, 0x262,
      0x263, 0x264, 0x265, 0x266, 0x267, 0x268, 0x271, 0x281, 0x291, 0x311, 0x312, 0x361, 0x362};
  EXPECT_EQ(feedback, expected_feedback);
  EXPECT_EQ(commands, (std::set<std::uint32_t>{0x111, 0x121, 0x141, 0x421, 0x423, 0x441}));
}

TEST(Catalogue, MatchesClassicElevenBitDataFramesOnly) {
  Frame frame{.id = 0x211, .length = 8};
  EXPECT_NE(kDefaultCatalogue.find(frame), nullptr);
  frame.extended = true;
  EXPECT_EQ(kDefaultCatalogue.find(frame), nullptr);
  for (const FrameKind kind : {FrameKind::remote, FrameKind::error, FrameKind::fd, FrameKind::xl}) {
    EXPECT_EQ(kDefaultCatalogue.find(Frame{.id = 0x211, .kind = kind, .length = 8}), nullptr);
  }
}

TEST(Catalogue, EveryClearCodeOfAnErrorExists) {
  const Signal& codes = kDefaultCatalogue.find("clear_error_command")->signals[0];
  const Signal& errors = *find_signal(*kDefaultCatalogue.find("system_status"), "errors");
  std::set<std::int64_t> cleared{0x00};
  for (const Flag& flag : errors.flags) {
    if (flag.clear_code >= 0) {
      EXPECT_TRUE(cleared.insert(flag.clear_code).second) << flag.name;
    }
  }
  std::set<std::int64_t> documented;
  for (const Choice& code : codes.choices) documented.insert(code.value);
  EXPECT_EQ(cleared, documented);
}

}  // namespace
}  // namespace rangerctl::protocol
