#include "rangerctl/log/written_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "rangerctl/log/candump_line.hpp"

namespace rangerctl::log {
namespace {

std::string id_digits(const Frame& frame) {
  if (frame.kind == FrameKind::error) return fmt::format("{:08X}", frame.id | kErrorIdBit);
  return frame.extended ? fmt::format("{:08X}", frame.id) : fmt::format("{:03X}", frame.id);
}

std::string hex(const Frame& frame, std::string_view separator) {
  std::string text;
  for (const std::uint8_t byte : frame.bytes()) {
    if (!text.empty()) text += separator;
    text += fmt::format("{:02X}", byte);
  }
  return text;
}

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
  const std::string id = id_digits(frame);
  if (frame.kind == FrameKind::remote)
    return fmt::format("{}#R{}", id, frame.length == 0 ? "" : fmt::format("{}", frame.length));
  if (frame.kind == FrameKind::fd) return fmt::format("{}##{:X}{}", id, frame.fd_flags, hex(frame, ""));
  const std::string raw_dlc = frame.raw_dlc != 0 ? fmt::format("_{:X}", frame.raw_dlc) : "";
  return fmt::format("{}#{}{}", id, hex(frame, ""), raw_dlc);
}

std::string written_line(const Received& received, std::string_view bus, DirectionColumn directions) {
  const std::string_view direction = directions == DirectionColumn::no          ? ""
                                     : received.direction == FrameDirection::tx ? " T"
                                                                                : " R";
  return fmt::format("({:010}.{:06}) {} {}{}\n", received.time.seconds, received.time.nanoseconds / 1000, bus,
                     written_frame(received.frame), direction);
}

std::string written_drops(std::uint64_t count, std::string_view bus, std::uint64_t total) {
  return fmt::format("DROPCOUNT: dropped {} CAN frame{} on '{}' socket (total drops {})\n", count,
                     count == 1 ? "" : "s", bus, total);
}

std::string candump_text(std::string_view bus, const Frame& frame) {
  const std::string length =
      frame.kind == FrameKind::fd ? fmt::format("[{:02}]", frame.length) : fmt::format(" [{}]", frame.length);
  return fmt::format("  {}  {}  {}  {}", bus, id_digits(frame), length,
                     frame.kind == FrameKind::remote ? "remote request" : hex(frame, " "));
}

}  // namespace rangerctl::log
