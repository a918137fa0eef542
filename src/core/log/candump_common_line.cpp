#include <bit>
#include <cstring>

#include "candump_internal.hpp"

/// Several characters at once, as the bytes of one number; the first character is the lowest byte.
namespace rangerctl::log::candump {
namespace {

constexpr std::size_t kSecondsAt = 1;
constexpr std::size_t kPointAt = 11;
constexpr std::size_t kTimeEndAt = 18;
constexpr std::size_t kTimeLength = 19;
constexpr std::size_t kBusAt = kTimeLength + 1;
constexpr std::size_t kLongestBus = 15;  // IFNAMSIZ
constexpr std::size_t kIdLength = 4;     // with its '#'
constexpr std::size_t kDataLength = 16;
constexpr std::size_t kLongest = kBusAt + kLongestBus + 1 + kIdLength + kDataLength + 4;

constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
constexpr std::uint64_t in_each_byte(std::uint8_t value) { return value * (kHighBits >> 7); }

std::uint64_t load(const char* text) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text, sizeof bytes);
  return bytes;
}

/// The value of eight decimal digits; false where one of them is none.
bool read_eight_digits(std::uint64_t text, std::uint32_t& value) {
  const std::uint64_t digits = text ^ in_each_byte('0');
  const bool valid = ((digits | (digits + in_each_byte(0x76))) & kHighBits) == 0;  // none above 9
  const std::uint64_t pairs = (digits * 10 + (digits >> 8)) & 0x00FF'00FF'00FF'00FF;
  const std::uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000'FFFF'0000'FFFF;
  value = static_cast<std::uint32_t>((fours & 0xFFFF) * 10'000 + (fours >> 32));
  return valid;
}

/// The values of eight hexadecimal digits of either case, one a byte; false where one of them is none.
bool read_eight_hex(std::uint64_t text, std::uint64_t& values) {
  const std::uint64_t letters = (text & in_each_byte(0x40)) >> 6;  // 1 where it is no decimal digit
  const std::uint64_t low = text & in_each_byte(0x0F);
  values = low + letters * 9;
  // A letter has 1..6 there and 0x40 or 0x60 above; a digit has 0..9 and 0x30.
  const std::uint64_t high = (text & in_each_byte(0xD0)) | ((text & in_each_byte(0x20)) & ~(letters << 5));
  const std::uint64_t wanted = in_each_byte(0x30) + letters * 0x10;
  const std::uint64_t too_large = (low + in_each_byte(0x76) + letters * 3) & kHighBits;
  const std::uint64_t zero_letter = letters & ~((low + in_each_byte(0x0F)) >> 4);
  return high == wanted && too_large == 0 && zero_letter == 0;
}

/// Eight values of four bits -> four bytes.
std::uint32_t joined(std::uint64_t values) {
  std::uint64_t bytes = (values << 4 | values >> 8) & 0x00FF'00FF'00FF'00FF;
  bytes = (bytes | bytes >> 8) & 0x0000'FFFF'0000'FFFF;
  return static_cast<std::uint32_t>(bytes | bytes >> 16);
}

/// Ten digits into the cache, where they usually are already. False, and the cache as it was, where they are
/// none.
bool read_second(const char* text, SecondCache& cache) {
  if (std::memcmp(text, cache.digits.data(), cache.digits.size()) == 0) return true;
  std::uint32_t high = 0;
  std::uint32_t low = 0;
  const std::uint64_t last_two = load(text + 2) >> 48 << 48 | (in_each_byte('0') >> 16);
  if (!read_eight_digits(load(text), high) || !read_eight_digits(last_two, low)) return false;
  std::memcpy(cache.digits.data(), text, cache.digits.size());
  cache.seconds = std::int64_t{high} * 100 + low;
  return true;
}

/// Six digits, which at least eight characters begin with.
bool read_micros(const char* text, std::uint32_t& micros) {
  return read_eight_digits(load(text) << 16 | (in_each_byte('0') >> 48), micros);
}

bool read_id(const char* text, std::uint32_t& id) {
  const std::uint32_t high = hex_value(text[0]);
  const std::uint32_t middle = hex_value(text[1]);
  const std::uint32_t low = hex_value(text[2]);
  id = high << 8 | middle << 4 | low;
  return high < 8 && (middle | low) <= 0x0F && text[3] == '#';
}

bool read_eight_bytes(const char* text, std::array<std::uint8_t, 64>& data) {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  if (!read_eight_hex(load(text), first) || !read_eight_hex(load(text + 8), second)) return false;
  const std::uint64_t bytes = joined(first) | std::uint64_t{joined(second)} << 32;
  std::memcpy(data.data(), &bytes, sizeof bytes);
  return true;
}

/// At most eight bytes. Returns how many characters they are; what follows them is not looked at.
std::size_t read_data(const char* text, Frame& frame) {
  std::size_t length = 0;
  if (read_eight_bytes(text, frame.data)) {
    length = 8;
  } else {
    for (; length < 8 && (hex_value(text[2 * length]) | hex_value(text[2 * length + 1])) <= 0x0F; ++length)
      frame.data[length] =
          static_cast<std::uint8_t>(hex_value(text[2 * length]) << 4 | hex_value(text[2 * length + 1]));
  }
  frame.length = static_cast<std::uint8_t>(length);
  return 2 * length;
}

/// What stands behind the data: an LF, or a direction and an LF. Its length; 0: something else.
std::size_t read_end(const char* text, FrameDirection& direction) {
  if (text[0] == '\n') return 1;
  if (text[0] != ' ' || text[2] != '\n') return 0;
  if (text[1] == 'R') direction = FrameDirection::rx;
  if (text[1] == 'T') direction = FrameDirection::tx;
  return direction == FrameDirection::unknown ? 0 : 3;
}

std::size_t bus_length(const char* text) {
  std::size_t length = 0;
  while (length <= kLongestBus && text[length] > ' ') ++length;
  return length != 0 && length <= kLongestBus && text[length] == ' ' ? length : 0;
}

}  // namespace

bool read_common_time(std::string_view text, SecondCache& cache, Timestamp& time) {
  constexpr bool kFirstIsLowest = std::endian::native == std::endian::little;
  if (!kFirstIsLowest || text.size() <= kTimeLength || text[0] != '(' || text[kPointAt] != '.' ||
      text[kTimeEndAt] != ')')
    return false;
  std::uint32_t micros = 0;
  if (!read_micros(text.data() + kPointAt + 1, micros) || !read_second(text.data() + kSecondsAt, cache))
    return false;
  time = {cache.seconds, micros * 1000, 6};
  return true;
}

std::size_t read_common_line(std::string_view text, SecondCache& cache, LogFrame& out) {
  if (text.size() < kLongest || text[kTimeLength] != ' ' || !read_common_time(text, cache, out.time))
    return 0;
  const char* const bus = text.data() + kBusAt;
  const std::size_t length = bus_length(bus);
  if (length == 0) return 0;
  const char* const id = bus + length + 1;
  out.bus = {bus, length};
  out.direction = FrameDirection::unknown;
  out.frame = {};
  if (!read_id(id, out.frame.id)) return 0;
  const char* const end = id + kIdLength + read_data(id + kIdLength, out.frame);
  const std::size_t rest = read_end(end, out.direction);
  return rest == 0 ? 0 : static_cast<std::size_t>(end - text.data()) + rest;
}

}  // namespace rangerctl::log::candump
