#include <benchmark/benchmark.h>

#include <vector>

#include "rangerctl/analysis/analysis.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::analysis {
namespace {

/// Every message of the catalogue in turn, a millisecond apart; `changing`: the last byte counts.
void analyse(benchmark::State& state, bool changing) {
  const protocol::Catalogue& catalogue = protocol::kDefaultCatalogue;
  Analysis analysis(catalogue);
  std::vector<log::LogFrame> frames(catalogue.messages().size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].frame = protocol::empty_frame(catalogue.messages()[i]);
    frames[i].bus = "can0";
    frames[i].time = {1'712'345'678, 0, 6};
  }
  std::size_t next = 0;
  std::uint32_t milliseconds = 0;
  for (auto _ : state) {
    log::LogFrame& one = frames[next];
    next = next + 1 == frames.size() ? 0 : next + 1;
    ++milliseconds;
    one.time = {1'712'345'678 + milliseconds / 1000, milliseconds % 1000 * 1'000'000, 6};
    if (changing) ++one.frame.data[one.frame.length == 0 ? 0 : one.frame.length - 1U];
    analysis.add(one);
  }
  benchmark::DoNotOptimize(analysis.frames());
}

BENCHMARK_CAPTURE(analyse, standing, false);
BENCHMARK_CAPTURE(analyse, changing, true);

}  // namespace
}  // namespace rangerctl::analysis
