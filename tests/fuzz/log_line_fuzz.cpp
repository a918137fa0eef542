#include <array>
#include <string>
#include <string_view>

#include "log_check.hpp"
#include "rangerctl/convert/log_writer.hpp"
#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/log/line_parser.hpp"
#include "rangerctl/protocol/catalogue.hpp"

/// The text formats of logs but candump's: the first byte chooses one, then lines, the last without its
/// newline.
namespace rangerctl::fuzz {
namespace {

using namespace rangerctl::log;

constexpr std::array kFormats{Format::asc, Format::trc, Format::python_can_csv, Format::gvret_csv};

std::int64_t some_utc(int year, int month, int day, int hour, int minute, int second) {
  require(year >= 1899 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31);
  require(hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59);
  return (((year * 12LL + month) * 31 + day) * 24 + hour) * 3600 + minute * 60 + second;
}

/// A frame is one in candump's format too, and the same there. A time before 1970 has no place in it.
void check_as_candump(const LogFrame& first) {
  static LogFrame again;
  output::TextBuffer out;
  convert::make_log_writer(Format::candump)->write(first, out);
  std::string_view text = out.view();
  CandumpParser parser(protocol::kDefaultCatalogue, some_utc);
  require(parser.take(text, again) == LineKind::frame && text.empty());
  require(again.frame == first.frame && again.direction == first.direction);
  require(first.bus.empty() || again.bus == first.bus);
  require(!first.time.known() || first.time.seconds < 0 || std::is_eq(again.time.order(first.time)));
  if (first.frame.kind == FrameKind::xl) require(same(again.xl, first.xl));
}

/// Two parsers that have read the same lines: what one of them says of a line the other says too.
class Parsers {
 public:
  explicit Parsers(Format format)
      : one_(make_line_parser(format, some_utc)), other_(make_line_parser(format, some_utc)) {}

  void read(std::string_view line, LineEnd end) {
    static LogFrame first;
    static LogFrame second;
    const LineKind kind = one_->parse(line, end, first);
    require(static_cast<std::size_t>(kind) < kLineKinds);
    require(kind != LineKind::cut || end == LineEnd::eof);
    require((kind == LineKind::too_long) == (line.size() > kLongestLine));
    if (kind == LineKind::frame) {
      check_log_frame(first);
      check_as_candump(first);
    }
    // The parser may not look behind the line.
    std::string copy(line);
    require(other_->parse(copy, end, second) == kind);
    require(kind != LineKind::frame || same(first, second));
  }

 private:
  std::unique_ptr<LineParser> one_;
  std::unique_ptr<LineParser> other_;
};

}  // namespace

void log_line(std::span<const std::uint8_t> input) {
  if (input.empty()) return;
  Parsers parsers(kFormats.at(input[0] % kFormats.size()));
  std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  text.remove_prefix(1);
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const bool last = newline == std::string_view::npos;
    parsers.read(text.substr(0, newline), last ? LineEnd::eof : LineEnd::newline);
    text.remove_prefix(last ? text.size() : newline + 1);
  }
}

}  // namespace rangerctl::fuzz
