#include "asc_line.hpp"

namespace rangerctl::log::asc {

using namespace reading;

namespace {

/// Of ASCII only.
bool is_same_word(std::string_view word, std::string_view lower_case) {
  return std::equal(word.begin(), word.end(), lower_case.begin(), lower_case.end(), [](char c, char lower) {
    return (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) == lower;
  });
}

/// What stands behind a time and is no frame. "CAN 1 Status:chip status error active".
constexpr std::array<std::string_view, 7> kEvents{
    "Start of measurement", "CAN ",           "SV:", "TFS:", "log trigger event",
    "log direct start",     "log direct stop"};
/// The same behind a channel.
constexpr std::array<std::string_view, 2> kChannelEvents{"Statistic:", "J1939TP "};

template <class Table>
bool begins_with_one_of(const Table& table, std::string_view text) {
  return std::any_of(table.begin(), table.end(),
                     [text](std::string_view row) { return text.starts_with(row); });
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), is_decimal);
}

bool begins_with_time(std::string_view word) {
  return is_decimal(word.front()) || (word.size() > 1 && word[0] == '-' && is_decimal(word[1]));
}

}  // namespace

LineKind Parser::read(std::string_view line, LineEnd end, LogFrame& out) {
  const Words words(line);
  if (words.rest().starts_with("//")) return LineKind::comment;
  return begins_with_time(words.peek()) ? read_event(words, end, out) : read_header(words);
}

LineKind Parser::read_header(Words words) {
  const std::string_view first = words.next();
  if (is_same_word(first, "date")) {
    take_date(words);
  } else if (is_same_word(first, "base")) {
    const std::string_view base = words.next();
    if (!is_same_word(base, "hex") && !is_same_word(base, "dec")) return LineKind::unrecognised;
    is_decimal_ = is_same_word(base, "dec");
    // BUSMASTER has no such word; its times are absolute.
    is_relative_ = is_same_word(words.next(), "timestamps") && is_same_word(words.next(), "relative");
  } else if (is_same_word(first, "begin") && is_same_word(words.next(), "triggerblock")) {
    take_date(words);
  } else if (!(is_same_word(first, "end") && is_same_word(words.next(), "triggerblock")) &&
             !(is_same_word(first, "internal") && is_same_word(words.next(), "events")) &&
             !(is_same_word(first, "no") && is_same_word(words.next(), "internal"))) {
    return LineKind::unrecognised;
  }
  return LineKind::header;
}

/// The day of the week says nothing that the date does not.
void Parser::take_date(Words words) {
  words.next();
  Timestamp time;
  if (read_date(words, to_utc_, time)) start_ = time;
  last_ = {};
}

LineKind Parser::read_time(std::string_view word, Timestamp& time) {
  if (word.find('.') == std::string_view::npos || !read_time_number(word, 0, time)) return LineKind::bad_time;
  if (is_relative_) {
    if (!add_time(last_, time)) return LineKind::bad_time;
    last_ = time;
  }
  return add_time(start_, time) ? LineKind::frame : LineKind::bad_time;
}

LineKind Parser::read_event(Words words, LineEnd end, LogFrame& out) {
  if (const LineKind kind = read_time(words.next(), out.time); kind != LineKind::frame) return kind;
  if (begins_with_one_of(kEvents, words.rest())) return LineKind::event;
  const std::string_view type = is_number(words.peek()) ? "" : words.next();
  std::uint32_t channel = 0;
  if (!read_number(words.next(), 10, 255, channel)) return LineKind::unrecognised;
  if (type.empty() && begins_with_one_of(kChannelEvents, words.rest())) return LineKind::event;
  if (channel != 0) out.bus = bus_.of(channel - 1);
  return read_frame(type, words, end, out);
}

LineKind Parser::read_frame(std::string_view type, Words& words, LineEnd end, LogFrame& out) {
  if (type.empty()) return read_classic_frame(words, is_decimal_, end, out);
  if (is_decimal_) return LineKind::unrecognised;
  if (type == "CANFD") return read_fd_frame(words, end, out);
  return type == "CANXL" ? read_any_frame(words, end, out) : LineKind::unrecognised;
}

}  // namespace rangerctl::log::asc
