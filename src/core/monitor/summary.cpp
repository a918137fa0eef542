#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::monitor {
namespace {

using namespace std::chrono_literals;

/// Every feedback of the chassis has a period well below.
constexpr auto kSilence = 500ms;

std::string for_how_long(SteadyTime::duration duration) {
  std::string text = age_text(duration);
  text.erase(0, text.find_first_not_of(' '));
  return text;
}

bool stop_is_active(const View& view) {
  return reading(view, "system_status", "errors").has_flag("emergency_stop") ||
         reading(view, "system_status", "vehicle_state").is("emergency_stop");
}

Item stop_item(const View& view) {
  if (stop_is_active(view)) return {"E-STOP", "ACTIVE", Style::fault};
  const bool known = reading(view, "system_status", "errors").raw.has_value();
  return {"E-STOP", padded(std::string(known ? "clear" : kMissing), 6),
          known ? Style::normal : Style::caution};
}

bool has_driver_alarm(const View& view) {
  for (const protocol::Message& message : view.state.catalogue->messages()) {
    const Reading status = reading(view, message.name, "driver_status");
    if (!status.raw) continue;
    const auto names = flag_names(*status.signal, *status.raw);
    if (std::any_of(names.begin(), names.end(), [](const std::string& name) { return is_alarm(name); }))
      return true;
  }
  return false;
}

bool has_battery_alarm(const View& view) {
  const auto alarms = battery_flags(view, "alarm_1", "alarm_2");
  return (alarms && !alarms->empty()) || charge_style(reading(view, "bms_status", "soc")) == Style::fault;
}

bool chassis_reports_trouble(const View& view) {
  const Reading state = reading(view, "system_status", "vehicle_state");
  return stop_is_active(view) || (state.raw && !state.is("normal")) ||
         reading(view, "system_status", "errors").raw.value_or(0) != 0 || has_driver_alarm(view) ||
         has_battery_alarm(view);
}

LinkWords broken_link_words(const View& view) {
  const std::string since = for_how_long(view.now - view.state.link_since);
  switch (view.state.link.state) {
    case LinkState::gone:
      return {"INTERFACE GONE " + since, Style::fault};
    case LinkState::down:
      return {"INTERFACE DOWN " + since, Style::fault};
    case LinkState::ended:
      return {"REPLAY ENDED", Style::fault};
    case LinkState::up:
      break;
  }
  return {};
}

LinkWords silence_words(const View& view) {
  const State& state = view.state;
  const auto quiet = view.now - state.last_feedback.value_or(state.start);
  if (!state.last_feedback && quiet <= kSilence) return {"waiting", Style::caution};
  if (quiet <= kSilence) return {};
  const bool others_talk = state.frame_count > 0 && view.now - state.last_frame <= kSilence;
  const std::string_view what = others_talk              ? "CHASSIS SILENT "
                                : state.frame_count == 0 ? "NOTHING RECEIVED "
                                                         : "BUS SILENT ";
  return {std::string(what) + for_how_long(quiet), Style::fault};
}

LinkWords controller_words(const View& view) {
  switch (view.state.controller) {
    case Controller::error_passive:
      return {"up, ERROR-PASSIVE", Style::caution};
    case Controller::error_warning:
      return {"up, error-warning", Style::caution};
    case Controller::error_active:
      return {"up, error-active", Style::good};
    case Controller::restarted:
      return {"up, restarted", Style::caution};
    case Controller::bus_off:
    case Controller::not_told:
      break;
  }
  if (view.state.errors.count == 0) return {"up, no error frames", Style::good};
  return {fmt::format("up, {} error frames", view.state.errors.count), Style::caution};
}

/// The end of `text`, where the file name of a path is, in at most `columns` cells; nothing where that would
/// be too little to be of use.
std::string ending(std::string text, int columns) {
  constexpr int kUseful = 4;
  const int too_much = text_width(text) - columns;
  if (too_much <= 0) return text;
  if (columns < kUseful) return {};
  return "…" + text.substr(clipped(text, too_much + 1).size());
}

/// An address, however long, leaves room for what is to be said about it.
Item link_item(const View& view, LinkWords link, int columns) {
  constexpr int kMostOfAnAddress = 32;
  const int room = std::min(kMostOfAnAddress, columns - 1 - text_width(link.text));
  return {ending(printable(view.options.address), room), std::move(link.text), link.style, 0};
}

std::string whole_number(double value) { return fmt::format("{:.0f}", value); }

Item rate_item(const View& view) {
  const auto rate = view.state.link.state == LinkState::up ? view.state.frames.per_second(view.now) : 0.0;
  return {"", fmt::format("{:>4} f/s", rate ? whole_number(*rate) : std::string(kMissing)), Style::normal, 3};
}

Item load_item(const View& view) {
  const double load =
      view.state.link.state == LinkState::up ? load_percent(view.state, view.state.bits, view.now) : 0.0;
  return {"load", fmt::format("{:>2.0f}%", load), Style::normal, 4};
}

Item lost_item(const View& view) {
  const std::uint64_t lost = view.state.link.dropped;
  return {"lost", fmt::format("{}", lost), lost == 0 ? Style::normal : Style::caution, lost == 0 ? 5 : 2};
}

Item on_the_right(Item item) {
  item.right = true;
  return item;
}

Item vehicle_item(const View& view) {
  const Reading state = reading(view, "system_status", "vehicle_state");
  // Wide enough for the two documented states; the third one shouts anyway.
  const std::string text =
      state.raw ? protocol::value_text(*state.signal, *state.raw) : std::string(kMissing);
  return {"SYS", padded(text, 8),
          !state.raw           ? Style::caution
          : state.is("normal") ? Style::normal
                               : Style::fault};
}

Item control_item(const View& view) {
  const Reading control = reading(view, "system_status", "control_mode");
  const bool someone_else = !control.raw || control.is("remote");
  return {"CTRL", word(control), someone_else ? Style::caution : Style::normal};
}

/// "ackermann steady": no switch to another mode is going on.
Item mode_item(const View& view) {
  const Reading mode = reading(view, "motion_mode_feedback", "motion_mode");
  const Reading switching = reading(view, "motion_mode_feedback", "mode_switching");
  const bool steady = switching.is("completed");
  return {"MODE", word(mode) + " " + (steady ? "steady   " : word(switching)),
          steady ? Style::normal : Style::caution};
}

Item number_item(const View& view, std::string label, std::string_view message, std::string_view signal,
                 int width) {
  const Reading value = reading(view, message, signal);
  return {std::move(label), number(value, width) + " " + std::string(unit(value)),
          value.raw ? Style::normal : Style::caution};
}

Item charge_item(const View& view) {
  Item item = number_item(view, "SOC", "bms_status", "soc", 4);
  const Reading soc = reading(view, "bms_status", "soc");
  if (soc.raw) item.style = charge_style(soc);
  if (!charge_words(soc).empty()) item.value += " " + std::string(charge_words(soc));
  return item;
}

Item power_item(const View& view) {
  Item item = number_item(view, "battery", "bms_status", "voltage", 6);
  item.value += number_item(view, "", "bms_status", "current", 8).value;
  return item;
}

Item errors_item(const View& view) {
  const Reading errors = reading(view, "system_status", "errors");
  if (!errors.raw) return {"errors", std::string(kMissing), Style::caution};
  const auto names = flag_names(*errors.signal, *errors.raw);
  if (names.empty()) return {"errors", "none", Style::normal};
  return {"errors", fmt::format("{}: {}", names.size(), fmt::join(names, ",")), Style::fault};
}

Item missing_item(const View& view) {
  const std::size_t missing = missing_messages(view).size();
  return {"missing", missing == 0 ? "none" : fmt::format("{} messages", missing),
          missing == 0 ? Style::normal : Style::caution};
}

std::vector<Item> compact_items(const View& view, int columns) {
  LinkWords link = link_words(view);
  if (link.style == Style::good) link.text = "up";
  return {link_item(view, link, columns),
          stop_item(view),
          number_item(view, "v", "motion_feedback", "linear_velocity", 7),
          charge_item(view),
          vehicle_item(view),
          control_item(view),
          errors_item(view),
          number_item(view, "steer", "motion_feedback", "steering_angle", 7),
          number_item(view, "spin", "motion_feedback", "angular_velocity", 7),
          mode_item(view),
          missing_item(view),
          power_item(view),
          rate_item(view),
          load_item(view),
          lost_item(view)};
}

}  // namespace

