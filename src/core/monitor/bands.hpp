#pragma once

#include <span>

#include "panels.hpp"

/// Panels below each other.
namespace rangerctl::monitor {

/// One or two panels beside each other, with the rows they need and the rows they can use.
struct Band {
  DrawPanel left;
  DrawPanel right;  ///< null: the left one has the whole width
  int least;
  int most;
  int importance;  ///< lower numbers get the rows they need first
  int growth;      ///< lower numbers get the rows they can use first, equal ones in turn
};

/// Draws those for which there is room. Returns the number of rows used.
int draw_bands(const PageView& view, const Area& area, std::span<const Band> bands);

}  // namespace rangerctl::monitor
