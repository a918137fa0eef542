#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The formats of logs, of which a file never says more than its first bytes.
namespace rangerctl::log {

/// Only `candump`, in any flavour, is read; the others are told apart so that a person hears what is wrong.
enum class Format : std::uint8_t { candump, asc, trc, python_can_csv, gvret_csv, pcap, pcapng, blf };

/// For people, in the order of Format.
inline constexpr std::array<std::string_view, 8> kFormatTitles{
    "candump log",          "Vector ASC", "PEAK TRC", "python-can CSV",
    "SavvyCAN (GVRET) CSV", "pcap",       "pcapng",   "Vector BLF"};
[[nodiscard]] constexpr std::string_view title_of(Format format) {
  return kFormatTitles[static_cast<std::size_t>(format)];
}

/// With so many first bytes detect() always has an answer.
inline constexpr std::size_t kDetectionBytes = 4096;

/// The format of a log that begins with `beginning`; what is none of the others is `candump`, whose parser
/// says what it does not understand. Nothing: that depends on bytes that are not there yet, which cannot be
/// where `at_end` (`beginning` is the whole log) or with kDetectionBytes. Bytes are asked for no longer than
/// necessary: whoever waits for a live log gets its first line at once.
[[nodiscard]] std::optional<Format> detect(std::string_view beginning, bool at_end);

}  // namespace rangerctl::log
