#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "rangerctl/convert/log_writer.hpp"
#include "rangerctl/convert/wide_csv.hpp"
#include "rangerctl/output/record_writer.hpp"
#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::convert {

/// Decoded frames as lines of JSON or CSV, see output::RecordWriter.
class RecordLogWriter final : public LogWriter {
 public:
  /// `catalogue` is kept by reference.
  RecordLogWriter(const protocol::Catalogue& catalogue, output::WriterOptions options)
      : writer_(catalogue, std::move(options)) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) override;
  void write_drops(const log::LogFrame& /*drops*/, output::TextBuffer& /*out*/) override {}
  void finish(output::TextBuffer& out) override;
  [[nodiscard]] std::vector<std::string> lost() const override { return {}; }

 private:
  output::RecordWriter writer_;
  bool begun_ = false;
};

/// Decoded signals as a table, see WideCsv.
class WideLogWriter final : public LogWriter {
 public:
  /// `catalogue` is kept by reference.
  WideLogWriter(const protocol::Catalogue& catalogue, std::vector<output::SignalChoice> columns,
                std::chrono::nanoseconds grid)
      : csv_(catalogue, std::move(columns), grid) {}

  void write(const log::LogFrame& frame, output::TextBuffer& out) override;
  void write_drops(const log::LogFrame& /*drops*/, output::TextBuffer& /*out*/) override {}
  void finish(output::TextBuffer& out) override;
  [[nodiscard]] std::vector<std::string> lost() const override;

 private:
  void begin(output::TextBuffer& out);

  WideCsv csv_;
  bool begun_ = false;
};

/// Every signal of every message of the catalogue, in its order.
[[nodiscard]] std::vector<output::SignalChoice> all_signals(const protocol::Catalogue& catalogue);

}  // namespace rangerctl::convert
