#include "cli/convert_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "io/compress.hpp"
#include "io/pcap_writer.hpp"
#include "rangerctl/convert/decoded_writer.hpp"
#include "rangerctl/log/format.hpp"
#include "rangerctl/output/filter.hpp"

namespace rangerctl::cli {
namespace {

using namespace std::chrono_literals;

enum class Decoded : std::uint8_t { json, csv, wide };

/// A form of decoded output, beside the formats of logs.
struct DecodedRow {
  Decoded decoded;
  std::string_view name;
};
constexpr std::array kDecoded{DecodedRow{Decoded::json, "json"}, DecodedRow{Decoded::csv, "csv"},
                              DecodedRow{Decoded::wide, "wide"}};

/// One of both.
struct Target {
  const log::FormatRow* log = nullptr;
  const DecodedRow* decoded = nullptr;
};

std::string names() {
  std::string text;
  for (const log::FormatRow& row : log::kFormats) {
    if (row.is_written) text += fmt::format("{}, ", row.name);
  }
  return text + "json, csv, wide";
}

Error usage(std::string message) { return {ExitStatus::usage, std::move(message)}; }

Result<Target> find_by_name(std::string_view name) {
  for (const log::FormatRow& row : log::kFormats) {
    if (row.is_written && row.name == name) return Target{&row, nullptr};
  }
  for (const DecodedRow& row : kDecoded) {
    if (row.name == name) return Target{nullptr, &row};
  }
  return usage(fmt::format("no format '{}'; use one of: {}", name, names()));
}

Result<Target> find_by_suffix(const std::string& file) {
  const std::string_view name = io::without_compression(file);
  if (name.ends_with(".json") || name.ends_with(".jsonl")) return find_by_name("json");
  if (name.ends_with(".csv"))
    return usage(
        "a .csv file can be many things; say which with --format csv, wide, python-can-csv or gvret-csv");
  for (const log::FormatRow& row : log::kFormats) {
    if (row.is_written && !row.suffix.empty() && name.ends_with(row.suffix)) return Target{&row, nullptr};
  }
  return usage(
      fmt::format("the name of '{}' does not say the format; use --format with one of: {}", file, names()));
}

Result<std::vector<output::SignalChoice>> parse_signals(const TargetWords& words,
                                                        const protocol::Catalogue& catalogue) {
  std::vector<output::SignalChoice> signals;
  for (const std::string& text : words.signals) {
    auto signal = output::parse_signal_choice(text, catalogue);
    if (!signal) return signal.error();
    signals.push_back(*signal);
  }
  return signals;
}

/// Options that the target would ignore.
Result<void> check(const TargetWords& words, const Target& target) {
  if (target.decoded == nullptr && !words.signals.empty())
    return usage(fmt::format("--signal is for decoded output (json, csv, wide), and {} is a format of frames",
                             target.log->name));
  if (words.grid && (target.decoded == nullptr || target.decoded->decoded != Decoded::wide))
    return usage("--grid is for --format wide alone: everything else has every frame at its own time");
  return {};
}

std::unique_ptr<convert::LogWriter> make_decoded(Decoded decoded, std::vector<output::SignalChoice> signals,
                                                 std::chrono::milliseconds grid,
                                                 const protocol::Catalogue& catalogue) {
  if (decoded == Decoded::wide) {
    if (signals.empty()) signals = convert::all_signals(catalogue);
    return std::make_unique<convert::WideLogWriter>(catalogue, std::move(signals), grid);
  }
  const auto format = decoded == Decoded::json ? output::Format::json : output::Format::csv;
  return std::make_unique<convert::RecordLogWriter>(
      catalogue, output::WriterOptions{.format = format, .signals = std::move(signals)});
}

}  // namespace

Result<std::unique_ptr<convert::LogWriter>> make_target_writer(const TargetWords& words,
                                                               const protocol::Catalogue& catalogue) {
  const auto target = words.format.empty() ? find_by_suffix(words.file) : find_by_name(words.format);
  if (!target) return target.error();
  auto signals = parse_signals(words, catalogue);
  if (!signals) return signals.error();
  if (const auto checked = check(words, *target); !checked) return checked.error();
  if (target->decoded != nullptr)
    return make_decoded(target->decoded->decoded, std::move(*signals), words.grid.value_or(20ms), catalogue);
  if (target->log->format == log::Format::pcap)
    return std::unique_ptr<convert::LogWriter>(io::make_pcap_writer());
  return std::unique_ptr<convert::LogWriter>(convert::make_log_writer(target->log->format));
}

std::string target_help() { return "what to write: " + names() + " (a column a signal on a grid of time)"; }

}  // namespace rangerctl::cli
