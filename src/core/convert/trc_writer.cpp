#include <array>
#include <chrono>

#include "writers.hpp"
#include "writing.hpp"

namespace rangerctl::convert {
namespace {

using output::put;
using output::put_padded;
using output::put_unsigned;

constexpr std::size_t kRoom = 512;

/// What the versions differ in.
struct Version {
  log::Format format;
  std::string_view keywords;  ///< above the start time
  std::string_view columns;   ///< below it
  std::string_view legend;    ///< above the lines
  std::size_t number_width;
  std::string_view number_end;
  std::size_t time_width;
  unsigned decimals;  ///< of a millisecond
};
constexpr Version kVersion1{
    log::Format::trc_1_1,
    ";$FILEVERSION=1.1\r\n",
    "",
    ";   Message Number\r\n"
    ";   |         Time Offset (ms)\r\n"
    ";   |         |        Type\r\n"
    ";   |         |        |        ID (hex)\r\n"
    ";   |         |        |        |     Data Length\r\n"
    ";   |         |        |        |     |   Data Bytes (hex) ...\r\n"
    ";   |         |        |        |     |   |\r\n"
    ";---+--   ----+----  --+--  ----+---  +  -+ -- -- -- -- -- -- --\r\n",
    6,
    ")",
    12,
    1,
};
constexpr Version kVersion2{
    log::Format::trc,
    ";$FILEVERSION=2.1\r\n",
    ";$COLUMNS=N,O,T,B,I,d,R,L,D\r\n",
    ";   Message   Time    Type    ID     Rx/Tx\r\n"
    ";   Number    Offset  |  Bus  [hex]  |  Reserved\r\n"
    ";   |         [ms]    |  |    |      |  |  Data Length Code\r\n"
    ";   |         |       |  |    |      |  |  |    Data [hex] ...\r\n"
    ";   |         |       |  |    |      |  |  |    |\r\n"
    ";---+-- ------+------ +- +- --+----- +- +- +--- +- -- -- -- -- -- -- --\r\n",
    7,
    "",
    14,
    3,
};

std::uint32_t number(int value) { return static_cast<std::uint32_t>(value); }

/// "45387.815717592593": days since 1899-12-30, with twelve decimals, which say a second to the microsecond.
char* put_days(char* to, const LocalTime& time) {
  constexpr std::chrono::sys_days kFirstDay = std::chrono::year(1899) / 12 / 30;
  constexpr unsigned kDecimals = 12;
  constexpr std::uint64_t kSecondsOfDay = 86'400;
  const std::chrono::sys_days day = std::chrono::year(time.year) / std::chrono::month(number(time.month)) /
                                    std::chrono::day(number(time.day));
  const std::uint64_t second = number((time.hour * 60 + time.minute) * 60 + time.second);
  const std::uint64_t part = (second * 1'000'000'000'000 + kSecondsOfDay / 2) / kSecondsOfDay;
  to = put(put_unsigned(to, static_cast<std::uint64_t>((day - kFirstDay).count())), '.');
  to = put_padded(to, static_cast<std::uint32_t>(part / 1'000'000), kDecimals / 2);
  return put_padded(to, static_cast<std::uint32_t>(part % 1'000'000), kDecimals / 2);
}

/// "05.04.2024 19:34:38.000.0"
char* put_start(char* to, const LocalTime& time) {
  to = put(put_padded(to, number(time.day), 2), '.');
  to = put(put_padded(to, number(time.month), 2), '.');
  to = put(put_padded(to, number(time.year), 4), ' ');
  to = put(put_padded(to, number(time.hour), 2), ':');
  to = put(put_padded(to, number(time.minute), 2), ':');
  return put(put_padded(to, number(time.second), 2), ".000.0");
}

/// "FD", "FB" with BRS, "FE" with ESI, "BI" with both.
std::string_view type_of(const Frame& frame) {
  constexpr std::array<std::string_view, 4> kFdTypes{"FD", "FB", "FE", "BI"};
  if (frame.kind == FrameKind::remote) return "RR";
  return frame.kind == FrameKind::fd ? kFdTypes.at(frame.fd_flags & (kFdBitRateSwitch | kFdErrorState))
                                     : "DT";
}

class TrcWriter final : public FormatWriter {
 public:
  TrcWriter(const Version& version, UtcToLocal to_local)
      : FormatWriter(version.format), version_(version), to_local_(to_local) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) override {
    begin(frame.time, out);
    if (leaves_out(frame.frame)) return;
    note_losses(frame);
    char* to = put_number_and_time(out.room(kRoom), frame.time);
    to = is_version_1() ? put_frame_of_1(to, frame) : put_frame_of_2(to, frame);
    out.advance_to(put(to, "\r\n"));
  }
  void finish(output::TextBuffer& out) override { begin({}, out); }

 private:
  [[nodiscard]] bool is_version_1() const { return format_ == log::Format::trc_1_1; }

  /// Once.
  void begin(const Timestamp& first, output::TextBuffer& out) {
    if (begun_) return;
    begun_ = true;
    base_ = calendar_second(first);
    const LocalTime local = to_local_(base_);
    out.append(version_.keywords);
    out.advance_to(put(put_days(put(out.room(kRoom), ";$STARTTIME="), local), "\r\n"));
    out.append(version_.columns);
    out.advance_to(put(put_start(put(out.room(kRoom), ";\r\n;   Start time: "), local), "\r\n;\r\n"));
    out.append(version_.legend);
  }

