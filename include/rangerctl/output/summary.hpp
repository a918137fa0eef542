#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/output/record_writer.hpp"

namespace rangerctl::output {

/// Accounts for every line and every frame of a run, so that nothing is skipped silently.
class Summary {
 public:
  /// One line of a log; `number` counts from 1.
  void add_line(log::LineKind kind, std::uint64_t number) {
    LineCount& count = lines_[static_cast<std::size_t>(kind)];
    if (count.lines++ == 0) count.first = number;
  }
  /// One frame, whatever was written of it.
  void add_frame(const Frame& frame, Decoding decoding);
  /// A frame that the options left out of the output.
  void add_left_out() { ++left_out_; }
  /// A frame that --from or --to left out because it has no time.
  void add_timeless() { ++timeless_; }
  /// Frames that were lost before they reached us: said by DROPCOUNT lines, or by the kernel.
  void add_dropped(std::uint64_t frames) { dropped_ += frames; }

  /// Adds what was counted in a part of a log that begins behind its line `lines_before`. `file` stands
  /// before line numbers; empty where only one file is read.
  void append(const Summary& part, std::uint64_t lines_before, std::string_view file);

  [[nodiscard]] std::uint64_t frames() const;
  [[nodiscard]] std::uint64_t lines() const;
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  /// How many lines are neither a frame nor a known other line.
  [[nodiscard]] std::uint64_t not_understood() const;

  /// For people; the numbers of each line add up. Without lines (live) only frames are told.
  [[nodiscard]] std::vector<std::string> text() const;

 private:
  enum FrameClass : std::uint8_t { decoded, unknown_id, too_short, error_frame, remote, fd, xl, class_count };

  struct LineCount {
    std::uint64_t lines = 0;
    std::uint64_t first = 0;  ///< its number, in `file`
    std::string file;
  };

  [[nodiscard]] std::string frames_text() const;
  [[nodiscard]] std::string lines_text(bool understood) const;

  std::array<LineCount, log::kLineKinds> lines_;
  std::array<std::uint64_t, class_count> frames_{};
  std::uint64_t left_out_ = 0;
  std::uint64_t timeless_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace rangerctl::output
