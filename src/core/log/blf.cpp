#include "rangerctl/log/blf.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "blf_frames.hpp"
#include "rangerctl/output/text_buffer.hpp"

namespace rangerctl::log::blf {
namespace {

using namespace reading;

constexpr std::string_view kFileMagic = "LOGG";
constexpr std::string_view kObjectMagic = "LOBJ";
constexpr std::size_t kFileSizeAt = 16;
constexpr std::size_t kStartAt = 40;
/// The largest object that is a frame has 16 + 24 bytes of headers, 40 of its own and 64 of data.
constexpr std::size_t kMostFrameObject = 1024;

bool begins_with(Bytes bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

/// A Windows SYSTEMTIME: year, month, day of the week, day, hour, minute, second, millisecond.
Timestamp read_start(Bytes bytes, LocalToUtc to_utc) {
  std::array<int, 8> part{};
  for (std::size_t i = 0; i < part.size(); ++i)
    part[i] = static_cast<int>(read_le(bytes, kStartAt + 2 * i, 2));
  // A month or a day beyond a byte would be cut to one.
  if (part[0] < 1970 || part[0] > 9999 || part[1] > 12 || part[3] > 31) return {};
  const std::chrono::year_month_day date{std::chrono::year(part[0]),
                                         std::chrono::month(static_cast<unsigned>(part[1])),
                                         std::chrono::day(static_cast<unsigned>(part[3]))};
  const bool is_date = date.ok() && part[4] < 24 && part[5] < 60 && part[6] < 60 && part[7] < 1000;
  if (!is_date) return {};
  return {to_utc(part[0], part[1], part[3], part[4], part[5], part[6]),
          static_cast<std::uint32_t>(part[7]) * 1'000'000, 3};
}

}  // namespace

std::optional<FileHeader> read_file_header(Bytes bytes, LocalToUtc to_utc) {
  if (bytes.size() < kHeaderSize || !begins_with(bytes, kFileMagic)) return std::nullopt;
  const auto size = static_cast<std::uint32_t>(read_le(bytes, 4, 4));
  if (size < kHeaderSize || size > kMostHeaderBytes) return std::nullopt;
  return FileHeader{size, read_le(bytes, kFileSizeAt, 8), read_start(bytes, to_utc)};
}

std::optional<ObjectHeader> read_object_header(Bytes bytes) {
  if (bytes.size() < kObjectHeaderSize || !begins_with(bytes, kObjectMagic)) return std::nullopt;
  const ObjectHeader header{static_cast<std::uint32_t>(read_le(bytes, 8, 4)),
                            static_cast<std::uint32_t>(read_le(bytes, 12, 4))};
  return header.size < kObjectHeaderSize ? std::nullopt : std::optional(header);
}

ContainerHeader read_container_header(Bytes bytes) {
  using Method = ContainerHeader::Method;
  const std::uint64_t method = read_le(bytes, 0, 2);
  return {method == 0   ? Method::none
          : method == 2 ? Method::zlib
                        : Method::unknown,
          static_cast<std::uint32_t>(read_le(bytes, 8, 4))};
}

void Objects::append(Bytes bytes) {
  const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(skip_, bytes.size()));
  skip_ -= skipped;
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  bytes_.insert(bytes_.end(), bytes.begin() + static_cast<std::ptrdiff_t>(skipped), bytes.end());
}

/// Between objects there are up to seven bytes of padding, more than their sizes say.
bool Objects::find_object() {
  constexpr std::size_t kMostPadding = 7;
  const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto last = bytes_.size() - at_ < kMostPadding + kObjectMagic.size()
                        ? bytes_.end()
                        : begin + kMostPadding + kObjectMagic.size();
  const auto found = std::search(begin, last, kObjectMagic.begin(), kObjectMagic.end());
  if (found != last) {
    at_ = static_cast<std::size_t>(found - bytes_.begin());
    return bytes_.size() - at_ >= kObjectHeaderSize;
  }
  damaged_ = last != bytes_.end() || bytes_.size() - at_ >= kMostPadding + kObjectMagic.size();
  return false;
}

/// What is left may be padding.
bool Objects::has_rest() const {
  return skip_ > 0 || std::find(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), bytes_.end(),
                                kObjectMagic[0]) != bytes_.end();
}

std::optional<LineKind> Objects::next(LogFrame& out) {
  if (damaged_ || skip_ > 0 || !find_object()) return std::nullopt;
  const Bytes rest = Bytes(bytes_).subspan(at_);
  const auto header = read_object_header(rest);
  if (!header) {
    damaged_ = true;
    return std::nullopt;
  }
  const bool is_frame = is_frame_object(header->type);
  if (rest.size() < header->size && is_frame && header->size <= kMostFrameObject) return std::nullopt;
  const std::size_t here = std::min<std::size_t>(rest.size(), header->size);
  at_ += here;
  skip_ = header->size - here;
  if (!is_frame) return LineKind::event;
  if (header->size > kMostFrameObject) return LineKind::length_mismatch;
  return read(rest.first(header->size), header->type, out);
}

LineKind Objects::read(Bytes object, std::uint32_t type, LogFrame& out) {
  clear(out);
  std::uint32_t channel = 0;
  const LineKind kind = read_frame_object(object, type, start_, channel, out);
  if (kind == LineKind::frame && channel > 0) {
    char* const begin = bus_.data();
    const char* const end = output::put_unsigned(output::put(begin, "can"), channel - 1);
    out.bus = {begin, static_cast<std::size_t>(end - begin)};
  }
  return kind;
}

}  // namespace rangerctl::log::blf
