#pragma once

#include <cstddef>

#include "rangerctl/monitor/draw.hpp"

namespace rangerctl::monitor {

/// Rows that scroll when one frame is opened: its signals, or its bytes.
[[nodiscard]] std::size_t opened_rows(const Scene& scene, const Choices& choices);

}  // namespace rangerctl::monitor
