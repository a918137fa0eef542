#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/descriptor.hpp"
#include "io/log_frames.hpp"
#include "io/regular_file.hpp"
#include "rangerctl/output/frame_choice.hpp"
#include "rangerctl/replay/machine.hpp"
#include "rangerctl/replay/selection.hpp"

/// The log that `log replay` sends.
namespace rangerctl::cli {

/// What of it is to be sent, and where to.
struct ReplayChoice {
  output::FrameChoice frames;
  replay::SelectionOptions options;
  replay::BusMap map;
};

/// What a look through the whole log has found.
struct ReplaySurvey {
  std::uint64_t frames = 0;
  std::uint64_t moving = 0;            ///< of those the ones that command a motion
  std::chrono::nanoseconds start{0};   ///< of the first one, from the first frame of the log
  std::chrono::nanoseconds length{0};  ///< from there to the last
  replay::LeftOutCounts left_out;
  std::vector<std::string> buses;  ///< of frames that are sent, where no --map names them
  bool is_cut = false;             ///< the last line was not all there
};

/// A log that can be read again and again; one that comes out of a pipe is kept in a file without a name.
class ReplayLog {
 public:
  static Result<ReplayLog> open(const std::string& path, ReplayChoice choice);

  /// /// Reads all of it. The error is of status not_understood where a line is not understood or compressed
  /// data end too early, of status refused where it has a command that nothing may send, or a motion without
  /// a time.
  Result<ReplaySurvey> survey();

  /// /// Begins again, from the first frame that the survey found to the last one, whatever was written
  /// behind it since. The error says that the file is another one now. With commands nothing is read any
  /// more: the survey kept them, so that neither a slow disk nor another content comes between two of them.
  Result<void> begin(const ReplaySurvey& survey);
  /// The next frame to send; null: the end, see error().
  [[nodiscard]] const replay::Item* next() const;
  void advance();
  /// Why it cannot be read further.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  ReplayLog(std::string name, std::string path, ReplayChoice choice)
      : name_(std::move(name)), path_(std::move(path)), choice_(std::move(choice)) {}

  struct Found {
    replay::Item item;
    std::string_view bus;  ///< valid until the next one
  };
  Result<void> reopen();
  Result<void> keep(const replay::Item& item);
  void read_next();
  Result<std::optional<Found>> find_next(replay::LeftOutCounts* left_out);
  [[nodiscard]] Result<void> check_end() const;

  std::string name_;
  std::string path_;
  ReplayChoice choice_;
  std::optional<io::RegularFile> identity_;
  io::Descriptor spool_;
  std::unique_ptr<io::LogFrames> frames_;
  output::FrameChoice asked_;  ///< of this reading
  std::chrono::nanoseconds start_{0};
  std::uint64_t left_ = 0;  ///< frames of this pass, the one that is next included
  std::optional<replay::Item> item_;
  std::vector<replay::Item> kept_;  ///< with commands alone
  std::optional<Error> error_;
};

}  // namespace rangerctl::cli
