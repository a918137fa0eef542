#include <fmt/format.h>

#include <array>
#include <string_view>

#include "rangerctl/monitor/history.hpp"
#include "rangerctl/protocol/flag_words.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::monitor {
namespace {

std::string bit_text(const Event& event, const protocol::Message& message) {
  return protocol::flag_words(message, message.signals[event.signal], event.bit);
}

std::string messages_text(const Event& event, const protocol::Message& message) {
  if (event.value <= 1) return std::string(message.name);
  return fmt::format("{} and {} more", message.name, event.value - 1);
}

std::string_view link_text(std::int64_t state) {
  constexpr std::array<std::string_view, 4> kWords{"interface up", "interface down", "interface gone",
                                                   "replay ended"};
  return kWords.at(static_cast<std::size_t>(state));
}

}  // namespace

std::string event_text(const Event& event, const protocol::Catalogue& catalogue) {
  const protocol::Message& message = catalogue.messages()[event.message];
  switch (event.kind) {
    case EventKind::bit_set:
      return "set " + bit_text(event, message);
    case EventKind::bit_cleared:
      return "cleared " + bit_text(event, message);
    case EventKind::changed: {
      const protocol::Signal& signal = message.signals[event.signal];
      return fmt::format("{} {}, was {}", signal.name, protocol::value_text(signal, event.value),
                         protocol::value_text(signal, event.before));
    }
    case EventKind::silent:
      return "silent: " + messages_text(event, message);
    case EventKind::heard:
      return "heard again: " + messages_text(event, message);
    case EventKind::link:
      return std::string(link_text(event.value));
    case EventKind::controller:
      return fmt::format("controller {}, was {}", controller_name(static_cast<Controller>(event.value)),
                         controller_name(static_cast<Controller>(event.before)));
    case EventKind::held_up:
      return fmt::format("not watched for {:.1f} s before", static_cast<double>(event.value) / 1000);
    case EventKind::dropped:
      return fmt::format("{} frames lost by this host", event.value);
  }
  return {};
}

}  // namespace rangerctl::monitor
