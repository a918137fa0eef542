#include "candump_text.hpp"

#include "rangerctl/output/text_buffer.hpp"
#include "reading.hpp"

namespace rangerctl::log::candump {

using namespace output;

namespace {

constexpr unsigned kStandardDigits = 3;
constexpr unsigned kExtendedDigits = 8;
constexpr std::size_t kMostXlBytesShown = 64;
constexpr std::string_view kIndent = "     ";

char* put_id(char* to, const Frame& frame) {
  if (frame.kind == FrameKind::error) return put_hex_number(to, frame.id | kErrorIdBit, kExtendedDigits);
  return put_hex_number(to, frame.id, frame.extended ? kExtendedDigits : kStandardDigits);
}

char* put_raw_dlc(char* to, const Frame& frame) {
  return frame.raw_dlc == 0 ? to : put_hex_number(put(to, '_'), frame.raw_dlc, 1);
}

char* put_xl_numbers(char* to, const XlFrame& xl) {
  to = put(put_hex_number(to, xl.flags, 2), ':');
  to = put(put_hex_number(to, xl.sdt, 2), ':');
  return put_hex_number(to, xl.af, 8);
}

char* put_xl_log_frame(char* to, const Frame& frame, const XlFrame& xl) {
  to = put_hex_number(put_hex_number(to, xl.vcid, 2), frame.id, kStandardDigits);
  to = put(put_xl_numbers(put(to, '#'), xl), '#');
  return put_hex(to, xl.data.data(), xl.stored);
}

char* put_bytes(char* to, const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to = put_hex(put(to, ' '), bytes + i, 1);
  return to;
}

/// "   123 [0005] (45|81:00:12345678) 11 22 33 44 55", from behind the id on.
char* put_long_xl(char* to, const XlFrame& xl) {
  to = put(put_padded(put(to, " ["), xl.length, 4), "] (");
  to = put(put_xl_numbers(put(put_hex_number(to, xl.vcid, 2), '|'), xl), ')');
  to = put_bytes(to, xl.data.data(), std::min<std::size_t>(xl.stored, kMostXlBytesShown));
  return xl.length > kMostXlBytesShown ? put(to, " ...") : to;
}

char* put_length(char* to, const Frame& frame) {
  if (frame.kind == FrameKind::fd) return put(put_padded(put(to, "  ["), frame.length, 2), ']');
  if (frame.raw_dlc != 0) return put(put_hex_number(put(to, "   {"), frame.raw_dlc, 1), '}');
  return put(put_padded(put(to, "   ["), frame.length, 1), ']');
}

}  // namespace

char* put_time(char* to, const Timestamp& time, unsigned decimals) {
  constexpr std::uint64_t kTenDigits = 10'000'000'000;
  constexpr std::uint64_t kFiveDigits = 100'000;
  const Timestamp shown = time.seconds < 0 ? Timestamp{} : time;
  const auto seconds = static_cast<std::uint64_t>(shown.seconds);
  if (seconds < kTenDigits) {
    to = put_padded(to, static_cast<std::uint32_t>(seconds / kFiveDigits), 5);
    to = put_padded(to, static_cast<std::uint32_t>(seconds % kFiveDigits), 5);
  } else {
    to = put_unsigned(to, seconds);
  }
  return put_padded(put(to, '.'), decimals == 9 ? shown.nanoseconds : shown.nanoseconds / 1000, decimals);
}

char* put_log_frame(char* to, const Frame& frame, const XlFrame* xl) {
  if (frame.kind == FrameKind::xl && xl != nullptr) return put_xl_log_frame(to, frame, *xl);
  to = put(put_id(to, frame), '#');
  if (frame.kind == FrameKind::remote) {
    to = put(to, 'R');
    if (frame.length != 0) to = put_hex_number(to, frame.length, 1);
    return put_raw_dlc(to, frame);
  }
  if (frame.kind == FrameKind::fd) to = put_hex_number(put(to, '#'), frame.fd_flags, 1);
  return put_raw_dlc(put_hex(to, frame.data.data(), frame.length), frame);
}

char* put_long_frame(char* to, const Frame& frame, const XlFrame* xl, bool indent) {
  const bool is_short = !frame.extended && frame.kind != FrameKind::error;
  to = put_id(indent && is_short ? put(to, kIndent) : to, frame);
  if (frame.kind == FrameKind::xl && xl != nullptr) return put_long_xl(to, *xl);
  to = put(put_length(to, frame), ' ');
  if (frame.kind == FrameKind::remote) return put(to, " remote request");
  to = put_bytes(to, frame.data.data(), frame.length);
  if (frame.kind != FrameKind::error) return to;
  // In a column of its own, however few bytes there are.
  to = std::fill_n(
      to, 3 * (reading::kMostClassicBytes - std::min(frame.length, reading::kMostClassicBytes)) + 3, ' ');
  return put(to, "ERRORFRAME");
}

}  // namespace rangerctl::log::candump
