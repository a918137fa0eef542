#pragma once

#include "cli/feed.hpp"
#include "rangerctl/exit_status.hpp"
#include "rangerctl/monitor/draw.hpp"
#include "tui/terminal.hpp"

namespace rangerctl::cli {

struct DashboardOptions {
  bool ascii = false;
  monitor::Graph graph = monitor::Graph::braille;
  double repaints_per_second = 4;
};

/// Paints and listens until somebody ends it.
Result<ExitStatus> run_dashboard(LiveFeed& feed, tui::Terminal& terminal, std::string_view address,
                                 const DashboardOptions& options);
Result<ExitStatus> run_dashboard(ReplayFeed& feed, tui::Terminal& terminal, std::string_view address,
                                 const DashboardOptions& options);

}  // namespace rangerctl::cli
