#include <array>

#include "../log/asc_flags.hpp"
#include "writers.hpp"
#include "writing.hpp"

namespace rangerctl::convert {
namespace {

using output::put;
using output::put_padded;
using output::put_unsigned;

constexpr std::size_t kRoom = 512;
constexpr std::size_t kXlRoom = 7000;
/// Where a symbolic name would stand.
constexpr std::string_view kNoName = "                                  ";

/// "Fri Apr  5 07:34:38.000 pm 2024": English with am and pm, which every reader knows by that for English.
char* put_date(char* to, const LocalTime& time) {
  constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
  to = put(put(to, kDays.at(number(time.weekday))), ' ');
  to = put(put(to, kMonths.at(number(time.month - 1))), ' ');
  to = put(put_padded(to, number(time.day), 2), ' ');
  to = put(put_padded(to, number((time.hour + 11) % 12 + 1), 2), ':');
  to = put(put_padded(to, number(time.minute), 2), ':');
  to = put(put_padded(to, number(time.second), 2), time.hour < 12 ? ".000 am " : ".000 pm ");
  return put_padded(to, number(time.year), 4);
}

/// "211", "18FF50E5x"
char* put_id(char* to, const Frame& frame) {
  to = put_short_hex(to, frame.id);
  return frame.extended ? put(to, 'x') : to;
}

/// One lower-case digit.
char* put_dlc(char* to, std::uint8_t dlc) {
  return put(to, static_cast<char>(dlc < 10 ? '0' + dlc : 'a' + dlc - 10));
}

class AscWriter final : public FormatWriter {
 public:
  explicit AscWriter(UtcToLocal to_local) : FormatWriter(log::Format::asc), to_local_(to_local) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) override {
    begin(frame.time, out);
    if (leaves_out(frame)) return;
    note_losses(frame);
    char* to = out.room(frame.frame.kind == FrameKind::xl ? kXlRoom : kRoom);
    to = put(put_time(to, frame.time), ' ');
    out.advance_to(put(put_frame(to, frame), '\n'));
  }
  void finish(output::TextBuffer& out) override {
    begin({}, out);
    out.append("End TriggerBlock\n");
  }

 private:
  /// Once.
  void begin(const Timestamp& first, output::TextBuffer& out) {
    if (begun_) return;
    begun_ = true;
    base_ = calendar_second(first);
    std::array<char, 64> date;
    const char* const end = put_date(date.data(), to_local_(base_));
    const std::string_view text(date.data(), static_cast<std::size_t>(end - date.data()));
    out.append("date ");
    out.append(text);
    out.append("\nbase hex  timestamps absolute\nno internal events logged\nBegin Triggerblock ");
    out.append(text);
    out.append("\n   0.000000 Start of measurement\n");
  }

  bool leaves_out(const log::LogFrame& line) {
    if (line.frame.kind == FrameKind::fd && !fd_dlc(line.frame)) {
      losses_.note(Loss::fd_frame);
      return true;
    }
    const bool is_whole = line.xl.stored == line.xl.length && line.xl.length != 0;
    if (line.frame.kind != FrameKind::xl || is_whole) return false;
    losses_.note(Loss::xl_frame);
    return true;
  }

  void note_losses(const log::LogFrame& line) {
    const Frame& frame = line.frame;
    const bool is_error = frame.kind == FrameKind::error;
    if (!line.time.known()) losses_.note(Loss::no_time);
    if (line.time.is_time_of_day()) losses_.note(Loss::date);
    if (loses_nanoseconds(line.time)) losses_.note(Loss::time_digits);
    // An error frame has no direction here, all others have one.
    if (is_error != (line.direction == FrameDirection::unknown)) losses_.note(Loss::direction);
    if (is_error && !is_error_without_details(frame)) losses_.note(Loss::error_details);
    if (frame.fd_flags > (kFdFormat | kFdErrorState | kFdBitRateSwitch)) losses_.note(Loss::fd_flags);
    constexpr std::uint8_t kXlFlags =
        log::asc::kXlFrameFormat | log::asc::kXlFrameSecurity | log::asc::kXlFrameRemote;
    if (frame.kind == FrameKind::xl && (line.xl.flags | kXlFlags) != kXlFlags) losses_.note(Loss::xl_details);
  }

