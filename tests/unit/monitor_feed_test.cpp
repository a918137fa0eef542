// Where the dashboard gets what it shows: a log that is played, stepped through and sought in, and a bus.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "cli/feed.hpp"
#include "gzipped.hpp"
#include "io/sim_transport.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "temp_folder.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

/// A frame every 100 ms for a minute: an emergency stop from 10 s to 20 s.
std::string log_text() {
  std::string text;
  for (int i = 0; i <= 600; ++i) {
    const bool stopped = i >= 100 && i < 200;
    text += fmt::format("({}.{}00000) can0 211#0{}0101F10000{}\n", 1712345678 + i / 10, i % 10,
                        stopped ? 2 : 0, stopped ? "0080" : "0000");
  }
  return text;
}

class ReplayFeedTest : public ::testing::Test {
 protected:
  ReplayFeedTest() {
    auto player = io::Player::open(folder_.write("drive.log", log_text()), protocol::kDefaultCatalogue);
    EXPECT_TRUE(player);
    feed_ = std::make_unique<ReplayFeed>(std::move(*player));
    feed_->toggle_pause();
    advance();
  }
  void advance() {
    do {
      ASSERT_TRUE(feed_->advance());
    } while (feed_->view().catching_up);
  }
  void go_to(milliseconds position) {
    ASSERT_TRUE(feed_->seek_to(position));
    advance();
  }
  [[nodiscard]] std::uint64_t frames() const { return feed_->scene().watched.state.frame_count; }
  [[nodiscard]] std::size_t events() const { return feed_->scene().watched.history.events.size(); }

  testing::TempFolder folder_;
  std::unique_ptr<ReplayFeed> feed_;
};

TEST_F(ReplayFeedTest, APauseStands) {
  const auto before = feed_->view().position;
  std::this_thread::sleep_for(30ms);
  advance();
  EXPECT_EQ(feed_->view().position, before);
  EXPECT_TRUE(feed_->view().paused);
}

TEST_F(ReplayFeedTest, EveryPositionIsWhatSomebodySawWhoWatchedFromTheStart) {
  struct Row {
    milliseconds position;
    std::uint64_t frames;
    std::size_t events;
  };
  // Forwards and backwards, also beyond both ends. The last event is the end of the log.
  const Row rows[] = {{9900ms, 100, 0}, {10s, 101, 2},    {15s, 151, 2}, {20s, 201, 4},  {60s, 601, 5},
                      {15s, 151, 2},    {9999ms, 100, 0}, {-5s, 1, 0},   {500s, 601, 5}, {10s, 101, 2}};
  for (const Row& row : rows) {
    go_to(row.position);
    EXPECT_EQ(frames(), row.frames) << row.position.count();
    EXPECT_EQ(events(), row.events) << row.position.count();
  }
}

TEST_F(ReplayFeedTest, StepsFromFrameToFrame) {
  go_to(5050ms);
  ASSERT_TRUE(feed_->step(1));
  advance();
  EXPECT_EQ(feed_->view().position, 5100ms);
  EXPECT_EQ(frames(), 52U);
  ASSERT_TRUE(feed_->step(-1));
  advance();
  EXPECT_EQ(feed_->view().position, 5000ms);
  EXPECT_EQ(frames(), 51U);
  ASSERT_TRUE(feed_->step(-1));
  advance();
  EXPECT_EQ(frames(), 50U);
}

TEST_F(ReplayFeedTest, KnowsItsLengthAndItsEnd) {
  for (int i = 0; i < 200 && !feed_->view().length; ++i) {
    std::this_thread::sleep_for(10ms);
    advance();
  }
  EXPECT_EQ(feed_->view().length, 60s);
  go_to(60s);
  advance();
  EXPECT_EQ(feed_->scene().watched.state.link.state, LinkState::ended);
  EXPECT_EQ(feed_->view().position, 60s);
  go_to(1s);
  EXPECT_EQ(feed_->scene().watched.state.link.state, LinkState::up);
}

