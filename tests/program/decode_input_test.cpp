// What `decode` makes of every kind of input, the bad ones first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <random>
#include <string>

#include "support/process.hpp"

namespace rangerctl::support {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kStatusLine = "(1712345678.123456) can0 211#000101F100000000\n";
constexpr const char* kStatusText =
    "1712345678.123456 can0 211 system_status vehicle_state=normal control_mode=can battery_voltage=49.7 V "
    "errors=none\n";

Outcome decode_text(const std::string& input, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), "decode");
  Command command = rangerctl(std::move(arguments));
  command.input = input;
  return run(std::move(command));
}

std::string random_bytes(std::size_t count) {
  std::mt19937 generator(20240405);
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(generator() & 0xFFU);
  return bytes;
}

/// The program as a user whom file permissions concern: root loses the two capabilities that override them.
Command bound_by_permissions(std::vector<std::string> arguments) {
  Command command = rangerctl(std::move(arguments));
  if (geteuid() == 0) {
    const std::array<const char*, 3> prefix{"setpriv", "--bounding-set=-dac_override,-dac_read_search",
                                            "--inh-caps=-all"};
    command.argv.insert(command.argv.begin(), prefix.begin(), prefix.end());
  }
  return command;
}

TEST(DecodeInput, AMissingFile) {
  const Outcome outcome = run(rangerctl({"decode", "/nonexistent/drive.log"}));
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("/nonexistent/drive.log"), HasSubstr("No such file or directory")));
  EXPECT_THAT(outcome.err, Not(HasSubstr("summary")));
}

TEST(DecodeInput, ADirectory) {
  const Outcome outcome = run(rangerctl({"decode", "/usr"}));
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("/usr"), HasSubstr("directory")));
}

TEST(DecodeInput, AFileThatMayNotBeRead) {
  const Folder folder;
  const std::string file = folder.write("drive.log", kStatusLine);
  ASSERT_EQ(chmod(file.c_str(), 0), 0);
  const Outcome outcome = run(bound_by_permissions({"decode", file}));
  EXPECT_EQ(outcome.exit_status, 1) << outcome;
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(file), HasSubstr("ermission")));
}

TEST(DecodeInput, AnEmptyFile) {
  const Outcome outcome = decode_text("");
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("0 frames"), HasSubstr("no frame found")));
}

TEST(DecodeInput, ABinaryFile) {
  for (const char* format : {"text", "json", "csv"}) {
    const Outcome outcome = decode_text(random_bytes(1'000'000), {"--format", format, "--strict"});
    EXPECT_EQ(outcome.exit_status, 6) << format;
    EXPECT_LT(outcome.out.size(), 100U) << format;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("0 frames"), HasSubstr("not understood"))) << format;
  }
}

TEST(DecodeInput, ClosedPipeEndsQuietly) {
  Command command = rangerctl({"decode"});
  const std::string piece = [] {
    std::string lines;
    for (int i = 0; i < 1000; ++i) lines += kStatusLine;
    return lines;
  }();
  command.feed = [&] { return std::string_view(piece); };  // without end
  Process process(std::move(command));
  ASSERT_TRUE(process.out_contains("system_status"));
  process.close_output();
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST(DecodeInput, FramesAppearWhileTheInputIsStillOpen) {
  Command command = rangerctl({"decode"});
  command.input = kStatusLine;
  command.keep_input_open = true;
  Process process(std::move(command));
  EXPECT_TRUE(process.out_contains(kStatusText)) << process.out() << process.err();
  process.close_input();
  EXPECT_EQ(process.wait().exit_status, 0);
}

TEST(DecodeInput, SignalsEndItWithASummary) {
  for (const auto& [signal, status] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    Command command = rangerctl({"decode"});
    command.input = kStatusLine;
    command.keep_input_open = true;
    Process process(std::move(command));
    ASSERT_TRUE(process.out_contains("system_status"));
    process.signal(signal);
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.exit_status, status) << outcome;
    EXPECT_THAT(outcome.err, HasSubstr("1 frame:"));
  }
}

TEST(DecodeInput, CarriageReturnsAndAMissingLastNewline) {
  const std::string line = std::string(kStatusLine).substr(0, std::string(kStatusLine).size() - 1);
  const Outcome outcome = decode_text(line + "\r\n" + line, {"--strict"});
  EXPECT_EQ(outcome.exit_status, 0) << outcome;
  EXPECT_EQ(outcome.out, std::string(kStatusText) + kStatusText);
}

