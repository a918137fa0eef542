#include "io/player.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "gzipped.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "temp_folder.hpp"

namespace rangerctl::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;
using testing::TempFolder;

constexpr nanoseconds kEnd = nanoseconds::max();

const std::string kLog =
    "(10.0) can0 101#01\n"
    "(10.5) can0 102#02\n"
    "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)\n"
    "(10.5) can0 103#03\n"
    "(4.0) can0 104#04\n"
    "(4.25) can0 105#05\n";

std::unique_ptr<Player> player_of(const std::string& file) {
  auto player = Player::open(file, protocol::kDefaultCatalogue);
  return player ? std::move(*player) : throw std::runtime_error(player.error().message);
}

struct Taken {
  std::uint32_t id;
  nanoseconds offset;
  bool operator==(const Taken&) const = default;
};

std::vector<Taken> take_until(Player& player, nanoseconds until) {
  std::vector<Taken> taken;
  Received received;
  nanoseconds offset;
  while (player.next(until, received, offset)) taken.push_back({received.frame.id, offset});
  return taken;
}

const std::vector<Taken> kFrames{
    {0x101, 0ms}, {0x102, 500ms}, {0x103, 500ms}, {0x104, 500ms}, {0x105, 750ms}};

/// Gives the count time to come to an end.
bool is_counted(const Player& player) {
  const auto deadline = steady_clock::now() + 20s;
  while (!player.length() && steady_clock::now() < deadline) std::this_thread::sleep_for(1ms);
  return player.length().has_value();
}

/// A while in which a small file would have been counted many times.
void expect_uncounted(const Player& player) {
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(player.length(), std::nullopt);
  EXPECT_EQ(player.total_frames(), std::nullopt);
}

std::string zstd_packed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

TEST(Player, TakesWhatLiesAtOrBeforeAPosition) {
  const TempFolder folder;
  const auto player = player_of(folder.write("drive.log", kLog));
  EXPECT_EQ(take_until(*player, -1ns), std::vector<Taken>{});
  EXPECT_EQ(player->frames_taken(), 0U);
  EXPECT_EQ(player->next_offset(), 0ms);
  EXPECT_EQ(take_until(*player, 0ns), (std::vector<Taken>{{0x101, 0ms}}));
  EXPECT_EQ(take_until(*player, 500ms - 1ns), std::vector<Taken>{});
  EXPECT_EQ(player->next_offset(), 500ms);
  EXPECT_EQ(player->frames_taken(), 1U);
  EXPECT_EQ(take_until(*player, 500ms).size(), 3U) << "a step back in time continues at once";
  EXPECT_EQ(player->next_offset(), 750ms);
  EXPECT_EQ(player->status().state, LinkState::up);
  EXPECT_EQ(player->status().dropped, 3U);
  EXPECT_EQ(take_until(*player, 1h), (std::vector<Taken>{{0x105, 750ms}}));
  EXPECT_EQ(player->frames_taken(), 5U);
  EXPECT_EQ(player->status().state, LinkState::ended);
  EXPECT_EQ(player->next_offset(), std::nullopt);
  EXPECT_FALSE(player->error());
}

TEST(Player, PlaysEveryKindOfLogToItsEndTwice) {
  struct Row {
    const char* name;
    std::string content;
    std::vector<Taken> frames;
    std::uint64_t unreadable = 0;
  };
  const TempFolder folder;
  for (const Row& row : std::vector<Row>{{"plain", kLog, kFrames},
                                         {"packed.gz", testing::gzipped(kLog), kFrames},
                                         {"packed.zst", zstd_packed(kLog), kFrames},
                                         {"packed without a name for it", testing::gzipped(kLog), kFrames},
                                         {"empty", "", {}},
                                         {"one byte", "(", {}, 1},
                                         {"one newline", "\n", {}},
                                         {"no frames", "# comment\nnonsense\n", {}, 1},
                                         {"one frame", "(10.0) can0 101#01\n", {{0x101, 0ms}}},
                                         {"last line cut", kLog + "(4.5) can0 106#0", kFrames, 1},
                                         {"times that only go back",
                                          "(3.0) can0 101#01\n(2.0) can0 102#02\n(1.0) can0 103#03\n",
                                          {{0x101, 0ms}, {0x102, 0ms}, {0x103, 0ms}}},
                                         {"no times",
                                          "can0  101   [1]  01\ncan0  102   [1]  02\ncan0  103   [1]  03\n",
                                          {{0x101, 0ms}, {0x102, 1ms}, {0x103, 2ms}}}}) {
    SCOPED_TRACE(row.name);
    const auto player = player_of(folder.write(row.name, row.content));
    for (const int pass : {1, 2}) {
      EXPECT_EQ(take_until(*player, kEnd), row.frames) << "pass " << pass;
      EXPECT_EQ(player->frames_taken(), row.frames.size());
      EXPECT_EQ(player->status().state, LinkState::ended);
      EXPECT_EQ(player->status().unreadable, row.unreadable);
      EXPECT_FALSE(player->error());
      ASSERT_TRUE(player->rewind());
    }
    ASSERT_TRUE(is_counted(*player));
    EXPECT_EQ(player->length(), row.frames.empty() ? 0ns : row.frames.back().offset);
    EXPECT_EQ(player->total_frames(), row.frames.size());
  }
}

