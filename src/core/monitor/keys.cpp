#include "rangerctl/monitor/keys.hpp"

#include <algorithm>
#include <array>

#include "lists.hpp"

namespace rangerctl::monitor {
namespace {

using std::chrono::milliseconds;

constexpr PageSet kFrames = page_bit(Page::frames);
constexpr PageSet kFaults = page_bit(Page::faults);
constexpr PageSet kPlots = page_bit(Page::plots);
constexpr PageSet kRows = kFrames | kFaults | page_bit(Page::help);
constexpr Source kAny = Source::any, kLive = Source::live, kReplay = Source::replay;
constexpr int kJump = 20;

constexpr std::array kBindings{
    KeyBinding{U'1', 0, kEveryPage, kAny, Act::go_to_page, 0, "1", "1 Overview", 5, "overview: the chassis"},
    KeyBinding{U'2', 0, kEveryPage, kAny, Act::go_to_page, 1, "2", "2 Frames", 5,
               "frames: every id with its rate and age"},
    KeyBinding{U'3', 0, kEveryPage, kAny, Act::go_to_page, 2, "3", "3 Faults", 4,
               "faults: every error bit, its times and what to do"},
    KeyBinding{U'4', 0, kEveryPage, kAny, Act::go_to_page, 3, "4", "4 Plots", 5,
               "plots: speed, steering, battery, motor currents"},
    KeyBinding{terminal::kTab, 0, kEveryPage, kAny, Act::next_page, 0, "Tab", "", 0, "the next page"},
    KeyBinding{U' ', 0, kEveryPage, kLive, Act::freeze, 0, "Space", "Space Freeze", 3,
               "freeze the picture, and go on"},
    KeyBinding{U' ', 0, kEveryPage, kReplay, Act::pause, 0, "Space", "Space Pause", 3,
               "pause the replay, and go on"},
    KeyBinding{U'/', 0, kEveryPage, kAny, Act::filter, 0, "/", "/ Filter", 6,
               "show only ids, names and signals that contain a text"},
    KeyBinding{U'o', 0, kFrames, kAny, Act::sort, 0, "o", "o Sort", 8,
               "sort frames by id, rate, age, count, changes"},
    KeyBinding{U'b', 0, kFrames, kAny, Act::bytes, 0, "b", "b Bytes", 9,
               "payloads of all frames, with fewer rows on the screen"},
    KeyBinding{terminal::kEnter, 0, kFrames, kAny, Act::open, 0, "Enter", "Enter Open", 7,
               "frames: everything about one; faults: all events"},
    KeyBinding{terminal::kEnter, 0, kFaults, kAny, Act::open, 0, "", "Enter Events", 7, ""},
    KeyBinding{terminal::kUp, 0, kRows, kAny, Act::move, -1, "arrows", "", 0,
               "move; in an open frame left and right: the next one"},
    KeyBinding{terminal::kDown, 0, kRows, kAny, Act::move, 1, "", "", 0, ""},
    KeyBinding{terminal::kLeft, 0, kRows, kAny, Act::move, -8, "", "", 0, ""},
    KeyBinding{terminal::kRight, 0, kRows, kAny, Act::move, 8, "", "", 0, ""},
    KeyBinding{U'k', 0, kRows, kAny, Act::move, -1, "", "", 0, ""},
    KeyBinding{U'j', 0, kRows, kAny, Act::move, 1, "", "", 0, ""},
    KeyBinding{terminal::kPageUp, 0, kRows, kAny, Act::move, -kJump, "PgUp", "", 0,
               "and PgDn, Home, End: move further"},
    KeyBinding{terminal::kPageDown, 0, kRows, kAny, Act::move, kJump, "", "", 0, ""},
    KeyBinding{terminal::kHome, 0, kRows, kAny, Act::to_edge, 0, "", "", 0, ""},
    KeyBinding{terminal::kEnd, 0, kRows, kAny, Act::to_edge, 1, "", "", 0, ""},
    KeyBinding{U'c', 0, kFaults, kAny, Act::clear_error, 0, "c", "c Clear", 4,
               "faults: clear the chosen error, after a question"},
    KeyBinding{U'+', 0, kPlots, kAny, Act::zoom, -1, "+ -", "+ - Zoom", 6, "plots: shorter and longer times"},
    KeyBinding{U'=', 0, kPlots, kAny, Act::zoom, -1, "", "", 0, ""},
    KeyBinding{U'-', 0, kPlots, kAny, Act::zoom, 1, "", "", 0, ""},
    KeyBinding{U's', 0, kEveryPage, kAny, Act::save, 0, "s", "s Save", 9,
               "save a report of all faults as text"},
    KeyBinding{U'r', 0, kEveryPage, kLive, Act::record, 0, "r", "r Record", 9,
               "record all frames to a candump log, and end it"},
    KeyBinding{U'.', 0, kEveryPage, kReplay, Act::step, 1, ". ,", ". Step", 6,
               "replay: one frame on, one frame back"},
    KeyBinding{U',', 0, kEveryPage, kReplay, Act::step, -1, "", "", 0, ""},
    KeyBinding{U']', 0, kEveryPage, kReplay, Act::speed, 1, "[ ]", "[ ] Speed", 6, "replay: slower, faster"},
    KeyBinding{U'[', 0, kEveryPage, kReplay, Act::speed, -1, "", "", 0, ""},
    KeyBinding{U'>', 0, kEveryPage, kReplay, Act::seek, 5, "< >", "< > Seek", 6, "replay: 5 s back, on"},
    KeyBinding{U'<', 0, kEveryPage, kReplay, Act::seek, -5, "", "", 0, ""},
    KeyBinding{U'}', 0, kEveryPage, kReplay, Act::seek, 60, "{ }", "", 0, "replay: a minute back, on"},
    KeyBinding{U'{', 0, kEveryPage, kReplay, Act::seek, -60, "", "", 0, ""},
    KeyBinding{U'g', 0, kEveryPage, kReplay, Act::position, 0, "g", "g Go to", 8,
               "replay: go to a time, such as 90 or 1:30"},
    KeyBinding{U'?', 0, kEveryPage, kAny, Act::help, 0, "? h", "? Help", 2, "this help, and back"},
    KeyBinding{U'h', 0, kEveryPage, kAny, Act::help, 0, "", "", 0, ""},
    KeyBinding{terminal::kEscape, 0, kEveryPage, kAny, Act::back, 0, "Esc", "", 0,
               "back; takes the filter away"},
    KeyBinding{terminal::kBackspace, 0, kEveryPage, kAny, Act::back, 0, "", "", 0, ""},
    KeyBinding{U'q', 0, kEveryPage, kAny, Act::quit, 0, "q", "q Quit", 0, "quit"},
};

const KeyBinding* find_binding(const terminal::Event& event, Page page, bool replay) {
  const auto* const found = std::find_if(kBindings.begin(), kBindings.end(), [&](const KeyBinding& row) {
    return event.key != terminal::kUnknownKey && row.key == event.key && row.modifiers == event.modifiers &&
           applies(row, page, replay);
  });
  return found == kBindings.end() ? nullptr : &*found;
}

// ---- Moving -------------------------------------------------------------------------------------------

std::size_t moved(std::size_t at, int by, std::size_t count) {
  if (count == 0) return 0;
  const auto target = static_cast<std::ptrdiff_t>(at) + by;
  return static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(target, 0, static_cast<std::ptrdiff_t>(count) - 1));
}

void move_in_frames(Choices& choices, const Scene& shown, int by) {
  const auto ids = listed_ids(shown, choices);
  if (ids.empty()) return;
  choices.selected = ids[moved(selected_row(ids, choices), by, ids.size())].key;
}

void move(Choices& choices, const Sight& sight, int by) {
  const Scene& shown = sight.shown;
  const std::size_t rows = text_rows(shown, choices);
  const bool sideways = by == 8 || by == -8;
  if (rows != 0 && !(choices.opened && choices.page == Page::frames && sideways)) {
    choices.scroll =
        moved(choices.scroll, by, most_scroll(shown, choices, page_size(sight.screen, sight.replay)) + 1);
  } else if (choices.page == Page::frames) {
    move_in_frames(choices, shown, rows != 0 ? by / 8 : by);
  } else if (choices.page == Page::faults) {
    const auto places = fault_places(*shown.watched.state.catalogue);
    choices.fault = moved(selected_fault(shown, places, choices), by, places.size());
  }
}

// ---- Pages --------------------------------------------------------------------------------------------

void go_to(Choices& choices, Page page) {
  choices.page = page;
  choices.scroll = 0;
}

void toggle_help(Choices& choices) {
  if (choices.page == Page::help) return go_to(choices, choices.behind_help);
  choices.behind_help = choices.page;
  go_to(choices, Page::help);
}

void go_back(Choices& choices) {
  const bool frames = choices.page == Page::frames;
  if (choices.page == Page::help) return toggle_help(choices);
  if (frames && choices.opened) {
    choices.opened = false;
  } else if (frames) {
    choices.filter.clear();
  }
  if (choices.page == Page::faults) choices.events = false;
  choices.scroll = 0;
}

void open(Choices& choices, const Scene& shown) {
  choices.scroll = 0;
  if (choices.page == Page::faults) {
    choices.events = !choices.events;
    return;
  }
  const auto ids = listed_ids(shown, choices);
  if (ids.empty()) return;
  choices.selected = ids[selected_row(ids, choices)].key;
  choices.opened = !choices.opened;
}

void start_filter(Choices& choices) {
  go_to(choices, Page::frames);
  choices.opened = false;
  choices.prompt = Prompt::filter;
  choices.typed = choices.filter;
}

// ---- Prompts ------------------------------------------------------------------------------------------

bool edit(std::string& text, const terminal::Event& event) {
  constexpr std::size_t kMost = 40;
  if (event.key == terminal::kBackspace) {
    if (!text.empty()) text.pop_back();
    return true;
  }
  const bool printable = event.key >= U' ' && event.key < 0x7F && event.modifiers == 0;
  if (printable && text.size() < kMost) text += static_cast<char>(event.key);
  return printable;
}

/// Digits alone, and not more than any position has.
std::optional<std::int64_t> whole_number(std::string_view digits) {
  constexpr std::size_t kMostDigits = 7;
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  std::int64_t number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = number * 10 + (digit - '0');
  }
  return number;
}

