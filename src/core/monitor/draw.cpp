#include "rangerctl/monitor/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lists.hpp"
#include "pages.hpp"
#include "rangerctl/monitor/keys.hpp"
#include "rangerctl/text.hpp"
#include "rangerctl/wrapped_text.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

// ---- The last rows ------------------------------------------------------------------------------------

/// Whether the key of a pause would end it.
bool stands(const KeyBinding& binding, const PageView& view) {
  const bool paused = view.options.replay && view.options.replay->paused;
  return (binding.act == Act::pause && paused) || (binding.act == Act::freeze && view.frozen);
}

void draw_keys(const PageView& view, const Area& area) {
  std::vector<Item> items;
  for (const KeyBinding& binding : key_bindings()) {
    if (binding.hint.empty() || !applies(binding, view.choices.page, view.options.replay.has_value()))
      continue;
    const bool here =
        (binding.act == Act::go_to_page && static_cast<Page>(binding.value) == view.choices.page) ||
        (binding.act == Act::help && view.choices.page == Page::help);
    if (binding.act == Act::clear_error && view.options.replay) continue;
    items.push_back({"", std::string(stands(binding, view) ? "Space Go on" : binding.hint),
                     here ? Style::title : Style::dim, here ? 1 : binding.importance});
  }
  fit_items(area.part(0, 1, area.size()), 0, std::move(items));
}

std::string prompt_text(const PageView& view) {
  switch (view.choices.prompt) {
    case Prompt::filter:
      return fmt::format("Filter: {}_  Enter keeps it, Esc shows all", view.choices.typed);
    case Prompt::position:
      return fmt::format("Go to (seconds, 1:30, 1:02:03): {}_", view.choices.typed);
    case Prompt::clear_error:
      return clear_question(*fault_places(*view.state.catalogue).at(view.choices.fault.value_or(0)).flag);
    case Prompt::none:
      break;
  }
  return {};
}

void draw_last_row(const PageView& view, const Area& area) {
  if (const std::string prompt = prompt_text(view); !prompt.empty()) {
    area.put_elided(0, 1, prompt, Style::title);
  } else {
    draw_keys(view, area);
  }
}

/// In the last rows, as many as it needs, over what is there otherwise.
void draw_notice(const PageView& view, const Area& area) {
  if (view.options.notice.empty()) return;
  constexpr int kMostRows = 3;
  const auto lines = wrapped(printable(view.options.notice), std::max(1, area.columns() - 2));
  const int count = std::min({static_cast<int>(lines.size()), kMostRows, area.rows() - 1});
  for (int i = 0; i < count; ++i) {
    const int row = area.rows() - count + i;
    area.put(row, 0, std::string(static_cast<std::size_t>(area.columns()), ' '));
    area.put_elided(row, 1, lines[static_cast<std::size_t>(i)], view.options.notice_style);
  }
}

std::string position_text(std::chrono::nanoseconds position) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(position).count();
  const auto seconds = ms / 1000;
  const std::string rest = fmt::format("{:02}:{:02}.{:03}", seconds / 60 % 60, seconds % 60, ms % 1000);
  return seconds < 3600 ? rest : fmt::format("{}:{}", seconds / 3600, rest);
}

void draw_replay(const PageView& view, const Area& area) {
  const ReplayView& replay = *view.options.replay;
  const bool ended = view.state.link.state == LinkState::ended;
  const std::string_view word = ended                ? "ended"
                                : replay.catching_up ? "seeking"
                                : replay.paused      ? "paused"
                                                     : "playing";
  const std::string length = replay.length ? position_text(*replay.length) : std::string(kMissing);
  const std::uint64_t unreadable = view.state.link.unreadable;
  const std::string trouble = unreadable == 0 ? "" : fmt::format("{} lines not understood  ", unreadable);
  const std::string text = trouble + fmt::format("{:<7} {} of {}  {:<5}", word,
                                                 position_text(replay.position), length, replay.speed);
  const int column = area.put(0, 1, text, Style::title) + 1;
  const int width = area.columns() - column - 1;
  if (!replay.length || replay.length->count() == 0 || width < 4) return;
  const std::chrono::duration<double> position = replay.position, whole = *replay.length;
  const int full = std::clamp(static_cast<int>(position / whole * width), 0, width);
  for (int i = 0; i < width; ++i) area.put(0, column + i, i < full ? "█" : "░", Style::dim);
}

// ---- Pages --------------------------------------------------------------------------------------------

using DrawPage = void (*)(const PageView& view, const Area& area);
/// In the order of Page.
constexpr std::array<DrawPage, 5> kDrawPage{draw_overview, draw_frames, draw_faults, draw_plots, draw_help};

void draw_page(const PageView& view, const Area& area, Size screen) {
  if (view.choices.page == Page::overview && needs_compact(screen)) {
    draw_compact(view, area);
  } else {
    kDrawPage.at(static_cast<std::size_t>(view.choices.page))(view, area);
  }
}

PageView page_view(const Scene& scene, const Choices& choices, const DrawOptions& options, bool frozen) {
  return {{scene.watched.state, scene.now}, scene.watched.history, choices, options, scene.watched, frozen};
}

}  // namespace

Screen draw(const Scene& live, const Scene& shown, Size size, const Choices& choices,
            const DrawOptions& options) {
  Screen screen(size);
  const Area area(screen);
  const bool frozen = &live.watched != &shown.watched;
  const PageView now = page_view(live, choices, options, false);
  const PageView page = page_view(shown, choices, options, frozen);
  draw_header(now, area, frozen ? std::optional(live.now - shown.now) : std::nullopt);
  const Size room = page_size(screen.size(), options.replay.has_value());
  const int below = area.rows() - 1 - room.rows;
  // A question must be seen, and then the page can wait.
  const bool asks = choices.prompt != Prompt::none;
  draw_page(page, area.part(1, 0, room), screen.size());
  if (below > 1) draw_replay(page, area.part(area.rows() - 2, 0, {1, area.columns()}));
  if (below > 0 || asks) {
    const Area last = area.part(area.rows() - 1, 0, {1, area.columns()});
    last.put(0, 0, std::string(static_cast<std::size_t>(last.columns()), ' '));
    draw_last_row(page, last);
  }
  if (below > 0 && !asks) draw_notice(page, area);
  if (options.ascii) screen.reduce_to_ascii();
  return screen;
}

}  // namespace rangerctl::monitor