TEST(DecodeInput, ALastLineThatWasCutIsNotAShorterFrame) {
  const Outcome outcome =
      decode_text(std::string(kStatusLine) + "(1712345679.000000) can0 211#0001", {"--strict"});
  EXPECT_EQ(outcome.exit_status, 6);
  EXPECT_EQ(outcome.out, kStatusText);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("2 lines, 1 frame"), HasSubstr("1 cut line (line 2)")));
}

TEST(DecodeInput, StrictnessChangesTheStatusOnly) {
  const std::string log = std::string("what is this\n") + kStatusLine + "# a comment\n";
  const Outcome lax = decode_text(log);
  const Outcome strict = decode_text(log, {"--strict"});
  EXPECT_EQ(lax.exit_status, 0);
  EXPECT_EQ(strict.exit_status, 6);
  EXPECT_EQ(lax.out, kStatusText);
  EXPECT_EQ(strict.out, kStatusText);
  EXPECT_THAT(lax.err,
              AllOf(HasSubstr("3 lines, 1 frame"), HasSubstr("1 comment (line 3)"), HasSubstr("(line 1)")));
  EXPECT_EQ(decode_text(std::string(kStatusLine) + "# a comment\n", {"--strict"}).exit_status, 0);
}

TEST(DecodeInput, CompressedFilesAreTakenByTheirContent) {
  const Folder folder;
  const std::string log = folder.write("drive.log", std::string(kStatusLine) + kStatusLine);
  for (const char* compressor : {"gzip -c", "zstd -q -c"}) {
    const std::string packed = (folder.path() / "packed").string();  // no suffix to go by
    ASSERT_EQ(run(shell(compressor + (" " + shell_quoted(log) + " > " + shell_quoted(packed)))).exit_status,
              0);
    const Outcome file = run(rangerctl({"decode", packed}));
    EXPECT_EQ(file.exit_status, 0) << compressor << file;
    EXPECT_EQ(file.out, std::string(kStatusText) + kStatusText);
    const Outcome pipe = decode_text(read_file(packed), {"-"});
    EXPECT_EQ(pipe.out, file.out);
  }
}

TEST(DecodeInput, ACompressedFileThatWasCutIsReadUpToTheCut) {
  const Folder folder;
  std::string lines;
  for (int i = 0; i < 20'000; ++i)
    lines += "(" + std::to_string(1'000'000'000 + i) + ".000000) can0 123#11\n";
  const std::string log = folder.write("drive.log", lines);
  for (const char* compressor : {"gzip -c ", "zstd -q -c "}) {
    const std::string packed = run(shell(compressor + shell_quoted(log))).out;
    const Outcome outcome = decode_text(packed.substr(0, packed.size() - 20));
    EXPECT_EQ(outcome.exit_status, 1) << compressor;
    EXPECT_THAT(outcome.out, HasSubstr(" can0 123 ")) << compressor;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("cut short"), HasSubstr("summary"))) << compressor;
  }
}

TEST(DecodeInput, AMissingFileAmongOthersDoesNotHideThem) {
  const Folder folder;
  const std::string log = folder.write("drive.log", kStatusLine);
  const Outcome outcome = run(rangerctl({"decode", log, "/nonexistent", log}));
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_EQ(outcome.out, std::string(kStatusText) + kStatusText);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("/nonexistent"), HasSubstr("2 lines, 2 frames")));
}

TEST(DecodeInput, FilesAreRelativeToTheWorkingDirectory) {
  const Folder folder;
  folder.write("a b.log", kStatusLine);
  Command command = rangerctl({"decode", "a b.log"});
  command.directory = folder.path();
  EXPECT_EQ(run(command).out, kStatusText);
}

TEST(DecodeInput, AFullDiskIsAFailure) {
  const Folder folder;
  const std::string log = folder.write("drive.log", kStatusLine);
  const Outcome outcome =
      run(shell(shell_quoted(rangerctl_binary()) + " decode " + shell_quoted(log) + " >/dev/full"));
  EXPECT_EQ(outcome.exit_status, 1) << outcome;
  EXPECT_THAT(outcome.err, HasSubstr("No space left on device"));
}

TEST(DecodeInput, QuietLeavesOnlyTheResults) {
  const Outcome outcome = decode_text(kStatusLine, {"-q"});
  EXPECT_EQ(outcome.out, kStatusText);
  EXPECT_THAT(outcome.err, IsEmpty());
}

}  // namespace
}  // namespace rangerctl::support
