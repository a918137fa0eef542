#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The formats of logs, of which a file never says more than its first bytes.
namespace rangerctl::log {

enum class Format : std::uint8_t {
  candump,         ///< candump's log format; as a format that is read, any flavour of candump
  candump_long,    ///< candump's long format with times; written only: what is read is `candump`
  asc,             ///< Vector ASC
  trc,             ///< PEAK TRC, read in versions 1.0 to 2.1, written in 2.1
  trc_1_1,         ///< PEAK TRC 1.1; written only
  python_can_csv,  ///< python-can's CSV
  gvret_csv,       ///< SavvyCAN's (GVRET) CSV
  pcap,            ///< pcap with SocketCAN's link type
  pcapng,          ///< pcapng with it; read only
  blf,             ///< Vector BLF; read only
};

struct FormatRow {
  Format format;
  std::string_view name;  ///< as an option takes it and as messages say it: "gvret-csv"
  std::string_view
      suffix;  ///< of file names that mean this format when it is written: ".asc"; empty: none does
  std::string_view title;  ///< for people: "Vector ASC"
  bool is_text;
  bool is_read;
  bool is_written;
};

/// In the order of Format.
inline constexpr std::array kFormats{
    FormatRow{Format::candump, "candump", ".log", "candump log", true, true, true},
    FormatRow{Format::candump_long, "candump-long", "", "candump long", true, false, true},
    FormatRow{Format::asc, "asc", ".asc", "Vector ASC", true, true, true},
    FormatRow{Format::trc, "trc", ".trc", "PEAK TRC 2.1", true, true, true},
    FormatRow{Format::trc_1_1, "trc-1.1", "", "PEAK TRC 1.1", true, false, true},
    FormatRow{Format::python_can_csv, "python-can-csv", "", "python-can CSV", true, true, true},
    FormatRow{Format::gvret_csv, "gvret-csv", "", "SavvyCAN (GVRET) CSV", true, true, true},
    FormatRow{Format::pcap, "pcap", ".pcap", "pcap", false, true, true},
    FormatRow{Format::pcapng, "pcapng", "", "pcapng", false, true, false},
    FormatRow{Format::blf, "blf", "", "Vector BLF", false, true, false},
};
[[nodiscard]] constexpr const FormatRow& row_of(Format format) {
  return kFormats[static_cast<std::size_t>(format)];
}

/// With so many first bytes detect() always has an answer.
inline constexpr std::size_t kDetectionBytes = 4096;

/// The format of a log that begins with `beginning`, of those that are read; what is none of the others is
/// `candump`, whose parser says what it does not understand. Nothing: that depends on bytes that are not
/// there yet, which cannot be where `at_end` (`beginning` is the whole log) or with kDetectionBytes. Bytes
/// are asked for no longer than necessary: whoever waits for a live log gets its first line at once.
[[nodiscard]] std::optional<Format> detect(std::string_view beginning, bool at_end);

}  // namespace rangerctl::log
