#include <fmt/format.h>

#include <array>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/monitor/snapshot.hpp"
#include "rangerctl/output/json_text.hpp"
#include "rangerctl/protocol/values.hpp"
#include "view.hpp"

namespace rangerctl::monitor {
namespace {

using output::append;
using output::append_list;
using output::append_string;

constexpr std::array<std::string_view, 4> kLinkStates{"up", "down", "gone", "ended"};
constexpr std::array<std::string_view, 5> kFrameKinds{"data", "rtr", "error", "fd", "xl"};

std::string number_or_null(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "null";
}

double seconds(SteadyTime::duration duration) { return std::chrono::duration<double>(duration).count(); }

void append_value(std::string& out, const protocol::Signal& signal, std::int64_t raw) {
  if (!signal.flags.empty()) {
    out += '[';
    append_list(out, flag_names(signal, raw), [&out](const std::string& name) { append_string(out, name); });
    out += ']';
    return;
  }
  const std::string_view choice = protocol::choice_name(signal, raw);
  choice.empty() ? protocol::append_decimal(out, raw, signal.decimals_of(raw)) : append_string(out, choice);
}

void append_signals(std::string& out, const View& view, const protocol::Message& message) {
  out += '{';
  append_list(out, message.signals, [&](const protocol::Signal& signal) {
    append_string(out, signal.name);
    out += ':';
    append_value(out, signal, *current_value(view.state, index_of(view, message), signal, view.now));
  });
  out += '}';
}

void append_message(std::string& out, const View& view, const protocol::Message& message) {
  const std::size_t index = index_of(view, message);
  const MessageState& entry = view.state.messages[index];
  const bool fresh = freshness(view.state, index, view.now) == Freshness::fresh;
  const auto age = entry.count == 0 ? std::nullopt : std::optional(seconds(view.now - entry.arrival));
  append(out,
         R"({{"id":"{:03X}","message":"{}","rate":{},"age":{},"count":{},"short":{},"stale":{},"signals":)",
         message.id, message.name, number_or_null(entry.meter.per_second(view.now), 1),
         number_or_null(age, 3), entry.count, entry.short_count, !fresh);
  fresh ? append_signals(out, view, message) : static_cast<void>(out += "null");
  out += '}';
}

void append_other(std::string& out, const View& view, const OtherId& other) {
  append(out, R"({{"id":"{:0{}X}","kind":"{}","rate":{},"age":{:.3f},"count":{},"data":")", other.frame.id,
         other.frame.extended ? 8 : 3, kFrameKinds[static_cast<std::size_t>(other.frame.kind)],
         number_or_null(other.meter.per_second(view.now), 1), seconds(view.now - other.arrival), other.count);
  for (const std::uint8_t byte : other.frame.bytes()) append(out, "{:02X}", byte);
  out += "\"}";
}

/// What the driver says, where it does.
void append_interface(std::string& out, const State& state) {
  if (!state.interface) return;
  append(out, R"(,"kind":)");
  append_string(out, state.interface->kind);
  if (state.interface->bit_rate) append(out, R"(,"bit_rate":{})", *state.interface->bit_rate);
  if (state.interface->controller)
    append(out, R"(,"controller":"{}")", controller_state_name(*state.interface->controller));
}

void append_head(std::string& out, const View& view, const SnapshotHead& head) {
  const LinkStatus& link = view.state.link;
  out += R"({"address":)";
  append_string(out, head.address);
  append(out, R"(,"time":{}.{:06},"link":{{"state":"{}","dropped":{},"unreadable":{},"outages":{})",
         head.time.seconds, head.time.nanoseconds / 1000, kLinkStates[static_cast<std::size_t>(link.state)],
         link.dropped, link.unreadable, link.outages);
  append_interface(out, view.state);
  out += '}';
}

void append_bus(std::string& out, const View& view) {
  const State& state = view.state;
  append(out, R"(,"bus":{{"frames":{},"rate":{},"load_percent":{:.1f},"worst_load_percent":{:.1f},)",
         state.frame_count, number_or_null(state.frames.per_second(view.now), 1),
         load_percent(state, state.bits, view.now), load_percent(state, state.worst_bits, view.now));
  append(out, R"("controller":"{}","rtr":{},"extended":{},"fd":{},"xl":{},"not_listed":{}}})",
         controller_name(state.controller), state.foreign.remote, state.foreign.extended, state.foreign.fd,
         state.foreign.xl, state.not_listed);
}

void append_errors(std::string& out, const View& view) {
  const ErrorFrames& errors = view.state.errors;
  append(out, R"(,"error_frames":{{"count":{},"classes":{{)", errors.count);
  append_list(out, error_classes(errors), [&out](const ErrorClass& row) {
    append_string(out, row.name);
    append(out, ":{}", row.count);
  });
  out += R"(},"last":)";
  if (errors.count == 0) {
    out += "null}";
    return;
  }
  append_string(out, error_frame_text(decode_error_frame(errors.last)));
  append(out, R"(,"age":{:.3f}}})", seconds(view.now - errors.arrival));
}

}  // namespace

std::string snapshot_json(const State& state, SteadyTime now, const SnapshotHead& head) {
  const View view{state, now};
  std::string out;
  append_head(out, view, head);
  append_bus(out, view);
  out += R"(,"messages":[)";
  append_list(out, listed_messages(state),
              [&](const protocol::Message* message) { append_message(out, view, *message); });
  out += R"(],"other_ids":[)";
  append_list(out, others_by_id(state), [&](const OtherId* other) { append_other(out, view, *other); });
  out += ']';
  append_errors(out, view);
  out += "}\n";
  return out;
}

}  // namespace rangerctl::monitor
