#include "rangerctl/convert/decoded_writer.hpp"

#include <fmt/format.h>

#include <utility>

namespace rangerctl::convert {

void RecordLogWriter::write(const log::LogFrame& frame, output::TextBuffer& out) {
  finish(out);
  const log::XlFrame* const xl = frame.frame.kind == FrameKind::xl ? &frame.xl : nullptr;
  writer_.write({frame.time, frame.bus, frame.direction, frame.frame, xl}, out);
}

void RecordLogWriter::finish(output::TextBuffer& out) {
  if (!std::exchange(begun_, true)) writer_.write_header(out);
}

void WideLogWriter::write(const log::LogFrame& frame, output::TextBuffer& out) {
  begin(out);
  csv_.take(frame, out);
}

void WideLogWriter::finish(output::TextBuffer& out) {
  begin(out);
  csv_.finish(out);
}

void WideLogWriter::begin(output::TextBuffer& out) {
  if (!std::exchange(begun_, true)) csv_.write_header(out);
}

std::vector<std::string> WideLogWriter::lost() const {
  struct Sentence {
    std::uint64_t count;
    std::string_view one;
    std::string_view several;
  };
  const std::array sentences{
      Sentence{csv_.notes().gaps, "gap without frames has no rows", "gaps without frames have no rows"},
      Sentence{csv_.notes().backward, "time the log goes back in time, and so do the rows",
               "times the log goes back in time, and so do the rows"},
      Sentence{csv_.notes().timeless, "frame without a time was left out",
               "frames without a time were left out"},
  };
  std::vector<std::string> text;
  for (const Sentence& row : sentences) {
    if (row.count != 0)
      text.push_back(fmt::format("{} {}", row.count, row.count == 1 ? row.one : row.several));
  }
  return text;
}

std::vector<output::SignalChoice> all_signals(const protocol::Catalogue& catalogue) {
  std::vector<output::SignalChoice> all;
  for (const protocol::Message& message : catalogue.messages()) {
    for (const protocol::Signal& signal : message.signals) all.push_back({&message, &signal});
  }
  return all;
}

}  // namespace rangerctl::convert