Health health(const View& view) {
  const Style link = link_words(view).style;
  if (link == Style::fault || chassis_reports_trouble(view)) return Health::trouble;
  return link == Style::caution || !missing_messages(view).empty() ? Health::unsure : Health::well;
}

Item health_item(const View& view) {
  switch (health(view)) {
    case Health::well:
      return {"", "+", Style::good};
    case Health::unsure:
      return {"", "?", Style::caution};
    case Health::trouble:
      break;
  }
  return {"", "!", Style::fault};
}

LinkWords link_words(const View& view) {
  if (view.state.link.state != LinkState::up) return broken_link_words(view);
  if (view.state.controller == Controller::bus_off) return {"BUS-OFF", Style::fault};
  const LinkWords silence = silence_words(view);
  return silence.text.empty() ? controller_words(view) : silence;
}

void draw_header(const View& view, const Area& area) {
  const Area inner = area.part(0, 2, area.size());
  area.put_item(0, 0, health_item(view));
  std::vector<Item> items{{"", "rangerctl", Style::title, 6},
                          link_item(view, link_words(view), inner.columns())};
  items.push_back(on_the_right(rate_item(view)));
  items.push_back(on_the_right(load_item(view)));
  items.push_back(on_the_right(lost_item(view)));
  if (!view.options.clock.empty()) {
    items.push_back({"", printable(view.options.clock), Style::normal, 7, true});
  }
  fit_items(inner, 0, std::move(items));
}

std::vector<Item> state_items(const View& view) {
  return {stop_item(view), vehicle_item(view), control_item(view), mode_item(view)};
}

std::optional<std::vector<std::string>> battery_flags(const View& view, std::string_view first,
                                                      std::string_view second) {
  std::vector<std::string> names;
  for (const std::string_view signal : {first, second}) {
    const Reading flags = reading(view, "bms_alarms", signal);
    if (!flags.raw) return std::nullopt;
    const auto more = flag_names(*flags.signal, *flags.raw);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

// Below 15 % the lights flash; below 10 % the chassis cuts drive power and ignores commands (manual).
Style charge_style(const Reading& soc) {
  if (!soc.raw || *soc.raw >= 15) return Style::normal;
  return *soc.raw < 10 ? Style::fault : Style::caution;
}

std::string_view charge_words(const Reading& soc) {
  const Style style = charge_style(soc);
  return style == Style::fault ? "CRITICAL" : style == Style::caution ? "LOW" : "";
}

void draw_compact(const View& view, const Area& area) {
  const Area inner = area.part(0, 2, area.size());
  area.put_item(0, 0, health_item(view));
  flow_items(inner, compact_items(view, inner.columns()));
}

}  // namespace rangerctl::monitor
