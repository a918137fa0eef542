#include "io/log_run.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fake_input.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::io {
namespace {

/// What was in a log, a row a piece: its number, kind and frame.
class ListPart : public LogPartOf<ListPart> {
 public:
  void take(const Piece& piece, const log::LogFrame& frame) {
    rows.emplace_back(piece.number, row(piece, frame));
  }
  std::vector<std::pair<std::uint64_t, std::string>> rows;

 private:
  static std::string row(const Piece& piece, const log::LogFrame& frame) {
    std::string text(log::line_kind_name(piece.kind));
    if (piece.kind == log::LineKind::frame)
      text += ' ' + std::to_string(frame.time.nanoseconds) + ' ' + std::string(frame.bus) + ' ' +
              log::written_frame(frame.frame);
    return text;
  }
};

class ListClient : public LogClient {
 public:
  std::unique_ptr<LogPart> make_part() override { return std::make_unique<ListPart>(); }
  bool take_over(LogPart& part, std::uint64_t pieces_before) override {
    auto& list = static_cast<ListPart&>(part);
    for (const auto& [number, text] : list.rows)
      rows.push_back(std::to_string(pieces_before + number) + ' ' + text);
    list.rows.clear();
    ++parts;
    return parts < most_parts;
  }
  std::vector<std::string> rows;
  std::size_t parts = 0;
  std::size_t most_parts = 1'000'000;
};

/// Every kind of line, again and again, so that chunks end everywhere.
std::string mixed_log() {
  std::string text;
  for (int i = 0; text.size() < 1'500'000; ++i) {
    text += "(1712345678." + std::to_string(100'000 + i % 900'000) + ") can0 211#000101F1000000" +
            std::to_string(10 + i % 90) + "\n";
    if (i % 7 == 0) text += "  can0  20000004   [8]  00 30 00 00 00 00 88 7F   ERRORFRAME\n";
    if (i % 7 == 0)
      text += "\tcontroller-problem{rx-error-passive,tx-error-passive}\n\terror-counter-tx-rx{{136}{127}}\n";
    if (i % 11 == 0) text += "nonsense " + std::to_string(i) + "\n\n";
    if (i % 501 == 0) text.append(20'000, '(').append("\n");
  }
  return text + "(1712345678.5) can0 211#0001";
}

ListClient run(const std::string& content, unsigned threads, std::size_t step = 1 << 20) {
  ListClient client;
  EXPECT_TRUE(
      run_log(std::make_unique<FakeInput>(content, step), protocol::kDefaultCatalogue, client, threads));
  return client;
}

TEST(LogRun, SeveralThreadsSeeWhatOneSees) {
  const std::string log = mixed_log();
  const ListClient alone = run(log, 0);
  ASSERT_GT(alone.rows.size(), 20'000U);
  EXPECT_EQ(alone.rows[2], "3 error frame detail");
  EXPECT_EQ(alone.rows.back().substr(alone.rows.back().find(' ')), " cut line");
  for (const unsigned threads : {1U, 2U, 4U}) {
    const ListClient several = run(log, threads);
    EXPECT_GT(several.parts, 5U);
    EXPECT_EQ(several.rows, alone.rows) << threads;
  }
}

TEST(LogRun, HoweverTheLogArrives) {
  const std::string log = mixed_log().substr(0, 200'000);
  const ListClient alone = run(log, 0);
  for (const std::size_t step : {std::size_t{1}, std::size_t{999}, std::size_t{70'000}})
    EXPECT_EQ(run(log, 2, step).rows, alone.rows) << step;
}

TEST(LogRun, AClientThatHasEnoughEndsIt) {
  for (const unsigned threads : {0U, 2U}) {
    ListClient client;
    client.most_parts = 2;
    EXPECT_TRUE(run_log(std::make_unique<FakeInput>(mixed_log(), 1 << 20), protocol::kDefaultCatalogue,
                        client, threads));
    EXPECT_EQ(client.parts, 2U);
  }
}

TEST(LogRun, WhatCameBeforeAnErrorIsStillTaken) {
  for (const unsigned threads : {0U, 2U}) {
    ListClient client;
    const auto ended = run_log(std::make_unique<FakeInput>("(1.000000) can0 123#11\n(1.1) can0 12", 5, true),
                               protocol::kDefaultCatalogue, client, threads);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().message, "broken");
    EXPECT_EQ(client.rows, (std::vector<std::string>{"1 frame 0 can0 123#11", "2 cut line"}));
  }
}

/// A pipe of which every read gives what was written at once, and has to wait for it.
class Pipe : public FakeInput {
 public:
  using FakeInput::FakeInput;
  [[nodiscard]] bool would_wait() const override { return true; }
};

TEST(LogRun, WhatIsThereIsTakenBeforeAPipeIsWaitedFor) {
  const std::string line = "(1712345678.100000) can0 211#000101F100000000\n";
  ListClient client;
  std::string content;
  for (int i = 0; i < 100; ++i) content += line;
  EXPECT_TRUE(run_log(std::make_unique<Pipe>(content, line.size()), protocol::kDefaultCatalogue, client, 2));
  EXPECT_EQ(client.rows.size(), 100U);
  EXPECT_EQ(client.parts, 100U);
}

/// A terminal: after the end, which Ctrl-D says, somebody may go on typing.
class Terminal : public Input {
 public:
  explicit Terminal(std::vector<std::string> typed) : typed_(std::move(typed)) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    return at_ == typed_.size() ? std::size_t{0} : typed_[at_++].copy(buffer.data(), buffer.size());
  }
  [[nodiscard]] bool may_wait() const override { return true; }
  [[nodiscard]] bool would_wait() const override { return false; }

 private:
  std::vector<std::string> typed_;
  std::size_t at_ = 0;
};

TEST(LogRun, AnEndIsNotAskedForTwice) {
  for (const std::vector<std::string>& typed : {std::vector<std::string>{"", "(1.000000) can0 123#22\n"},
                                                {"(1.000000) can0 123#11\n", "", "(1.000000) can0 123#22\n"},
                                                {"dat", "", "(1.000000) can0 123#22\n"}}) {
    ListClient client;
    EXPECT_TRUE(run_log(std::make_unique<Terminal>(typed), protocol::kDefaultCatalogue, client, 0));
    EXPECT_EQ(client.rows.size(), typed[0].empty() ? 0U : 1U);
  }
}

}  // namespace
}  // namespace rangerctl::io