Request go_to_position(const std::string& text) {
  const auto position = parse_position(text);
  if (!position)
    return {.refusal = "no position in a log; write seconds, minutes:seconds or hours:minutes:seconds"};
  return {Request::Kind::seek_to, position->count()};
}

Request answer_clear(Choices& choices, const terminal::Event& event, const Scene& shown, SteadyTime now) {
  choices.prompt = Prompt::none;
  if (now - choices.asked < kLeastThought)
    return {.refusal = "answered before it was asked: nothing was sent"};
  const auto places = fault_places(*shown.watched.state.catalogue);
  const FaultPlace& asked = places[selected_fault(shown, places, choices)];
  if (event.modifiers != 0 || !is_clearable(asked)) return {.refusal = "nothing was sent"};
  if (event.key == U'a') return {Request::Kind::clear, Request::kAllErrors};
  if (event.key == U'y') return {Request::Kind::clear, asked.flag->bit};
  return {.refusal = "nothing was sent"};
}

Request answer_prompt(Choices& choices, const terminal::Event& event, const Scene& shown, SteadyTime now) {
  const Prompt prompt = choices.prompt;
  if (prompt == Prompt::clear_error) return answer_clear(choices, event, shown, now);
  const bool ends = event.key == terminal::kEnter || event.key == terminal::kEscape;
  if (!ends) {
    edit(choices.typed, event);
  } else {
    choices.prompt = Prompt::none;
    if (event.key == terminal::kEscape) choices.typed.clear();
  }
  if (prompt == Prompt::filter) choices.filter = choices.typed;
  return prompt == Prompt::position && event.key == terminal::kEnter ? go_to_position(choices.typed)
                                                                     : Request{};
}

