#include "rangerctl/output/record_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <span>

#include "plans.hpp"
#include "rangerctl/error_frame.hpp"
#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::output {
namespace {

using protocol::Message;

// ---- Pieces that the formats share ----------------------------------------------------------------------

char* put_time(char* to, const Timestamp& time) {
  to = put_decimal(to, time.seconds, 0);
  to = put(to, '.');
  std::uint32_t fraction = time.nanoseconds;
  for (unsigned digits = 9; digits > time.digits; --digits) fraction /= 10;
  return put_padded(to, fraction, time.digits);
}

/// As candump writes it: three digits, or eight for 29-bit ids and error frames.
char* put_id(char* to, const Frame& frame) {
  if (frame.kind == FrameKind::error) return put_hex_number(to, frame.id | 0x20000000U, 8);
  return put_hex_number(to, frame.id, frame.extended ? 8 : 3);
}

std::span<const std::uint8_t> payload_of(const Record& record) {
  if (record.xl != nullptr) return {record.xl->data.data(), record.xl->stored};
  return record.frame.bytes();
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c < 0x7F && c != '"' && c != '\\' && c != ','; });
}

/// Room for everything in a record but its signals and what other_text() says.
std::size_t head_room(const Record& record) {
  return 256 + 6 * record.bus.size() + 2 * payload_of(record).size();
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text(2 * bytes.size(), '0');
  put_hex(text.data(), bytes.data(), bytes.size());
  return text;
}

