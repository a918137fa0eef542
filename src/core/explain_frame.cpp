#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "rangerctl/error_frame.hpp"
#include "rangerctl/explain.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/describe.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/wrapped_text.hpp"

namespace rangerctl {
namespace {

using protocol::Message;
using protocol::Signal;

std::string id_digits(const Frame& frame) {
  return frame.extended ? fmt::format("{:08X}", frame.id) : fmt::format("{:03X}", frame.id);
}

/// The frame as people write it, or what kind of frame it is.
std::string title(const Frame& frame) {
  const std::string id = id_digits(frame);
  switch (frame.kind) {
    case FrameKind::data:
      return log::written_frame(frame);
    case FrameKind::remote:
      return fmt::format("remote request {}, {} bytes", id, frame.length);
    case FrameKind::fd:
      return fmt::format("CAN FD frame {}, {} bytes", id, frame.length);
    case FrameKind::xl:
      return fmt::format("CAN XL frame, priority {}", id);
    case FrameKind::error:
      return "error frame";
  }
  return {};
}

std::string not_a_message(const protocol::Catalogue& catalogue, const Frame& frame) {
  if (frame.kind != FrameKind::data || frame.extended) {
    return fmt::format("no message of the {}, which sends and takes classic 11-bit data frames only",
                       catalogue.title());
  }
  if (const protocol::OpaqueId* const opaque = catalogue.find_opaque(frame.id); opaque != nullptr)
    return std::string(opaque->meaning);
  return fmt::format("not in the catalogue of the {}; 'rangerctl protocol' lists what is", catalogue.title());
}

/// The name on the line of `label`, what is known of it below.
void append_flag(std::string& out, const Signal& signal, unsigned bit, std::string_view label,
                 std::size_t hang) {
  const auto flag = std::find_if(signal.flags.begin(), signal.flags.end(),
                                 [bit](const protocol::Flag& row) { return row.bit == bit; });
  const bool known = flag != signal.flags.end();
  const std::string name = known ? std::string(flag->name) : fmt::format("bit{}", bit);
  append_hanging(out, fmt::format("{:<{}}{}", label, hang, name),
                 known ? protocol::flag_details(*flag) : "not documented", hang + 2);
}

void append_flags(std::string& out, const Signal& signal, std::int64_t raw, std::string_view label,
                  std::size_t hang) {
  for (unsigned bit = 0; bit < signal.field.bits; ++bit) {
    if (((raw >> bit) & 1) == 0) continue;
    append_flag(out, signal, bit, label, hang);
    label = "";
  }
}

std::string_view choice_meaning(const Signal& signal, std::int64_t raw) {
  for (const protocol::Choice& choice : signal.choices) {
    if (choice.value == raw) return choice.meaning;
  }
  return "not documented";
}

std::string value_of(const Signal& signal, std::int64_t raw) {
  std::string text = protocol::value_text(signal, raw);
  if (!signal.unit.empty()) text.append(" ").append(signal.unit);
  const std::string_view meaning = signal.choices.empty() ? signal.meaning : choice_meaning(signal, raw);
  return meaning.empty() ? text : fmt::format("{}: {}", text, meaning);
}

void append_signals(std::string& out, const Message& message, const Frame& frame) {
  std::size_t widest = 0;
  for (const Signal& signal : message.signals) widest = std::max(widest, signal.name.size());
  for (const Signal& signal : message.signals) {
    const std::int64_t raw = protocol::raw_value(signal.field, frame.bytes());
    const std::string label = fmt::format("  {}", signal.name);
    if (!signal.flags.empty() && raw != 0) {
      append_flags(out, signal, raw, label, widest + 4);
    } else {
      append_hanging(out, label, value_of(signal, raw), widest + 4);
    }
  }
}

/// What is odd about the frame's length; empty where nothing is.
std::string length_note(const Message& message, const Frame& frame) {
  if (protocol::is_short(message, frame))
    return fmt::format("short: {} of {} bytes, so nothing is decoded", frame.length, message.dlc);
  if (frame.length > message.dlc)
    return fmt::format("{} bytes; the message has {}, the rest is ignored", frame.length, message.dlc);
  return {};
}

std::string explain_message(const Message& message, const Frame& frame) {
  std::string out;
  append_hanging(out, "", fmt::format("{}: {} ({})", title(frame), message.name, message.meaning), 0);
  const std::string note = length_note(message, frame);
  if (!note.empty()) append_hanging(out, "", note, 2);
  if (protocol::is_short(message, frame)) return out;
  out += '\n';
  append_signals(out, message, frame);
  return out;
}

}  // namespace

std::string explain_frame(const protocol::Catalogue& catalogue, const Frame& frame) {
  if (const Message* message = catalogue.find(frame)) return explain_message(*message, frame);
  const std::string meaning = frame.kind == FrameKind::error
                                  ? fmt::format(
                                        "{}; made by the controller of the host that logged it, not sent "
                                        "by any node",
                                        error_frame_text(decode_error_frame(frame)))
                                  : not_a_message(catalogue, frame);
  std::string out;
  append_hanging(out, "", fmt::format("{}: {}", title(frame), meaning), 0);
  return out;
}

}  // namespace rangerctl
