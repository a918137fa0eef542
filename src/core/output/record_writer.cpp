#include "rangerctl/output/record_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <span>

#include "csv_field.hpp"
#include "plans.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::output {
namespace {

using protocol::Message;

// ---- Pieces that the formats share ----------------------------------------------------------------------

/// As candump writes it: three digits, or eight for 29-bit ids and error frames.
char* put_id(char* to, const Frame& frame) {
  if (frame.kind == FrameKind::error) return put_hex_number(to, frame.id | kErrorIdBit, 8);
  return put_hex_number(to, frame.id, frame.extended ? 8 : 3);
}

std::span<const std::uint8_t> payload_of(const Record& record) {
  if (record.xl != nullptr) return {record.xl->data.data(), record.xl->stored};
  return record.frame.bytes();
}

/// Room for everything in a record but its signals and what other_text() says.
std::size_t head_room(const Record& record) {
  return 128 + HeadText::room_for(record.bus) + 2 * payload_of(record).size();
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text(2 * bytes.size(), '0');
  put_hex(text.data(), bytes.data(), bytes.size());
  return text;
}

/// What is there instead of signals, for people: the words behind the id in the text format.
std::string other_text(const Record& record, const Lookup& found) {
  const Frame& frame = record.frame;
  const std::string data = hex(payload_of(record));
  if (found.decoding == Decoding::error_frame)
    return "error_frame " + error_frame_text(decode_error_frame(frame));
  if (found.decoding == Decoding::too_short)
    return fmt::format("{} short: {} of {} bytes data={}", found.message->name, frame.length,
                       found.message->dlc, data);
  switch (frame.kind) {
    case FrameKind::remote: {
      const std::string raw = frame.raw_dlc == 0 ? std::string{} : fmt::format(" raw_dlc={}", frame.raw_dlc);
      return fmt::format("remote dlc={}{}", frame.length, raw);
    }
    case FrameKind::fd:
      return fmt::format("fd flags={} data={}", frame.fd_flags, data);
    case FrameKind::xl:
      return fmt::format("xl vcid={} flags={} sdt={} af={} length={} data={}", record.xl->vcid,
                         record.xl->flags, record.xl->sdt, record.xl->af, record.xl->length, data);
    default:
      return fmt::format("unknown data={}", data);
  }
}

// ---- JSON -------------------------------------------------------------------------------------------------

/// The keys from the direction to the data, each with a comma behind it.
char* put_json_middle(char* to, const Record& record) {
  if (record.direction != FrameDirection::unknown) {
    to = put(to, record.direction == FrameDirection::rx ? "\"dir\":\"rx\"," : "\"dir\":\"tx\",");
  }
  to = put_id(put(to, "\"id\":\""), record.frame);
  to = put(to, "\",");
  if (record.frame.kind == FrameKind::remote) return to;
  const auto payload = payload_of(record);
  to = put_hex(put(to, "\"data\":\""), payload.data(), payload.size());
  return put(to, "\",");
}

/// What only some kinds of frames have, each key with a comma behind it.
std::string json_extras(const Record& record) {
  const Frame& frame = record.frame;
  std::string text;
  if (frame.kind == FrameKind::remote) text += fmt::format(R"("rtr":true,"dlc":{},)", frame.length);
  if (frame.kind == FrameKind::fd) text += fmt::format(R"("fd":true,"flags":{},)", frame.fd_flags);
  if (record.xl != nullptr) {
    text += fmt::format(R"("xl":{{"vcid":{},"flags":{},"sdt":{},"af":{},"length":{}}},)", record.xl->vcid,
                        record.xl->flags, record.xl->sdt, record.xl->af, record.xl->length);
  }
  if (frame.raw_dlc != 0) text += fmt::format(R"("raw_dlc":{},)", frame.raw_dlc);
  return text;
}

std::string json_list(const std::vector<std::string>& names) {
  return names.empty() ? std::string("[]") : fmt::format("[\"{}\"]", fmt::join(names, "\",\""));
}

std::string json_error_frame(const ErrorFrame& error) {
  std::string text = "\"error_frame\":{\"classes\":" + json_list(error.classes);
  if (!error.controller.empty()) text += ",\"controller\":" + json_list(error.controller);
  if (!error.protocol.empty()) text += ",\"protocol\":" + json_list(error.protocol);
  if (!error.location.empty()) text += fmt::format(R"(,"location":"{}")", error.location);
  if (!error.transceiver.empty()) text += fmt::format(R"(,"transceiver":"{}")", error.transceiver);
  if (error.lost_arbitration_bit)
    text += fmt::format(R"(,"lost_arbitration_bit":{})", *error.lost_arbitration_bit);
  if (error.tx_errors)
    text += fmt::format(R"(,"tx_errors":{},"rx_errors":{})", *error.tx_errors, *error.rx_errors);
  return text + "},";
}

/// What stands in place of signals, each key with a comma behind it.
std::string json_instead(const Record& record, const Lookup& found) {
  if (found.decoding == Decoding::error_frame) return json_error_frame(decode_error_frame(record.frame));
  if (found.decoding == Decoding::unknown_id) return {};
  return fmt::format(R"("message":"{}","error":"short: {} of {} bytes",)", found.message->name,
                     record.frame.length, found.message->dlc);
}

// ---- CSV --------------------------------------------------------------------------------------------------

/// "message,signal,value," of the row that stands in place of signals.
std::string csv_instead(const Record& record, const Lookup& found) {
  const Frame& frame = record.frame;
  const std::string data = hex(payload_of(record));
  switch (found.decoding) {
    case Decoding::error_frame:
      return ",error_frame," + csv_field(error_frame_text(decode_error_frame(frame)));
    case Decoding::too_short:
      return fmt::format("{},error,short: {} of {} bytes", found.message->name, frame.length,
                         found.message->dlc);
    default:
      break;
  }
  switch (frame.kind) {
    case FrameKind::remote:
      return fmt::format(",rtr,{}", frame.length);
    case FrameKind::fd:
      return fmt::format(",fd_data,{}", data);
    case FrameKind::xl:
      return fmt::format(",xl_data,{}", data);
    default:
      return fmt::format(",data,{}", data);
  }
}

}  // namespace

