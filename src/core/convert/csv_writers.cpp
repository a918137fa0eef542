#include "../log/csv_lines.hpp"
#include "writers.hpp"
#include "writing.hpp"

namespace rangerctl::convert {
namespace {

using output::put;
using output::put_unsigned;

constexpr std::size_t kRoom = 256;

/// RFC 4648, with padding.
char* put_base64(char* to, const std::uint8_t* bytes, std::size_t count) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < count; i += 3) {
    const std::size_t there = std::min<std::size_t>(count - i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < there ? bytes[i + j] : 0U);
    for (std::size_t j = 0; j < 4; ++j) to = put(to, j <= there ? kDigits[bits >> (18 - 6 * j) & 0x3F] : '=');
  }
  return to;
}

/// The header, once, in front of what is the same for both: which frames they have.
class CsvWriter : public FormatWriter {
 public:
  CsvWriter(log::Format format, std::string_view header) : FormatWriter(format), header_(header) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) final {
    finish(out);
    const std::optional<Loss> reason = why_left_out(frame);
    if (reason) {
      losses_.note(*reason);
      return;
    }
    if (!frame.time.known()) losses_.note(Loss::no_time);
    if (frame.frame.raw_dlc != 0) losses_.note(Loss::raw_dlc);
    out.advance_to(put(put_line(out.room(kRoom), frame), '\n'));
  }
  void finish(output::TextBuffer& out) final {
    if (begun_) return;
    begun_ = true;
    out.append(header_);
    out.append("\n");
  }

 private:
  [[nodiscard]] virtual std::optional<Loss> why_left_out(const log::LogFrame& frame) const = 0;
  virtual char* put_line(char* to, const log::LogFrame& line) = 0;

  std::string_view header_;
  bool begun_ = false;
};

class PythonCanWriter final : public CsvWriter {
 public:
  PythonCanWriter() : CsvWriter(log::Format::python_can_csv, log::csv::kPythonCanHeader) {}

 private:
  [[nodiscard]] std::optional<Loss> why_left_out(const log::LogFrame& line) const override {
    if (line.frame.kind == FrameKind::fd) return Loss::fd_frame;
    return line.frame.kind == FrameKind::xl ? std::optional(Loss::xl_frame) : std::nullopt;
  }

  char* put_line(char* to, const log::LogFrame& line) override {
    const Frame& frame = line.frame;
    if (line.direction != FrameDirection::unknown) losses_.note(Loss::direction);
    if (!line.bus.empty()) losses_.note(Loss::bus_name);
    to = put(put_time(to, line.time), ",0x");
    to = put(put_short_hex(to, frame.id), frame.extended ? ",1" : ",0");
    to = put(to, frame.kind == FrameKind::remote ? ",1" : ",0");
    to = put(to, frame.kind == FrameKind::error ? ",1," : ",0,");
    to = put(put_unsigned(to, frame.length), ',');
    return put_base64(to, frame.data.data(), frame.bytes().size());
  }

  /// As many decimals as candump has: "-0.500000", "1712345678.123456789".
  static char* put_time(char* to, const Timestamp& time) {
    const bool is_fine = time.digits > 6;
    const bool borrows = time.seconds < 0 && time.nanoseconds != 0;
    const auto seconds = static_cast<std::uint64_t>(time.seconds) + (borrows ? 1 : 0);
    const std::uint32_t nanoseconds = borrows ? 1'000'000'000 - time.nanoseconds : time.nanoseconds;
    if (time.seconds < 0) to = put(to, '-');
    to = put(put_unsigned(to, time.seconds < 0 ? 0 - seconds : seconds), '.');
    return output::put_padded(to, is_fine ? nanoseconds : nanoseconds / 1000, is_fine ? 9 : 6);
  }
};

class GvretWriter final : public CsvWriter {
 public:
  GvretWriter() : CsvWriter(log::Format::gvret_csv, log::csv::kGvretHeader) {}

 private:
  [[nodiscard]] std::optional<Loss> why_left_out(const log::LogFrame& line) const override {
    switch (line.frame.kind) {
      case FrameKind::data:
        return std::nullopt;
      case FrameKind::remote:
        return Loss::remote_frame;
      case FrameKind::error:
        return Loss::error_frame;
      case FrameKind::fd:
        return Loss::fd_frame;
      case FrameKind::xl:
        break;
    }
    return Loss::xl_frame;
  }

  /// "1712345678123456,00000221,false,Rx,0,8,00,00,0B,B8,00,00,FF,9C,"
  char* put_line(char* to, const log::LogFrame& line) override {
    const Frame& frame = line.frame;
    const Channels::Channel channel = channels_.of(line.bus);
    if (!channel.says_name) losses_.note(Loss::bus_name);
    if (line.direction == FrameDirection::unknown) losses_.note(Loss::direction);
    if (loses_nanoseconds(line.time)) losses_.note(Loss::time_digits);
    to = put(put_microseconds(to, offset_from(0, line.time)), ',');
    to = put(output::put_hex_number(to, frame.id, 8), frame.extended ? ",true," : ",false,");
    to = put(put(to, direction_word(line.direction)), ',');
    to = put(put_unsigned(to, channel.number - 1), ',');
    to = put(put_unsigned(to, frame.length), ',');
    for (std::size_t i = 0; i < log::reading::kMostClassicBytes; ++i)
      to = put(output::put_hex(to, &frame.data[i], 1), ',');
    return to;
  }

  Channels channels_;
};

}  // namespace

std::unique_ptr<FormatWriter> make_python_can_csv_writer() { return std::make_unique<PythonCanWriter>(); }
std::unique_ptr<FormatWriter> make_gvret_csv_writer() { return std::make_unique<GvretWriter>(); }

}  // namespace rangerctl::convert