  /// "   0.020000"
  char* put_time(char* to, const Timestamp& time) const {
    constexpr std::size_t kWidth = 4;
    const Offset offset = offset_from(base_, time);
    char* end = offset.negative ? put(to, '-') : to;
    end = pad_left(to, put_unsigned(end, offset.seconds), kWidth);
    return put_padded(put(end, '.'), offset.microseconds, 6);
  }

  char* put_frame(char* to, const log::LogFrame& line) {
    const Channels::Channel channel = channels_.of(line.bus);
    if (!channel.says_name) losses_.note(Loss::bus_name);
    switch (line.frame.kind) {
      case FrameKind::fd:
        return put_fd(put_head(to, "CANFD ", channel.number, line.direction), line.frame);
      case FrameKind::xl:
        return put_xl(put_head(to, "CANXL ", channel.number, line.direction), line);
      default:
        return put_classic(put(pad_right(to, put_unsigned(to, channel.number), 2), ' '), line);
    }
  }

  /// "221             Rx   d 8 00 00 0B B8 00 00 FF 9C"
  static char* put_classic(char* to, const log::LogFrame& line) {
    const Frame& frame = line.frame;
    if (frame.kind == FrameKind::error) return put(to, "ErrorFrame");
    to = put(pad_right(to, put_id(to, frame), 15), ' ');
    to = put(put(to, direction_word(line.direction)), frame.kind == FrameKind::remote ? "   r " : "   d ");
    to = put_dlc(to, classic_dlc(frame));
    return put_spaced_bytes(to, frame.data.data(), frame.bytes().size());
  }

  /// "CANFD   1 Rx   "
  static char* put_head(char* to, std::string_view type, std::uint32_t channel, FrameDirection direction) {
    to = put(to, type);
    to = put(pad_left(to, put_unsigned(to, channel), 3), ' ');
    return put(put(to, direction_word(direction)), "   ");
  }

  /// Duration, length in bits, checksum and timing are not known.
  static char* put_fd(char* to, const Frame& frame) {
    const bool switches = (frame.fd_flags & kFdBitRateSwitch) != 0;
    const bool is_passive = (frame.fd_flags & kFdErrorState) != 0;
    const std::uint32_t flags =
        log::asc::kFd | (switches ? log::asc::kBitRateSwitch : 0) | (is_passive ? log::asc::kErrorState : 0);
    to = put(put(pad_left(to, put_id(to, frame), 11), kNoName), switches ? "1 " : "0 ");
    to = put(put_dlc(put(to, is_passive ? "1 " : "0 "), fd_dlc(frame).value_or(0)), ' ');
    to = pad_left(to, put_unsigned(to, frame.length), 2);
    to = put(put_spaced_bytes(to, frame.data.data(), frame.length), "        0    0 ");
    return put(pad_left(to, put_short_hex(to, flags), 8), " 0 0 0 0 0");
  }

  /// The same, and as can-utils' log2asc orders it.
  static char* put_xl(char* to, const log::LogFrame& line) {
    const log::XlFrame& xl = line.xl;
    const bool is_secure = (xl.flags & log::asc::kXlFrameSecurity) != 0;
    const bool is_remote = (xl.flags & log::asc::kXlFrameRemote) != 0;
    const std::uint32_t flags = log::asc::kXl | log::asc::kFd | log::asc::kBitRateSwitch |
                                (is_secure ? log::asc::kXlSecurity : 0) |
                                (is_remote ? log::asc::kXlRemote : 0);
    to = put(to, "XLFF        0      0 ");
    to = put(pad_left(to, put_id(to, line.frame), 9), kNoName);
    to = put(output::put_hex_number(to, xl.sdt, 2), is_secure ? " 1 " : " 0 ");
    to = put_unsigned(put(put_short_hex(to, xl.length - 1U), ' '), xl.length);
    to = put(output::put_hex_number(put(to, " 0 0 "), xl.vcid, 2), ' ');
    to = put_spaced_bytes(output::put_hex_number(to, xl.af, 8), xl.data.data(), xl.stored);
    return put(output::put_hex_number(put(to, " 0 "), flags, 8), " 00000000");
  }

  UtcToLocal to_local_;
  Channels channels_;
  std::int64_t base_ = 0;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<FormatWriter> make_asc_writer(UtcToLocal to_local) {
  return std::make_unique<AscWriter>(to_local);
}

}  // namespace rangerctl::convert
