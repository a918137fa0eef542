#include <cstring>

#include "candump_internal.hpp"

namespace rangerctl::log::candump {
namespace {

constexpr std::size_t kSecondsAt = 1;
constexpr std::size_t kPointAt = 11;
constexpr std::size_t kTimeEndAt = 18;
constexpr std::size_t kTimeLength = 19;
constexpr std::size_t kBusAt = kTimeLength + 1;
constexpr std::size_t kIdDigits = 3;

/// Reads decimal digits of fixed width; in pairs, so that one does not wait for the one before.
struct DigitReader {
  const char* text;
  bool valid = true;

  std::uint32_t one(std::size_t at) {
    const auto digit = static_cast<std::uint32_t>(text[at]) - '0';
    valid &= digit < 10;
    return digit;
  }
  std::uint32_t two(std::size_t at) { return one(at) * 10 + one(at + 1); }
  std::uint32_t four(std::size_t at) { return two(at) * 100 + two(at + 2); }
};

/// Ten digits into the cache, where they usually are already. False, and the cache as it was, where they are
/// none.
bool read_second(const char* text, SecondCache& cache) {
  if (std::memcmp(text, cache.digits.data(), cache.digits.size()) == 0) return true;
  DigitReader digits{text};
  const std::int64_t high = digits.four(0) * std::int64_t{1'000'000};
  const std::int64_t low = digits.four(4) * 100 + digits.two(8);
  if (!digits.valid) return false;
  std::memcpy(cache.digits.data(), text, cache.digits.size());
  cache.seconds = high + low;
  return true;
}

bool read_common_data(std::string_view text, Frame& frame) {
  if (text.size() > std::size_t{2} * kMostClassicBytes || text.size() % 2 != 0) return false;
  const std::size_t length = text.size() / 2;
  std::uint8_t bad = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint8_t high = hex_value(text[2 * i]);
    const std::uint8_t low = hex_value(text[2 * i + 1]);
    frame.data[i] = static_cast<std::uint8_t>(high << 4 | low);
    bad |= high | low;
  }
  frame.length = static_cast<std::uint8_t>(length);
  return bad <= 0x0F;
}

/// "211#0001019000000001"
bool read_common_frame(std::string_view text, Frame& frame) {
  if (text.size() <= kIdDigits || text[kIdDigits] != '#') return false;
  const std::uint32_t high = hex_value(text[0]);
  const std::uint32_t middle = hex_value(text[1]);
  const std::uint32_t low = hex_value(text[2]);
  frame.id = high << 8 | middle << 4 | low;
  return high < 8 && (middle | low) <= 0x0F && read_common_data(text.substr(kIdDigits + 1), frame);
}

/// Takes " R" or " T" from the end of `text`.
FrameDirection take_direction(std::string_view& text) {
  if (text.size() < 2 || text[text.size() - 2] != ' ') return FrameDirection::unknown;
  const char last = text.back();
  if (last != 'R' && last != 'T') return FrameDirection::unknown;
  text.remove_suffix(2);
  return last == 'R' ? FrameDirection::rx : FrameDirection::tx;
}

}  // namespace

bool read_common_time(std::string_view text, SecondCache& cache, Timestamp& time) {
  if (text.size() < kTimeLength || text[kPointAt] != '.') return false;
  DigitReader digits{text.data()};
  const std::uint32_t micros = digits.four(kPointAt + 1) * 100 + digits.two(kPointAt + 5);
  if (!read_second(text.data() + kSecondsAt, cache)) return false;
  time = {cache.seconds, micros * 1000, 6};
  return digits.valid && text[0] == '(' && text[kTimeEndAt] == ')';
}

bool parse_common_line(std::string_view line, SecondCache& cache, LogFrame& out) {
  if (line.size() <= kBusAt || line[kTimeLength] != ' ' || !read_common_time(line, cache, out.time))
    return false;
  std::size_t bus_end = kBusAt;
  while (bus_end < line.size() && line[bus_end] > ' ') ++bus_end;
  if (bus_end == kBusAt || bus_end == line.size() || line[bus_end] != ' ') return false;
  out.bus = line.substr(kBusAt, bus_end - kBusAt);
  line.remove_prefix(bus_end + 1);
  out.direction = take_direction(line);
  out.frame = {};
  return read_common_frame(line, out.frame);
}

}  // namespace rangerctl::log::candump