/// From here on the question is about this one, whatever becomes active meanwhile.
Request ask_to_clear(Choices& choices, const Sight& sight) {
  if (sight.replay) return {.refusal = "a log takes no commands"};
  if (sight.frozen) return {.refusal = "the picture is frozen: press Space and look again"};
  const auto places = fault_places(*sight.shown.watched.state.catalogue);
  const std::size_t chosen = selected_fault(sight.shown, places, choices);
  if (places.empty() || !is_clearable(places[chosen]))
    return {.refusal = "no command clears this one: it follows its cause; choose an error of 0x211"};
  if (sight.screen.rows < 2 || sight.screen.columns < 2 + text_width(clear_question(*places[chosen].flag)))
    return {.refusal = "this terminal is too small for the question"};
  choices.fault = chosen;
  choices.prompt = Prompt::clear_error;
  return {};
}

Request act(Choices& choices, const KeyBinding& binding, const Sight& sight) {
  using Kind = Request::Kind;
  const Scene& shown = sight.shown;
  switch (binding.act) {
    case Act::go_to_page:
      go_to(choices, static_cast<Page>(binding.value));
      return {};
    case Act::next_page:
      go_to(choices, choices.page == Page::help
                         ? choices.behind_help
                         : static_cast<Page>((static_cast<int>(choices.page) + 1) % kPages));
      return {};
    case Act::help:
      toggle_help(choices);
      return {};
    case Act::back:
      go_back(choices);
      return {};
    case Act::move:
      move(choices, sight, binding.value);
      return {};
    case Act::to_edge:
      move(choices, sight, binding.value == 0 ? -1'000'000 : 1'000'000);
      return {};
    case Act::open:
      open(choices, shown);
      return {};
    case Act::filter:
      start_filter(choices);
      return {};
    case Act::sort:
      choices.sort = static_cast<Sort>((static_cast<std::size_t>(choices.sort) + 1) % kSortNames.size());
      return {};
    case Act::bytes:
      choices.bytes = !choices.bytes;
      return {};
    case Act::zoom:
      choices.width = moved(choices.width, binding.value, Trace::kWidths.size());
      return {};
    case Act::position:
      choices.prompt = Prompt::position;
      choices.typed.clear();
      return {};
    case Act::clear_error:
      return ask_to_clear(choices, sight);
    case Act::quit:
      return {Kind::quit};
    case Act::freeze:
      return {Kind::freeze};
    case Act::record:
      return {Kind::record};
    case Act::save:
      return {Kind::save};
    case Act::pause:
      return {Kind::pause};
    case Act::step:
      return {Kind::step, binding.value};
    case Act::speed:
      return {Kind::speed, binding.value};
    case Act::seek:
      return {Kind::seek_by, binding.value * 1000};
  }
  return {};
}

}  // namespace

