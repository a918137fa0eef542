#include <fmt/format.h>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/snapshot.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"
#include "summary.hpp"

namespace rangerctl::monitor {
namespace {

void append_link(std::string& out, const View& view, const SnapshotHead& head) {
  const State& state = view.state;
  const auto rate = state.frames.per_second(view.now);
  fmt::format_to(std::back_inserter(out), "link {} {}\n", printable(head.address), link_words(view).all());
  fmt::format_to(std::back_inserter(out), "frames {}/s load {:.1f} % worst case {:.1f} % lost {}\n",
                 rate ? fmt::format("{:.1f}", *rate) : std::string(kMissing),
                 load_percent(state, state.bits, view.now), load_percent(state, state.worst_bits, view.now),
                 state.link.dropped);
}

std::string standing(const View& view, const MessageState& entry, Freshness freshness) {
  switch (freshness) {
    case Freshness::never:
      return "never";
    case Freshness::stale:
      return "stale " + age_text(view.now - entry.arrival);
    case Freshness::fresh:
      break;
  }
  return age_text(view.now - entry.arrival);
}

void append_message(std::string& out, const View& view, const protocol::Message& message) {
  const std::size_t index = index_of(view, message);
  const MessageState& entry = view.state.messages[index];
  const Freshness fresh = freshness(view.state, index, view.now);
  if (!is_expected(message) && fresh == Freshness::never) return;
  fmt::format_to(std::back_inserter(out), "{:03X} {:<24} {}/s {:<11}", message.id, message.name,
                 rate_text(entry.meter.per_second(view.now)), standing(view, entry, fresh));
  for (const protocol::Signal& signal : message.signals) {
    const auto raw = current_value(view.state, index, signal, view.now);
    const std::string value = raw ? protocol::value_text(signal, *raw) : std::string(kMissing);
    fmt::format_to(std::back_inserter(out), " {}={}{}{}", signal.name, value, signal.unit.empty() ? "" : " ",
                   signal.unit);
  }
  out += '\n';
}

void append_other(std::string& out, const View& view, const OtherId& other) {
  fmt::format_to(std::back_inserter(out), "{} {}/s {:<11} {}\n", id_text(other.frame),
                 rate_text(other.meter.per_second(view.now)), age_text(view.now - other.arrival),
                 payload_text(other.frame));
}

void append_trouble(std::string& out, const State& state) {
  const ErrorFrames& errors = state.errors;
  fmt::format_to(std::back_inserter(out), "{}\nerror frames {}", foreign_text(state), errors.count);
  if (errors.count != 0) out += " last " + error_frame_text(decode_error_frame(errors.last));
  out += '\n';
}

}  // namespace

std::string snapshot_text(const State& state, SteadyTime now, const SnapshotHead& head) {
  std::string out;
  const View view{state, now};
  append_link(out, view, head);
  for (const protocol::Message& message : state.catalogue->messages()) append_message(out, view, message);
  for (const OtherId* const other : others_by_id(state)) append_other(out, view, *other);
  append_trouble(out, state);
  return out;
}

}  // namespace rangerctl::monitor
