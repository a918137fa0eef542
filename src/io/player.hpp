#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/log_frames.hpp"
#include "io/log_length.hpp"
#include "io/regular_file.hpp"
#include "rangerctl/protocol/schema.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// A log that is played up to any position, see monitor::Playback: whoever plays says how far.
///
/// The only way back is rewind() and taking frames again. So whoever begins anew with that knows at every
/// position exactly what somebody knows who watched from the start.
class Player {
 public:
  /// The errors are those of open_replay(). `catalogue` is kept by reference.
  static Result<std::unique_ptr<Player>> open(const std::string& file, const protocol::Catalogue& catalogue);

  /// Takes the next frame if its offset is at most `until`, and says its offset. False: it is later, or the
  /// log is at its end, or nothing is there yet where it comes out of a pipe. Never waits.
  bool next(std::chrono::nanoseconds until, Received& received, std::chrono::nanoseconds& offset);

  /// The offset of the frame that next() takes next; nothing at the end of the log, or yet.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> next_offset();

  /// Begins again at the first frame: frames_taken(), status() and error() as well. The error, which changes
  /// nothing, says why it cannot: a pipe only goes forward, and the file may be gone or replaced.
  Result<void> rewind();
  /// Whether there is a way back at all: a regular file.
  [[nodiscard]] bool can_rewind() const { return file_.has_value(); }

  /// Frames taken since the beginning.
  [[nodiscard]] std::uint64_t frames_taken() const { return frames_->count() - (has_next_ ? 1 : 0); }

  /// What the log said up to the next frame. `ended` only when the last frame was taken and next() or
  /// next_offset() found no other.
  [[nodiscard]] const LinkStatus& status() const { return frames_->status(); }
  /// Once ended: why the log could not be read further, if that is what ended it.
  [[nodiscard]] const std::optional<Error>& error() const { return frames_->error(); }

  /// The offset of the last frame, and how many there are in all. Nothing until they are counted, which
  /// begins with open(); and nothing where they cannot be counted, see LogLength, or the file has grown.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> length() const;
  [[nodiscard]] std::optional<std::uint64_t> total_frames() const;

 private:
  Player(std::string path, std::unique_ptr<Input> input, const protocol::Catalogue& catalogue);

  bool load_next();
  [[nodiscard]] std::optional<LogExtent> extent() const;

  std::string path_;
  const protocol::Catalogue& catalogue_;
  std::optional<RegularFile> file_;
  std::unique_ptr<LogFrames> frames_;
  bool has_next_ = false;         ///< frames_ holds a frame that was not taken yet
  std::uint64_t most_found_ = 0;  ///< frames, in any pass
  std::optional<LogLength> length_;
};

}  // namespace rangerctl::io
