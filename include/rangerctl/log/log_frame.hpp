#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "rangerctl/frame.hpp"

/// What every format of logs has in common.
namespace rangerctl::log {

/// What a line, or a record of a binary log, turned out to be. Exactly one of these each, so that the summary
/// accounts for all of them.
enum class LineKind : std::uint8_t {
  frame,
  // Understood, and no frame:
  blank,
  comment,         ///< starts with '#'
  header,          ///< a logger's own header: "DEVICE_ALIAS ...", "interface = can0, ..."
  error_detail,    ///< continuation of an error frame (candump -e)
  drop_count,      ///< "DROPCOUNT: dropped 3 CAN frames on 'can0' socket (total drops 3)"
  candump_notice,  ///< candump's own messages that a `2>&1` left in the log
  event,           ///< what other loggers write besides frames: a status, a statistic, a marker
  // Not understood:
  cut,              ///< only with LineEnd::eof: the line is not all there, or may not be
  bad_time,         ///< the time stamp is no number or date
  bad_id,           ///< neither 3 nor 8 hex digits, beyond 11 or 29 bits, or of a kind that cannot be
  bad_data,         ///< data that are no hex or binary digits, or an odd number of them
  length_mismatch,  ///< another number of data bytes than the line itself says, or than a frame can have
  binary,           ///< NUL bytes or other characters that no text log has
  too_long,         ///< longer than any line that candump writes; only its beginning was kept
  unrecognised,     ///< anything else
};
inline constexpr std::size_t kLineKinds = static_cast<std::size_t>(LineKind::unrecognised) + 1;

[[nodiscard]] constexpr bool is_understood(LineKind kind) { return kind < LineKind::cut; }
/// For the summary: "comment", "cut line", ...
[[nodiscard]] std::string_view line_kind_name(LineKind kind);

/// A line longer than this is never a frame (the longest is a CAN XL frame of 2,048 bytes in log format).
inline constexpr std::size_t kLongestLine = 8192;

/// What a CAN XL frame has beyond a Frame.
struct XlFrame {
  std::uint8_t vcid = 0;
  std::uint8_t flags = 0;
  std::uint8_t sdt = 0;
  std::uint32_t af = 0;
  std::uint16_t length = 0;  ///< as the line says: 1..2048
  std::uint16_t stored = 0;  ///< how many bytes of `data` the line carried; the long format stops at 64
  std::array<std::uint8_t, 2048> data;  ///< only the first `stored` are set
};

/// How a line ended in its file. Without a newline a frame line may be cut, and a cut line never becomes a
/// shorter frame. Of candump's:
/// - Log format: a frame only if it is a classic data, remote or error frame with exactly the DLC that the
///   catalogue has for it (unknown id, 29-bit id, error frame: 8 bytes; remote: the requested length).
///   What this cannot see is that a raw DLC ("_E") was cut off behind eight bytes.
/// - Long format: a frame if the bytes that it announces are there. But not "[0]" alone, which may be a
///   remote request, nor a single byte such as "01", which may be a binary "01011010".
/// - canutils: a frame only if it is a remote request, because it names those behind their bytes.
enum class LineEnd : std::uint8_t {
  newline,  ///< LF or CRLF
  eof,      ///< end of the file without a newline: the line may be cut
};

/// One frame as a line has it. Large because of `xl`: keep one and reuse it.
struct LogFrame {
  Timestamp time;        ///< digits 0 where the flavour has no time
  std::string_view bus;  ///< interface name without padding and colour; points into the line; may be empty
  FrameDirection direction = FrameDirection::unknown;  ///< as -x, asc2log and python-can write it
  Frame frame;                                         ///< kind xl: id and kind only, the rest is in `xl`
  XlFrame xl;                                          ///< set only where frame.kind == FrameKind::xl
  std::uint64_t drops = 0;  ///< set only where the kind is drop_count: frames that the line says were lost
};

/// Local calendar time -> seconds since 1970 UTC, as `-tA` needs it. Month and day count from 1.
using LocalToUtc = std::int64_t (*)(int year, int month, int day, int hour, int minute, int second);
/// The process's own time zone ($TZ). An hour that the end of summer time repeats is one of the two.
[[nodiscard]] std::int64_t local_to_utc(int year, int month, int day, int hour, int minute, int second);

}  // namespace rangerctl::log
