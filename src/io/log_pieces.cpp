#include "io/log_pieces.hpp"

#include <fmt/format.h>

#include <utility>

#include "io/line_chunks.hpp"
#include "io/log_beginning.hpp"
#include "rangerctl/log/candump_line.hpp"

namespace rangerctl::io {
namespace {

/// The usual one, and the quickest.
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
  void never_wait() override { chunks_.never_wait(); }
  [[nodiscard]] bool waits() const override { return chunks_.waits(); }

 private:
  LineChunks chunks_;
  log::CandumpParser parser_;
  LineChunk chunk_;
  std::string_view rest_;  ///< of chunk_
  std::uint64_t number_ = 0;
};

/// One that is known, but not read.
class OtherLog : public LogPieces {
 public:
  OtherLog(const Input& input, log::Format format) : error_(not_read(input.name(), format)) {}

  bool next(log::LogFrame& /*out*/, Piece& /*piece*/) override { return false; }
  [[nodiscard]] const std::optional<Error>& error() const override { return error_; }
  void never_wait() override {}
  [[nodiscard]] bool waits() const override { return false; }

 private:
  std::optional<Error> error_;
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
  void never_wait() override { never_waits_ = true; }
  [[nodiscard]] bool waits() const override { return log_ == nullptr ? waits_ : log_->waits(); }

 private:
  /// False where it would have to wait.
  bool start() {
    std::optional<log::Format> format;
    while (!(format = beginning_.format())) {
      waits_ = never_waits_ && beginning_.input().would_wait();
      if (waits_) return false;
      beginning_.read_more();
    }
    if (*format == log::Format::candump) {
      log_ = std::make_unique<CandumpLog>(beginning_.whole(), catalogue_);
    } else {
      log_ = std::make_unique<OtherLog>(beginning_.input(), *format);
    }
    if (never_waits_) log_->never_wait();
    return true;
  }

  LogBeginning beginning_;
  const protocol::Catalogue& catalogue_;
  bool never_waits_ = false;
  bool waits_ = false;
  std::optional<Error> no_error_;
  std::unique_ptr<LogPieces> log_;
};

}  // namespace

Error not_read(std::string_view name, log::Format format) {
  return {ExitStatus::failed,
          fmt::format("cannot read {}: it is a {} log, and only candump's are read; convert it, "
                      "for example with can-utils or python-can",
                      name, log::title_of(format))};
}

std::unique_ptr<LogPieces> read_log(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue) {
  return std::make_unique<AnyLog>(std::move(input), catalogue);
}

}  // namespace rangerctl::io
