#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::monitor {
namespace {

using namespace std::chrono_literals;

/// Every feedback of the chassis has a period well below.
constexpr auto kSilence = 500ms;
/// For so long something that is over is still worth a word.
constexpr auto kRecent = 10s;

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
    if (!alarm_names(*status.signal, *status.raw).empty()) return true;
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
      return {{}, "INTERFACE GONE " + since, Style::fault};
    case LinkState::down:
      return {{}, "INTERFACE DOWN " + since, Style::fault};
    case LinkState::ended:
      return {{}, "REPLAY ENDED", Style::fault};
    case LinkState::up:
      break;
  }
  return {};
}

LinkWords silence_words(const View& view) {
  const State& state = view.state;
  const auto quiet = view.now - state.last_feedback.value_or(state.start);
  if (!state.last_feedback && quiet <= kSilence) return {{}, "waiting", Style::caution};
  if (quiet <= kSilence) return {};
  const bool others_talk = state.frame_count > 0 && view.now - state.last_frame <= kSilence;
  const std::string_view what = others_talk              ? "CHASSIS SILENT "
                                : state.frame_count == 0 ? "NOTHING RECEIVED "
                                                         : "BUS SILENT ";
  return {{}, std::string(what) + for_how_long(quiet), Style::fault};
}

struct ControllerWords {
  Controller controller;
  std::string_view text;
  Style style;
};
constexpr std::array kControllerWords{
    ControllerWords{Controller::error_active, "error-active", Style::good},
    ControllerWords{Controller::error_warning, "error-warning", Style::caution},
    ControllerWords{Controller::error_passive, "ERROR-PASSIVE", Style::caution},
    ControllerWords{Controller::restarted, "restarted", Style::caution},
};

/// "500k", or nothing where nobody says it.
std::string bit_rate_text(const State& state) {
  if (!state.interface || !state.interface->bit_rate) return {};
  const std::uint32_t rate = *state.interface->bit_rate;
  return rate % 1000 == 0 ? fmt::format("{}k", rate / 1000) : fmt::format("{}", rate);
}

bool is_virtual(const State& state) {
  return state.interface && (state.interface->kind == "vcan" || state.interface->kind == "vxcan");
}

/// What is known of the controller, with its style; no text: nothing.
ControllerWords controller_words(const State& state) {
  for (const ControllerWords& row : kControllerWords) {
    if (row.controller == controller_now(state)) return row;
  }
  return {controller_now(state), {}, Style::good};
}

/// "500k error-active"; nothing where the driver tells no bit rate.
std::string driver_words(const State& state) {
  const std::string rate = bit_rate_text(state);
  const std::string_view controller = controller_words(state).text;
  return rate.empty() || controller.empty() ? rate : fmt::format("{} {}", rate, controller);
}

/// "up, virtual", "up, ERROR-PASSIVE", or nothing beside what the driver says.
std::string working_words(const State& state) {
  if (!bit_rate_text(state).empty()) return {};
  const std::string_view controller = controller_words(state).text;
  return fmt::format("up{}{}{}", is_virtual(state) ? ", virtual" : "", controller.empty() ? "" : ", ",
                     controller);
}

bool has_new_errors(const View& view) {
  return view.state.errors.count > 0 && view.now - view.state.errors.arrival <= kRecent;
}

/// Adds what must not be overlooked and keeps what is worse.
void add_words(LinkWords& words, std::string_view text, Style style) {
  words.text += fmt::format("{}{}", words.text.empty() ? "" : ", ", text);
  if (style > words.style) words.style = style;
}

/// For a while an interface that was away says so.
void add_outage(const PageView& view, LinkWords& words) {
  const auto& outage = view.history.outage;
  if (!outage || !outage->to || view.now - *outage->to > kRecent) return;
  add_words(words,
            fmt::format("back {} after {}", for_how_long(view.now - *outage->to),
                        for_how_long(*outage->to - outage->from)),
            Style::caution);
}

