#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "../monitor/view.hpp"
#include "draw_parts.hpp"
#include "draw_text.hpp"
#include "rangerctl/protocol/ranger_mini_3_geometry.hpp"
#include "rangerctl/teleop/age_fence.hpp"
#include "rangerctl/wrapped_text.hpp"

// Why it moves or does not: one place for each topic, and reasons in full length.
namespace rangerctl::teleop {
namespace {

using monitor::count_text;
namespace robot = protocol::ranger_mini_3;

struct Mark {
  std::string_view sign;
  Style style;
  std::string_view meaning;
};
constexpr Mark kWell{"[ok]", Style::good, "well, with the numbers that tell"};
constexpr Mark kNote{"[--]", Style::normal, "to know, nothing else"};
constexpr Mark kForbids{"[no]", Style::caution, "forbids to arm"};
constexpr Mark kSlows{"[<<]", Style::caution, "slows down"};
constexpr Mark kStops{"[!!]", Style::caution, "stops, or stops and disarms"};
constexpr Mark kFaults{"[XX]", Style::fault, "FAULT: zero speed until you acknowledge it"};
constexpr std::array kMarks{kWell, kNote, kForbids, kSlows, kStops, kFaults};

const Mark& mark_of(const Finding& finding) {
  if (!is_something(finding)) return kWell;
  if (finding.action == Action::fault) return kFaults;
  if (finding.action >= Action::zero) return kStops;
  if (finding.action >= Action::cap) return kSlows;
  return finding.blocks_arming ? kForbids : kNote;
}

bool is_milder(const Finding& a, const Finding& b) {
  if (a.action != b.action) return a.action < b.action;
  return !a.blocks_arming && b.blocks_arming;
}

std::string words_of(const View& view, std::size_t rule) {
  return rules()[rule].words(view.status.findings[rule], view.catalogue);
}

/// What every rule finds, the severest first.
std::vector<std::size_t> ordered_findings(const Findings& findings) {
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  order.erase(std::remove_if(order.begin(), order.end(),
                             [&](std::size_t rule) { return !is_something(findings[rule]); }),
              order.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return is_milder(findings[b], findings[a]); });
  return order;
}

// ---- Slots --------------------------------------------------------------------------------------------

const std::string kUnknown(monitor::kMissing);

using Parts = std::vector<std::string>;  ///< what matters most comes first

Parts link_parts(const View& view) {
  const Facts& facts = view.status.facts;
  return {fmt::format("{} bound (limit {})", age_text(facts.bound), AgeFence::kStop.count()),
          fmt::format("worst {}", age_text(facts.worst_bound)),
          fmt::format("95 % {}", age_text(facts.bound_p95))};
}

Parts keys_parts(const View& view) {
  const Status& status = view.status;
  const std::string last =
      status.last_key_age ? fmt::format("{} {} ago", key_text(status.last_key), age_text(status.last_key_age))
                          : "none yet";
  return {last, fmt::format("{} too old", count_text(status.counters.stale_keys))};
}

Parts terminal_parts(const View& view) {
  return {"has the keyboard", view.status.key_releases ? "tells releases" : "repeats only"};
}

Parts program_parts(const View& view) {
  const Counters& counters = view.status.counters;
  return {"guard runs", fmt::format("{} late", count_text(counters.late_ticks)),
          fmt::format("{} missed", count_text(counters.missed_ticks)),
          fmt::format("{} ticks", count_text(counters.ticks))};
}

Parts mode_parts(const View& view) {
  return {word(view.catalogue, "motion_mode_feedback", "motion_mode", view.status.motion_mode) + " steady"};
}

Parts feedback_parts(const View& view) {
  const Facts& facts = view.status.facts;
  return {fmt::format("0x211 {}", age_text(facts.status_age)),
          fmt::format("0x221 {}", age_text(facts.motion_age)),
          fmt::format("0x291 {}", age_text(facts.mode_age))};
}

Parts control_parts(const View& view) {
  const auto control = view.status.control_mode;
  if (!control) return {kUnknown};
  const std::string name = word(view.catalogue, "system_status", "control_mode", control);
  const bool takes = control == kControlStandby && !view.status.dry_run;
  return takes ? Parts{name, "taken on arming"} : Parts{name};
}

Parts faults_parts(const View& view) {
  return view.status.errors ? Parts{"none", "E-STOP clear"} : Parts{kUnknown};
}

/// A healthy controller says nothing.
std::string controller_text(const View& view) {
  using monitor::Controller;
  if (view.status.controller == Controller::not_told) return "no error frames";
  std::string name(monitor::controller_name(view.status.controller));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

Parts bus_parts(const View& view) {
  const Counters& counters = view.status.counters;
  return {fmt::format("confirmed {}/{}", count_text(counters.confirmed), count_text(counters.sent)),
          fmt::format("ENOBUFS {}", counters.queue_full), controller_text(view)};
}

Parts battery_parts(const View& view) {
  const auto soc = view.status.soc;
  return {fmt::format("{} % (cap {}, stop {})", soc ? fmt::format("{:>3}", *soc) : "----",
                      robot::kLightsFlashBelowPercent, robot::kNoCommandsBelowPercent)};
}

struct Slot {
  Topic topic;
  std::string_view name;
  Parts (*parts)(const View&);
};
/// Down the left column, then down the right one, which is wider.
constexpr std::array<Slot, kTopics> kSlots{{
    {Topic::link, "link", link_parts},
    {Topic::keys, "keys", keys_parts},
    {Topic::terminal, "terminal", terminal_parts},
    {Topic::program, "program", program_parts},
    {Topic::mode, "motion mode", mode_parts},
    {Topic::feedback, "feedback", feedback_parts},
    {Topic::control, "control", control_parts},
    {Topic::faults, "faults", faults_parts},
    {Topic::bus, "bus", bus_parts},
    {Topic::battery, "battery", battery_parts},
}};

std::string healthy_text(const Slot& slot, const Parts& parts, int columns) {
  std::string text = fmt::format("{}: {}", slot.name, parts.front());
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    if (static_cast<int>(text.size() + 2 + part->size()) > columns) break;
    text += ", " + *part;
  }
  return text;
}

constexpr int kTextColumn = 5;  ///< behind a mark

void put_marked(const Area& area, const Mark& mark, std::string_view text) {
  area.put(0, 0, mark.sign, mark.style);
  area.put_elided(0, kTextColumn, text, mark.style);
}

void draw_slot(const View& view, const Area& area, const Slot& slot,
               const std::vector<std::size_t>& found_rules) {
  const auto found = std::find_if(found_rules.begin(), found_rules.end(),
                                  [&](std::size_t rule) { return rules()[rule].topic == slot.topic; });
  if (found != found_rules.end()) {
    put_marked(area, mark_of(view.status.findings[*found]), words_of(view, *found));
    return;
  }
  const Parts parts = slot.parts(view);
  const std::string text = healthy_text(slot, parts, area.columns() - kTextColumn);
  if (parts.front() == kUnknown) {
    put_marked(area, kNote, text);
    return;
  }
  area.put(0, 0, kWell.sign, kWell.style);
  area.put(0, kTextColumn, text);
}

// ---- Reasons in full length ---------------------------------------------------------------------------

struct Reason {
  std::string text;
  Style style = Style::normal;
  std::string words = {};  ///< of the rule that it tells of
};

Reason disarmed_reason(const View& view) {
  const std::size_t obstacle = arming_obstacle(view.status.findings);
  if (obstacle == kRuleCount) return {"press A to arm", Style::title};
  const std::string words = words_of(view, obstacle);
  return {"cannot arm - " + words, Style::caution, words};
}

Reason arming_reason(const View& view) {
  const std::string what = prompt(view.status);
  if (what.empty()) return {"asking the chassis for control", Style::caution};
  return {fmt::format("{}  {} of 2 typed", what, view.status.typed), Style::caution};
}

Reason cause_reason(const View& view, std::string_view state) {
  const std::string why = cause_words(view);
  return {fmt::format("{} - {}", state, why.empty() ? "you asked for it" : why), Style::caution, why};
}

Reason state_reason(const View& view) {
  switch (view.status.state) {
    case State::disarmed:
      return disarmed_reason(view);
    case State::arming:
      return arming_reason(view);
    case State::armed:
      return {"ready: hold a motion key to drive"};
    case State::moving:
      return {view.status.dry_run ? "would move while the key is held: nothing is sent"
                                  : "moving while the key is held"};
    case State::stopping:
      return cause_reason(view, "stopping");
    case State::fault:
      return cause_reason(view, cause_is_gone(view.status) ? "was FAULT" : "FAULT");
  }
  return {};
}

/// What else is to be said of the state.
std::vector<Reason> more_reasons(const View& view) {
  const Status& status = view.status;
  std::vector<Reason> reasons;
  if (status.leaving)
    reasons.push_back({status.control_taken
                           ? "leaving: zeros until the chassis is at rest, then control is given back"
                           : "leaving: zeros until the chassis is at rest"});
  if (status.state == State::disarmed && status.cause_rule < kRuleCount)
    reasons.push_back(cause_reason(view, "was disarmed"));
  return reasons;
}

std::vector<Reason> finding_reasons(const View& view, std::string_view but_not) {
  std::vector<Reason> reasons;
  for (const std::size_t rule : ordered_findings(view.status.findings)) {
    const std::string words = words_of(view, rule);
    if (words == but_not) continue;
    const Mark& mark = mark_of(view.status.findings[rule]);
    reasons.push_back({fmt::format("{} {}", mark.sign, words), mark.style, words});
  }
  return reasons;
}

/// In ARMED and MOVING only what the rules find is of interest.
std::vector<Reason> all_reasons(const View& view) {
  const State state = view.status.state;
  const Reason first = state_reason(view);
  std::vector<Reason> reasons = more_reasons(view);
  const std::vector<Reason> findings = finding_reasons(view, first.words);
  reasons.insert(reasons.end(), findings.begin(), findings.end());
  const bool findings_matter_more =
      (view.status.leaving || state == State::armed || state == State::moving) && !reasons.empty();
  if (!findings_matter_more) reasons.insert(reasons.begin(), first);
  return reasons;
}

}  // namespace

