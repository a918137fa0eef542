#include "rangerctl/monitor/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lists.hpp"
#include "pages.hpp"
#include "rangerctl/monitor/keys.hpp"
#include "rangerctl/text.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

// ---- The last rows ------------------------------------------------------------------------------------

void draw_keys(const PageView& view, const Area& area) {
  std::vector<Item> items;
  for (const KeyBinding& binding : key_bindings()) {
    if (binding.hint.empty() || !applies(binding, view.choices.page, view.options.replay.has_value()))
      continue;
    const bool here =
        (binding.act == Act::go_to_page && static_cast<Page>(binding.value) == view.choices.page) ||
        (binding.act == Act::help && view.choices.page == Page::help);
    items.push_back(
        {"", std::string(binding.hint), here ? Style::title : Style::dim, here ? 1 : binding.importance});
  }
  fit_items(area.part(0, 1, area.size()), 0, std::move(items));
}

std::string clear_question(const PageView& view) {
  const auto places = fault_places(*view.state.catalogue);
  const protocol::Flag& flag = *places[selected_fault(scene_of(view), places, view.choices)].flag;
  if (flag.clear_code < 0)
    return fmt::format("{} has no own code.  a: all (0x00)  other keys: no", flag.name);
  return fmt::format("Clear {} (0x{:02X})?  y: yes  a: all (0x00)  other keys: no", flag.name,
                     flag.clear_code);
}

std::string prompt_text(const PageView& view) {
  switch (view.choices.prompt) {
    case Prompt::filter:
      return fmt::format("Filter: {}_  Enter keeps it, Esc shows all", view.choices.typed);
    case Prompt::position:
      return fmt::format("Go to (seconds, 1:30, 1:02:03): {}_", view.choices.typed);
    case Prompt::clear_error:
      return clear_question(view);
    case Prompt::none:
      break;
  }
  return {};
}

void draw_last_row(const PageView& view, const Area& area) {
  if (const std::string prompt = prompt_text(view); !prompt.empty()) {
    area.put_elided(0, 1, prompt, Style::title);
  } else if (!view.options.notice.empty()) {
    area.put_elided(0, 1, printable(view.options.notice), view.options.notice_style);
  } else {
    draw_keys(view, area);
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
  const std::string text =
      fmt::format("{:<7} {} of {}  {:<5}", word, position_text(replay.position), length, replay.speed);
  const int column = area.put(0, 1, text, Style::title) + 1;
  const int width = area.columns() - column - 1;
  if (!replay.length || replay.length->count() == 0 || width < 4) return;
  const auto full = static_cast<int>(
      std::clamp(replay.position * width / *replay.length, std::int64_t{0}, std::int64_t{width}));
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

PageView page_view(const Scene& scene, const Choices& choices, const DrawOptions& options) {
  return {{scene.watched.state, scene.now}, scene.watched.history, choices, options, scene.watched};
}

}  // namespace

Screen draw(const Scene& live, const Scene& shown, Size size, const Choices& choices,
            const DrawOptions& options) {
  Screen screen(size);
  const Area area(screen);
  const PageView now = page_view(live, choices, options);
  const PageView page = page_view(shown, choices, options);
  const bool frozen = &live.watched != &shown.watched;
  draw_header(now, area, frozen ? std::optional(live.now - shown.now) : std::nullopt);
  constexpr int kRowsForKeys = 5;
  int bottom = area.rows();
  if (area.rows() >= kRowsForKeys) draw_last_row(page, area.part(--bottom, 0, {1, area.columns()}));
  if (options.replay && area.rows() >= kRowsForKeys)
    draw_replay(page, area.part(--bottom, 0, {1, area.columns()}));
  draw_page(page, area.part(1, 0, {bottom - 1, area.columns()}), screen.size());
  if (options.ascii) screen.reduce_to_ascii();
  return screen;
}

}  // namespace rangerctl::monitor
