#include "rangerctl/convert/log_writer.hpp"

#include <fmt/format.h>

#include <ctime>

#include "writers.hpp"

namespace rangerctl::convert {
namespace {

using log::Format;

constexpr std::uint32_t formats() { return 0; }
template <class... Rest>
constexpr std::uint32_t formats(Format first, Rest... rest) {
  return 1U << static_cast<unsigned>(first) | formats(rest...);
}

/// The formats that say what they lost in words of their own.
constexpr std::uint32_t kAny = 0;
constexpr std::uint32_t kWithChannels = formats(Format::asc, Format::trc, Format::gvret_csv);
constexpr std::uint32_t kWithDlc = formats(Format::asc, Format::trc, Format::pcap);
constexpr std::uint32_t kWithoutErrorDirection = formats(Format::asc, Format::trc, Format::trc_1_1);
constexpr std::uint32_t kWithXl = formats(Format::candump, Format::asc);

/// One sentence about one frame and about several, and the reason; "{}" is the format's title there.
struct Sentence {
  Loss loss;
  std::uint32_t formats;  ///< kAny: all that no sentence before this one is for
  std::string_view one;
  std::string_view several;
  std::string_view reason;
};
constexpr std::array kSentences{
    Sentence{Loss::error_frame, kAny, "error frame was left out", "error frames were left out",
             "{} has none"},
    Sentence{Loss::remote_frame, kAny, "remote frame was left out", "remote frames were left out",
             "{} has none"},
    Sentence{Loss::fd_frame, kWithDlc, "FD frame was left out", "FD frames were left out",
             "{} has no DLC for a length between those of CAN FD"},
    Sentence{Loss::fd_frame, kAny, "FD frame was left out", "FD frames were left out", "{} has none"},
    Sentence{Loss::xl_frame, kWithXl, "CAN XL frame was left out", "CAN XL frames were left out",
             "{} takes whole ones only, and of these the log has the beginning"},
    Sentence{Loss::xl_frame, kAny, "CAN XL frame was left out", "CAN XL frames were left out", "{} has none"},
    Sentence{Loss::no_time, kAny, "frame was given the time 0", "frames were given the time 0",
             "{} wants one, and the log had none for it or one before 1970"},
    Sentence{Loss::time_digits, kAny, "time was cut", "times were cut", "{} has fewer digits"},
    Sentence{Loss::date, kAny, "time of day is in this machine's time zone",
             "times of day are in this machine's time zone", "{} does not name one"},
    Sentence{Loss::bus_name, kWithChannels, "frame has a number for the name of its bus",
             "frames have a number for the name of their bus", "{} has channels"},
    Sentence{Loss::bus_name, kAny, "frame lost the name of its bus", "frames lost the name of their bus",
             "{} has none"},
    Sentence{Loss::direction, kWithoutErrorDirection, "frame has another direction or none",
             "frames have another direction or none",
             "{} calls an unknown one Rx and has none for error frames"},
    Sentence{Loss::direction, formats(Format::gvret_csv), "frame of unknown direction became Rx",
             "frames of unknown direction became Rx", "{} has no other word"},
    Sentence{Loss::direction, kAny, "frame lost its direction", "frames lost their direction", "{} has none"},
    Sentence{Loss::raw_dlc, kAny, "frame lost its DLC beyond 8", "frames lost their DLC beyond 8",
             "{} has lengths alone"},
    Sentence{Loss::remote_length, kAny, "remote frame lost its length", "remote frames lost their length",
             "{} has none"},
    Sentence{Loss::fd_flags, formats(Format::candump_long), "FD frame lost its flags",
             "FD frames lost their flags", "{} has them only beside a direction"},
    Sentence{Loss::fd_flags, kAny, "FD frame lost flags", "FD frames lost flags", "{} has fewer"},
    Sentence{Loss::error_details, kAny, "error frame lost which error it was",
             "error frames lost which error they were", "{} does not say it, or in another code"},
    Sentence{Loss::xl_details, formats(Format::candump_long), "CAN XL frame lost its bytes behind the 64th",
             "CAN XL frames lost their bytes behind the 64th", "{} stops there"},
    Sentence{Loss::xl_details, kAny, "CAN XL frame lost part of its header",
             "CAN XL frames lost part of their header", "{} has less"},
    Sentence{Loss::drops, kAny, "note of lost frames was left out", "notes of lost frames were left out",
             "{} has none"},
};

std::string text_of(const Sentence& sentence, std::uint64_t count, Format format) {
  return fmt::format("{} {}: {}", count, count == 1 ? sentence.one : sentence.several,
                     fmt::format(fmt::runtime(sentence.reason), log::row_of(format).title));
}

}  // namespace

std::vector<std::string> Losses::text(Format format) const {
  std::vector<std::string> text;
  std::uint64_t told = 0;  // a bit for each Loss
  for (const Sentence& sentence : kSentences) {
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(sentence.loss);
    const bool applies = sentence.formats == kAny || (sentence.formats & formats(format)) != 0;
    if (!applies || (told & bit) != 0 || count(sentence.loss) == 0) continue;
    told |= bit;
    text.push_back(text_of(sentence, count(sentence.loss), format));
  }
  return text;
}

LocalTime utc_to_local(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm local{};
  localtime_r(&time, &local);
  return {local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour,
          local.tm_min,         local.tm_sec,     local.tm_wday};
}

std::unique_ptr<FormatWriter> make_log_writer(Format format, UtcToLocal to_local) {
  switch (format) {
    case Format::asc:
      return make_asc_writer(to_local);
    case Format::trc:
    case Format::trc_1_1:
      return make_trc_writer(format, to_local);
    case Format::python_can_csv:
      return make_python_can_csv_writer();
    case Format::gvret_csv:
      return make_gvret_csv_writer();
    case Format::candump_long:
      return make_candump_long_writer();
    default:
      return make_candump_writer();
  }
}

}  // namespace rangerctl::convert
