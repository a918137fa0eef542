#pragma once

#include <cstddef>

#include "rangerctl/monitor/draw.hpp"

namespace rangerctl::monitor {

/// Rows that scroll when one frame is opened: its signals, or its bytes.
[[nodiscard]] std::size_t opened_rows(const Scene& scene, const Choices& choices);

/// Rows above them on a page of this size.
[[nodiscard]] int opened_head_rows(const Scene& scene, const Choices& choices, Size page);

}  // namespace rangerctl::monitor
