#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rangerctl/log/format.hpp"
#include "rangerctl/log/log_frame.hpp"
#include "rangerctl/output/text_buffer.hpp"

/// Logs as other tools want them.
namespace rangerctl::convert {

/// What a format may be unable to say.
enum class Loss : std::uint8_t {
  // The frame is left out:
  error_frame,
  remote_frame,
  fd_frame,
  xl_frame,
  // The frame is written without it:
  no_time,        ///< the format has a time for every frame; one that had none has 0
  time_digits,    ///< the time had more digits than the format has
  date,           ///< the time of day, or the time zone it was in
  bus_name,       ///< the interface's name; where the format has channels their numbers say which is which
  direction,      ///< whether it was received or sent
  raw_dlc,        ///< the DLC 9..15 of a classic frame of 8 bytes
  remote_length,  ///< how many bytes a remote frame asks for
  fd_flags,       ///< BRS and ESI
  error_details,  ///< which error it was
  xl_details,     ///< parts of a CAN XL header, or bytes behind the 64th
  // Not of a frame:
  drops,  ///< that frames were lost here
};
inline constexpr std::size_t kLosses = static_cast<std::size_t>(Loss::drops) + 1;

/// How often each of them happened.
class Losses {
 public:
  void note(Loss loss) { ++counts_[static_cast<std::size_t>(loss)]; }
  [[nodiscard]] std::uint64_t count(Loss loss) const { return counts_[static_cast<std::size_t>(loss)]; }
  /// A sentence for each that happened: "12 FD frames were left out: PEAK TRC 1.1 has none".
  [[nodiscard]] std::vector<std::string> text(log::Format format) const;

 private:
  std::array<std::uint64_t, kLosses> counts_{};
};

/// Seconds since 1970 UTC as the calendar and clock of a place; month and day count from 1, weekday from 0 =
/// Sunday.
struct LocalTime {
  int year, month, day, hour, minute, second, weekday;
};
using UtcToLocal = LocalTime (*)(std::int64_t seconds);
/// The process's own time zone ($TZ).
[[nodiscard]] LocalTime utc_to_local(std::int64_t seconds);

/// Writes frames of any log in one form.
class LogWriter {
 public:
  virtual ~LogWriter() = default;

  /// Appends a frame, behind the header when it is the first.
  virtual void write(const log::LogFrame& frame, output::TextBuffer& out) = 0;
  /// Frames were lost here: `out.drops` and `out.bus` of a line of the kind drop_count.
  virtual void write_drops(const log::LogFrame& drops, output::TextBuffer& out) = 0;
  /// Appends what stands at the end; once, at the end. A log without frames has its header too.
  virtual void finish(output::TextBuffer& out) = 0;

  /// What was in the log and is not in what was written, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> lost() const = 0;
};

/// Writes in a format of logs. What it cannot carry is counted, and never changes what it can.
class FormatWriter : public LogWriter {
 public:
  void write_drops(const log::LogFrame& /*drops*/, output::TextBuffer& /*out*/) override {
    losses_.note(Loss::drops);
  }
  [[nodiscard]] std::vector<std::string> lost() const final { return losses_.text(format_); }
  [[nodiscard]] const Losses& losses() const { return losses_; }

 protected:
  explicit FormatWriter(log::Format format) : format_(format) {}

  log::Format format_;
  Losses losses_;
};

/// The writer of a text format that is written.
[[nodiscard]] std::unique_ptr<FormatWriter> make_log_writer(log::Format format,
                                                            UtcToLocal to_local = utc_to_local);

}  // namespace rangerctl::convert