TEST_F(ReplayFeedTest, FreshValuesAreThoseOfThePosition) {
  go_to(12s);
  const monitor::Scene scene = feed_->scene();
  const auto& catalogue = *scene.watched.state.catalogue;
  const protocol::Message& status = *catalogue.find("system_status");
  EXPECT_EQ(monitor::current_value(scene.watched.state, catalogue.index_of(status),
                                   *protocol::find_signal(status, "errors"), scene.now),
            0x80);
}

TEST(ReplayFeed, OfAnEmptyLogIsAtItsEnd) {
  testing::TempFolder folder;
  auto player = io::Player::open(folder.write("empty.log", ""), protocol::kDefaultCatalogue);
  ASSERT_TRUE(player);
  ReplayFeed feed(std::move(*player));
  ASSERT_TRUE(feed.advance());
  EXPECT_EQ(feed.scene().watched.state.link.state, LinkState::ended);
  EXPECT_TRUE(feed.step(1));
  EXPECT_TRUE(feed.step(-1));
  ASSERT_TRUE(feed.advance());
}

TEST(ReplayFeed, SeeksBackWhileItStillSeeksForward) {
  testing::TempFolder folder;
  std::string text;
  for (int i = 0; i < 600'000; ++i)
    text += fmt::format("({}.{:03}000) can0 211#000101F100000000\n", 1712345678 + i / 1000, i % 1000);
  auto player = io::Player::open(folder.write("long.log", text), protocol::kDefaultCatalogue);
  ASSERT_TRUE(player);
  ReplayFeed feed(std::move(*player));
  feed.toggle_pause();
  ASSERT_TRUE(feed.advance());
  ASSERT_TRUE(feed.seek_to(599s));
  ASSERT_TRUE(feed.advance());  // some of the way, or all of it on a fast machine
  ASSERT_TRUE(feed.seek_to(9s));
  do {
    ASSERT_TRUE(feed.advance());
  } while (feed.view().catching_up);
  EXPECT_EQ(feed.scene().watched.state.frame_count, 9001U);
  EXPECT_EQ(feed.view().position, 9s);
}

TEST(ReplayFeed, OfACutArchiveShowsWhatIsThereAndSaysSo) {
  testing::TempFolder folder;
  const std::string whole = testing::gzipped(log_text());
  auto player = io::Player::open(folder.write("cut.log.gz", whole.substr(0, whole.size() / 2)),
                                 protocol::kDefaultCatalogue);
  ASSERT_TRUE(player);
  ReplayFeed feed(std::move(*player));
  ASSERT_TRUE(feed.seek_to(1000s));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(feed.advance());
  EXPECT_EQ(feed.scene().watched.state.link.state, LinkState::ended);
  EXPECT_GT(feed.scene().watched.state.frame_count, 0U);
  EXPECT_THAT(feed.take_trouble(), ::testing::HasSubstr("cut short"));
  EXPECT_EQ(feed.take_trouble(), "");
}

TEST(ReplayFeed, OfAPipeNeverWaitsForTheWriter) {
  testing::TempFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int writer = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);  // so that opening does not wait either
  ASSERT_GE(writer, 0);
  const auto write = [writer](std::string_view text) {
    ASSERT_EQ(::write(writer, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  };
  auto player = io::Player::open(pipe, protocol::kDefaultCatalogue);
  ASSERT_TRUE(player);
  ReplayFeed feed(std::move(*player));
  ASSERT_TRUE(feed.advance());
  EXPECT_EQ(feed.scene().watched.state.frame_count, 0U);
  write("(1.000000) can0 211#000101F100000000\n(1.000000) can0 211#0001");  // a line that is not whole yet
  ASSERT_TRUE(feed.advance());
  EXPECT_EQ(feed.scene().watched.state.frame_count, 1U);
  EXPECT_EQ(feed.scene().watched.state.link.state, LinkState::up);
  write("01F100000000\n");
  ASSERT_TRUE(feed.advance());
  EXPECT_EQ(feed.scene().watched.state.frame_count, 2U);
  EXPECT_FALSE(feed.seek_to(-1s));
  ::close(writer);
}

TEST(RecordFile, SaysWhatIsNotInTheFile) {
  io::RecordFile<int, 16> file(
      std::move(*io::RecordSink::create({"/dev/full"})), "",
      {[](int item) { return std::to_string(item); }, [](std::uint64_t) { return std::string(); }});
  file.push(1);
  file.finish();
  EXPECT_TRUE(file.sink().failed());
  EXPECT_EQ(file.sink().lines(), 0U);
  EXPECT_THAT(file.sink().trouble(), ::testing::HasSubstr("No space left"));
}

// ---- Live ---------------------------------------------------------------------------------------------

class LiveFeedTest : public ::testing::Test {
 protected:
  void open(std::string_view address) {
    auto transport = io::open_sim(address, protocol::kDefaultCatalogue);
    ASSERT_TRUE(transport);
    transport_ = std::move(*transport);
    feed_ = std::make_unique<LiveFeed>(*transport_);
  }
  void advance_for(milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      ASSERT_TRUE(feed_->advance());
      std::this_thread::sleep_for(10ms);
    }
  }

  /// How it ended; nothing after five seconds.
  std::optional<command::Report> clear(command::ClearCode code) {
    feed_->clear_error(code);
    EXPECT_TRUE(feed_->is_clearing());
    for (int i = 0; i < 500; ++i) {
      EXPECT_TRUE(feed_->advance());
      if (auto action = feed_->step_clearing(); action && action->end) return std::move(action->end);
      std::this_thread::sleep_for(10ms);
    }
    return std::nullopt;
  }

  testing::TempFolder folder_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<LiveFeed> feed_;
};

TEST_F(LiveFeedTest, RecordsEveryFrameThatItShows) {
  open("sim");
  const std::string path = folder_.file("drive.log");
  ASSERT_TRUE(feed_->record(path));
  const std::uint64_t before = feed_->scene().watched.state.frame_count;
  advance_for(300ms);
  const std::uint64_t frames = feed_->recorder()->frames();
  EXPECT_EQ(frames, feed_->scene().watched.state.frame_count - before);
  EXPECT_GT(frames, 50U);
  feed_->end_record().reset();
  auto player = io::Player::open(path, protocol::kDefaultCatalogue);
  ASSERT_TRUE(player);
  Received received;
  std::chrono::nanoseconds offset{0};
  std::uint64_t read = 0;
  while ((*player)->next(std::chrono::nanoseconds::max(), received, offset)) ++read;
  EXPECT_EQ(read, frames);
  EXPECT_EQ((*player)->status().unreadable, 0U);
}

TEST_F(LiveFeedTest, NeverOverwritesARecord) {
  open("sim");
  const std::string path = folder_.write("drive.log", "mine");
  const auto started = feed_->record(path);
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, ::testing::HasSubstr("never overwritten"));
  EXPECT_EQ(feed_->recorder(), nullptr);
}

TEST_F(LiveFeedTest, ClearsAnErrorAsTheCommandDoes) {
  open("sim:undervoltage");
  advance_for(300ms);
  const auto report = clear({0x09});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->status, ExitStatus::ok) << report->text;
  EXPECT_EQ(report->result, "confirmed");
  EXPECT_FALSE(feed_->is_clearing());
}

TEST_F(LiveFeedTest, RefusesAsTheCommandDoes) {
  open("sim:remote");
  advance_for(300ms);
  const auto report = clear({0x00});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->status, ExitStatus::refused) << report->text;
  EXPECT_EQ(report->result, "not_sent");
}

}  // namespace
}  // namespace rangerctl::cli
