#include "rangerctl/log/written_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "candump_text.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/output/text_buffer.hpp"

namespace rangerctl::log {
namespace {

/// Without the dots that cansend allows between bytes.
std::string without_dots(std::string_view word) {
  std::string text(word);
  const auto data = text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find('#'), text.size()));
  text.erase(std::remove(data, text.end(), '.'), text.end());
  return text;
}

bool has_blank(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isspace(c) != 0; });
}

}  // namespace

Result<Frame> parse_written_frame(const protocol::Catalogue& catalogue, std::string_view word) {
  CandumpParser parser(catalogue);
  LogFrame parsed;
  const std::string line = "(0.000000) x " + without_dots(word);
  if (has_blank(word) || parser.parse(line, LineEnd::newline, parsed) != LineKind::frame) {
    return Error{
        ExitStatus::usage,
        fmt::format("'{}' is no frame; write an id of 3 or 8 hex digits, '#' and the data in hex, as in "
                    "211#000101F100000000",
                    word)};
  }
  return parsed.frame;
}

std::string written_frame(const Frame& frame) {
  std::array<char, candump::kRoom> text;
  return {text.data(), candump::put_log_frame(text.data(), frame, nullptr)};
}

std::string written_line(const Received& received, std::string_view bus, DirectionColumn directions) {
  constexpr unsigned kMicroseconds = 6;
  const std::string_view direction = directions == DirectionColumn::no          ? "\n"
                                     : received.direction == FrameDirection::tx ? " T\n"
                                                                                : " R\n";
  std::array<char, candump::kRoom> time;
  std::array<char, candump::kRoom> rest;
  char* const time_end = candump::put_time(output::put(time.data(), '('), received.time, kMicroseconds);
  char* const frame_end = candump::put_log_frame(output::put(rest.data(), ' '), received.frame, nullptr);
  char* const rest_end = output::put(frame_end, direction);
  std::string line;
  line.reserve(candump::kRoom);
  line.append(time.data(), output::put(time_end, ") ")).append(bus).append(rest.data(), rest_end);
  return line;
}

std::string written_drops(std::uint64_t count, std::string_view bus, std::uint64_t total) {
  return fmt::format("DROPCOUNT: dropped {} CAN frame{} on '{}' socket (total drops {})\n", count,
                     count == 1 ? "" : "s", bus, total);
}

std::string candump_text(std::string_view bus, const Frame& frame) {
  std::array<char, candump::kRoom> text;
  const std::string_view shown{text.data(), candump::put_long_frame(text.data(), frame, nullptr, false)};
  return fmt::format("  {}  {}", bus, shown);
}

}  // namespace rangerctl::log
