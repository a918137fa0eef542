// `decode` beside candump on the same bus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "bus/bus.hpp"
#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kLastFrame = "7FF#0102030405060708";
constexpr const char* kLastId = R"("id":"7FF","data":"0102030405060708")";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string frame_text(const json& frame) {
  const std::string id = frame["id"];
  if (frame.contains("rtr")) {
    const int dlc = frame["dlc"];
    return id + "#R" + (dlc == 0 ? "" : std::to_string(dlc));
  }
  const std::string data = frame["data"];
  if (!frame.contains("fd")) return id + "#" + data;
  return id + "##" + std::to_string(frame["flags"].get<int>()) + data;
}

/// Lines of `candump -L` with the flags of FD frames as today's candump numbers them. Older ones do not set
/// bit 4 by themselves, and neither do older kernels.
std::vector<std::string> with_fd_flag(std::vector<std::string> lines) {
  for (std::string& line : lines) {
    const auto flags = line.find("##") + 2;
    if (flags > 1 && line[flags] < '4') line[flags] = static_cast<char>(line[flags] + 4);
  }
  return lines;
}

/// The JSON lines of `decode` as `candump -L` writes the same frames.
std::vector<std::string> as_candump(const std::string& json_lines) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(json_lines)) {
    const json frame = json::parse(line);
    const std::string bus = frame["bus"];
    const auto time_at = line.find(':') + 1;  // as it is written: never through a double
    lines.push_back("(" + line.substr(time_at, line.find(',') - time_at) + ") " + bus + " " +
                    frame_text(frame));
  }
  return lines;
}

std::unique_ptr<Process> start_decode(const std::string& interface) {
  return start_listening(rangerctl({"decode", "-i", interface, "--format", "json"}));
}

/// Every frame of a cangen run, seen by candump, by `decode -i` and by `candump -L | decode`.
class SameFrames : public BusTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(SameFrames, AsCandump) {
  const auto candump = start_candump("vcan0");
  const auto live = start_decode("vcan0");
  const auto piped = start_listening(
      shell("candump -L vcan0 | " + shell_quoted(rangerctl_binary()) + " decode --format json"));
  ASSERT_EQ(run(shell(std::string("cangen vcan0 -g 1 -n 300 ") + GetParam())).exit_status, 0);
  cansend("vcan0", kLastFrame);
  ASSERT_TRUE(candump->out_contains(std::string(" ") + kLastFrame));
  EXPECT_TRUE(live->out_contains(kLastId)) << live->err();
  EXPECT_TRUE(piped->out_contains(kLastId)) << piped->err();
  const std::vector<std::string> expected = with_fd_flag(lines_of(candump->out()));
  EXPECT_EQ(expected.size(), 301U);
  EXPECT_EQ(as_candump(live->out()), expected);
  EXPECT_EQ(as_candump(piped->out()), expected);
}

INSTANTIATE_TEST_SUITE_P(Cangen, SameFrames,
                         ::testing::Values("-I r -L r -D r", "-e -L r", "-R -L r", "-f -L r", "-b -e", "-m"));

class BusDecode : public BusTest {};

TEST_F(BusDecode, DecodesTheRobotsMessages) {
  const auto text = start_listening(rangerctl({"decode", "-i", "vcan0"}));
  cansend("vcan0", "211#000101F100000000");
  EXPECT_TRUE(text->out_contains(
      " vcan0 211 system_status vehicle_state=normal control_mode=can battery_voltage=49.7 V errors=none\n"))
      << text->out();
}

TEST_F(BusDecode, ErrorFramesInWords) {
  const auto live = start_decode("vcan0");
  const auto piped = start_listening(shell("candump -L vcan0,0:0,#FFFFFFFF | " +
                                           shell_quoted(rangerctl_binary()) + " decode --format json"));
  cansend("vcan0", "20000004#0004000000000000");
  for (const auto* process : {&live, &piped}) {
    ASSERT_TRUE((*process)->out_contains("\n"));
    const json frame = json::parse((*process)->out());
    EXPECT_EQ(frame["id"], "20000004");
    EXPECT_EQ(frame["error_frame"]["classes"], json::array({"controller_problem"}));
    EXPECT_EQ(frame["error_frame"]["controller"], json::array({"rx_error_warning"}));
  }
}

