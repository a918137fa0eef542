#include "io/log_pieces.hpp"

#include <utility>

#include "io/blf_log.hpp"
#include "io/line_chunks.hpp"
#include "io/line_reader.hpp"
#include "io/log_beginning.hpp"
#include "io/pcap_log.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/log/line_parser.hpp"

namespace rangerctl::io {
namespace {

/// The usual one, by the way that is the quickest.
class CandumpLog : public LogPieces {
 public:
  CandumpLog(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue)
      : chunks_(std::move(input)), parser_(catalogue) {}

  bool next(log::LogFrame& out, Piece& piece) override {
    if (rest_.empty()) {
      if (!chunks_.next(chunk_)) return false;
      rest_ = chunk_.text();
    }
    piece.number = ++number_;
    piece.kind = parser_.take(rest_, out);
    return true;
  }
  [[nodiscard]] const std::optional<Error>& error() const override { return chunks_.error(); }
  void may_wait(bool may) override { chunks_.may_wait(may); }
  [[nodiscard]] bool waits() const override { return chunks_.waits(); }

 private:
  LineChunks chunks_;
  log::CandumpParser parser_;
  LineChunk chunk_;
  std::string_view rest_;  ///< of chunk_
  std::uint64_t number_ = 0;
};

/// Any other text.
class TextLog : public LogPieces {
 public:
  TextLog(std::unique_ptr<Input> input, std::unique_ptr<log::LineParser> parser)
      : lines_(std::move(input)), parser_(std::move(parser)) {}

  bool next(log::LogFrame& out, Piece& piece) override {
    Line line;
    if (!lines_.next(line)) return false;
    piece.number = line.number;
    piece.kind = line.too_long ? log::LineKind::too_long : parser_->parse(line.text, line.end, out);
    return true;
  }
  [[nodiscard]] const std::optional<Error>& error() const override { return lines_.error(); }
  void may_wait(bool may) override { lines_.may_wait(may); }
  [[nodiscard]] bool waits() const override { return lines_.waits(); }

 private:
  LineReader lines_;
  std::unique_ptr<log::LineParser> parser_;
};

/// Becomes the log that it is with its first bytes, which may not be there yet.
class AnyLog : public LogPieces {
 public:
  AnyLog(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue)
      : beginning_(std::move(input)), catalogue_(catalogue) {}

  bool next(log::LogFrame& out, Piece& piece) override {
    return (log_ != nullptr || start()) && log_->next(out, piece);
  }
  [[nodiscard]] const std::optional<Error>& error() const override {
    return log_ == nullptr ? no_error_ : log_->error();
  }
  void may_wait(bool may) override {
    may_wait_ = may;
    if (log_ != nullptr) log_->may_wait(may);
  }
  [[nodiscard]] bool waits() const override { return log_ == nullptr ? waits_ : log_->waits(); }

 private:
  /// False where it would have to wait.
  bool start() {
    std::optional<log::Format> format;
    while (!(format = beginning_.format())) {
      waits_ = !may_wait_ && beginning_.input().would_wait();
      if (waits_) return false;
      beginning_.read_more();
    }
    log_ = read_log_of(*format, beginning_.whole(), catalogue_);
    log_->may_wait(may_wait_);
    return true;
  }

  LogBeginning beginning_;
  const protocol::Catalogue& catalogue_;
  bool may_wait_ = true;
  bool waits_ = false;
  std::optional<Error> no_error_;
  std::unique_ptr<LogPieces> log_;
};

}  // namespace

std::unique_ptr<LogPieces> read_log_of(log::Format format, std::unique_ptr<Input> input,
                                       const protocol::Catalogue& catalogue) {
  switch (format) {
    case log::Format::candump:
      return std::make_unique<CandumpLog>(std::move(input), catalogue);
    case log::Format::pcap:
    case log::Format::pcapng:
      return read_pcap(std::move(input));
    case log::Format::blf:
      return read_blf(std::move(input));
    default:
      return std::make_unique<TextLog>(std::move(input), log::make_line_parser(format));
  }
}

std::unique_ptr<LogPieces> read_log(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue) {
  return std::make_unique<AnyLog>(std::move(input), catalogue);
}

}  // namespace rangerctl::io