void add_replay(const PageView& view, LinkWords& words) {
  if (!view.options.replay || view.state.link.state != LinkState::up) return;
  if (words.style < Style::caution) words.text.clear();
  if (view.options.replay->catching_up) {
    add_words(words, "SEEKING", Style::caution);
  } else if (view.options.replay->paused) {
    add_words(words, "PAUSED", Style::caution);
  }
  if (words.all().empty()) words.text = "up";
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

/// An address, however long, leaves room for what is to be said about it, and what the driver says for what
/// is worse.
Item link_item(const PageView& view, const LinkWords& link, int columns) {
  constexpr int kMostOfAnAddress = 32;
  constexpr int kLeastOfAnAddress = 6;
  std::string text = link.all();
  if (!link.text.empty() && text_width(text) + 1 + kLeastOfAnAddress > columns) text = link.text;
  const int room = std::min(kMostOfAnAddress, columns - 1 - text_width(text));
  return {ending(printable(view.options.address), room), std::move(text), link.style, 0};
}

std::string whole_number(double value) { return fmt::format("{:.0f}", value); }

Item rate_item(const View& view) {
  const auto rate = view.state.link.state == LinkState::up ? view.state.frames.per_second(view.now) : 0.0;
  return {"", fmt::format("{:>4} f/s", rate ? whole_number(*rate) : std::string(kMissing)), Style::normal, 3};
}

/// Without stuff bits, and with as many as there can be.
Item load_item(const View& view) {
  const bool up = view.state.link.state == LinkState::up;
  const double least = up ? load_percent(view.state, view.state.bits, view.now) : 0.0;
  const double most = up ? load_percent(view.state, view.state.worst_bits, view.now) : 0.0;
  return {"load", fmt::format("{:>2.0f}-{:.0f}%", least, most), Style::normal, 5};
}

Item count_item(std::string label, std::uint64_t count, int importance) {
  return {std::move(label), fmt::format("{}", count), count == 0 ? Style::normal : Style::caution,
          count == 0 ? importance : 2};
}

Item last_item(const View& view) {
  if (view.state.frame_count == 0) return {"last", std::string(kMissing) + " ", Style::caution, 6};
  return {"last", coarse_age_text(view.now - view.state.last_frame), Style::normal, 6};
}

std::vector<Item> bus_items(const View& view) {
  return {rate_item(view), load_item(view), count_item("lost", view.state.link.dropped, 4),
          count_item("err", view.state.errors.count, 4), last_item(view)};
}

/// What the rest of the screen is not, and what happens besides.
std::vector<Item> mode_items(const PageView& live, std::optional<SteadyTime::duration> frozen_for) {
  std::vector<Item> items;
  if (frozen_for) items.push_back({"", "FROZEN " + for_how_long(*frozen_for), Style::fault, 0});
  if (live.options.record) {
    const RecordView& record = *live.options.record;
    const bool well = !record.failed && record.lost == 0;
    items.push_back({"",
                     record.failed     ? "REC FAILED"
                     : record.lost > 0 ? fmt::format("REC lost {}", record.lost)
                                       : "REC",
                     well ? Style::caution : Style::fault, well ? 1 : 0});
  }
  return items;
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

std::vector<Item> compact_items(const View& view) {
  return {stop_item(view),
          number_item(view, "v", "motion_feedback", "linear_velocity", 7),
          charge_item(view),
          vehicle_item(view),
          control_item(view),
          errors_item(view),
          number_item(view, "steer", "motion_feedback", "steering_angle", 7),
          number_item(view, "spin", "motion_feedback", "angular_velocity", 7),
          mode_item(view),
          missing_item(view),
          power_item(view)};
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
  const State& state = view.state;
  if (state.link.state != LinkState::up) return broken_link_words(view);
  if (controller_now(state) == Controller::bus_off) return {bit_rate_text(state), "BUS-OFF", Style::fault};
  LinkWords words = silence_words(view);
  words.driver = driver_words(state);
  if (words.text.empty()) {
    words.text = working_words(state);
    words.style = controller_words(state).style;
    if (has_new_errors(view) && words.style < Style::caution) words.style = Style::caution;
  }
  if (state.bit_rate != state.robot_bit_rate)
    add_words(words, fmt::format("the robot has {}k", state.robot_bit_rate / 1000), Style::fault);
  return words;
}

void draw_header(const PageView& live, const Area& area, std::optional<SteadyTime::duration> frozen_for) {
  const Area inner = area.part(0, 2, area.size());
  area.put_item(0, 0, health_item(live));
  LinkWords link = link_words(live);
  add_outage(live, link);
  add_replay(live, link);
  std::vector<Item> items = mode_items(live, frozen_for);
  int room = inner.columns();
  for (const Item& item : items) room -= item_width(item) + 1;
  items.insert(items.begin(), link_item(live, link, room));
  for (Item& item : bus_items(live)) items.push_back(on_the_right(std::move(item)));
  if (!live.options.clock.empty())
    items.push_back({"", printable(live.options.clock), Style::normal, 7, true});
  constexpr int kNarrowGap = 1;
  fit_items(inner, 0, std::move(items), kNarrowGap);
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

void draw_compact(const PageView& view, const Area& area) {
  flow_items(area.part(0, 2, area.size()), compact_items(view));
}

}  // namespace rangerctl::monitor
