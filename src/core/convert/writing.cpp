#include "writing.hpp"

#include <charconv>

#include "../log/reading.hpp"

namespace rangerctl::convert {
namespace {

constexpr std::uint32_t kMostChannels = 255;

/// The channel that "can7" and none other says: 8. 0: the name says none.
std::uint32_t said_by(std::string_view bus) {
  constexpr std::string_view kPrefix = "can";
  std::uint32_t number = 0;
  if (!bus.starts_with(kPrefix) ||
      !log::reading::read_number(bus.substr(kPrefix.size()), 10, kMostChannels - 1, number))
    return 0;
  log::reading::BusName name;
  return name.of(number) == bus ? number + 1 : 0;
}

}  // namespace

Channels::Channel Channels::of(std::string_view bus) {
  for (const Known& known : known_) {
    if (known.bus == bus) return known.channel;
  }
  return known_.size() < kMostChannels ? add(bus) : Channel{kMostChannels, false};
}

bool Channels::is_free(std::uint32_t number) const {
  return std::none_of(known_.begin(), known_.end(),
                      [number](const Known& known) { return known.channel.number == number; });
}

Channels::Channel Channels::add(std::string_view bus) {
  const std::uint32_t said = said_by(bus);
  Channel channel{said, true};
  if (said == 0 || !is_free(said)) {
    channel = {1, bus.empty()};
    while (!is_free(channel.number)) ++channel.number;
  }
  known_.push_back({std::string(bus), channel});
  return channel;
}

Offset offset_from(std::int64_t base, const Timestamp& time) {
  constexpr std::uint32_t kSecond = 1'000'000;
  const std::uint32_t microseconds = time.nanoseconds / 1000;
  const auto from = static_cast<std::uint64_t>(base);
  const auto to = static_cast<std::uint64_t>(time.seconds);
  if (time.seconds >= base) return {false, to - from, microseconds};
  if (microseconds == 0) return {true, from - to, 0};
  return {true, from - to - 1, kSecond - microseconds};
}

char* put_microseconds(char* to, const Offset& offset) {
  if (offset.negative) to = output::put(to, '-');
  if (offset.seconds == 0) return output::put_unsigned(to, offset.microseconds);
  return output::put_padded(output::put_unsigned(to, offset.seconds), offset.microseconds, 6);
}

std::int64_t calendar_second(const Timestamp& time) {
  constexpr std::int64_t kYear9999 = 253'370'764'800;
  return time.seconds < 0 || time.seconds >= kYear9999 ? 0 : time.seconds;
}

bool is_error_without_details(const Frame& frame) { return frame == log::reading::unknown_error(); }

std::optional<std::uint8_t> fd_dlc(const Frame& frame) {
  for (std::uint8_t dlc = 0; dlc < 16; ++dlc) {
    if (log::reading::fd_length(dlc) == frame.length) return dlc;
  }
  return {};
}

}  // namespace rangerctl::convert