TEST(Player, BeginsAgainFromAnywhere) {
  const TempFolder folder;
  const auto player = player_of(folder.write("drive.log", kLog));
  for (const nanoseconds until : {nanoseconds(-1), nanoseconds(0), nanoseconds(500ms), kEnd}) {
    take_until(*player, until);
    ASSERT_TRUE(player->rewind());
    EXPECT_EQ(player->frames_taken(), 0U);
    EXPECT_EQ(player->status().state, LinkState::up);
    EXPECT_EQ(player->status().dropped, 0U);
  }
  EXPECT_EQ(take_until(*player, kEnd), kFrames);
}

TEST(Player, CompressedDataThatEndTooEarlyAreAnErrorAtTheirEnd) {
  const TempFolder folder;
  const std::string packed = testing::gzipped(kLog);
  const auto player = player_of(folder.write("cut.gz", packed.substr(0, packed.size() - 4)));
  for (const int pass : {1, 2}) {
    EXPECT_FALSE(player->error());
    EXPECT_EQ(take_until(*player, kEnd), kFrames) << "pass " << pass;
    ASSERT_TRUE(player->error());
    EXPECT_THAT(player->error()->message, HasSubstr("is cut short"));
    ASSERT_TRUE(player->rewind());
  }
  ASSERT_TRUE(is_counted(*player));
  EXPECT_EQ(player->length(), 750ms) << "of what can be read";
}

TEST(Player, AFileThatCannotBeOpenedIsAnError) {
  const TempFolder folder;
  const auto missing = Player::open("/nowhere/drive.log", protocol::kDefaultCatalogue);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().status, ExitStatus::failed);
  EXPECT_EQ(missing.error().message,
            "cannot open /nowhere/drive.log: No such file or directory; check the name, or use '-' for "
            "standard input");
  EXPECT_FALSE(Player::open(folder.file(""), protocol::kDefaultCatalogue)) << "a folder";
}

TEST(Player, APipeOnlyGoesForward) {
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int writer = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::write(writer, kLog.data(), kLog.size()), static_cast<ssize_t>(kLog.size()));
  const auto player = player_of(pipe);
  ::close(writer);
  EXPECT_FALSE(player->can_rewind());
  EXPECT_EQ(take_until(*player, 0ns), (std::vector<Taken>{{0x101, 0ms}}));
  const auto rewound = player->rewind();
  ASSERT_FALSE(rewound);
  EXPECT_EQ(rewound.error().message,
            "cannot go back in " + pipe + ": only a regular file can be read again; save it as one");
  EXPECT_EQ(take_until(*player, kEnd).size(), 4U) << "the error changed nothing";
  expect_uncounted(*player);
}

TEST(Player, AFileThatWasReplacedOrRemovedOnlyGoesForward) {
  const TempFolder folder;
  const std::string file = folder.write("drive.log", kLog);
  const auto player = player_of(file);
  take_until(*player, 0ns);
  std::filesystem::rename(folder.write("other.log", "(1.0) can0 111#01\n"), file);
  const auto replaced = player->rewind();
  ASSERT_FALSE(replaced);
  EXPECT_THAT(replaced.error().message, HasSubstr("was removed or replaced"));
  std::filesystem::remove(file);
  EXPECT_FALSE(player->rewind());
  EXPECT_EQ(take_until(*player, kEnd).size(), 4U) << "the errors changed nothing";
}

TEST(Player, AFileThatHasGrownHasNoKnownLength) {
  const TempFolder folder;
  const std::string file = folder.write("drive.log", kLog);
  const auto player = player_of(file);
  EXPECT_EQ(take_until(*player, 0ns).size(), 1U);
  ASSERT_TRUE(is_counted(*player));
  std::ofstream(file, std::ios::app) << "(5.0) can0 106#06\n";
  EXPECT_EQ(take_until(*player, kEnd).back(), (Taken{0x106, 1500ms}));
  EXPECT_EQ(player->length(), std::nullopt);
  ASSERT_TRUE(player->rewind());
  EXPECT_EQ(player->length(), std::nullopt);
  EXPECT_EQ(player->total_frames(), std::nullopt);
}

/// Sparse: it takes no room, but reading it takes a minute.
std::string huge_log(const TempFolder& folder) {
  const std::string file = folder.write("huge.log", kLog);
  std::filesystem::resize_file(file, std::uintmax_t{1} << 36);
  return file;
}

TEST(Player, AFileThatChangesWhileItIsCountedHasNoKnownLength) {
  const TempFolder folder;
  const std::string file = huge_log(folder);
  const auto player = player_of(file);
  std::this_thread::sleep_for(20ms);
  std::filesystem::resize_file(file, kLog.size());  // ends the count
  expect_uncounted(*player);
}

TEST(Player, EndsAtOnceWhileAHugeFileIsCounted) {
  const TempFolder folder;
  const std::string file = huge_log(folder);
  auto player = player_of(file);
  Received received;
  nanoseconds offset;
  EXPECT_TRUE(player->next(0ns, received, offset));
  expect_uncounted(*player);
  const auto before = steady_clock::now();
  player.reset();
  EXPECT_LT(steady_clock::now() - before, 1s);
}

}  // namespace
}  // namespace rangerctl::io
