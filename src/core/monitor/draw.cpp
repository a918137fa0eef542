#include "rangerctl/monitor/draw.hpp"

#include <array>

#include "pages.hpp"
#include "panels.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

/// A row of help; a row without a key is a heading.
struct HelpRow {
  std::string_view key;
  std::string_view meaning;
};
constexpr std::array kHelp{
    HelpRow{"", "Keys"},
    HelpRow{"1", "overview: the chassis"},
    HelpRow{"2", "frames: every id with its rate and age"},
    HelpRow{"Tab", "the other page"},
    HelpRow{"? h", "this help; once more: back"},
    HelpRow{"q", "quit"},
    HelpRow{"", "Signs"},
    HelpRow{"----", "never received, or too old to be true"},
    HelpRow{"+ ? !", "first row: well, something not known, trouble"},
    HelpRow{"!", "active error; on page 2 rate below 80 % or age above 3 periods"},
    HelpRow{"+", "error that was active since the start"},
    HelpRow{"LOST", "motor that sends nothing; part: one of its two messages"},
    HelpRow{"status", "Undervoltage Motor-hot Current Driver-hot Sensor Fault"},
    HelpRow{"e", "drive enable bit: set on healthy vehicles too, no alarm"},
    HelpRow{"load", "share of the bus, without stuff bits"},
    HelpRow{"lost", "frames that this host could not take in time"},
};

void draw_keys(const View& view, const Area& area) {
  const auto page_style = [&view](Page page) {
    return view.options.page == page ? Style::title : Style::dim;
  };
  const auto item = [](std::string text, Style style, int importance) {
    return Item{"", std::move(text), style, importance};
  };
  fit_items(area.part(area.rows() - 1, 1, {1, area.columns()}), 0,
            {item("1 Overview", page_style(Page::overview), 3), item("2 Frames", page_style(Page::frames), 4),
             item("Tab next page", Style::dim, 2), item("? Help", page_style(Page::help), 1),
             item("q Quit", Style::dim, 0)});
}

void draw_page(const View& view, const Area& area) {
  switch (view.options.page) {
    case Page::overview:
      draw_overview(view, area);
      return;
    case Page::frames:
      draw_frames(view, area);
      return;
    case Page::help:
      draw_help(view, area);
      return;
  }
}

void draw_all(const View& view, const Area& area) {
  constexpr int kRowsForKeys = 5;
  const int key_rows = area.rows() >= kRowsForKeys ? 1 : 0;
  if (key_rows != 0) draw_keys(view, area);
  const Area upper = area.part(0, 0, {area.rows() - key_rows, area.columns()});
  if (view.options.page == Page::overview && needs_compact(area.size())) {
    draw_compact(view, upper);
    return;
  }
  draw_header(view, upper);
  draw_page(view, upper.lower(1));
}

}  // namespace

void draw_help(const View&, const Area& area) {
  int row = 0;
  for (const HelpRow& entry : kHelp) {
    if (entry.key.empty()) {
      area.heading(row++, entry.meaning);
    } else {
      area.put(row, 1, entry.key, Style::title);
      area.put_elided(row++, 9, entry.meaning);
    }
  }
}

Screen draw(const State& state, SteadyTime now, Size size, const DrawOptions& options) {
  Screen screen(size);
  draw_all({state, now, options}, Area(screen));
  if (options.ascii) screen.reduce_to_ascii();
  return screen;
}

}  // namespace rangerctl::monitor