  bool leaves_out(const Frame& frame) {
    if (frame.kind == FrameKind::xl) {
      losses_.note(Loss::xl_frame);
    } else if (frame.kind == FrameKind::fd && (is_version_1() || !fd_dlc(frame))) {
      losses_.note(Loss::fd_frame);
    } else {
      return false;
    }
    return true;
  }

  void note_losses(const log::LogFrame& line) {
    const Frame& frame = line.frame;
    const bool is_error = frame.kind == FrameKind::error;
    const std::uint32_t unit = is_version_1() ? 100'000 : 1000;
    if (!line.time.known()) losses_.note(Loss::no_time);
    if (line.time.is_time_of_day()) losses_.note(Loss::date);
    if (line.time.nanoseconds % unit != 0) losses_.note(Loss::time_digits);
    // As in Vector ASC: the direction of an error frame means nothing.
    if (is_error != (line.direction == FrameDirection::unknown)) losses_.note(Loss::direction);
    if (is_error && !is_error_without_details(frame)) losses_.note(Loss::error_details);
    if (frame.fd_flags > (kFdFormat | kFdErrorState | kFdBitRateSwitch)) losses_.note(Loss::fd_flags);
    if (is_version_1() && frame.raw_dlc != 0) losses_.note(Loss::raw_dlc);
    if (is_version_1() && !line.bus.empty()) losses_.note(Loss::bus_name);
  }

  /// "      1     17535.400 ", from 1.
  char* put_number_and_time(char* to, const Timestamp& time) {
    to = put(pad_left(to, put_unsigned(to, ++count_), version_.number_width), version_.number_end);
    to = put(to, ' ');  // however long the time is
    char* const begin = to;
    const Offset offset = offset_from(base_, rounded_down(time));
    if (offset.negative) to = put(to, '-');
    const std::uint32_t milliseconds = offset.microseconds / 1000;
    to = offset.seconds == 0 ? put_unsigned(to, milliseconds)
                             : put_padded(put_unsigned(to, offset.seconds), milliseconds, 3);
    const std::uint32_t rest = offset.microseconds % 1000;
    to = put_padded(put(to, '.'), is_version_1() ? rest / 100 : rest, version_.decimals);
    return pad_left(begin, to, version_.time_width - 1);
  }

  /// To what is written, so that what is before the start is so too.
  [[nodiscard]] Timestamp rounded_down(const Timestamp& time) const {
    Timestamp rounded = time;
    if (is_version_1()) rounded.nanoseconds -= rounded.nanoseconds % 100'000;
    return rounded;
  }

  static char* put_id(char* to, const Frame& frame) {
    if (frame.extended) return output::put_hex_number(to, frame.id, 8);
    return output::put_hex_number(put(to, "    "), frame.id, 4);
  }

  /// "  Rx         0221  8  00 00 0B B8 00 00 FF 9C"; an error of a kind that PEAK does not tell.
  static char* put_frame_of_1(char* to, const log::LogFrame& line) {
    const Frame& frame = line.frame;
    if (frame.kind == FrameKind::error) return put(to, "  Error      0008  4  01 00 00 00 ");
    to = put_id(put(put(put(to, "  "), direction_word(line.direction)), "     "), frame);
    to = put(put_unsigned(put(to, "  "), frame.length), ' ');
    if (frame.kind == FrameKind::remote) return put(to, " RTR ");
    return put(put_spaced_bytes(to, frame.data.data(), frame.length), ' ');
  }

  /// " DT 1      0221 Rx -  8    00 00 0B B8 00 00 FF 9C"
  char* put_frame_of_2(char* to, const log::LogFrame& line) {
    const Frame& frame = line.frame;
    const Channels::Channel channel = channels_.of(line.bus);
    if (!channel.says_name) losses_.note(Loss::bus_name);
    const bool is_error = frame.kind == FrameKind::error;
    to = put(put(put(to, ' '), is_error ? "ER" : type_of(frame)), ' ');
    to = put(pad_right(to, put_unsigned(to, channel.number), 2), ' ');
    if (is_error) return put(to, "       - Rx -  5    08 01 00 00 00 ");
    to = put(put(put(put_id(to, frame), ' '), direction_word(line.direction)), " -  ");
    char* const length = to;
    to = put_unsigned(to, frame.kind == FrameKind::fd ? fd_dlc(frame).value_or(0) : classic_dlc(frame));
    to = pad_right(length, to, 4);
    return put(put_spaced_bytes(to, frame.data.data(), frame.bytes().size()), ' ');
  }

  const Version& version_;
  UtcToLocal to_local_;
  Channels channels_;
  std::int64_t base_ = 0;
  std::uint64_t count_ = 0;
  bool begun_ = false;
};

}  // namespace

std::unique_ptr<FormatWriter> make_trc_writer(log::Format format, UtcToLocal to_local) {
  return std::make_unique<TrcWriter>(format == log::Format::trc_1_1 ? kVersion1 : kVersion2, to_local);
}

}  // namespace rangerctl::convert
