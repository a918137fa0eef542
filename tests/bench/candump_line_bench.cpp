#include <benchmark/benchmark.h>

#include <string>

#include "rangerctl/log/candump_line.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::log {
namespace {

void parse_line(benchmark::State& state, const std::string& line) {
  CandumpParser parser(protocol::kDefaultCatalogue);
  LogFrame out;
  std::string text;
  for (int i = 0; i < 100; ++i) text += line + '\n';
  std::string_view rest = text;
  for (auto _ : state) {
    if (rest.size() < text.size() / 2) rest = text;
    if (parser.take(rest, out) != LineKind::frame) {
      state.SkipWithError("no frame");
      break;
    }
    benchmark::DoNotOptimize(out.frame);
  }
}

const std::string kLog = "(1712345678.123456) can0 211#0001019000000001";
const std::string kLong = "  can0  211   [8]  00 01 01 90 00 00 00 01";

BENCHMARK_CAPTURE(parse_line, log, kLog);
BENCHMARK_CAPTURE(parse_line, log_with_direction, kLog + " R");
BENCHMARK_CAPTURE(parse_line, log_nanoseconds, "(1712345678.123456789) can0 211#0001019000000001");
BENCHMARK_CAPTURE(parse_line, log_extended_id, "(1712345678.123456) can0 18FF50E5#0001019000000001");
BENCHMARK_CAPTURE(parse_line, long_format, kLong);
BENCHMARK_CAPTURE(parse_line, long_with_time, " (1712345678.123456)" + kLong);
BENCHMARK_CAPTURE(parse_line, long_with_date, " (2024-04-05 19:34:38.123456)" + kLong);
BENCHMARK_CAPTURE(parse_line, long_with_ascii, kLong + "   '........'");
BENCHMARK_CAPTURE(parse_line, long_reversed, "  can0  211   [8]  01`00`00`00`90`01`01`00");
BENCHMARK_CAPTURE(parse_line, long_coloured,
                  "  \x1b[1m\x1b[34mcan0\x1b[0m  211   [8]  00 01 01 90 00 00 00 01");

}  // namespace
}  // namespace rangerctl::log