TEST_F(BusDecode, ControlCEndsItWithASummary) {
  const auto live = start_decode("vcan0");
  cansend("vcan0", "211#000101F100000000");
  ASSERT_TRUE(live->out_contains("system_status"));
  live->signal(SIGINT);
  const Outcome outcome = live->wait();
  EXPECT_EQ(outcome.exit_status, 130);
  EXPECT_THAT(outcome.err, HasSubstr("1 frame: 1 decoded"));
}

std::int64_t number_before(const std::string& text, const std::string& words) {
  const auto end = text.find(words);
  if (end == std::string::npos) return -1;
  const auto start = text.find_last_not_of("0123456789", end - 1) + 1;
  return std::stoll(text.substr(start, end - start));
}

TEST_F(BusDecode, ReportsEveryFrameThatItLost) {
  // Without this capability its receive queue is as short as anybody's.
  Command command = rangerctl({"decode", "-i", "vcan0", "--format", "json"});
  command.argv.insert(command.argv.begin(), {"setpriv", "--bounding-set=-net_admin", "--inh-caps=-all"});
  const auto live = start_listening(std::move(command));
  live->signal(SIGSTOP);
  ASSERT_EQ(run(shell("cangen vcan0 -g 0 -n 5000 -I 123 -L 8 -D 1122334455667788")).exit_status, 0);
  live->signal(SIGCONT);
  ASSERT_TRUE(live->out_contains(R"("id":"123")"));
  const auto sent_and_seen = [&] {
    cansend("vcan0", kLastFrame);
    return live->out_contains(kLastId, Milliseconds{500});
  };
  int last_frames = 1;
  while (!sent_and_seen()) ASSERT_LT(++last_frames, 20);
  live->signal(SIGINT);
  const Outcome outcome = live->wait();
  const std::int64_t seen = occurrences(R"("id":"123")", outcome.out);
  const std::int64_t lost = number_before(outcome.err, " frames lost in the receive queue");
  EXPECT_GT(lost, 0) << outcome.err;
  EXPECT_EQ(seen + occurrences(kLastId, outcome.out) + lost, 5000 + last_frames) << outcome.err;
}

class BusTrouble : public BusTest {};

TEST_F(BusTrouble, NoSuchInterfaceNamesThoseThatAreThere) {
  const Outcome outcome = run(rangerctl({"decode", "-i", "can7"}));
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("can7"), HasSubstr("no such interface"), HasSubstr("vcan0"),
                                 HasSubstr("vcan1")));
}

TEST_F(BusTrouble, AnInterfaceOfAnotherKind) {
  const Outcome outcome = run(rangerctl({"decode", "-i", "lo"}));
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("lo"), HasSubstr("no CAN interface")));
}

TEST_F(BusTrouble, AnInterfaceThatIsDownSaysHowToRaiseIt) {
  const SpareInterface spare;
  ip("link set vcan1 down");
  for (const char* command : {"decode", "monitor"}) {
    const Outcome outcome = run(rangerctl({"-i", "vcan1", command}));
    EXPECT_EQ(outcome.exit_status, 3) << outcome;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("down"), HasSubstr("ip link set vcan1 up")));
  }
}

TEST_F(BusTrouble, AnInterfaceThatGoesDownIsWaitedFor) {
  const SpareInterface spare;
  const auto live = start_decode("vcan1");
  cansend("vcan1", "123#01");
  ASSERT_TRUE(live->out_contains(R"("data":"01")"));
  ip("link set vcan1 down");
  EXPECT_TRUE(live->err_contains("vcan1 went down")) << live->err();
  ip("link set vcan1 up");
  EXPECT_TRUE(live->err_contains("vcan1 is back")) << live->err();
  cansend("vcan1", "123#02");
  EXPECT_TRUE(live->out_contains(R"("data":"02")")) << live->err();
  live->signal(SIGINT);
  EXPECT_EQ(live->wait().exit_status, 130);
}

TEST_F(BusTrouble, AnInterfaceThatVanishesIsWaitedFor) {
  const SpareInterface spare;
  const auto live = start_decode("vcan1");
  ip("link del vcan1");
  EXPECT_TRUE(live->err_contains("vcan1 vanished")) << live->err();
  ip("link add dev vcan1 type vcan");
  ip("link set vcan1 up");
  EXPECT_TRUE(live->err_contains("vcan1 is back")) << live->err();
  cansend("vcan1", "123#03");
  EXPECT_TRUE(live->out_contains(R"("data":"03")")) << live->err();
  live->signal(SIGINT);
  EXPECT_EQ(live->wait().exit_status, 130);
}

}  // namespace
}  // namespace rangerctl::support