void draw_slots(const View& view, const Area& area) {
  const auto found = ordered_findings(view.status.findings);
  const bool two = area.rows() < static_cast<int>(kTopics);
  const int rows = two ? kSlotRows : static_cast<int>(kTopics);
  const int left = two ? area.columns() * 38 / 80 : area.columns();
  for (int i = 0; i < static_cast<int>(kTopics); ++i) {
    const Area slot =
        i < rows ? area.part(i, 1, {1, left - 2}) : area.part(i - rows, left, {1, area.columns() - left});
    draw_slot(view, slot, kSlots[static_cast<std::size_t>(i)], found);
  }
}

void draw_reasons(const View& view, const Area& area) {
  int row = 0;
  for (const Reason& reason : all_reasons(view)) {
    const auto lines = wrapped(reason.text, area.columns() - 2);
    for (auto line = lines.begin(); line != lines.end() && row < area.rows(); ++line, ++row) {
      const bool cut = row + 1 == area.rows() && line + 1 != lines.end();
      area.put_elided(row, 1, cut ? *line + "…" : *line, reason.style);
    }
  }
}

void draw_main_reason(const View& view, const Area& area) {
  const State state = view.status.state;
  if (state == State::fault) {
    const std::string age = age_text(std::chrono::floor<Microseconds>(view.status.now - view.status.since));
    area.put(0, 1, fmt::format("{}  {}", acknowledge_text(view.status), age), Style::caution);
    return;
  }
  const bool quiet = (state == State::armed || state == State::moving) && !view.status.leaving &&
                     main_reason(view.status.findings) == kRuleCount && !view.events.empty();
  if (quiet) {
    put_event(area, 0, view.events.back());
    return;
  }
  draw_reasons(view, area.part(0, 0, {1, area.columns()}));
}

void draw_marks(const Area& area) {
  area.heading(0, "Signs");
  int row = 1;
  for (const Mark& mark : kMarks) {
    area.put(row, 1, mark.sign, mark.style);
    area.put_elided(row++, 1 + 8, mark.meaning);
  }
}

int rows_of_marks() { return 1 + static_cast<int>(kMarks.size()); }

std::string cause_words(const View& view) {
  const Status& status = view.status;
  if (status.cause_rule >= kRuleCount || !is_something(status.cause)) return {};
  return rules()[status.cause_rule].words(status.cause, view.catalogue);
}

bool cause_is_gone(const Status& status) { return severest(status.findings) != Action::fault; }

std::string_view acknowledge_text(const Status& status) {
  return cause_is_gone(status) ? "the cause is gone: press c    " : "press c when the cause is gone";
}

std::string prompt(const Status& status) {
  if (status.state != State::arming || !status.code) return {};
  return fmt::format("type {:02} and Enter to arm", *status.code);
}

}  // namespace rangerctl::teleop
