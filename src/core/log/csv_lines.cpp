#include "csv_lines.hpp"

namespace rangerctl::log::csv {

using namespace reading;

namespace {

/// The fields of a line, which nobody quotes here. Behind the last one every field is empty.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  [[nodiscard]] bool done() const { return done_; }
  std::string_view next() {
    const std::size_t comma = rest_.find(',');
    const std::string_view field = rest_.substr(0, comma);
    done_ = comma == std::string_view::npos;
    rest_.remove_prefix(done_ ? rest_.size() : comma + 1);
    return field;
  }

 private:
  std::string_view rest_;
  bool done_ = false;  ///< the last field was taken
};

/// "1712345678.12", and as Python writes small numbers, "5e-05".
bool read_float_time(std::string_view field, Timestamp& time) {
  constexpr std::uint32_t kMostExponent = 99;
  const std::size_t e = field.find('e');
  std::uint32_t exponent = 0;
  if (e != std::string_view::npos) {
    const std::string_view power = field.substr(e + 1);
    if (!power.starts_with('-') || !read_number(power.substr(1), 10, kMostExponent, exponent)) return false;
  }
  return read_time_number(field.substr(0, e), static_cast<int>(exponent), time);
}

bool read_flag(std::string_view field, bool& flag) {
  std::uint32_t number = 0;
  if (!read_number(field, 10, 1, number)) return false;
  flag = number != 0;
  return true;
}

constexpr std::uint8_t kNoBase64 = 0xFF;
std::uint8_t base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint8_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint8_t>(c - 'a' + 26);
  if (is_decimal(c)) return static_cast<std::uint8_t>(c - '0' + 52);
  if (c == '+') return 62;
  return c == '/' ? 63 : kNoBase64;
}

/// Exactly `length` bytes (RFC 4648 with its padding).
LineKind read_base64(std::string_view text, std::size_t length, std::uint8_t* data) {
  if (text.size() % 4 != 0) return LineKind::bad_data;
  const std::size_t digits = std::min(text.find('='), text.size());
  if (text.find_first_not_of('=', digits) != std::string_view::npos || text.size() - digits > 2)
    return LineKind::bad_data;
  if (digits * 6 / 8 != length) return LineKind::length_mismatch;
  std::uint32_t bits = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint8_t value = base64_value(text[i]);
    if (value == kNoBase64) return LineKind::bad_data;
    bits = bits << 6 | value;
    if (i % 4 != 0) data[count++] = static_cast<std::uint8_t>(bits >> (6 - i % 4 * 2));
  }
  return LineKind::frame;
}

struct PythonCanFlags {
  bool extended = false;
  bool remote = false;
  bool error = false;
};
bool read_flags(Fields& fields, PythonCanFlags& flags) {
  return read_flag(fields.next(), flags.extended) && read_flag(fields.next(), flags.remote) &&
         read_flag(fields.next(), flags.error) && !(flags.remote && flags.error);
}

LineKind set_kind(const PythonCanFlags& flags, std::uint32_t length, Frame& frame) {
  if (length > kMostFdBytes || (length > kMostClassicBytes && (flags.remote || flags.error)))
    return LineKind::length_mismatch;
  frame.length = static_cast<std::uint8_t>(length);
  if (flags.remote) frame.kind = FrameKind::remote;
  if (flags.error) frame.kind = FrameKind::error;
  if (length > kMostClassicBytes) {
    frame.kind = FrameKind::fd;
    frame.fd_flags = kFdFormat;
  }
  return LineKind::frame;
}

/// "true" and "false" in any case.
bool read_word_of_truth(std::string_view field, bool& value) {
  value = field == "true" || field == "True" || field == "TRUE";
  return value || field == "false" || field == "False" || field == "FALSE";
}

/// "00,00,0B,B8,": the bytes of the frame, then as many as the columns have, which are nothing.
LineKind read_columns(Fields& fields, std::size_t length, std::uint8_t* data) {
  for (std::size_t i = 0; i < length; ++i) {
    const std::string_view field = fields.next();
    if (field.empty()) return LineKind::length_mismatch;
    if (!is_hex_byte(field)) return LineKind::bad_data;
    data[i] = static_cast<std::uint8_t>(hex_value(field[0]) << 4 | hex_value(field[1]));
  }
  for (std::size_t i = length; !fields.done(); ++i) {
    const std::string_view field = fields.next();
    if (!field.empty() && (i >= kMostClassicBytes || field != "00")) return LineKind::length_mismatch;
  }
  return LineKind::frame;
}

}  // namespace

LineKind PythonCanParser::read(std::string_view line, LineEnd /*end*/, LogFrame& out) {
  if (line == kPythonCanHeader) return LineKind::header;
  Fields fields(line);
  if (!read_float_time(fields.next(), out.time)) return LineKind::bad_time;
  std::string_view id = fields.next();
  std::uint32_t number = 0;
  if (id.starts_with("0x")) id.remove_prefix(2);
  if (!read_number(id, 16, kMostExtendedId, number)) return LineKind::bad_id;
  PythonCanFlags flags;
  if (!read_flags(fields, flags)) return LineKind::unrecognised;
  std::uint32_t length = 0;
  if (!read_number(fields.next(), 10, kMostFdBytes, length) || fields.done())
    return LineKind::length_mismatch;
  if (const LineKind kind = set_kind(flags, length, out.frame); kind != LineKind::frame) return kind;
  if (const LineKind kind = set_plain_id(number, flags.extended || flags.error, out.frame);
      kind != LineKind::frame)
    return kind;
  out.frame.extended = flags.extended && !flags.error;
  const LineKind kind = read_base64(fields.next(), flags.remote ? 0 : length, out.frame.data.data());
  return kind == LineKind::frame && !fields.done() ? LineKind::unrecognised : kind;
}

LineKind GvretParser::read(std::string_view line, LineEnd end, LogFrame& out) {
  constexpr int kMicroseconds = 6;
  constexpr std::string_view kHeaderBegins = "Time Stamp,ID,Extended,";
  if (line.starts_with(kHeaderBegins)) return LineKind::header;
  Fields fields(line);
  const std::string_view time = fields.next();
  if (time.find('.') != std::string_view::npos || !read_time_number(time, kMicroseconds, out.time))
    return LineKind::bad_time;
  std::uint32_t id = 0;
  bool extended = false;
  if (!read_number(fields.next(), 16, kMostExtendedId, id)) return LineKind::bad_id;
  if (!read_word_of_truth(fields.next(), extended)) return LineKind::unrecognised;
  if (const LineKind kind = set_plain_id(id, extended, out.frame); kind != LineKind::frame) return kind;
  std::string_view bus = fields.next();
  out.direction = read_direction(bus);
  if (out.direction != FrameDirection::unknown) bus = fields.next();
  std::uint32_t number = 0;
  if (!read_number(bus, 10, 255, number)) return LineKind::unrecognised;
  out.bus = bus_.of(number);
  std::uint32_t length = 0;
  if (!read_number(fields.next(), 10, kMostClassicBytes, length)) return LineKind::length_mismatch;
  if (end == LineEnd::eof && fields.done()) return LineKind::cut;
  out.frame.length = static_cast<std::uint8_t>(length);
  return read_columns(fields, length, out.frame.data.data());
}

}  // namespace rangerctl::log::csv