std::span<const KeyBinding> key_bindings() { return kBindings; }

bool applies(const KeyBinding& binding, Page page, bool replay) {
  const bool source = binding.source == Source::any || (binding.source == Source::replay) == replay;
  return source && (binding.pages & page_bit(page)) != 0;
}

Request react(Choices& choices, const terminal::Event& key, const Sight& sight, SteadyTime now) {
  if (key.kind != terminal::EventKind::key || key.action == terminal::KeyAction::release) return {};
  if (choices.prompt != Prompt::none) return answer_prompt(choices, key, sight.shown, now);
  const KeyBinding* const binding = find_binding(key, choices.page, sight.replay);
  if (binding == nullptr) return {};
  choices.asked = now;
  return act(choices, *binding, sight);
}

std::optional<milliseconds> parse_position(std::string_view text) {
  constexpr std::int64_t kSixty = 60;
  std::int64_t seconds = 0;
  int colons = 0;
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':')) {
    const auto field = whole_number(text.substr(0, colon));
    if (!field || ++colons > 2 || (colons == 2 && *field >= kSixty)) return std::nullopt;
    seconds = (seconds + *field) * kSixty;
    text.remove_prefix(colon + 1);
  }
  const std::size_t point = text.find('.');
  const auto last = whole_number(text.substr(0, point));
  if (!last || (colons > 0 && *last >= kSixty)) return std::nullopt;
  std::string decimals(point == std::string_view::npos ? "0" : text.substr(point + 1));
  const auto thousandths = decimals.size() > 3 || decimals.empty()
                               ? std::nullopt
                               : whole_number(decimals.append(3 - decimals.size(), '0'));
  if (!thousandths) return std::nullopt;
  return std::chrono::seconds(seconds + *last) + milliseconds(*thousandths);
}

}  // namespace rangerctl::monitor