/// What is there instead of signals, for people: the words behind the id in the text format.
std::string other_text(const Record& record, Decoding decoding, const Message* message) {
  const Frame& frame = record.frame;
  const std::string data = hex(payload_of(record));
  if (decoding == Decoding::error_frame) return "error_frame " + error_frame_text(decode_error_frame(frame));
  if (decoding == Decoding::too_short)
    return fmt::format("{} short: {} of {} bytes data={}", message->name, frame.length, message->dlc, data);
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

char* put_json_name(char* to, std::string_view name) {
  if (is_plain(name)) return put(to, name);
  std::string escaped;
  append_json_escaped(escaped, name);
  return put(to, escaped);
}

/// The keys up to the data, each with a comma behind it.
char* put_json_head(char* to, const Record& record) {
  to = put(to, '{');
  if (record.time.known()) {
    to = put_time(put(to, "\"time\":"), record.time);
    to = put(to, ',');
  }
  if (!record.bus.empty()) {
    to = put_json_name(put(to, "\"bus\":\""), record.bus);
    to = put(to, "\",");
  }
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
std::string json_instead(const Record& record, Decoding decoding, const Message* message) {
  if (decoding == Decoding::error_frame) return json_error_frame(decode_error_frame(record.frame));
  if (decoding == Decoding::unknown_id) return {};
  return fmt::format(R"("message":"{}","error":"short: {} of {} bytes",)", message->name, record.frame.length,
                     message->dlc);
}

// ---- CSV --------------------------------------------------------------------------------------------------

/// RFC 4180: quotes around a field that needs them, quotes inside doubled. Control characters are escaped
/// first.
std::string csv_field(std::string_view text) {
  const std::string shown = printable(text);
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

/// "time,bus,id," which every row of a record begins with.
char* put_csv_head(char* to, const Record& record) {
  if (record.time.known()) to = put_time(to, record.time);
  to = put(to, ',');
  to = is_plain(record.bus) ? put(to, record.bus) : put(to, csv_field(record.bus));
  to = put_id(put(to, ','), record.frame);
  return put(to, ',');
}

/// "message,signal,value," of the row that stands in place of signals.
std::string csv_instead(const Record& record, Decoding decoding, const Message* message) {
  const Frame& frame = record.frame;
  const std::string data = hex(payload_of(record));
  switch (decoding) {
    case Decoding::error_frame:
      return ",error_frame," + csv_field(error_frame_text(decode_error_frame(frame)));
    case Decoding::too_short:
      return fmt::format("{},error,short: {} of {} bytes", message->name, frame.length, message->dlc);
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

Decoding decoding_of(const protocol::Catalogue& catalogue, const Frame& frame) {
  if (frame.kind == FrameKind::error) return Decoding::error_frame;
  const Message* const message = catalogue.find(frame);
  if (message == nullptr) return Decoding::unknown_id;
  return protocol::is_short(*message, frame) ? Decoding::too_short : Decoding::decoded;
}

RecordWriter::RecordWriter(const protocol::Catalogue& catalogue, WriterOptions options)
    : catalogue_(catalogue), options_(std::move(options)) {
  for (const Message& message : catalogue.messages()) plans_.push_back(plan_message(options_, message));
}

const MessagePlan& RecordWriter::plan_of(const Message& message) const {
  return plans_[static_cast<std::size_t>(&message - catalogue_.messages().data())];
}

void RecordWriter::write_header(TextBuffer& out) const {
  if (options_.format == Format::csv) out.append("time,bus,id,message,signal,value,unit\n");
}

bool RecordWriter::write(const Record& record, TextBuffer& out) const {
  const Decoding decoding = decoding_of(catalogue_, record.frame);
  if (!options_.signals.empty()) {
    if (decoding != Decoding::decoded || plan_of(*catalogue_.find(record.frame)).signals.empty())
      return false;
  }
  switch (options_.format) {
    case Format::text:
      write_text(record, decoding, out);
      break;
    case Format::json:
      write_json(record, decoding, out);
      break;
    case Format::csv:
      write_csv(record, decoding, out);
      break;
  }
  return true;
}

void RecordWriter::write_json(const Record& record, Decoding decoding, TextBuffer& out) const {
  const Message* const message = catalogue_.find(record.frame);
  if (decoding == Decoding::decoded) {
    const MessagePlan& plan = plan_of(*message);
    char* to = put_json_head(out.room(head_room(record) + plan.room), record);
    if (record.frame.raw_dlc != 0) to = put(to, json_extras(record));
    to = put_signals(plan.lead.put(to), plan, record.frame);
    out.advance_to(put(to - 1, "}}\n"));  // over the last comma
    return;
  }
  const std::string rest = json_extras(record) + json_instead(record, decoding, message);
  char* const to = put(put_json_head(out.room(head_room(record) + rest.size()), record), rest);
  out.advance_to(put(to - 1, "}\n"));
}

void RecordWriter::write_text(const Record& record, Decoding decoding, TextBuffer& out) const {
  const Message* const message = catalogue_.find(record.frame);
  const MessagePlan* const plan = decoding == Decoding::decoded ? &plan_of(*message) : nullptr;
  const std::string rest = plan == nullptr ? other_text(record, decoding, message) : std::string{};
  char* to = out.room(head_room(record) + rest.size() + (plan == nullptr ? 0 : plan->room));
  to = record.time.known() ? put_time(to, record.time) : put(to, '-');
  to = put(to, ' ');
  to = record.bus.empty()     ? put(to, '-')
       : is_plain(record.bus) ? put(to, record.bus)
                              : put(to, printable(record.bus));
  to = put_id(put(to, ' '), record.frame);
  to = put(to, ' ');
  to = plan == nullptr ? put(to, rest) : put_signals(plan->lead.put(to), *plan, record.frame);
  out.advance_to(put(to, '\n'));
}

void RecordWriter::write_csv(const Record& record, Decoding decoding, TextBuffer& out) const {
  const Message* const message = catalogue_.find(record.frame);
  if (decoding != Decoding::decoded) {
    const std::string rest = csv_instead(record, decoding, message);
    out.advance_to(put(put(put_csv_head(out.room(head_room(record) + rest.size()), record), rest), ",\n"));
    return;
  }
  const MessagePlan& plan = plan_of(*message);
  const std::size_t head = head_room(record);
  char* to = out.room(plan.room + head * (plan.signals.size() + 1));
  const std::string_view row_head{to, static_cast<std::size_t>(put_csv_head(to, record) - to)};
  const std::uint64_t word = protocol::payload_word(record.frame);
  to += row_head.size();
  for (std::size_t i = 0; i < plan.signals.size(); ++i) {
    const SignalPlan& signal = plan.signals[i];
    if (i > 0) to = put(to, row_head);
    to = put_value(signal.lead.put(to), signal, protocol::raw_value(signal.signal->field, word));
    to = signal.tail.put(to);
  }
  out.advance_to(to);
}

char* RecordWriter::put_signals(char* to, const MessagePlan& plan, const Frame& frame) const {
  const std::uint64_t word = protocol::payload_word(frame);
  for (const SignalPlan& signal : plan.signals) {
    to = put_value(signal.lead.put(to), signal, protocol::raw_value(signal.signal->field, word));
    to = signal.tail.put(to);
  }
  return to;
}

char* RecordWriter::put_value(char* to, const SignalPlan& plan, std::int64_t raw) const {
  const protocol::Signal& signal = *plan.signal;
  if (options_.raw) return put_decimal(to, raw, 0);
  if (!plan.flags.empty()) return put_flags(to, plan, static_cast<std::uint64_t>(raw));
  for (std::size_t i = 0; i < plan.choices.size(); ++i) {
    if (signal.choices[i].value == raw) return plan.choices[i].put(to);
  }
  return put_decimal(to, raw, signal.decimals_of(raw));
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
