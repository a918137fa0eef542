#include "../log/candump_text.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "writers.hpp"
#include "writing.hpp"

namespace rangerctl::convert {
namespace {

using log::candump::kRoom;
using log::candump::kXlRoom;
using output::put;

/// What the log format and the long format of candump have in common.
class CandumpWriter : public FormatWriter {
 public:
  explicit CandumpWriter(log::Format format) : FormatWriter(format) {}

  void write_drops(const log::LogFrame& drops, output::TextBuffer& out) final {
    drops_ += drops.drops;
    out.append(log::written_drops(drops.drops, name_of(drops), drops_));
  }
  void finish(output::TextBuffer& /*out*/) final {}

 protected:
  static std::string_view name_of(const log::LogFrame& frame) {
    return frame.bus.empty() ? kUnknownBus : frame.bus;
  }
  static char* room_for(const log::LogFrame& frame, output::TextBuffer& out) {
    return out.room((frame.frame.kind == FrameKind::xl ? kXlRoom : kRoom) + frame.bus.size() +
                    longest_padding_);
  }
  /// "(1712345678.123456)", with nine decimals where the time had more than six.
  char* put_time(char* to, const Timestamp& time) {
    if (!time.known() || time.seconds < 0) losses_.note(Loss::no_time);
    const unsigned decimals = time.digits > 6 ? 9 : 6;
    return put(log::candump::put_time(put(to, '('), time, decimals), ')');
  }

 private:
  static constexpr std::size_t longest_padding_ = 64;
  std::uint64_t drops_ = 0;
};

class LogFormatWriter final : public CandumpWriter {
 public:
  LogFormatWriter() : CandumpWriter(log::Format::candump) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) override {
    if (frame.frame.kind == FrameKind::xl && frame.xl.stored != frame.xl.length) {
      losses_.note(Loss::xl_frame);
      return;
    }
    char* to = put_time(room_for(frame, out), frame.time);
    to = put(put(put(to, ' '), name_of(frame)), ' ');
    to = log::candump::put_log_frame(to, frame.frame, &frame.xl);
    if (frame.direction == FrameDirection::rx) to = put(to, " R");
    if (frame.direction == FrameDirection::tx) to = put(to, " T");
    out.advance_to(put(to, '\n'));
  }
};

class LongFormatWriter final : public CandumpWriter {
 public:
  LongFormatWriter() : CandumpWriter(log::Format::candump_long) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) override {
    note_losses(frame);
    const std::string_view bus = name_of(frame);
    longest_name_ = std::max(longest_name_, std::min(bus.size(), kMostPadding));
    indents_ = indents_ || frame.frame.extended;
    char* to = put(put_time(put(room_for(frame, out), ' '), frame.time), "  ");
    if (bus.size() < longest_name_) to = std::fill_n(to, longest_name_ - bus.size(), ' ');
    to = put(put_extra(put(to, bus), frame), "  ");
    to = log::candump::put_long_frame(to, frame.frame, &frame.xl, indents_);
    out.advance_to(put(to, '\n'));
  }

 private:
  static constexpr std::size_t kMostPadding = 16;  // a name in Linux has fewer characters

  void note_losses(const log::LogFrame& frame) {
    constexpr std::uint8_t kShown = kFdFormat | kFdBitRateSwitch | kFdErrorState;
    const std::uint8_t shown = frame.direction == FrameDirection::unknown ? kFdFormat : kShown;
    if (frame.frame.kind == FrameKind::fd && (frame.frame.fd_flags & ~shown) != 0)
      losses_.note(Loss::fd_flags);
    if (frame.frame.kind == FrameKind::xl && frame.xl.stored > 64) losses_.note(Loss::xl_details);
  }

  /// "  RX B E" of candump -x, which says the direction first.
  static char* put_extra(char* to, const log::LogFrame& frame) {
    if (frame.direction == FrameDirection::unknown) return to;
    const bool is_xl = frame.frame.kind == FrameKind::xl;
    const unsigned flags = is_xl ? frame.xl.flags : frame.frame.fd_flags;
    to = put(to, frame.direction == FrameDirection::tx ? "  TX " : "  RX ");
    to = put(put(to, (flags & 1U) == 0 ? '-' : is_xl ? 'S' : 'B'), ' ');
    return put(to, (flags & 2U) == 0 ? '-' : is_xl ? 'R' : 'E');
  }

  std::size_t longest_name_ = 0;
  bool indents_ = false;
};

}  // namespace

std::unique_ptr<FormatWriter> make_candump_writer() { return std::make_unique<LogFormatWriter>(); }
std::unique_ptr<FormatWriter> make_candump_long_writer() { return std::make_unique<LongFormatWriter>(); }

}  // namespace rangerctl::convert
