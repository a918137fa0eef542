#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../monitor/view.hpp"
#include "draw_parts.hpp"
#include "draw_text.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/teleop/age_fence.hpp"
#include "rangerctl/wrapped_text.hpp"

// Numbers: the link, what is commanded, what the chassis does.
namespace rangerctl::teleop {
namespace {

using chassis::MotionMode;
using Raw = std::optional<std::int64_t>;

bool commands(State state) {
  return state == State::armed || state == State::moving || state == State::stopping;
}

/// A quantity as it is wanted, sent and measured.
struct Quantity {
  std::string_view name;
  std::string_view unit;
  std::string (*number)(Raw);
  bool has_side;
  bool (*is_used)(MotionMode);
  std::int64_t (*target)(const Status&);
  std::int64_t Motion::*sent;
  Raw Status::*actual;
};

bool spins(MotionMode mode) { return mode == MotionMode::spin; }

std::int64_t target_speed(const Status& status) { return status.target_mmps; }
std::int64_t target_angle(const Status& status) { return status.target_mrad; }
std::int64_t target_yaw(const Status& status) {
  return static_cast<std::int64_t>(status.target_mmps / chassis::spin_radius_m());
}

constexpr Quantity kSpeed{.name = "speed",
                          .unit = "m/s",
                          .number = speed_text,
                          .has_side = false,
                          .is_used = rolls,
                          .target = target_speed,
                          .sent = &Motion::linear_velocity,
                          .actual = &Status::linear_velocity};
constexpr Quantity kSteering{.name = "steer",
                             .unit = "deg",
                             .number = degrees_text,
                             .has_side = true,
                             .is_used = rolls,
                             .target = target_angle,
                             .sent = &Motion::steering_angle,
                             .actual = &Status::steering_angle};
constexpr Quantity kSpin{.name = "spin",
                         .unit = "rad/s",
                         .number = speed_text,
                         .has_side = true,
                         .is_used = spins,
                         .target = target_yaw,
                         .sent = &Motion::angular_velocity,
                         .actual = &Status::angular_velocity};
constexpr std::array kQuantities{kSpeed, kSteering, kSpin};

std::string cell(const Quantity& quantity, Raw value) {
  return fmt::format("{} {:<5}", quantity.number(value), quantity.has_side ? side_text(value) : "");
}

Raw target(const Status& status, const Quantity& quantity) {
  const bool known = commands(status.state) && quantity.is_used(status.mode);
  return known ? Raw(quantity.target(status)) : std::nullopt;
}
Raw sent(const Status& status, const Quantity& quantity) {
  return status.sending ? Raw(status.sent.*quantity.sent) : std::nullopt;
}

Style known(Raw value) { return value ? Style::normal : Style::caution; }

/// Why it may go no faster than it does: the rule with the lowest cap, or the limits of the chassis.
std::string_view cap_name(const Status& status) {
  const auto lowest =
      std::min_element(status.findings.begin(), status.findings.end(),
                       [](const Finding& a, const Finding& b) { return a.cap_mmps < b.cap_mmps; });
  if (lowest->cap_mmps <= status.allowed_mmps)
    return rules()[static_cast<std::size_t>(lowest - status.findings.begin())].name;
  return rolls(status.mode) ? "steering" : "motion mode";
}

void put_limit(const Status& status, const Area& area, int row) {
  int column = area.put(row, 1, "limit ", Style::dim);
  column = area.put(row, column, fmt::format("{:.2f}", status.limit_mmps / 1000.0));
  if (status.allowed_mmps < status.limit_mmps) {
    const std::string text =
        fmt::format("  cap {:.2f} m/s: {}", status.allowed_mmps / 1000.0, cap_name(status));
    area.put_elided(row, column, text, Style::caution);
  } else {
    area.put(row, column, " m/s (1-9)", Style::dim);
  }
}

std::string fault_age(const Status& status) {
  return age_text(std::chrono::floor<Microseconds>(status.now - status.since)) + " ago";
}

/// The last row says what to do once the cause is gone; the others have the cause.
void put_fault(const View& view, const Area& area) {
  const int last = area.rows() - 1;
  const std::vector<std::string> lines = wrapped(cause_words(view), area.columns() - 2);
  for (int row = 0; row < std::min(last, static_cast<int>(lines.size())); ++row) {
    const bool cut = row == last - 1 && row + 1 < static_cast<int>(lines.size());
    const std::string& line = lines[static_cast<std::size_t>(row)];
    area.put_elided(row, 1, cut ? line + "…" : line, Style::fault);
  }
  area.put(last, 1, acknowledge_text(view.status), Style::caution);
}

Item estop_item(const View& view) {
  const Raw errors = view.status.errors;
  const protocol::Signal& signal = *protocol::find_signal(*view.catalogue.find("system_status"), "errors");
  const bool bit = monitor::Reading{&signal, errors}.has_flag("emergency_stop");
  if (bit || view.status.facts.emergency_stop) return {"E-STOP", "ACTIVE", Style::fault};
  return {"E-STOP", monitor::padded(std::string(errors ? "clear" : monitor::kMissing), 6), known(errors)};
}

Item control_item(const View& view) {
  const Raw control = view.status.control_mode;
  const bool foreign = control && *control != kControlCan && *control != kControlStandby;
  return {"CTRL", word(view.catalogue, "system_status", "control_mode", control),
          foreign ? Style::caution : known(control)};
}

Item mode_item(const View& view) {
  const Raw mode = view.status.motion_mode;
  return {"MODE", word(view.catalogue, "motion_mode_feedback", "motion_mode", mode), known(mode)};
}

Item vehicle_item(const View& view) {
  const Raw state = view.status.vehicle_state;
  return {"SYS", word(view.catalogue, "system_status", "vehicle_state", state),
          state.value_or(0) != 0 ? Style::fault : known(state)};
}

Item charge_item(const View& view) {
  const Raw soc = view.status.soc;
  return {"SOC", soc ? fmt::format("{:>3} %", *soc) : " ----", known(soc)};
}

Item voltage_item(const View& view) {
  const Raw voltage = view.status.battery_voltage;
  return {"", voltage ? fmt::format("{:>5.1f} V", static_cast<double>(*voltage) / 10) : "   ----",
          known(voltage)};
}

Item lights_item(const View& view) { return {"lights", view.status.lights ? "on " : "off", Style::normal}; }

Item hold_item(const View& view) {
  return {"HOLD", view.status.key_releases ? "kitty" : "repeat", Style::normal, 1};
}

Item bound_item(const View& view) {
  if (is_blind(view.status.facts)) return {"bound", "not known", Style::caution, 0};
  const auto bound = view.status.facts.bound;
  const bool late = !bound || *bound > AgeFence::kStop;
  return {"bound", fmt::format("{}/{}ms", age_text(bound), AgeFence::kStop.count()),
          late ? Style::caution : Style::normal, 0};
}

/// "speed sent  +0.280  is  +0.281 m/s"
void put_short(const View& view, const Area& area, int row, const Quantity& quantity) {
  const Raw ours = sent(view.status, quantity);
  const Raw theirs = view.status.*quantity.actual;
  int column = area.put(row, 1, fmt::format("{:<6}", quantity.name), Style::dim);
  column = area.put(row, column, view.status.dry_run ? "dry " : "sent", Style::dim);
  column = area.put(row, column, quantity.number(ours));
  column = area.put(row, column, " is", Style::dim);
  column = area.put(row, column, quantity.number(theirs), known(theirs));
  column = area.put(row, column, fmt::format(" {}", quantity.unit), Style::dim);
  if (quantity.has_side) area.put(row, column, fmt::format(" {}", side_text(theirs)), known(theirs));
}

void draw_key_row(const View& view, const Area& area) {
  const Status& status = view.status;
  Item bound = bound_item(view);
  bound.label = "link";
  fit_items(
      area, 0,
      {std::move(bound),
       {"key", status.last_key_age ? key_text(status.last_key) + age_text(status.last_key_age) : "      ----",
        Style::normal, 2},
       {"", status.key_releases ? "kitty" : "repeat", Style::dim, 3}});
}

}  // namespace

void draw_link(const View& view, const Area& area) {
  const Counters& counters = view.status.counters;
  const auto worst = static_cast<double>(counters.worst_period.count()) / 1000;
  fit_items(area.part(0, 1, {1, area.columns() - 1}), 0,
            {{"rtt", age_text(is_blind(view.status.facts) ? std::nullopt : view.status.round_trip),
              Style::normal, 2},
             bound_item(view),
             {"loop", fmt::format("{:>4.1f}ms", worst), Style::normal, 3},
             {"late", monitor::count_text(counters.late_ticks), Style::normal, 4},
             {"tx", monitor::rate_text(view.options.sent_per_second) + "/s", Style::normal, 5},
             hold_item(view)});
}

void draw_command(const View& view, const Area& area) {
  const Status& status = view.status;
  constexpr int kTarget = 11;
  constexpr int kSent = 24;
  if (status.state == State::fault) {
    area.heading(0, "FAULT", fault_age(status), Style::fault);
    put_fault(view, area.lower(1));
    return;
  }
  area.heading(0, "Command");
  area.put(0, kTarget, " target ", Style::dim);
  area.put(0, kSent, status.dry_run ? " not sent " : " sent ", Style::dim);
  int row = 1;
  for (const Quantity& quantity : kQuantities) {
    area.put(row, 1, fmt::format("{} {}", quantity.name, quantity.unit), Style::dim);
    area.put(row, kTarget, cell(quantity, target(status, quantity)));
    area.put(row, kSent, cell(quantity, sent(status, quantity)));
    ++row;
  }
  put_limit(status, area, row);
}

void draw_chassis(const View& view, const Area& area) {
  constexpr int kItems = 15;
  area.heading(0, "Chassis 0x221");
  int row = 1;
  for (const Quantity& quantity : kQuantities) {
    const Raw actual = view.status.*quantity.actual;
    area.put(row++, 1, cell(quantity, actual), known(actual));
  }
  const Area items = area.part(1, kItems, area.size());
  fit_items(items, 0, {estop_item(view), control_item(view)});
  fit_items(items, 1, {mode_item(view)});
  fit_items(items, 2, {vehicle_item(view)});
  fit_items(area.part(row, 1, area.size()), 0, {charge_item(view), voltage_item(view), lights_item(view)});
}

void draw_compact_values(const View& view, const Area& area) {
  const bool spin = spins(view.status.mode);
  put_short(view, area, 0, spin ? kSpin : kSpeed);
  if (view.status.state == State::fault) {
    const auto lines = wrapped(cause_words(view), area.columns() - 2);
    area.put_elided(1, 1, lines[0], Style::fault);
    if (lines.size() > 1) area.put_elided(2, 1, lines[1] + (lines.size() > 2 ? "…" : ""), Style::fault);
  } else {
    put_short(view, area, 1, kSteering);
    draw_key_row(view, area.part(2, 1, {1, area.columns() - 1}));
  }
  fit_items(area.part(3, 1, {1, area.columns() - 1}), 0,
            {charge_item(view), estop_item(view), control_item(view)});
}

}  // namespace rangerctl::teleop
