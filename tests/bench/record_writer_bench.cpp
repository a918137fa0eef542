#include <benchmark/benchmark.h>

#include "rangerctl/output/record_writer.hpp"
#include "rangerctl/protocol/catalogue.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::output {
namespace {

/// Every message of the catalogue in turn; `changing`: with other values each time.
void write_record(benchmark::State& state, Format format, bool changing) {
  const protocol::Catalogue& catalogue = protocol::kDefaultCatalogue;
  RecordWriter writer(catalogue, {.format = format});
  TextBuffer out;
  std::vector<Frame> frames;
  for (const protocol::Message& message : catalogue.messages())
    frames.push_back(protocol::empty_frame(message));
  const Timestamp time{1712345678, 123'456'000, 6};
  std::size_t at = 0;
  for (auto _ : state) {
    Frame& frame = frames[at++ % frames.size()];
    if (changing) ++frame.data[1];
    writer.write({.time = time, .bus = "can0", .frame = frame}, out);
    if (out.size() > 200'000) out.clear();
  }
  benchmark::DoNotOptimize(out.view().data());
}

BENCHMARK_CAPTURE(write_record, json_changing, Format::json, true);
BENCHMARK_CAPTURE(write_record, json_same, Format::json, false);
BENCHMARK_CAPTURE(write_record, text_changing, Format::text, true);
BENCHMARK_CAPTURE(write_record, csv_changing, Format::csv, true);

}  // namespace
}  // namespace rangerctl::output
