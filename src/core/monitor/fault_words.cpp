#include "fault_words.hpp"

#include <fmt/format.h>

#include "rangerctl/protocol/flag_words.hpp"

namespace rangerctl::monitor {

std::string place_name(const FaultPlace& place) {
  return protocol::flag_words(*place.message, *place.signal, place.flag->bit);
}

std::string history_text(const PageView& view, const FaultPlace& place) {
  const BitHistory& history = bit_history(scene_of(view), place);
  if (history.times == 0) return "never active since the start";
  const std::string_view before = history.since_before ? "before " : "";
  std::string text = fmt::format("{} x, set {}{}", history.times, history.times == 1 ? before : "",
                                 moment_text(view, history.latest));
  if (history.cleared) text += ", cleared " + moment_text(view, *history.cleared);
  if (history.times > 1) text += fmt::format(", first {}{}", before, moment_text(view, history.first));
  return text;
}

std::string code_text(const FaultPlace& place) {
  if (place.signal->name != "errors") return "goes with its cause";
  return place.flag->clear_code < 0 ? "no clear code of its own"
                                    : fmt::format("clear-error 0x{:02X}", place.flag->clear_code);
}

std::string advice(const FaultPlace& place) {
  const std::string text = protocol::flag_advice(*place.flag);
  return text.empty() ? "the manual says no more about it" : text;
}

}  // namespace rangerctl::monitor
