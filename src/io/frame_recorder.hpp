#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "io/record_file.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/result.hpp"
#include "rangerctl/transport.hpp"

namespace rangerctl::io {

/// Writes frames to a new candump log, on a thread of its own: the disk never holds up whoever takes them.
class FrameRecorder {
 public:
  /// `bus`: the name of the interface, for the log. The error is that of RecordSink::create().
  static Result<std::unique_ptr<FrameRecorder>> create(
      RecordOptions options, const std::string& bus,
      log::DirectionColumn directions = log::DirectionColumn::yes);

  /// Neither waits, locks nor allocates. A frame without a time gets that of its arrival.
  void take(const Received& received);
  /// The kernel lost so many frames: the log says so where it happened, or as soon as there is room for it.
  void take_drops(std::uint64_t count);

  /// Writes what is left; then trouble() and written() are final.
  void finish();

  [[nodiscard]] std::uint64_t frames() const { return frames_; }
  /// Lines that are in the file; where a write failed, at least so many.
  [[nodiscard]] std::uint64_t written() const { return sink().lines(); }
  /// Frames that the disk was too slow for; the log says how many.
  [[nodiscard]] std::uint64_t lost() const { return file_.lost(); }
  [[nodiscard]] bool failed() const { return sink().failed(); }
  /// Why the file could not be written any more; empty: it can.
  [[nodiscard]] std::string trouble() const { return sink().trouble(); }
  [[nodiscard]] const RecordSink& sink() const { return file_.sink(); }

 private:
  using Item = std::variant<Received, std::uint64_t>;

  FrameRecorder(std::unique_ptr<RecordSink> sink, std::string bus, log::DirectionColumn directions);
  void say_drops();
  std::string text_of(const Item& item);
  std::string drops_text(std::uint64_t count);

  std::string bus_;
  log::DirectionColumn directions_;
  std::uint64_t drops_ = 0;         ///< of the writing thread
  std::uint64_t unsaid_drops_ = 0;  ///< that the log does not say yet
  std::uint64_t frames_ = 0;
  RecordFile<Item, 16'384> file_;
};

}  // namespace rangerctl::io
