// What the tests of formats of logs share: frames in a few characters.
#pragma once

#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rangerctl/convert/log_writer.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/log/line_parser.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::log {

/// The calendar of UTC.
inline std::int64_t utc(int year, int month, int day, int hour, int minute, int second) {
  std::tm time{};
  time.tm_year = year - 1900;
  time.tm_mon = month - 1;
  time.tm_mday = day;
  time.tm_hour = hour;
  time.tm_min = minute;
  time.tm_sec = second;
  return ::timegm(&time);
}

/// 2024-04-05 19:34:38 and other times of the calendar, as UTC has them.
inline convert::LocalTime utc_calendar(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm calendar{};
  ::gmtime_r(&time, &calendar);
  return {calendar.tm_year + 1900, calendar.tm_mon + 1, calendar.tm_mday, calendar.tm_hour,
          calendar.tm_min,         calendar.tm_sec,     calendar.tm_wday};
}

/// "45123#81:00:12345678#1122334455", as candump writes it.
inline std::string text_of_xl(std::uint32_t priority, const XlFrame& xl) {
  std::string text =
      fmt::format("{:02X}{:03X}#{:02X}:{:02X}:{:08X}#", xl.vcid, priority, xl.flags, xl.sdt, xl.af);
  for (std::size_t i = 0; i < xl.stored; ++i) text += fmt::format("{:02X}", xl.data[i]);
  return text;
}

/// "12.500000 can0 rx 211#0001": what a parser made of a frame, with the digits of its time.
inline std::string text_of(const LogFrame& frame) {
  std::string time = "-";
  if (frame.time.known()) {
    std::string decimals =
        std::to_string(1'000'000'000 + frame.time.nanoseconds).substr(1, frame.time.digits);
    time = std::to_string(frame.time.seconds) + "." + decimals;
  }
  const char* const way = frame.direction == FrameDirection::rx   ? " rx "
                          : frame.direction == FrameDirection::tx ? " tx "
                                                                  : " ";
  std::string text = time + " " + std::string(frame.bus.empty() ? "-" : frame.bus) + way;
  return text + (frame.frame.kind == FrameKind::xl ? text_of_xl(frame.frame.id, frame.xl)
                                                   : written_frame(frame.frame));
}

/// A line after the other through one parser: the text of each frame, or the name of what else it is.
inline std::vector<std::string> texts_of(LineParser& parser, const std::vector<std::string_view>& lines,
                                         LineEnd end = LineEnd::newline) {
  std::vector<std::string> texts;
  LogFrame frame;
  for (const std::string_view line : lines) {
    const LineKind kind = parser.parse(line, end, frame);
    texts.push_back(kind == LineKind::frame ? text_of(frame) : std::string(line_kind_name(kind)));
  }
  return texts;
}

inline std::vector<std::string> texts_of(Format format, const std::vector<std::string_view>& lines) {
  return texts_of(*make_line_parser(format, utc), lines);
}

}  // namespace rangerctl::log
