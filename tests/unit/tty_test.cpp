#include "tui/tty.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "support/pty.hpp"

namespace rangerctl::tui {
namespace {

using support::Pty;
using ::testing::EndsWith;

std::unique_ptr<Tty> open_on(const Pty& pty) {
  auto tty = Tty::open(pty.slave(), pty.slave());
  EXPECT_TRUE(tty) << tty.error().message;
  return std::move(*tty);
}

// A piece that can be told from the others, as large as a picture with many changes.
std::string piece(int number) { return "<" + std::string(3000, static_cast<char>('a' + number % 26)) + ">"; }

// Returns all pieces that were taken over until the terminal took nothing for a while: the kernel makes room
// on its own for a moment.
std::string fill(Writer& writer) {
  std::string taken;
  for (int i = 0; i < 1000; ++i) {
    if (!writer.drain(std::chrono::milliseconds(300))) return taken;
    EXPECT_TRUE(writer.write(piece(i)));
    taken += piece(i);
  }
  ADD_FAILURE() << "three megabytes, and the terminal still takes more";
  return taken;
}

TEST(Tty, RawModesDifferInWhatStaysASignal) {
  struct Row {
    bool keep_signals;
    tcflag_t signals;  // of ISIG
    tcflag_t flow;     // of IXON
  };
  for (const Row& row : {Row{true, ISIG, IXON}, Row{false, 0, 0}}) {
    const Pty pty;
    const auto tty = open_on(pty);
    tty->raw(row.keep_signals);
    const termios raw = pty.settings();
    EXPECT_EQ(raw.c_lflag & ISIG, row.signals);
    EXPECT_EQ(raw.c_iflag & IXON, row.flow);
    EXPECT_EQ(raw.c_lflag & (ICANON | ECHO | IEXTEN), 0U);
    EXPECT_EQ(raw.c_iflag & (ICRNL | INLCR | IGNCR | ISTRIP), 0U);
    EXPECT_EQ(raw.c_oflag & OPOST, 0U);
    EXPECT_EQ(raw.c_cflag & CSIZE, CS8);
    EXPECT_EQ(raw.c_cc[VMIN], 1);
    EXPECT_EQ(raw.c_cc[VTIME], 0);
  }
}

TEST(Tty, GivesBackExactlyTheLineSettingsThatItFound) {
  const Pty pty;
  termios strange = pty.settings();
  strange.c_lflag &= ~static_cast<tcflag_t>(ECHOE);
  strange.c_cc[VERASE] = '#';
  ASSERT_EQ(tcsetattr(pty.slave(), TCSANOW, &strange), 0);
  const termios before = pty.settings();
  {
    const auto tty = open_on(pty);
    EXPECT_TRUE(pty.has_settings(before));
    tty->raw(false);
    EXPECT_FALSE(pty.has_settings(before));
    tty->restore();
    EXPECT_TRUE(pty.has_settings(before));
    tty->raw(true);
  }
  EXPECT_TRUE(pty.has_settings(before));
}

TEST(Tty, LeavesTheDescriptionOfTheShellAlone) {
  const Pty pty;
  const int before = fcntl(pty.slave(), F_GETFL);
  const auto tty = open_on(pty);
  tty->raw(false);
  EXPECT_EQ(fcntl(tty->input(), F_GETFL) & O_NONBLOCK, O_NONBLOCK);
  EXPECT_EQ(fcntl(tty->output(), F_GETFL) & O_NONBLOCK, O_NONBLOCK);
  EXPECT_EQ(fcntl(pty.slave(), F_GETFL), before);
  EXPECT_EQ(before & O_NONBLOCK, 0);
}

TEST(Tty, ReadsBytesOrNothing) {
  Pty pty;
  const auto tty = open_on(pty);
  tty->raw(false);
  std::array<char, 8> buffer{};
  const Tty::Read nothing = tty->read(buffer);
  EXPECT_EQ(nothing.count, 0U);
  EXPECT_FALSE(nothing.vanished);

  ASSERT_TRUE(pty.type("\x03\r\x1b[A"));
  std::string got;
  while (got.size() < 5) {
    pollfd wait{tty->input(), POLLIN, 0};
    ASSERT_EQ(poll(&wait, 1, 10'000), 1) << got;
    const Tty::Read read = tty->read(buffer);
    EXPECT_FALSE(read.vanished);
    got.append(buffer.data(), read.count);
  }
  EXPECT_EQ(got, "\x03\r\x1b[A");
}

TEST(Tty, HangUpIsSeenByReaderAndWriter) {
  Pty pty;
  const auto tty = open_on(pty);
  tty->raw(false);
  pty.hang_up();
  std::array<char, 8> buffer{};
  EXPECT_TRUE(tty->read(buffer).vanished);
  EXPECT_FALSE(tty->writer().write("picture"));
  EXPECT_TRUE(tty->writer().vanished());
  EXPECT_FALSE(tty->writer().idle());
  EXPECT_EQ(tty->writer().pending(), 0U);
  tty->force("leave");  // does not wait for it
}

TEST(Tty, TellsTheSizeWhereTheTerminalDoes) {
  struct Row {
    winsize window;
    std::optional<monitor::Size> size;
  };
  for (const Row& row :
       {Row{{24, 80, 0, 0}, monitor::Size{24, 80}}, Row{{1, 200, 0, 0}, monitor::Size{1, 200}},
        Row{{0, 80, 0, 0}, std::nullopt}, Row{{24, 0, 0, 0}, std::nullopt}}) {
    const Pty pty(row.window.ws_row, row.window.ws_col);
    EXPECT_EQ(open_on(pty)->size(), row.size);
  }
}

TEST(TtyWriter, StalledTerminalGetsWholePiecesOrNone) {
  Pty pty;
  const auto tty = open_on(pty);
  tty->raw(false);
  Writer& writer = tty->writer();
  std::string taken = fill(writer);
  EXPECT_FALSE(writer.idle());
  EXPECT_GT(writer.pending(), 0U);
  EXPECT_LE(writer.pending(), piece(0).size());
  EXPECT_FALSE(writer.write("a later picture"));

  ASSERT_TRUE(pty.show_until([&] {
    writer.flush();
    return pty.shown().size() == taken.size();
  }));
  EXPECT_TRUE(writer.idle());
  ASSERT_TRUE(writer.write("the next picture"));
  taken += "the next picture";
  ASSERT_TRUE(pty.show_until([&] { return pty.shown().size() == taken.size(); }));
  EXPECT_EQ(pty.shown(), taken);
}

TEST(TtyWriter, DrainGivesUpOnAStalledTerminal) {
  Pty pty;
  const auto tty = open_on(pty);
  tty->raw(false);
  fill(tty->writer());
  EXPECT_FALSE(tty->writer().drain(std::chrono::milliseconds(1)));
  EXPECT_GT(tty->writer().pending(), 0U);
  tty->writer().drop();
  EXPECT_TRUE(tty->writer().drain(std::chrono::milliseconds(1)));
}

TEST(TtyWriter, ForceArrivesBehindWhatWasTakenOver) {
  Pty pty;
  const auto tty = open_on(pty);
  tty->raw(false);
  ASSERT_TRUE(tty->writer().write("picture"));
  tty->force("leave");
  ASSERT_TRUE(pty.shows("leave"));
  EXPECT_EQ(pty.shown(), "pictureleave");
}

TEST(TtyWriter, ForceArrivesInsteadOfWhatAStalledTerminalNeverTook) {
  Pty pty;
  const auto tty = open_on(pty);
  tty->raw(false);
  const std::string taken = fill(tty->writer());
  tty->force("leave");
  EXPECT_TRUE(tty->writer().idle());
  ASSERT_TRUE(pty.shows("leave"));
  EXPECT_THAT(pty.shown(), EndsWith("leave"));
  EXPECT_LT(pty.shown().size(), taken.size());
}

TEST(TtyWriter, ForceArrivesInSpiteOfControlS) {
  Pty pty;
  const auto tty = open_on(pty);
  tty->raw(true);
  ASSERT_TRUE(pty.type("\x13"));
  fill(tty->writer());
  const std::size_t before = pty.shown().size();
  tty->force("leave");
  EXPECT_TRUE(tty->writer().idle());
  ASSERT_TRUE(pty.shows("leave"));
  EXPECT_THAT(pty.shown().substr(before), EndsWith("leave"));
}

}  // namespace
}  // namespace rangerctl::tui
