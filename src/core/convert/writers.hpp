#pragma once

#include <memory>

#include "rangerctl/convert/log_writer.hpp"

/// The writers of single formats, see make_log_writer().
namespace rangerctl::convert {

/// The bus that a candump log names where the log had no name.
inline constexpr std::string_view kUnknownBus = "can0";

[[nodiscard]] std::unique_ptr<FormatWriter> make_candump_writer();
[[nodiscard]] std::unique_ptr<FormatWriter> make_candump_long_writer();
[[nodiscard]] std::unique_ptr<FormatWriter> make_asc_writer(UtcToLocal to_local);
/// `format`: trc or trc_1_1.
[[nodiscard]] std::unique_ptr<FormatWriter> make_trc_writer(log::Format format, UtcToLocal to_local);
[[nodiscard]] std::unique_ptr<FormatWriter> make_python_can_csv_writer();
[[nodiscard]] std::unique_ptr<FormatWriter> make_gvret_csv_writer();

}  // namespace rangerctl::convert
