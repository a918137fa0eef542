#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "io/log_pieces.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// The frames of a log in order, each with its offset: how long after the first frame it is due
/// when the log is played at its own pace.
///
/// A frame whose time is before that of the frame before, as in a log of several captures, continues at once:
/// both have the same offset; so does the first time after frames that had none. What is less than a tenth of
/// a second early is only out of order: the next time counts from the latest. A frame without a time follows
/// one millisecond after the frame before. So offsets never go back, and they depend on nothing but the log.
class LogFrames {
 public:
  /// Times that are further apart than this, 146 years, belong to a damaged log: offsets end here.
  static constexpr std::chrono::nanoseconds kMostOffset = kLongestTime;

  /// `catalogue` is kept by reference.
  LogFrames(std::unique_ptr<Input> input, const protocol::Catalogue& catalogue)
      : log_(read_log(std::move(input), catalogue)) {}

  /// From now on next() never waits for whoever writes where the log comes out of a pipe.
  void never_wait() { log_->may_wait(false); }
  /// Reads on to the next frame, waiting where the input has to. False: there is none; the state is `ended`,
  /// or, after never_wait(), there is none yet.
  bool next();

  /// The frame that next() found last, and its offset. Precondition: it found one.
  [[nodiscard]] Received received() const { return {frame_.frame, frame_.time, frame_.direction, false}; }
  [[nodiscard]] std::chrono::nanoseconds offset() const { return offset_; }
  /// The interface that it names; valid until next().
  [[nodiscard]] std::string_view bus() const { return frame_.bus; }

  /// Frames found so far.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// What the log said about frames that were dropped, unreadable lines, and whether it is at its end.
  [[nodiscard]] const LinkStatus& status() const { return status_; }

  /// The first line that is neither a frame nor a known other line, if there was any.
  [[nodiscard]] const std::optional<Piece>& first_unreadable() const { return first_unreadable_; }

  /// Once ended: why the log could not be read further, if that is what ended it.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool read_piece();
  void take_frame();

  std::unique_ptr<LogPieces> log_;
  log::LogFrame frame_;
  Timestamp last_time_;
  std::chrono::nanoseconds offset_{0};
  std::uint64_t count_ = 0;
  LinkStatus status_;
  std::optional<Piece> first_unreadable_;
  std::optional<Error> error_;
};

}  // namespace rangerctl::io
