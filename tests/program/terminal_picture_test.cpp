// The emulated screen: what other tests read on it must be so.
#include "support/terminal_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/key_bytes.hpp"

namespace rangerctl::support {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Row {
  std::string_view bytes;
  std::string_view text;  // of a screen of 6 x 3
};
constexpr Row kPictures[]{
    {"ab\r\ncd", "ab\ncd\n\n"},
    {"abcdef", "abcdef\n\n\n"},
    {"abcdefg", "abcdef\ng\n\n"},
    {"abcdef\rX", "Xbcdef\n\n\n"},
    {"abc\b\bX", "aXc\n\n\n"},
    {"a\tX", "a    X\n\n\n"},
    {"\xC3\xA4\xE2\x94\x80\xF0\x9F\x98\x80", "\xC3\xA4\xE2\x94\x80\xF0\x9F\x98\x80\n\n\n"},
    {"1\r\n2\r\n3\r\n4", "2\n3\n4\n"},
    {"1\r\n2\r\n3\x1b[H\x1bM4", "4\n1\n2\n"},
    {"\x1b[2;3HX\x1b[HY\x1b[3;1fZ", "Y\n  X\nZ\n"},
    {"\x1b[99;99HX", "\n\n     X\n"},
    {"\x1b[2;2H\x1b[AA\x1b[BB\x1b[CC\x1b[3DD", " A\n  D C\n\n"},
    {"\x1b[3GX\x1b[2dY", "  X\n   Y\n\n"},
    {"abcdef\x1b[3G\x1b[K", "ab\n\n\n"},
    {"abcdef\x1b[3G\x1b[1K", "   def\n\n\n"},
    {"abcdef\x1b[3G\x1b[2K", "\n\n\n"},
    {"1\r\n22\r\n3\x1b[2;2H\x1b[J", "1\n2\n\n"},
    {"1\r\n22\r\n3\x1b[2;1H\x1b[1J", "\n 2\n3\n"},
    {"1\r\n22\r\n3\x1b[2J", "\n\n\n"},
    {"abcdef\x1b[2G\x1b[2X", "a  def\n\n\n"},
    {"abcdef\x1b[2G\x1b[2@", "a  bcd\n\n\n"},
    {"abcdef\x1b[2G\x1b[2P", "adef\n\n\n"},
    {"1\r\n2\r\n3\x1b[2H\x1b[L", "1\n\n2\n"},
    {"1\r\n2\r\n3\x1b[1H\x1b[M", "2\n3\n\n"},
    {"1\r\n2\r\n3\x1b[S", "2\n3\n\n"},
    {"1\r\n2\r\n3\x1b[T", "\n1\n2\n"},
    {"1\r\n2\r\n3\x1b[2;3r\x1b[3;1H\n4", "1\n3\n4\n"},
    {"-\x1b[4b", "-----\n\n\n"},
    {"ab\x1b"
     "7\x1b[3Hc\x1b"
     "8d",
     "abd\n\nc\n"},
    {"\x1b]0;title\aa\x1bP+q\x1b\\b\x1b(Bc", "abc\n\n\n"},
    {"a\x1b[1;31mb\x1b[m", "ab\n\n\n"},
    {"main\x1b[?1049halternate", "altern\nate\n\n"},
    {"main\x1b[?1049halternate\x1b[?1049l+", "main+\n\n\n"},
};

TEST(TerminalPictureTest, ShowsWhatWasWritten) {
  for (const Row& row : kPictures) {
    TerminalPicture picture(kPlain, {6, 3});
    EXPECT_THAT(picture.feed(row.bytes), IsEmpty());
    EXPECT_EQ(picture.text(), row.text) << row.bytes;
  }
}

TEST(TerminalPictureTest, TakesEveryPieceAlike) {
  for (const Row& row : kPictures) {
    TerminalPicture picture(kPlain, {6, 3});
    for (const char byte : row.bytes) picture.feed({&byte, 1});
    EXPECT_EQ(picture.text(), row.text) << row.bytes;
  }
}

TEST(TerminalPictureTest, KeepsTheCornerWhenResized) {
  TerminalPicture picture(kPlain, {6, 3});
  picture.feed("abcdef\r\n2\r\n3");
  picture.resize({3, 2});
  EXPECT_EQ(picture.text(), "abc\n2\n");
  picture.resize({6, 3});
  EXPECT_EQ(picture.text(), "abc\n2\n\n");
}

TEST(TerminalPictureTest, AnswersAsItsKindDoes) {
  constexpr std::string_view kQueries = "\x1b[5n\x1b[c\x1b[>c\x1b[?u";
  const auto answer = [&](const TerminalKind& kind) { return TerminalPicture(kind, {}).feed(kQueries); };
  EXPECT_EQ(answer(kKitty), "\x1b[0n\x1b[?62;c\x1b[>1;4000;29c\x1b[?0u");
  EXPECT_EQ(answer(kPlain), "\x1b[0n\x1b[?64;1;2;6;9;15;18;21;22c\x1b[>41;379;0c");
  EXPECT_EQ(answer(kTmux), "\x1b[0n\x1b[?1;2c\x1b[>84;0;0c");
  EXPECT_EQ(answer(kMute), "");
  TerminalPicture picture(kKitty, {});
  picture.become_mute();
  EXPECT_EQ(picture.feed(kQueries), "");
}

TEST(TerminalPictureTest, HasAKeyboardStackForEachScreen) {
  TerminalPicture picture(kKitty, {});
  EXPECT_EQ(picture.feed("\x1b[>1u\x1b[?u"), "\x1b[?1u");
  EXPECT_EQ(picture.feed("\x1b[?1049h\x1b[?u"), "\x1b[?0u");
  EXPECT_EQ(picture.feed("\x1b[>11u\x1b[>3u\x1b[?u"), "\x1b[?3u");
  EXPECT_EQ(picture.feed("\x1b[<u\x1b[?u"), "\x1b[?11u");
  EXPECT_EQ(picture.feed("\x1b[=0;1u\x1b[?u"), "\x1b[?0u");
  EXPECT_EQ(picture.feed("\x1b[?1049l\x1b[?u"), "\x1b[?1u");
  EXPECT_THAT(picture.left_on(), ElementsAre("kitty keyboard flags 1", "kitty keyboard flags 0"));
  EXPECT_EQ(picture.feed("\x1b[<u\x1b[<u\x1b[<9u\x1b[?u"), "\x1b[?0u");
}

TEST(TerminalPictureTest, KnowsWhatIsLeftOn) {
  struct {
    std::string_view on, word, off;
  } constexpr kModes[]{
      {"\x1b[?25l", "the cursor is hidden", "\x1b[?25h"},  {"\x1b[?7l", "lines do not wrap", "\x1b[?7h"},
      {"\x1b[?1004h", "mode ?1004", "\x1b[?1004l"},        {"\x1b[?1049h", "mode ?1049", "\x1b[?1049l"},
      {"\x1b[>11u", "kitty keyboard flags 11", "\x1b[<u"}, {"\x1b[>4;2m", "modifyOtherKeys", "\x1b[>4;0m"},
      {"\x1b=", "the keypad's application mode", "\x1b>"}, {"\x1b[7m", "colours or attributes", "\x1b[0m"},
      {"\x1b[2;3r", "a scrolling region", "\x1b[r"},       {"\x1b[", "an unfinished sequence", "m"},
  };
  for (const auto& [on, word, off] : kModes) {
    TerminalPicture picture(kKitty, {});
    picture.feed(on);
    EXPECT_THAT(picture.left_on(), ElementsAre(std::string(word)));
    picture.feed(off);
    EXPECT_THAT(picture.left_on(), IsEmpty()) << word;
  }
}

TEST(KeyBytes, AreThoseOfTheKittyProtocolOrThoseOfOld) {
  struct {
    std::string_view key;
    KeyAction action;
    std::string_view kitty, legacy;
  } constexpr kEvents[]{
      {"w", KeyAction::press, "\x1b[119u", "w"},
      {"w", KeyAction::repeat, "\x1b[119;1:2u", "w"},
      {"w", KeyAction::release, "\x1b[119;1:3u", ""},
      {" ", KeyAction::press, "\x1b[32u", " "},
      {"Enter", KeyAction::press, "\x1b[13u", "\r"},
      {"Escape", KeyAction::release, "\x1b[27;1:3u", ""},
      {"Up", KeyAction::press, "\x1b[A", "\x1b[A"},
      {"Up", KeyAction::repeat, "\x1b[1;1:2A", "\x1b[A"},
      {"Up", KeyAction::release, "\x1b[1;1:3A", ""},
      {"A", KeyAction::press, "\x1b[57441;2u\x1b[97;2u", "A"},
      {"A", KeyAction::release, "\x1b[97;2:3u\x1b[57441;1:3u", ""},
      {"?", KeyAction::press, "\x1b[57441;2u\x1b[47;2u", "?"},
      {"C-c", KeyAction::press, "\x1b[57442;5u\x1b[99;5u", "\x03"},
      {"C-c", KeyAction::release, "\x1b[99;5:3u\x1b[57442;1:3u", ""},
  };
  for (const auto& [key, action, kitty, legacy] : kEvents) {
    EXPECT_EQ(key_bytes(key, action, 11), kitty) << key;
    EXPECT_EQ(key_bytes(key, action, 0), legacy) << key;
    EXPECT_EQ(key_bytes(key, action, 1), legacy) << key;
  }
}

}  // namespace
}  // namespace rangerctl::support