RecordWriter::RecordWriter(const protocol::Catalogue& catalogue, WriterOptions options)
    : catalogue_(catalogue), options_(std::move(options)), head_(options_.format) {
  for (const Message& message : catalogue.messages()) plans_.push_back(plan_message(options_, message));
  last_.resize(plans_.size());
}

std::size_t RecordWriter::index_of(const Message& message) const {
  return static_cast<std::size_t>(&message - catalogue_.messages().data());
}

const MessagePlan& RecordWriter::plan_of(const Message& message) const { return plans_[index_of(message)]; }

void RecordWriter::write_header(TextBuffer& out) const {
  if (options_.format == Format::csv) out.append("time,bus,id,message,signal,value,unit\n");
}

bool RecordWriter::write(const Record& record, const Lookup& found, TextBuffer& out) {
  if (!options_.signals.empty()) {
    if (found.decoding != Decoding::decoded || plan_of(*found.message).signals.empty()) return false;
  }
  switch (options_.format) {
    case Format::text:
      write_text(record, found, out);
      break;
    case Format::json:
      write_json(record, found, out);
      break;
    case Format::csv:
      write_csv(record, found, out);
      break;
  }
  return true;
}

void RecordWriter::write_json(const Record& record, const Lookup& found, TextBuffer& out) {
  const bool decoded = found.decoding == Decoding::decoded;
  const bool plain = decoded && record.frame.raw_dlc == 0;
  const std::string rest = plain ? std::string{} : json_extras(record) + json_instead(record, found);
  char* to = out.room(head_room(record) + rest.size() + (decoded ? plan_of(*found.message).room : 0));
  to = put_json_middle(head_.put(to, record.time, record.bus), record);
  to = put(to, rest);
  to = decoded ? put(put_signals(to, *found.message, record.frame), "}}\n") : put(to - 1, "}\n");
  out.advance_to(to);
}

void RecordWriter::write_text(const Record& record, const Lookup& found, TextBuffer& out) {
  const bool decoded = found.decoding == Decoding::decoded;
  const std::string rest = decoded ? std::string{} : other_text(record, found);
  char* to = out.room(head_room(record) + rest.size() + (decoded ? plan_of(*found.message).room : 0));
  to = put(put_id(head_.put(to, record.time, record.bus), record.frame), ' ');
  to = decoded ? put_signals(to, *found.message, record.frame) : put(to, rest);
  out.advance_to(put(to, '\n'));
}

void RecordWriter::write_csv(const Record& record, const Lookup& found, TextBuffer& out) {
  const auto put_head = [&](char* to) {
    return put(put_id(head_.put(to, record.time, record.bus), record.frame), ',');
  };
  if (found.decoding != Decoding::decoded) {
    const std::string rest = csv_instead(record, found);
    out.advance_to(put(put(put_head(out.room(head_room(record) + rest.size())), rest), ",\n"));
    return;
  }
  const MessagePlan& plan = plan_of(*found.message);
  char* to = out.room(plan.room + head_room(record) * plan.signals.size());
  const std::uint64_t word = protocol::payload_word(record.frame);
  for (const SignalPlan& signal : plan.signals) to = put_signal(put_head(to), signal, word);
  out.advance_to(to);
}

char* RecordWriter::put_signals(char* to, const Message& message, const Frame& frame) {
  LastSignals& last = last_[index_of(message)];
  const std::uint64_t word = protocol::payload_word(frame);
  if (last.word == word && !last.text.empty()) return put(to, last.text);
  const MessagePlan& plan = plan_of(message);
  char* end = plan.lead.put(to);
  for (const SignalPlan& signal : plan.signals) end = put_signal(end, signal, word);
  last.word = word;
  last.text.assign(to, end);
  return end;
}

char* RecordWriter::put_signal(char* to, const SignalPlan& plan, std::uint64_t word) const {
  to = put_value(plan.lead.put(to), plan, protocol::raw_value(plan.bits, word));
  return plan.has_tail ? plan.tail.put(to) : to;
}

char* RecordWriter::put_value(char* to, const SignalPlan& plan, std::int64_t raw) const {
  if (plan.kind == ValueKind::flags) return put_flags(to, plan, static_cast<std::uint64_t>(raw));
  for (const auto& [value, text] : plan.choices) {
    if (value == raw) return text.put(to);
  }
  return put_decimal(to, raw, raw > plan.fine_above ? plan.fine_decimals : plan.decimals);
}

char* RecordWriter::put_flags(char* to, const SignalPlan& plan, std::uint64_t raw) const {
  const Style& style = style_of(options_.format);
  if (raw == 0) return put(to, style.no_flags);
  to = put(to, style.open);
  for (std::uint64_t rest = raw; rest != 0; rest &= rest - 1) {
    to = plan.flags[static_cast<std::size_t>(std::countr_zero(rest))].put(to);
  }
  return put(to - 1, style.close);  // over the last separator
}

}  // namespace rangerctl::output
